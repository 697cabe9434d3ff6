import { countText } from "../../host/count-text.ts";
import type { Case, Json } from "./case.ts";

export interface CaseSize {
  readonly tasks: number;
  readonly learners: number;
  /** Rows of its files; for a generated stream its nodes times samples. */
  readonly samples: number;
  /** Values that its scenario file names. */
  readonly values: number;
}

const listLength = (list: Json | undefined) => (Array.isArray(list) ? list.length : 0);

function leaves(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + leaves(part), 0);
}

export function measureCase({ scenario, streams }: Case): CaseSize {
  const { tasks = [], stream } = scenario as { tasks?: Json; stream?: { nodes?: number; samples?: number } };
  const list = Array.isArray(tasks) ? tasks : [];
  const rows = streams.reduce((sum, each) => sum + each.rows.length, 0);
  return {
    tasks: list.length,
    learners: list.reduce((sum, task) => sum + listLength(task?.learners), 0),
    samples: rows || (stream?.nodes ?? 0) * (stream?.samples ?? 0),
    values: leaves(scenario),
  };
}

export function sizeText({ tasks, learners, samples, values }: CaseSize): string {
  const rows = samples > 0 ? countText(samples, "sample") : "all samples of the recording";
  return `${countText(tasks, "task")}, ${countText(learners, "learner")}, ${rows}, ${countText(values, "value")}`;
}
