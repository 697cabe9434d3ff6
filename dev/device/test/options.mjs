// The command line of test:device, and the chips that it names.
import { FIRMWARE_CHIPS, lackMessage } from "../../../targets/emulator/chips.mjs";
import { readCommandLine, refuse } from "../../../targets/emulator/command-line.mjs";

const COMMAND = "test:device";
const TAKES = "--chip NAME, --smoke NAME, --full, --boards [--brief], --counts [LEARNER...]";

/** The chips on which plain C is, which counts by a register of RISC-V. */
export const PLAIN = ["rv32imafc", "rv32imac"];
/** Chips that run by default; m0plus takes long, and computes in software as rv32imac does. */
const USUAL = [...PLAIN, "m4f", "m33"];

/** The parsed command line. A wrong one ends the process with 2. */
export function commandLine() {
  const flag = { type: "boolean", default: false };
  const names = { type: "string", multiple: true, default: [] };
  const options = { chip: names, smoke: names, full: flag, counts: flag, boards: flag, brief: flag };
  const { values, positionals } = readCommandLine(COMMAND, TAKES, { options, allowPositionals: true });
  const { chip, smoke, full, counts, boards, brief } = values;
  const unknown = [...chip, ...smoke].find((name) => !FIRMWARE_CHIPS.includes(name));
  const twice = smoke.find((name) => chip.includes(name));
  if (full + counts + boards > 1) refuse(COMMAND, "takes one of --full, --counts, --boards");
  if (brief && !boards) refuse(COMMAND, "--brief goes with --boards");
  if (twice !== undefined) refuse(COMMAND, `${twice}: takes --chip or --smoke`);
  if (!counts && positionals.length > 0)
    refuse(COMMAND, `${positionals[0]}: learners are named with --counts`);
  if (unknown !== undefined) refuse(COMMAND, `${unknown}: takes ${FIRMWARE_CHIPS.join(", ")}`);
  return { named: chip, smoked: smoke, full, counts, boards, brief, counted: positionals };
}

/** The chips to test: those that are named, else all whose packages are here, RISC-V's in any case. */
export function chosenChips(named, smoked) {
  if (named.length + smoked.length > 0) return [...named, ...smoked];
  const absent = USUAL.filter((name) => !PLAIN.includes(name) && lackMessage("", [name]));
  if (absent.length > 0) console.log(`Not on ${absent.join(", ")}: ${lackMessage(COMMAND, absent)}`);
  return USUAL.filter((name) => !absent.includes(name));
}
