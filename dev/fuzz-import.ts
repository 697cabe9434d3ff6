// Random tables in random dialects: what `import` makes of one is what was written. Dates without a zone are read in this machine's, here UTC.
// npm run fuzz:import -- [--tables N] [--seed N]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCommandLine, refuse } from "../targets/emulator/command-line.mjs";
import { findMisreading } from "./fuzz-import-check.ts";

const { values } = readCommandLine("fuzz:import", "--tables N, --seed N", {
  options: {
    tables: { type: "string", default: "2000" },
    seed: { type: "string", default: String(Date.now() >>> 0) },
  },
});
const [tables, seed] = [Number(values.tables), Number(values.seed)];
const isWhole = (value: number, min: number) => Number.isInteger(value) && value >= min && value < 2 ** 32;
if (!isWhole(tables, 1) || !isWhole(seed, 0))
  refuse("fuzz:import", `--tables takes 1 to ${2 ** 32 - 1}, --seed 0 to ${2 ** 32 - 1}`);
process.env.TZ = "UTC";
const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
let wrong = 0;
for (let i = 0; i < tables; i++) {
  const found = await findMisreading(seed + i, join(folder, "table.csv"));
  if (!found) continue;
  wrong++;
  console.log(`seed ${found.seed}: ${found.how || "the plainest way"}\n  ${found.fault}`);
}
rmSync(folder, { recursive: true });
console.log(`${tables} tables from seed ${seed}: ${wrong} aren't read as they were written`);
process.exitCode = wrong > 0 ? 1 : 0;
