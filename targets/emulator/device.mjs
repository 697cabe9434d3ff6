// Builds the machine as firmware for an emulated chip, and C programs without it, and runs both in QEMU.
import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { getPriority, setPriority, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { CHIPS } from "./chips.mjs";
import { buildMachine, cache, objectPath, root } from "./engine.mjs";

const QUIET = ["-display", "none", "-nic", "none", "-monitor", "none"];
/** Where machine/chip.h finds the host's input, besides its text. */
const PATIENCE = 0xffff0;
const NOISE = 0xffff4;
const STATIC = 0xffff8;
/**
 * For a board at its wire, where nothing counts instructions and the timer is this machine's: its watchdog
 * waits 10 minutes, which only a hang takes even on a busy machine.
 */
const PATIENCE_MS = 600_000;

const compilerName = ({ prefix }) => `${prefix}gcc`;

function compilerFlags({ flags, specs }) {
  return [...flags, `--specs=${specs}`, "-Os", "-ffunction-sections", "-fdata-sections"];
}

const LINKED = ["-DPICOLIBC_INTEGER_PRINTF_SCANF", "-Wl,--gc-sections"];
const defineFlags = (values) => Object.entries(values).map(([name, value]) => `-D${name}=${value}`);

/** The script of the tests' programs, whose firmware has the chip's name alone. */
const TESTS = "program";

/**
 * Compiles the program to bytecode with the Linux machine, and everything to firmware for the chip. Each
 * script's name has a file of its own, so that boards of several can be built and run at the same time. Returns
 * the input of runFirmware. `say` gets lines while that takes long.
 */
export async function buildFirmware(name, linux, program, say) {
  const chip = CHIPS[name];
  const { folder, defines, flags, link } = chip.firmware;
  const script = basename(program, ".js");
  const variant = script === TESTS ? undefined : script;
  const bytecode = join(cache, variant ? `bytecode-${name}-${variant}.c` : `bytecode-${name}.c`);
  await promisify(execFile)(linux, ["--compile", bytecode, program]);
  const build = {
    compiler: compilerName(chip),
    flags: compilerFlags(chip),
    ownFlags: [...flags, ...defineFlags({ HOST: chip.host, ...defines })],
    defines: ["mxParse=0"],
    parser: false,
    variant,
    main: [
      ...["firmware.c", "memory.c", "uart.c", "nor.c"],
      ...["chip.c", "uart.c", "nor.c"].map((source) => `${folder}/${source}`),
      bytecode,
    ],
    link: [...LINKED, ...link, "-lm"],
  };
  return { chip, file: await buildMachine(name, build, say) };
}

const F32 = join(root, "src/math/f32.c");

/**
 * Compiles a C program that needs no engine, linked with the firmware's primitives. Returns the input of
 * runProgram.
 */
export async function buildProgram(name, source, primitives = F32) {
  const chip = CHIPS[name];
  const folder = join(cache, "programs");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, [name, basename(source, ".c"), basename(primitives, ".c")].join("-"));
  const sources = [join(root, source), primitives, ...chip.program.sources];
  const flags = [
    ...compilerFlags(chip),
    "-O2",
    "-Wall",
    `-I${join(root, "src/math")}`,
    ...defineFlags({ HOST: chip.host }),
  ];
  await promisify(execFile)(compilerName(chip), [
    ...[...flags, ...sources, ...LINKED, ...chip.program.link],
    ...["-lm", "-o", file],
  ]);
  return { chip, file };
}

const loaderFlags = (what, at) => ["-device", `loader,${what},addr=${at}`];

/** Words for the emulated machine: QEMU's arguments end at commas. */
const semihosting = (...options) => [
  "-semihosting-config",
  ["enable=on", "target=native", ...options].join(","),
];
const semihostingArguments = (words) => words.map((word) => `arg=${word.replaceAll(",", ",,")}`);

/**
 * Runs such a program. Returns the exit code and its output. With an image, bytes for it to find,
 * instructions are counted.
 */
export function runProgram({ chip, file }, given, image) {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  const [imageFile, printed] = [join(folder, "image"), join(folder, "printed")];
  if (image) writeFileSync(imageFile, image);
  const found = image ? [...chip.counted, ...loaderFlags(`file=${imageFile},force-raw=on`, chip.host)] : [];
  const options = [
    ...[...chip.machine, ...QUIET, ...chip.printing(printed), ...chip.noWire, ...found],
    ...semihosting(...chip.console, ...semihostingArguments(given)),
    ...[chip.load, file],
  ];
  return new Promise((done) => {
    execFile(chip.qemu.program, options, (error) => {
      const text = readFileSync(printed, "utf8");
      rmSync(folder, { recursive: true });
      done({ code: error ? (error.code ?? 1) : 0, text });
    });
  });
}

/**
 * QEMU's arguments for a firmware, the file with its argument, and the output file; `flash`: the bank's file,
 * if any.
 */
function boardArguments({ chip, file }, argument, printed, flash) {
  const bank = flash ? chip.bank(flash) : { options: [], words: [] };
  return [
    ...[...chip.machine, ...QUIET, ...chip.printing(printed), ...bank.options],
    ...semihosting(...chip.console, ...semihostingArguments(bank.words)),
    ...[chip.load, file, ...loaderFlags(`file=${argument},force-raw=on`, chip.host)],
  ];
}

/** QEMU's arguments for a word of the host's input. */
const wordFor =
  ({ chip }) =>
  (value, at) =>
    loaderFlags(`data=${value},data-len=4`, chip.host + at);

/** The program that emulates a board on its own, and its arguments at each start. */
export function boardCommand(firmware, argument, printed, flash) {
  const word = wordFor(firmware);
  return {
    program: firmware.chip.qemu.program,
    arguments: () => [
      ...boardArguments(firmware, argument, printed, flash),
      ...word(PATIENCE_MS, PATIENCE),
      ...word(randomInt(2 ** 32), NOISE),
    ],
  };
}

/** Only a hang takes so long, even on a busy machine: the firmware's own watchdog counts instructions. */
const LIMIT_MS = 7_200_000;

const LESS_URGENT = 10;

/** Boards at their wire go by this machine's clock; whatever doesn't yields the processor to them. */
export function letOthersFirst(child) {
  if (child.pid !== undefined) setPriority(child.pid, Math.min(19, getPriority() + LESS_URGENT));
}

/**
 * Runs the firmware with that argument, with `flash` as its bank of flash, in a block of so many bytes (default: a board's most). Returns
 * the exit code and the printed lines.
 */
export function runFirmware(firmware, argument, flash, bytes) {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  const [file, printed] = [join(folder, "argument"), join(folder, "printed")];
  writeFileSync(file, `${JSON.stringify(argument)}\0`);
  const given = [
    ...boardArguments(firmware, file, printed, flash),
    ...firmware.chip.counted,
    ...firmware.chip.noWire,
    ...(bytes === undefined ? [] : wordFor(firmware)(bytes, STATIC)),
  ];
  return new Promise((done) => {
    // Asked to end, QEMU would say that all went well.
    const limit = { timeout: LIMIT_MS, killSignal: "SIGKILL" };
    const child = execFile(firmware.chip.qemu.program, given, limit, (error) => {
      const lines = readFileSync(printed, "utf8").trim().split(/\r?\n/);
      if (error?.killed) lines.push(`still running after ${LIMIT_MS / 1000} s`);
      rmSync(folder, { recursive: true });
      done({ code: error ? (error.code ?? 1) : 0, lines });
    });
    letOthersFirst(child);
  });
}

/** The toolchain's objdump for a chip, and the object of f32.c as the chip's firmware has it. */
export function listingInputs(name) {
  return { objdump: `${CHIPS[name].prefix}objdump`, object: objectPath(join(cache, name, "own"), F32) };
}

/** A copy of f32.c that lets the compiler fuse multiply-adds. */
export function contractedF32() {
  const folder = join(cache, "programs");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "f32-contracted.c");
  writeFileSync(file, readFileSync(F32, "utf8").replace("fp-contract=off", "fp-contract=fast"));
  return file;
}

export async function contractedObject(name) {
  const chip = CHIPS[name];
  const object = join(cache, "programs", `${name}-f32-contracted.o`);
  const flags = [...compilerFlags(chip), `-I${join(root, "src/math")}`];
  await promisify(execFile)(compilerName(chip), [...flags, "-c", contractedF32(), "-o", object]);
  return object;
}
