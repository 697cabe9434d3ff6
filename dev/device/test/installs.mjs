// A node that takes models of its fleet in the place of some labels, and lets its labels decide who judges: the same bits on an engine as on Node,
// nothing allocated. The program fails where the node refuses a model.
import { checkPaths, each, printTable } from "../checks.mjs";

/** Vectors of a model, of planes none. */
const MODELS = { planes: 0, "models of 8 vectors": 8 };
/** Some twelve models come. */
const STEPS = 300;
const SIZE = { dimension: 1, budget: 20 };

/** @param engine its name; `run` runs a program there, `onNode` here; `paths`: its paths of the primitives. */
export async function checkInstalls(engine, paths, run, onNode) {
  const cells = await each(Object.keys(MODELS), async (name) => {
    const argument = {
      run: "node",
      node: { fleetBudget: MODELS[name] },
      steps: STEPS,
      settled: STEPS / 2,
      ...SIZE,
    };
    const here = await onNode({ ...argument, path: "js" });
    const found = await checkPaths(`${name}: ${engine}`, paths, run, argument, here.hash);
    return [name, here.hash, found[0].bytes, found[0].perStep];
  });
  printTable(`A node with models of its fleet on ${engine}, after ${STEPS} steps`, [
    ["models", "state hash", "range, bytes", "instructions a step"],
    ...cells,
  ]);
}
