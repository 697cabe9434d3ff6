// Random tables in random dialects: what `import` makes of one is what was written. Dates without a zone are read in this machine's, here UTC.
// npm run fuzz:import -- [--tables N] [--seed N]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readNumbers } from "../targets/emulator/command-line.mjs";
import { findMisreading } from "./fuzz-import-check.ts";

const { tables, seed } = readNumbers("fuzz:import", "--tables N, --seed N", {
  tables: [2000, 1],
  seed: [Date.now() >>> 0, 0],
});
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
