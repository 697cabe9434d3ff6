// Random calls of every primitive in TypeScript, in WebAssembly and, where there is a `cc`, in C compiled from the same
// f32.c: all to agree to the bit. npm run fuzz:math -- [--vectors N] [--seed N]
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PortableF32 } from "../src/math/f32.ts";
import { compileWasm, WasmF32 } from "../src/math/wasm.ts";
import { Comparison, NAMES, WORDS } from "./fuzz-math-vectors.ts";

const BLOCK = 100_000;
const INDEX_MAX = 2 ** 27; // 32 numbers to a call, one a primitive, in 32 bits

/** Compiles the driver; undefined if there is no `cc`. */
function compileDriver(folder: string): string | undefined {
  const driver = join(folder, "fuzz-math");
  try {
    execFileSync("cc", ["--version"], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  const sources = ["tools/fuzz-math.c", "src/math/f32.c"];
  execFileSync("cc", ["-std=c11", "-O2", "-Isrc/math", ...sources, "-lm", "-o", driver], {
    stdio: "inherit",
  });
  return driver;
}

/** The digests that C prints: for each primitive one a block. */
function digestsOfC(driver: string, ...given: readonly number[]): Promise<string[][]> {
  return new Promise((resolve, reject) => {
    const child = spawn(driver, given.map(String), { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code !== 0) reject(new Error(`the C driver ended with ${code}`));
      else
        resolve(
          text
            .trim()
            .split("\n")
            .map((line) => line.trim().split(" ")),
        );
    });
  });
}

const hex = (word: number) => word.toString(16).padStart(8, "0");
const folder = mkdtempSync(join(tmpdir(), "motelearn-fuzz-"));
const { values } = parseArgs({
  options: {
    vectors: { type: "string", default: "10000000" },
    seed: { type: "string", default: String(Date.now() >>> 0) },
  },
});
const vectors = Number(values.vectors);
const seed = Number(values.seed);
let failures = 0;

function fail(what: string): void {
  console.log(`DIFFERS ${what}, seed ${seed}`);
  failures++;
}

/** The first call of a block on which C differs: the block once more, a digest a call. */
async function locate(driver: string, comparison: Comparison, primitive: number, first: number) {
  const each = (await digestsOfC(driver, seed, first, BLOCK, 1))[primitive];
  return each.findIndex((digest, k) => {
    comparison.run(primitive, first + k, 1);
    return hex(comparison.digest()) !== digest;
  });
}

async function main(): Promise<void> {
  const driver = compileDriver(folder);
  const native = driver && digestsOfC(driver, seed, 0, vectors, BLOCK);
  const paths = driver ? "TypeScript, WebAssembly, C" : "TypeScript, WebAssembly (no cc: not C)";
  console.log(`${vectors} calls a primitive, seed ${seed}: ${paths}`);
  const comparison = new Comparison(
    new PortableF32(new ArrayBuffer(4 * WORDS)),
    new WasmF32(compileWasm(), 4 * WORDS),
    seed,
    true,
  );
  const digests = NAMES.map((name, primitive) => {
    const start = performance.now();
    const found: string[] = [];
    for (let first = 0; first < vectors; first += BLOCK) {
      const differs = comparison.run(primitive, first, Math.min(BLOCK, vectors - first));
      if (differs >= 0) {
        fail(`${name}: TypeScript and WebAssembly, call ${differs}`);
        break;
      }
      found.push(hex(comparison.digest()));
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${name.padEnd(22)} ${found.length * BLOCK >= vectors ? vectors : "stopped"}  ${seconds} s`);
    return found;
  });
  if (!driver || !native) return;
  const ofC = await native;
  for (const [primitive, name] of NAMES.entries()) {
    const block = digests[primitive].findIndex((digest, k) => digest !== ofC[primitive][k]);
    if (block < 0) continue;
    const call = await locate(driver, comparison, primitive, block * BLOCK);
    fail(`${name}: TypeScript and C, call ${block * BLOCK + call}`);
  }
}

if (!(vectors >= 1 && vectors <= INDEX_MAX && seed >= 0 && seed < 2 ** 32)) {
  console.log(`--vectors takes 1 to ${INDEX_MAX}, --seed 0 to ${2 ** 32 - 1}`);
  process.exitCode = 2;
} else {
  try {
    await main();
    console.log(failures === 0 ? `all agree, seed ${seed}` : `${failures} differ, seed ${seed}`);
    if (failures > 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
