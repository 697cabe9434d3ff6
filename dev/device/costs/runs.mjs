// Runs of the measuring program on an emulated chip, and fits of the cost model to their instructions.
import { loadModel } from "../../../targets/emulator/bundle.mjs";
import { runFirmware } from "../../../targets/emulator/device.mjs";
import { each, readOutcome } from "../checks.mjs";

export const model = await loadModel();

export async function outcome(firmware, argument) {
  const result = await runFirmware(firmware, { path: "c", ...argument });
  const { hash, ...found } = readOutcome(result);
  if (found.slots === undefined) throw new Error(`${JSON.stringify(argument)}: ${hash}`);
  return { ...found, ...readStacks(result) };
}

/** How deep the stacks of XS and of C went. */
export function readStacks({ lines }) {
  const text = lines.join(" ");
  const number = (pattern) => Number(pattern.exec(text)[1]);
  return { stack: number(/stack peak (\d+) slots/), cStack: number(/C stack peak (\d+)/) };
}

/** The outcomes of many runs, in order. */
export function outcomes(firmware, runs) {
  return each(
    runs.map((_, i) => `${i}`),
    (i) => outcome(firmware, runs[i]),
  );
}

/**
 * The fit to the first rows, for one label or the longest of several, and its largest relative error in all
 * rows.
 */
export function fitRows(rows, count) {
  const longest = rows.map(({ terms, labels = [terms], cost }) => ({ labels, cost }));
  const coefficients = model.fitLongest(longest.slice(0, count));
  const errors = longest.map(({ labels, cost }) => Math.abs(model.longest(coefficients, labels) / cost - 1));
  return { coefficients, error: roundUp(Math.max(...errors)) };
}

const roundUp = (error) => Math.ceil(1e4 * error) / 1e4;

/** That fit with its error, or with what it lacks of the cost of one more label, if that is larger. */
export function coverLabel(fit, terms, cost) {
  if (cost === undefined) return fit;
  const error = 1 - model.longest(fit.coefficients, terms) / cost;
  return { ...fit, error: Math.max(fit.error, roundUp(error)) };
}
