import type { Outcome } from "./expansion.ts";
import { modelled, readModelFile } from "./models.ts";

/**
 * Tolerance relative to the largest number beside it: the effect of another order of summation in doubles.
 */
const TOLERANCE = 1e-9;
/** This trace's own merges are that exact (`h_tolerance`). */
const TOLERANCES: { readonly [name: string]: number } = { bsgd_merge: 1e-6 };
/** A file's fields that no model computes: its question, and notes on its choice. */
const GIVEN = [
  ...["algorithm", "dataset", "params", "kernel", "X", "y", "clean_labels"],
  ...["maintenance", "partner", "options", "inputs", "labels", "closest_calls"],
];
/** Of KRLS that discards, the inverse of a dictionary that it doesn't keep. */
const UNUSED: { readonly [name: string]: readonly string[] } = {
  krls_ald_discard: ["Ki"],
  krls_nc: ["Ki"],
  krls_sc: ["Ki"],
};

/** The numbers of a value, in order; of a truth value 0 or 1. */
export function flattenNumbers(value: unknown): number[] {
  return Array.isArray(value) ? value.flatMap(flattenNumbers) : [Number(value)];
}

function difference(what: string, got: unknown, wanted: unknown, tolerance: number): string[] {
  const [ours, theirs] = [flattenNumbers(got), flattenNumbers(wanted)];
  if (ours.length !== theirs.length)
    return [`${what}: ${ours.length} numbers, the trace has ${theirs.length}`];
  const scale = Math.max(1, ...theirs.map(Math.abs));
  const at = ours.findIndex((value, i) => !(Math.abs(value - theirs[i]) <= tolerance * scale));
  return at < 0 ? [] : [`${what}[${at}]: the model has ${ours[at]}, the trace ${theirs[at]}`];
}

const computed = new Map<string, Outcome>();

/** The model's output for the file on disk, computed once. */
function findOutcome(name: string): Outcome {
  const outcome = computed.get(name) ?? modelled(name);
  computed.set(name, outcome);
  return outcome;
}

type Parts = { readonly [part: string]: unknown };

/** The differences between a trace's file and its model; `file`: its contents, if not those on disk. */
export function differences(name: string, file: Parts = readModelFile(name)): string[] {
  const tolerance = TOLERANCES[name] ?? TOLERANCE;
  const { final: ends, ...parts } = file;
  const { final = {}, ...outcome } = findOutcome(name) as { readonly final?: Parts };
  const held = (wanted: Parts, leave: readonly string[], got: Parts, where: string) =>
    Object.entries(wanted)
      .filter(([part]) => !leave.includes(part))
      .flatMap(([part, value]) => difference(`${where}${part}`, got[part], value, tolerance));
  return [...held(parts, GIVEN, outcome, ""), ...held(ends as Parts, UNUSED[name] ?? [], final, "final ")];
}
