import { lateText } from "../labels/late-labels.ts";
import type { TaskResults } from "./tasks.ts";

/** A share of late labels that is worth a line. */
const WORTH = 0.01;

/** How many labels came late to the task's nodes, and the `pending` that would have held their samples; undefined where hardly any did. */
export function lateTaskText({ nodes }: TaskResults): string | undefined {
  const all = nodes.flatMap(({ learners }) => learners.map(({ labels }) => labels));
  const cameTo = (each: (typeof all)[number]) => each.applied + each.late + each.died + each.refused;
  const late = all.filter((each) => each.late > 0 && each.late >= WORTH * cameTo(each));
  if (late.length === 0) return undefined;
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  const remedies = late.flatMap(({ remedy }) => remedy ?? []).sort((a, b) => b.pending - a.pending);
  const where = late.length < all.length ? `at ${late.length} of ${all.length} learners on nodes, ` : "";
  return where + lateText(sum(late.map((each) => each.late)), sum(late.map(cameTo)), remedies[0]);
}

/** The `pending` that the task's nodes have for their labels' delay; undefined where the scenario says it, or its default does. */
export function pendingText({ nodes }: TaskResults): string | undefined {
  const { samples, from } = nodes[0].learners[0].pending;
  return from === "delay"
    ? `${samples} samples wait for their label: the delay of labels needs them`
    : undefined;
}
