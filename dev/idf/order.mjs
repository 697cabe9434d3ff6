// What the command line of test:idf orders.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { MOTELEARN } from "../../targets/emulator/own-project.mjs";

/** The port where Espressif's QEMU has its UART, unless another is ordered. */
const UART_PORT = 5555;
const CUTS = 200;
const SEED = 7;
const USUAL_TARGET = "esp32c3";

/** The targets that the suite runs: the chip's compiler, and the usual board as the SDK names it. */
export const CHIPS = {
  esp32c3: { compiler: "riscv32-esp-elf-gcc", platform: "esp32/esp32c3" },
  esp32: { compiler: "xtensa-esp32-elf-gcc", platform: "esp32/nodemcu" },
  esp32s3: { compiler: "xtensa-esp32s3-elf-gcc", platform: "esp32/esp32s3" },
};

/** The parts of the suite, in their order. */
export const PARTS = [
  "learn",
  "balanced",
  "parts",
  "cuts",
  "start",
  "watchdog",
  "fault",
  "state",
  "keys",
  "tls",
  "update",
];

/** The JSON that a command of motelearn prints. */
export function json(...args) {
  const { stdout, stderr } = spawnSync(process.execPath, [MOTELEARN, ...args, "--json"], {
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(`${args.join(" ")}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Stops before anything is built. */
export function refuse(lines) {
  for (const line of lines) console.error(`test:idf: ${line}`);
  process.exit(2);
}

function wholeNumber(name, text, high) {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= high) return value;
  throw new Error(`--${name} ${text}: takes a whole number from 1 to ${high}`);
}

/** The command's flags and the learners to run. */
function ordered() {
  const number = (value) => ({ type: "string", default: `${value}` });
  const options = {
    target: { type: "string", default: USUAL_TARGET },
    only: { type: "string", multiple: true, default: PARTS },
    port: number(UART_PORT),
    cuts: number(CUTS),
    seed: number(SEED),
  };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const all = json("learners").learners.map(({ name }) => name);
  const learners = positionals.length > 0 ? positionals : all;
  const unknown = learners.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`${unknown}: no such learner; motelearn learners prints them`);
  const strange = values.only.find((name) => !PARTS.includes(name));
  if (strange !== undefined) throw new Error(`--only ${strange}: takes ${PARTS.join(", ")}`);
  const { target } = values;
  if (!Object.hasOwn(CHIPS, target))
    throw new Error(`--target ${target}: takes ${Object.keys(CHIPS).join(", ")}`);
  return {
    ...{ all, learners, target, parts: values.only },
    port: wholeNumber("port", values.port, 65535),
    isUsualPort: values.port === `${UART_PORT}`,
    cuts: wholeNumber("cuts", values.cuts, 100_000),
    seed: wholeNumber("seed", values.seed, 0x7ffffffe),
  };
}

function order() {
  try {
    return ordered();
  } catch (error) {
    return refuse([error.message]);
  }
}

export const { target, parts, port, isUsualPort, cuts, seed, learners, all } = order();

/** A folder's name, with the chip in it unless that is the usual one. */
export const folderName = (folder) => (target === USUAL_TARGET ? folder : `${folder}-${target}`);
