// Instructions of the same frames with a key and without, on every chip that runs the firmware.
import { bundle } from "../../../targets/emulator/bundle.mjs";
import { FIRMWARE_CHIPS } from "../../../targets/emulator/chips.mjs";
import { buildFirmware, runFirmware } from "../../../targets/emulator/device.mjs";
import { buildLinux } from "../../../targets/emulator/engine.mjs";
import { printTable, readOutcome } from "../checks.mjs";

/** A run that didn't end as it must, so its figures are void. */
export class Failure extends Error {}

const KINDS = { unkeyed: "no key", keyed: "key", tag: "its own tag" };

/** The table's rows: a frame, its bytes, and its costs on each chip. */
function frameRows(found) {
  return Object.entries(found[0]).flatMap(([kind, frames]) =>
    Object.entries(frames).map(([name, { bytes }]) => [
      ...[name, KINDS[kind], bytes],
      ...found.flatMap((costs) => [costs[kind][name].make, costs[kind][name].judge]),
    ]),
  );
}

/** The figures that a chip's firmware measures. Throws a Failure if it fails. */
export async function frameCosts(firmware, chip) {
  const costs = readOutcome(await runFirmware(firmware, { run: "frame costs", path: "c" }));
  if (costs.hash !== undefined) throw new Failure(`frame costs on ${chip}: ${costs.hash}`);
  return costs;
}

/** Measures, and prints a table, or JSON. Throws a Failure. */
export async function benchFrames(json) {
  const { program } = await bundle();
  const linux = await buildLinux();
  const chips = {};
  for (const chip of FIRMWARE_CHIPS)
    chips[chip] = await frameCosts(await buildFirmware(chip, linux, program), chip);
  if (json) {
    console.log(JSON.stringify({ schema: "motelearn.bench-frames/1", chips }, null, 2));
    return;
  }
  const head = ["frame", "", "bytes", ...FIRMWARE_CHIPS.flatMap((chip) => [`${chip}: make`, "judge"])];
  printTable("Instructions of a frame, with C primitives", [head, ...frameRows(Object.values(chips))]);
}
