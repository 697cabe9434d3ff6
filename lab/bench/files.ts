import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { arithmetic } from "../../host/arithmetic.ts";
import { cpuTime } from "../../host/cpu-time.ts";
import { Random } from "../../host/random.ts";
import { readStored } from "../../host/streams/index.ts";
import { chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { withBudget } from "../../src/learn/family.ts";
import { normals } from "../experiments/lib/drawing.ts";

const DIMENSION = 8;
const BUDGET = 64;
const LEARNER = "olk-c";

/** Cost to read a row of a file, besides learning it: microseconds of CPU. */
interface FileCost {
  readonly file: string;
  readonly bytesPerRow: number;
  readonly readUs: number;
  readonly learnUs: number;
  /** readUs / learnUs */
  readonly ratio: number;
}

type Row = (x: readonly number[], y: number) => string;

const FILES: readonly { readonly file: string; readonly name: string; readonly write: Row }[] = [
  {
    file: "CSV, 6 decimals",
    name: "short.csv",
    write: (x, y) => `${x.map((v) => v.toFixed(6)).join()},${y}`,
  },
  { file: "CSV, all of a double's digits", name: "long.csv", write: (x, y) => `${x.join()},${y}` },
  {
    file: "CSV, in quotes",
    name: "quoted.csv",
    write: (x, y) => [...x.map((v) => v.toFixed(6)), y].map((v) => `"${v}"`).join(),
  },
  {
    file: "LIBSVM, 6 decimals",
    name: "short.libsvm",
    write: (x, y) => `${y} ${x.map((v, j) => `${j + 1}:${v.toFixed(6)}`).join(" ")}`,
  },
];

function writeRows(rows: number, write: Row): string {
  const random = new Random(1, "bench/files");
  const lines = Array.from({ length: rows }, () => {
    const x = normals(random, DIMENSION);
    return write(x, x[0] * x[1] > 0 ? 1 : -1);
  });
  return `${lines.join("\n")}\n`;
}

async function measureCost(path: string, file: string, rows: number): Promise<FileCost> {
  const beforeReading = cpuTime();
  const table = await readStored(path);
  const readUs = (cpuTime() - beforeReading) / rows;
  const family = chooseFamily(LEARNER);
  const options = withBudget(family, { dimension: DIMENSION }, BUDGET);
  const learner = family.create({ ...options, memory: arithmetic().allocate(family.layout(options)) });
  const beforeLearning = cpuTime();
  table.each(null, (x, label) => void learner.learn(x, label));
  const learnUs = (cpuTime() - beforeLearning) / rows;
  table.close();
  return { file, bytesPerRow: statSync(path).size / rows, readUs, learnUs, ratio: readUs / learnUs };
}

/**
 * Writes files of so many rows, then reads and learns each in the order of the file; it runs the first twice,
 * to warm up.
 */
export async function benchmarkFiles(rows: number): Promise<FileCost[]> {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-bench-"));
  try {
    const costs: FileCost[] = [];
    for (const { file, name, write } of [FILES[0], ...FILES]) {
      const path = join(folder, name);
      writeFileSync(path, writeRows(rows, write));
      costs.push(await measureCost(path, file, rows));
    }
    return costs.slice(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
