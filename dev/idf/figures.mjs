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

/** The learners whose node takes less memory than planned, by over the limit, or more than planned. */
export function beyondPlan(results) {
  const beyond = (holds) =>
    results
      .filter(({ planned, measured }) => holds(together(measured) / together(planned)))
      .map(({ learner }) => learner);
  return { below: beyond((ratio) => ratio < 1 - LIMIT), above: beyond((ratio) => ratio > 1) };
}

/** A line for each learner: its static memory, bytes of XS's memory and milliseconds of its longest turn, planned and measured. */
export function figures(results) {
  const head = ["learner", "static, B", "chunks, B", "most", "slots, B", "most"];
  const lines = results.map(({ learner, bytes, planned, measured }) => [
    ...[learner, bytes, planned.chunks, measured.chunks, planned.slots, measured.slots],
    ...[together(planned), besidePlan(together(measured), together(planned))],
    ...[planned.turnMs.toFixed(1), measured.turn],
  ]);
  return [[...head, "together, B", "most", "turn, ms", "with a save"], ...lines];
}
