// The machine as firmware for QEMU's virt board, and how it is run.
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { buildMachine, cache, root } from "./engine.mjs";

const COMPILER = "riscv64-unknown-elf-gcc";
export const QEMU = "qemu-system-riscv32";
/** RAM for everything: the machine's block of 94,208 bytes, the C stack, and the engine's tables. */
const RAM = "160K";
const C_STACK = "16K";
const ARGUMENT = "0x80f00000";
const MACHINE = ["-machine", "virt", "-m", "16M"];
const BOARD = [...MACHINE, "-display", "none", "-nic", "none", "-monitor", "none"];
/**
 * An instruction counts as a nanosecond. Without `sleep=off` the host's time before the first instruction is added to
 * the counter, and to turn another number into a double takes other instructions: counts differed by one or two.
 */
const COUNTED = ["-icount", "shift=0,sleep=off"];
/**
 * For a board at its wire, where nothing counts instructions and its timer is this machine's: its watchdog waits for 10 minutes,
 * which only what hangs takes, on a machine however busy. See PATIENCE in machine/rv32.c.
 */
export const PATIENT = ["-device", "loader,addr=0x80fffff0,data=600000,data-len=4"];

/** Single-precision floating point in hardware, as ESP32 and ESP32-S3 have it, or none, as ESP32-C3. */
export const ISAS = { rv32imafc: "ilp32f", rv32imac: "ilp32" };

/** What to say, on one line, if Debian packages are missing that the named command needs; undefined if none are. */
export function lackOf(command) {
  const runs = (program, ...args) => spawnSync(program, args).status === 0;
  const missing = [
    ["gcc-riscv64-unknown-elf", runs(COMPILER, "--version")],
    ["picolibc-riscv64-unknown-elf", runs(COMPILER, "--specs=picolibc.specs", "--version")],
    ["qemu-system-misc", runs(QEMU, "--version")],
  ]
    .filter(([, there]) => !there)
    .map(([name]) => name);
  if (missing.length === 0) return undefined;
  return `${command} lacks ${missing.join(", ")}: apt-get install -y ${missing.join(" ")}`;
}

function flagsOf(isa) {
  const sections = ["-ffunction-sections", "-fdata-sections"];
  return [`-march=${isa}`, `-mabi=${ISAS[isa]}`, "--specs=picolibc.specs", "-Os", ...sections];
}

/** Where code, RAM and stack lie. */
function placing() {
  const script = new URL("machine/virt.ld", import.meta.url).pathname;
  const sizes = [`-Wl,--defsym=__ram_size=${RAM}`, `-Wl,--defsym=__stack_size=${C_STACK}`];
  return ["-DPICOLIBC_INTEGER_PRINTF_SCANF", "-Wl,--gc-sections", ...sizes, "-T", script];
}

/** Compiles the program to bytecode with the Linux machine, and everything to firmware. */
export async function buildFirmware(isa, linux, program) {
  const bytecode = join(cache, "bytecode.c");
  await promisify(execFile)(linux, ["--compile", bytecode, program]);
  return buildMachine(isa, {
    compiler: COMPILER,
    flags: flagsOf(isa),
    // This gcc wants the counters' instructions spelled out, and finds no libraries for an ISA that has them.
    ownFlags: [`-march=${isa}_zicsr`],
    defines: ["mxParse=0"],
    parser: false,
    main: ["rv32.c", "memory.c", "uart.c", "nor.c", bytecode],
    link: [...placing(), "-lm"],
  });
}

/** Compiles a C program that needs no engine, linked with the primitives as the firmware has them. Returns its path. */
export async function buildProgram(isa, source) {
  const folder = join(cache, "programs");
  mkdirSync(folder, { recursive: true });
  const program = join(folder, `${basename(source, ".c")}.${isa}`);
  const primitives = join(root, "src/math");
  const files = [join(root, source), join(primitives, "f32.c")];
  // Semihosting: QEMU is its console, and gives it its arguments and its exit code.
  const host = ["--crt0=semihost", "--oslib=semihost"];
  const flags = [...flagsOf(isa), "-O2", "-Wall", `-I${primitives}`, ...host, ...placing()];
  await promisify(execFile)(COMPILER, [...flags, ...files, "-lm", "-o", program]);
  return program;
}

function loading(file) {
  return ["-device", `loader,file=${file},addr=${ARGUMENT},force-raw=on`];
}

/** The debugger's console: what is printed goes to a file, since a pipe that is full loses characters. */
function printing(file, given = []) {
  const semihosting = ["enable=on", "target=native", "chardev=printed", ...given.map((arg) => `arg=${arg}`)];
  return ["-chardev", `file,id=printed,path=${file}`, "-semihosting-config", semihosting.join(",")];
}

/** Runs such a program: exit code and what it printed. An image, bytes, is put where it finds it; instructions are counted then. */
export function runProgram(program, given, image) {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  const [file, printed] = [join(folder, "image"), join(folder, "printed")];
  if (image) writeFileSync(file, image);
  const load = ["-bios", program, ...(image ? [...COUNTED, ...loading(file)] : [])];
  return new Promise((done) => {
    execFile(QEMU, [...BOARD, "-serial", "none", ...printing(printed, given), ...load], (error) => {
      const text = readFileSync(printed, "utf8");
      rmSync(folder, { recursive: true });
      done({ code: error ? (error.code ?? 1) : 0, text });
    });
  });
}

/** What QEMU is given for a firmware, the file with its argument, and a file that takes what is printed. */
export function boardArguments(firmware, argument, printed) {
  return [...BOARD, ...printing(printed), "-bios", firmware, ...loading(argument)];
}

/** Only what hangs runs so long, on a machine however busy: the firmware's own watchdog counts instructions. */
const LIMIT_MS = 7_200_000;

/** Runs the firmware with that argument: exit code and the lines that it printed. */
export function runFirmware(firmware, argument) {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  const [file, printed] = [join(folder, "argument"), join(folder, "printed")];
  writeFileSync(file, `${JSON.stringify(argument)}\0`);
  const given = [...boardArguments(firmware, file, printed), ...COUNTED, "-serial", "none"];
  return new Promise((done) => {
    // Asked to end, QEMU would say that all went well.
    const limit = { timeout: LIMIT_MS, killSignal: "SIGKILL" };
    execFile(QEMU, given, limit, (error) => {
      const lines = readFileSync(printed, "utf8").trim().split(/\r?\n/);
      if (error?.killed) lines.push(`still running after ${LIMIT_MS / 1000} s`);
      rmSync(folder, { recursive: true });
      done({ code: error ? (error.code ?? 1) : 0, lines });
    });
  });
}

/** The listing of f32.c as it was compiled for the ISA. */
export function listing(isa) {
  const object = join(cache, isa, "own/f32.c.o");
  return spawnSync("riscv64-unknown-elf-objdump", ["-d", object], { encoding: "utf8" }).stdout;
}
