// The programs under test, on Node and on the chips.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { bundle } from "../../../targets/emulator/bundle.mjs";
import { buildFirmware, runFirmware } from "../../../targets/emulator/device.mjs";
import { buildLinux } from "../../../targets/emulator/engine.mjs";

/**
 * Steps of each learner, which fill its budget several times over; with --full as many as on Linux, where
 * OSKM, QKAPA and QKRLS take minutes.
 */
const FEW = 1_000;
const MANY = 10_000;
export const SIZE = { dimension: 8, budget: 64 };
export const SIZE_TEXT = "d=8, budget=64";
export const CHIP_HZ = 160e6;
/** Enough to fill a budget of 64, for all but norma-n. */
export const FILLED = 200;

/** Calls `run` once for each argument. */
function once(run) {
  const found = {};
  return (...given) => {
    const text = JSON.stringify(given);
    found[text] ??= run(...given);
    return found[text];
  };
}

/** The outcome of that program of `bundle` on Node. */
export async function runOnNode(node, argument) {
  const { stdout } = await promisify(execFile)(process.execPath, [node, JSON.stringify(argument)]);
  return JSON.parse(stdout);
}

/** Builds the programs for those chips; `full`: they run as many steps as on Linux. */
export async function openBed(chips, full) {
  const { program, node } = await bundle();
  const linux = await buildLinux();
  const firmware = {};
  for (const chip of chips) firmware[chip] = await buildFirmware(chip, linux, program);
  /** The outcome on Node, which is run once for all chips. */
  const onNode = once((argument) => runOnNode(node, argument));
  /** What a chip's firmware makes of it, which is run once for all who ask: the same to the last digit each time, see `checkRepeats`. */
  const runOn = once((chip, argument) => runFirmware(firmware[chip], argument));
  const subjects = await onNode({ run: "names" });
  const minima = await onNode({ run: "minima", ...SIZE });
  return {
    ...{ chips, linux, firmware, onNode, runOn, subjects, steps: full ? MANY : FEW },
    forgetful: await onNode({ run: "forgetful" }),
    finders: await onNode({ run: "finders" }),
    minima: Object.fromEntries(minima.map((bytes, i) => [subjects[i], bytes])),
  };
}
