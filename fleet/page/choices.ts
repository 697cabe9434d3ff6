import type { NodeState } from "../api/node-state.ts";

const CLASSES_MAX = 10;

interface Choice {
  readonly label: number;
  /** The digit that answers; undefined: there are more classes than digits. */
  readonly key?: string;
}

/** The answers to a question about a node's sample. A digit is a class's place, from 1, unless it is the class's name. */
export function listChoices(state: NodeState | undefined): Choice[] {
  if (!state || state.task === "regression") return [];
  if (state.task !== "multiclass") {
    // What is usual comes first.
    const labels = state.task === "novelty" ? [1, -1] : [-1, 1];
    return labels.map((label, place) => ({ label, key: String(place + 1) }));
  }
  const names = state.classes ?? Array.from({ length: CLASSES_MAX }, (_, place) => String(place));
  const areDigits = names.every((name) => /^\d+$/.test(name));
  return names.map((name, label) => {
    const key = areDigits ? name : String((label + 1) % 10);
    return { label, ...((areDigits ? name.length === 1 : label < 10) && { key }) };
  });
}
