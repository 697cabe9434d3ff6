import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ARITHMETICS, type Arithmetic, type ArithmeticName, arithmeticNamed } from "../../host/arithmetic.ts";
import { PACKAGE } from "../../host/package-folder.ts";
import { ceil4 } from "../../src/math/primitives.ts";
import { Layout } from "../../src/memory/layout.ts";
import { medianNanoseconds } from "./benchmark.ts";

const SHAPES = [
  { rows: 64, dimension: 8 },
  { rows: 200, dimension: 256 },
];
const GAMMA = 0.01;

type Path = ArithmeticName | "c";

/** One primitive over one matrix: nanoseconds an element (row x component) on each path that can run here. */
export interface PrimitiveCost {
  readonly primitive: "squaredDistances" | "gaussianRow";
  readonly rows: number;
  readonly dimension: number;
  readonly nsPerElement: { readonly [path in Path]?: number };
}

/** Squared distances and Gaussian row, in nanoseconds a call. */
type Pair = readonly [number, number];

function timeHere(arithmetic: Arithmetic, rows: number, dimension: number): Pair {
  const words = dimension + (dimension + 1) * ceil4(rows);
  const { f32, state: x } = arithmetic.allocate(new Layout([{ name: "all", kind: "state", words }]));
  for (let k = 0; k < words; k++) f32.words[x + k] = (k % 17) / 17;
  const out = x + dimension;
  const matrix = out + ceil4(rows);
  return [
    medianNanoseconds(() => f32.squaredDistances(out, matrix, x, rows, dimension)),
    medianNanoseconds(() => f32.gaussianRow(out, matrix, x, rows, dimension, GAMMA)),
  ];
}

/** The same in C, compiled from f32.c into a temporary folder; nothing without `cc` or f32.c. */
function timeInC(): (Pair | undefined)[] {
  const sources = ["lab/bench/native.c", "src/math/f32.c"].map((file) => join(PACKAGE, file));
  if (!sources.every(existsSync)) return [];
  const folder = mkdtempSync(join(tmpdir(), "motelearn-bench-"));
  const program = join(folder, "bench");
  try {
    execFileSync("cc", ["-O2", `-I${join(PACKAGE, "src/math")}`, ...sources, "-lm", "-o", program], {
      stdio: "ignore",
    });
    const shapes = SHAPES.flatMap(({ rows, dimension }) => [String(rows), String(dimension)]);
    const lines = execFileSync(program, shapes, { encoding: "utf8" }).trim().split("\n");
    return lines.map((line) => line.split(" ").map(Number) as [number, number]);
  } catch {
    return [];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The primitives' costs on every path, side by side. */
export function benchmarkPrimitives(): PrimitiveCost[] {
  const inC = timeInC();
  const here = ARITHMETICS.flatMap((name) => arithmeticNamed(name) ?? []);
  return SHAPES.flatMap(({ rows, dimension }, shape) => {
    const paths: [Path, Pair | undefined][] = [
      ...here.map((on): [Path, Pair] => [on.name, timeHere(on, rows, dimension)]),
      ["c", inC[shape]],
    ];
    return (["squaredDistances", "gaussianRow"] as const).map((primitive, which) => ({
      primitive,
      rows,
      dimension,
      nsPerElement: Object.fromEntries(
        paths.flatMap(([path, pair]) => (pair ? [[path, pair[which] / (rows * dimension)]] : [])),
      ),
    }));
  });
}
