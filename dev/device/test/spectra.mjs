// A node that makes spectral features, with a window of every length: the same bits on an engine as on Node,
// nothing allocated.
import { check, checkPaths, each, printTable } from "../checks.mjs";

const WINDOWS = [64, 128, 256, 512];
/**
 * The smallest window is full after half of them, the largest after all but a few; fewer than a checkpoint is
 * due.
 */
const STEPS = 96;
const NODE = { channels: 16, bands: 8, lines: [0.02, 0.3], burst: 8, standardise: true };
const SIZE = { dimension: 1, budget: 20 };

/**
 * @param engine its name; `run` runs a program there, `onNode` here; `paths`: its paths of the primitives.
 * @param more additional parts of an outcome to compare.
 */
export async function checkSpectra(engine, paths, run, onNode, more = () => {}) {
  const cells = await each(WINDOWS, async (window) => {
    const argument = { run: "node", node: { ...NODE, window }, steps: STEPS, settled: STEPS / 2, ...SIZE };
    const wasm = await onNode({ ...argument, path: "wasm" });
    const here = await onNode({ ...argument, path: "js" });
    check(`spectra of ${window}: WebAssembly ends where TypeScript does`, wasm.hash === here.hash, wasm.hash);
    const found = await checkPaths(`spectra of ${window}: ${engine}`, paths, run, argument, here.hash);
    for (const there of found) more(argument.node, there);
    return [window, here.hash, found[0].bytes, found[0].perStep];
  });
  printTable(
    `A node with spectral features of two sensors on ${engine}: 8 bands, 2 lines, after ${STEPS} steps`,
    [["window", "state hash", "range, bytes", "instructions a step"], ...cells],
  );
}
