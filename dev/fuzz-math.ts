// Random calls of every primitive in TypeScript, in WebAssembly and, where there is a `cc`, in C compiled
// from the same f32.c: all to agree to the bit. With --device also in C on emulated chips
// (targets/emulator/chips.mjs): as many calls on RV32, with floating point in hardware and without, and the
// first CHIP_CALLS on the others; and on one of them with multiply-adds fused, where some must differ, or
// else the comparison would see nothing. npm run fuzz:math -- [--vectors N] [--seed N] [--device]
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PortableF32 } from "../src/math/f32.ts";
import { compileWasm, WasmF32 } from "../src/math/wasm.ts";
import { readNumbers } from "../targets/emulator/command-line.mjs";
import { hasCompiler } from "./fuzz-driver.ts";
import { NAMES, WORDS } from "./fuzz-math-calls.ts";
import { Comparison } from "./fuzz-math-comparison.ts";

const BLOCK = 100_000;
const PART = 500; // parts of a block in a search: an emulator's console is slow, so few digests pass
/** Chips that make every call, and the calls of each primitive on the others, whose emulation is slower. */
const THOROUGH = ["rv32imafc", "rv32imac"];
const CHIP_CALLS = 1000;
/** The chip with fused multiply-adds. */
const FUSED = "m4f";
const INDEX_MAX = 2 ** 26; // 64 numbers to a call, one a primitive, in 32 bits

/**
 * A build of fuzz-math.c: a command that takes the four numbers, and how many calls of each primitive to
 * make.
 */
interface Driver {
  readonly name: string;
  readonly command: readonly string[];
  readonly calls: number;
}

/** What targets/emulator/chips.mjs gives. */
interface Chips {
  readonly CHIPS: { readonly [name: string]: object };
  missingPackages(chip: string): string[];
}

class DriverError extends Error {}

/**
 * Compiles the driver for this machine, also with f32.c's path for chips without an FPU; none without `cc`.
 */
function compileDrivers(folder: string): Driver[] {
  if (!hasCompiler()) return [];
  const sources = ["dev/fuzz-math.c", "src/math/f32.c"];
  return ["", "-DF32_SOFT"].map((define, i) => {
    const driver = join(folder, `fuzz-math-${i}`);
    const flags = ["-std=c11", "-O2", "-Isrc/math", ...(define ? [define] : [])];
    execFileSync("cc", [...flags, ...sources, "-lm", "-o", driver], { stdio: "inherit" });
    return { name: define ? "C with soft sums" : "C", command: [driver], calls: vectors };
  });
}

const EMULATED = [process.execPath, "dev/device/fuzz-math.mjs"];

/** The chips whose compiler and emulator are installed; reports the others' missing Debian packages. */
async function presentChips(): Promise<string[]> {
  const { CHIPS, missingPackages }: Chips = await import(pathToFileURL("targets/emulator/chips.mjs").href);
  const names = Object.keys(CHIPS);
  const absent = names.filter((name) => missingPackages(name).length > 0);
  const packages = [...new Set(absent.flatMap(missingPackages))];
  if (absent.length > 0) console.log(`not on ${absent.join(", ")}: apt-get install -y ${packages.join(" ")}`);
  return names.filter((name) => !absent.includes(name));
}

/** The driver on a chip, run in QEMU. */
function chipDriver(chip: string): Driver {
  const calls = THOROUGH.includes(chip) ? vectors : Math.min(CHIP_CALLS, vectors);
  return { name: `C on ${chip}`, command: [...EMULATED, chip], calls };
}

/** The digests that C prints: one for each block of each primitive. */
function digestsOfC({ name, command }: Driver, ...options: readonly number[]): Promise<string[][]> {
  const [program, ...before] = command;
  return new Promise((resolve, reject) => {
    const given = [...before, ...options.map(String)];
    const child = spawn(program, given, { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code !== 0) return reject(new DriverError(`${name} ended with ${code}`));
      const lines = text.trim().split("\n");
      resolve(lines.map((line) => line.trim().split(" ")));
    });
  });
}

const hex = (word: number) => word.toString(16).padStart(8, "0");
const { vectors, seed, device } = readNumbers(
  "fuzz:math",
  "--vectors N, --seed N, --device",
  { vectors: [10_000_000, 1, INDEX_MAX], seed: [Date.now() >>> 0, 0] },
  { device: { type: "boolean", default: false } },
);
const folder = mkdtempSync(join(tmpdir(), "motelearn-fuzz-"));
let failures = 0;

function fail(what: string): void {
  console.log(`DIFFERS ${what}, seed ${seed}`);
  failures++;
}

/**
 * Finds the first of `count` calls on which C differs: repeats them with a digest for each part, then that
 * part.
 */
async function locate(
  driver: Driver,
  comparison: Comparison,
  primitive: number,
  first: number,
  count: number,
): Promise<number> {
  const part = count > PART ? PART : 1;
  const digests = (await digestsOfC(driver, seed, first, count, part))[primitive];
  const differs = digests.findIndex((digest, k) => {
    comparison.run(primitive, first + k * part, part);
    return hex(comparison.digest()) !== digest;
  });
  const at = first + differs * part;
  return part === 1 ? at : locate(driver, comparison, primitive, at, part);
}

/** Names the first call of a primitive that differs, in the first block with another digest. */
async function compare(
  comparison: Comparison,
  primitive: number,
  digests: readonly string[],
  driver: Driver,
  ofC: readonly string[],
): Promise<void> {
  const block = digests.findIndex((digest, k) => digest !== ofC[k]);
  if (block < 0) return;
  const first = block * BLOCK;
  const call = await locate(driver, comparison, primitive, first, Math.min(BLOCK, driver.calls - first));
  fail(`${NAMES[primitive]}: TypeScript and ${driver.name}, call ${call}`);
}

/** The digests of a primitive's blocks in TypeScript, as far as WebAssembly agrees. */
function digestsHere(comparison: Comparison, primitive: number, calls: number): string[] {
  const found: string[] = [];
  for (let first = 0; first < calls; first += BLOCK) {
    const differs = comparison.run(primitive, first, Math.min(BLOCK, calls - first));
    if (differs >= 0) {
      fail(`${NAMES[primitive]}: TypeScript and WebAssembly, call ${differs}`);
      break;
    }
    found.push(hex(comparison.digest()));
  }
  return found;
}

/** The comparison must detect fused multiply-adds. */
async function checkFused(few: readonly (readonly string[])[], calls: number): Promise<void> {
  const name = `C on ${FUSED} with fused multiply-adds`;
  const driver = { name, command: [...EMULATED, FUSED, "--contracted"], calls };
  const found = await digestsOfC(driver, seed, 0, calls, BLOCK);
  const differ = NAMES.filter((_, primitive) => found[primitive][0] !== few[primitive][0]).length;
  console.log(`${name}: ${differ} of ${NAMES.length} primitives differ, as some must`);
  if (differ === 0) fail(`nothing where it must: ${name}`);
}

async function main(): Promise<void> {
  const here = compileDrivers(folder);
  const chips = device ? await presentChips() : [];
  const drivers = [...here, ...chips.map(chipDriver)];
  const running = Promise.all(drivers.map((driver) => digestsOfC(driver, seed, 0, driver.calls, BLOCK)));
  const paths = ["TypeScript", "WebAssembly", ...drivers.map(({ name }) => name)].join(", ");
  console.log(
    `${vectors} calls a primitive, seed ${seed}: ${paths}${here.length ? "" : " (no cc: not C here)"}`,
  );
  const portable = new PortableF32(new ArrayBuffer(4 * WORDS));
  const comparison = new Comparison(portable, new WasmF32(compileWasm(), 4 * WORDS), seed);
  const few = Math.min(CHIP_CALLS, vectors);
  const ofFew = NAMES.map((_, primitive) => digestsHere(comparison, primitive, few));
  const ofAll = NAMES.map((name, primitive) => {
    const start = performance.now();
    const found = digestsHere(comparison, primitive, vectors);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${name.padEnd(22)} ${found.length * BLOCK >= vectors ? vectors : "stopped"}  ${seconds} s`);
    return found;
  });
  for (const [k, ofC] of (await running).entries()) {
    const digests = drivers[k].calls === vectors ? ofAll : ofFew;
    for (const primitive of NAMES.keys()) {
      await compare(comparison, primitive, digests[primitive], drivers[k], ofC[primitive]);
    }
  }
  if (chips.includes(FUSED)) await checkFused(ofFew, few);
}

try {
  await main();
  console.log(failures === 0 ? `all agree, seed ${seed}` : `${failures} differ, seed ${seed}`);
  if (failures > 0) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof DriverError)) throw error;
  console.log(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
