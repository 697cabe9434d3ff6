// Memory and turns of the nodes in Espressif's QEMU beside their plans.

/** A plan that is wrong by more than this share of itself is at fault. */
const LIMIT = 0.05;

/** A measured figure with its difference from the planned one, in percent of the planned one. */
function besidePlan(measured, planned) {
  const percent = Math.round((100 * (measured - planned)) / planned);
  return `${measured} (${percent > 0 ? "+" : ""}${percent} %)`;
}

/** The learners whose node takes less memory than planned, or more, by over the limit. */
export function beyondPlan(results) {
  const beyond = (holds) =>
    results
      .filter(({ planned, measured }) =>
        ["chunks", "slots"].some((kind) => holds(measured[kind] / planned[kind])),
      )
      .map(({ learner }) => learner);
  return { below: beyond((ratio) => ratio < 1 - LIMIT), above: beyond((ratio) => ratio > 1 + LIMIT) };
}

/** A line for each learner: bytes of XS's memory and milliseconds of its longest turn, planned and measured. */
export function figures(results) {
  const head = ["learner", "static, B", "chunks, B", "most", "slots, B", "most", "turn, ms", "with a save"];
  const lines = results.map(({ learner, planned, measured }) => [
    ...[learner, planned.bytes, planned.chunks, besidePlan(measured.chunks, planned.chunks)],
    ...[planned.slots, besidePlan(measured.slots, planned.slots), planned.turnMs.toFixed(1), measured.turn],
  ]);
  return [head, ...lines];
}
