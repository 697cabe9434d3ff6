/** Memory and turns of the nodes in Espressif's QEMU beside their plans. */
import { SLOT_BYTES } from "../../targets/boards.ts";
import type { Footprint } from "../../targets/footprint.ts";

/** What a learner's node took of XS's memory at most, bytes, and its longest turn with a save of a checkpoint, ms. */
export interface LearnerRun {
  readonly learner: string;
  /** True if its state follows from its samples, too, not from its labels alone. */
  readonly ordered: boolean;
  /** The memory that its plan gave it when it ran. */
  readonly bytes: number;
  readonly measured: { readonly chunks: number; readonly slots: number; readonly turn: number };
  readonly date: string;
}

/** The same beside what `plan` says now, without an application; the turn in milliseconds at QEMU's clock. */
interface PlannedRun extends Omit<LearnerRun, "ordered" | "date"> {
  /** True if chunks and slots grow as the node takes them; else XS takes both whole at its start. */
  readonly grows: boolean;
  readonly planned: { readonly chunks: number; readonly slots: number; readonly turnMs: number };
}

/** Instructions a second in QEMU, as `flash --emulate` starts it. */
const QEMU_HZ = 125e6;

/** A plan that is wrong by more than this share of itself is at fault. */
const LIMIT = 0.05;

/** A run beside its node's plan. Throws where no turn of that learner was measured. */
export function besideFootprint(
  run: Omit<LearnerRun, "ordered" | "date">,
  { ram, unyielding, board }: Footprint,
): PlannedRun {
  const kept = ram.items.find(({ item }) => item === "kept for the application");
  if (!kept || !unyielding)
    throw new Error(`${run.learner}: its plan has no turn, or keeps nothing for the application`);
  const [chunks, slots] = [ram.needs.chunk - kept.chunk, SLOT_BYTES * (ram.needs.slots - kept.slots)];
  const turnMs = (unyielding.turnMs * board.clockHz) / QEMU_HZ;
  return { ...run, grows: ram.gives.static > 0, planned: { chunks, slots, turnMs } };
}

/** A measured figure with its difference from the planned one, in percent of the planned one. */
function besidePlan(measured: number, planned: number): string {
  const percent = Math.round((100 * (measured - planned)) / planned);
  return `${measured} (${percent > 0 ? "+" : ""}${percent} %)`;
}

/** Chunks and slots, which share one block. */
const together = ({ chunks, slots }: { readonly chunks: number; readonly slots: number }): number =>
  chunks + slots;

/** The learners whose node takes less memory than planned, by over the limit, or more than planned; of those whose memory grows. */
export function beyondPlan(results: readonly PlannedRun[]) {
  const beyond = (holds: (ratio: number) => boolean): string[] =>
    results
      .filter(({ grows, planned, measured }) => grows && holds(together(measured) / together(planned)))
      .map(({ learner }) => learner);
  return { below: beyond((ratio) => ratio < 1 - LIMIT), above: beyond((ratio) => ratio > 1) };
}

type Cell = string | number;

/** The columns: a head, a result's cell, and whether it is only for memory that grows. */
const COLUMNS: readonly (readonly [string, (run: PlannedRun) => Cell, boolean?])[] = [
  ["learner", ({ learner }) => learner],
  ["memory, B", ({ bytes }) => bytes],
  ["chunks, B", ({ planned }) => planned.chunks],
  ["most", ({ measured }) => measured.chunks, true],
  ["slots, B", ({ planned }) => planned.slots],
  ["most", ({ measured }) => measured.slots, true],
  ["together, B", ({ planned }) => together(planned)],
  ["most", ({ planned, measured }) => besidePlan(together(measured), together(planned)), true],
  ["turn, ms", ({ planned }) => planned.turnMs.toFixed(1)],
  ["with a save", ({ measured }) => measured.turn],
];

/** A line for each learner: the memory that it had, bytes of XS's memory and milliseconds of its longest turn, planned and measured. */
export function figures(results: readonly PlannedRun[]): Cell[][] {
  const grow = results.some(({ grows }) => grows);
  const shown = COLUMNS.filter(([, , isOfGrowing]) => grow || !isOfGrowing);
  return [shown.map(([head]) => head), ...results.map((result) => shown.map(([, cell]) => cell(result)))];
}
