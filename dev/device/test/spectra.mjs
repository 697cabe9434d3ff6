// A node that makes spectral features, with a window of every length: the same bits on an engine as on Node,
// nothing allocated.
import { check, each, printTable, readOutcome } from "../checks.mjs";

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
    const found = [];
    for (const path of paths) {
      const there = readOutcome(await run({ ...argument, path }));
      check(
        `spectra of ${window}: ${engine}, ${path}, ends where Node does`,
        there.hash === here.hash,
        there,
      );
      const still = there.slotsMore === 0 && there.chunksMore === 0 && there.collections === 0;
      check(`spectra of ${window}: ${engine}, ${path}, allocates nothing`, still, there);
      more(argument.node, there);
      found.push(there);
    }
    return [window, here.hash, found[0].bytes, found[0].perStep];
  });
  printTable(
    `A node with spectral features of two sensors on ${engine}: 8 bands, 2 lines, after ${STEPS} steps`,
    [["window", "state hash", "range, bytes", "instructions a step"], ...cells],
  );
}
