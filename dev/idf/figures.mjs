// Memory and turns of the nodes in Espressif's QEMU beside their plans.

/** A plan that is wrong by more than this share of itself is at fault. */
const LIMIT = 0.05;

/** A measured figure with its difference from the planned one, in percent of the planned one. */
function besidePlan(measured, planned) {
  const percent = Math.round((100 * (measured - planned)) / planned);
  return `${measured} (${percent > 0 ? "+" : ""}${percent} %)`;
}

/** Chunks and slots, which share one block. */
const together = ({ chunks, slots }) => chunks + slots;

/** The learners whose node takes less memory than planned, by over the limit, or more than planned; of those whose memory grows. */
export function beyondPlan(results) {
  const beyond = (holds) =>
    results
      .filter(({ grows, planned, measured }) => grows && holds(together(measured) / together(planned)))
      .map(({ learner }) => learner);
  return { below: beyond((ratio) => ratio < 1 - LIMIT), above: beyond((ratio) => ratio > 1) };
}

/** The columns: a head, a result's cell, and whether it is only for memory that grows. */
const COLUMNS = [
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
export function figures(results) {
  const grow = results.some(({ grows }) => grows);
  const shown = COLUMNS.filter(([, , isOfGrowing]) => grow || !isOfGrowing);
  return [shown.map(([head]) => head), ...results.map((result) => shown.map(([, cell]) => cell(result)))];
}
