// The machine as firmware for QEMU's virt board, and how it is run.
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildMachine, cache } from "./engine.mjs";

const COMPILER = "riscv64-unknown-elf-gcc";
const QEMU = "qemu-system-riscv32";
/** RAM for everything: the machine's block of 94,208 bytes, the C stack, and the engine's tables. */
const RAM = "160K";
const C_STACK = "16K";
const JOB = "0x80f00000";

/** Single-precision floating point in hardware, as ESP32 and ESP32-S3 have it, or none, as ESP32-C3. */
const ISAS = { rv32imafc: "ilp32f", rv32imac: "ilp32" };

/** The Debian packages that are missing here. */
export function missingPackages() {
  const runs = (command, ...args) => spawnSync(command, args).status === 0;
  return [
    ["gcc-riscv64-unknown-elf", runs(COMPILER, "--version")],
    ["picolibc-riscv64-unknown-elf", runs(COMPILER, "--specs=picolibc.specs", "--version")],
    ["qemu-system-misc", runs(QEMU, "--version")],
  ]
    .filter(([, there]) => !there)
    .map(([name]) => name);
}

/** Compiles the program to bytecode with the Linux machine, and everything to firmware. */
export async function buildFirmware(isa, linux, program) {
  const bytecode = join(cache, "bytecode.c");
  await promisify(execFile)(linux, ["--compile", bytecode, program]);
  const flags = [`-march=${isa}`, `-mabi=${ISAS[isa]}`, "--specs=picolibc.specs", "-Os"];
  const sections = ["-ffunction-sections", "-fdata-sections"];
  const script = new URL("machine/virt.ld", import.meta.url).pathname;
  const sizes = [`-Wl,--defsym=__ram_size=${RAM}`, `-Wl,--defsym=__stack_size=${C_STACK}`];
  return buildMachine(isa, {
    compiler: COMPILER,
    flags: [...flags, ...sections],
    // This gcc wants the counters' instructions spelled out, and finds no libraries for an ISA that has them.
    ownFlags: [`-march=${isa}_zicsr`],
    defines: ["mxParse=0"],
    parser: false,
    main: ["rv32.c", bytecode],
    link: ["-DPICOLIBC_INTEGER_PRINTF_SCANF", "-Wl,--gc-sections", ...sizes, "-T", script, "-lm"],
  });
}

/** Runs a job on the firmware: exit code and lines. The UART goes to a file, since a pipe that is full loses characters. */
export function runFirmware(firmware, job, limitMs = 900_000) {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  const [file, uart] = [join(folder, "job"), join(folder, "uart")];
  writeFileSync(file, `${JSON.stringify(job)}\0`);
  const board = ["-machine", "virt", "-m", "16M", "-bios", "none", "-icount", "shift=0"];
  const quiet = ["-display", "none", "-nic", "none", "-monitor", "none", "-serial", `file:${uart}`];
  const load = ["-kernel", firmware, "-device", `loader,file=${file},addr=${JOB},force-raw=on`];
  return new Promise((done) => {
    execFile(QEMU, [...board, ...quiet, ...load], { timeout: limitMs }, (error) => {
      const lines = readFileSync(uart, "utf8").trim().split(/\r?\n/);
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
