// Instructions of a node apart from its learner: its self-test, its wire, its frames.
import { runFirmware } from "../../../targets/emulator/device.mjs";
import { frameCosts } from "../bench/frames.mjs";
import { check, each, printTable, readOutcome } from "../checks.mjs";
import { CHIP_HZ, SIZE } from "./bed.mjs";
import { count } from "./counts.mjs";

/** Instructions of a self-test: 1.25 s of an ESP32-C3. */
const BOOT_MAX = 200e6;
/** Instructions of a turn with a fed sample: frame, features, prediction, report. */
const FED_MAX = 0.75e6;
/** Instructions of both keys for a label: its frame, its acknowledgement's, its own tag. */
const KEYED_MAX = 0.1e6;
/** Frames that are made in C and in TypeScript. */
const FRAMES = 2_000;

const BOOT = { run: "boot", steps: 1, ...SIZE };

export async function bootOn({ firmware }, chip) {
  const c = readOutcome(await runFirmware(firmware[chip], { ...BOOT, path: "c" }));
  count(chip, "self-test", { instructions: c.instructions });
  return c;
}

/** A board's self-test before it starts, with the usual node's learner. */
export async function checkBoot(bed) {
  const ts = await bed.onNode({ ...BOOT, path: "js" });
  const rows = await each(bed.chips, async (chip) => {
    const c = await bootOn(bed, chip);
    check(`${chip}: the self-test ends where Node's does`, c.hash === ts.hash, c);
    check(`${chip}: it takes no more than ${BOOT_MAX} instructions`, c.instructions <= BOOT_MAX, c);
    return [chip, c.hash, c.instructions, ((c.instructions / CHIP_HZ) * 1000).toFixed(0)];
  });
  printTable("The self-test at boot", [["", "hash", "instructions", "ms at 160 MHz, one a cycle"], ...rows]);
}

export async function wireCostsOn({ firmware }, chip) {
  const costs = readOutcome(await runFirmware(firmware[chip], { run: "wire costs", ...SIZE, path: "c" }));
  count(chip, "wire costs", costs);
  return costs;
}

/** A node's work at its wire, besides learning. */
async function checkWireCosts(bed) {
  const { chips } = bed;
  const found = await each(chips, async (chip) => {
    const costs = await wireCostsOn(bed, chip);
    const fed = costs["a turn with a sample that is fed"];
    check(
      `${chip}: a sample over the wire takes no more than ${FED_MAX} instructions`,
      fed <= FED_MAX,
      costs,
    );
    return costs;
  });
  const rows = Object.keys(found[0]).map((what) => [what, ...found.map((costs) => costs[what])]);
  printTable("Instructions of the usual node at its wire, budget=64", [["", ...chips], ...rows]);
}

/** C and TypeScript handle the bytes of frames alike, on every chip. */
async function checkFrameBytes({ chips, firmware }) {
  await each(chips, async (chip) => {
    const argument = { run: "frame bytes", path: "c", steps: FRAMES };
    const { frames, hash } = readOutcome(await runFirmware(firmware[chip], argument));
    check(`${chip}: ${FRAMES} frames in C have the bytes of those in TypeScript`, frames === FRAMES, hash);
  });
}

/** A key's cost for each label: to check it, and to acknowledge it. */
async function checkFrameCosts({ chips, firmware }) {
  await each(chips, async (chip) => {
    const { unkeyed, keyed, tag } = await frameCosts(firmware[chip], chip);
    const more = (name, of) => keyed[name][of] - unkeyed[name][of];
    const spent = more("label", "judge") + more("acknowledgement", "make") + tag.label.judge;
    check(`${chip}: keys cost a label no more than ${KEYED_MAX} instructions`, spent <= KEYED_MAX, spent);
  });
}

/** A node's work at its wire, and its frames. */
export async function checkWire(bed) {
  await checkWireCosts(bed);
  await checkFrameBytes(bed);
  await checkFrameCosts(bed);
}
