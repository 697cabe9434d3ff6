import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Call, draw, NAMES, run, WORDS } from "../../dev/fuzz-math-calls.ts";
import { Comparison } from "../../dev/fuzz-math-comparison.ts";
import { Random } from "../../host/random.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { type Primitives, packedWords } from "../../src/math/primitives.ts";
import { Naive } from "./naive.ts";

const SEED = 1;
const CALLS = 200;
/** A merge is rare among random sets, and each of its roundings seldom shows. */
const MERGES = 5000;
const random = new Random(SEED, "primitives");

/** What must come up among the results: of a guarded primitive both outcomes. */
const OUTCOMES = new Map<string, readonly number[]>([
  ...[
    ...["addScaled", "addScaledRow", "moveRowTowards", "symmetricRankOne", "standardise", "centre"],
    ...["diagonalRankOne"],
  ].map((name) => [name, [0, 1]] as const),
  ["localStep", [0, 1, 2]],
]);

NAMES.forEach((name, primitive) => {
  test(`${name} is the sequence of float32 operations that it is stated to be, and writes nothing else`, () => {
    const tested = new PortableF32(new ArrayBuffer(4 * WORDS));
    const naive = new Naive(new ArrayBuffer(4 * WORDS));
    const differs = new Comparison(tested, naive, SEED).run(
      primitive,
      0,
      name === "mergeNearest" ? MERGES : CALLS,
    );
    assert.is(differs, -1, `call ${differs} of seed ${SEED}`);
    const call = {} as Call;
    const outcomes = new Set<number>();
    for (let index = 0; index < CALLS; index++) {
      draw(tested, call, SEED, primitive, index);
      outcomes.add(run(tested, primitive, call));
    }
    for (const outcome of OUTCOMES.get(name) ?? []) assert.ok(outcomes.has(outcome), `${outcome} came up`);
  });
});

/** Where things lie: regions that don't overlap, each at an offset of its own. */
function places(...lengths: number[]): number[] {
  let end = 0;
  return lengths.map((length) => {
    const at = end + 1 + random.below(7);
    end = at + length;
    if (end > WORDS) throw new Error("the test's memory is too small");
    return at;
  });
}

/** A well-conditioned symmetric positive definite matrix G G' / n + I in double precision. */
function definite(n: number): number[][] {
  const G = Array.from({ length: n }, () => Array.from({ length: n }, () => random.normal()));
  return G.map((row, i) =>
    G.map((other, j) => row.reduce((sum, value, k) => sum + (value * other[k]) / n, i === j ? 1 : 0)),
  );
}

function pack({ words }: Primitives, at: number, A: number[][]): void {
  A.forEach((row, i) => {
    for (let j = 0; j <= i; j++) words[at + (i * (i + 1)) / 2 + j] = row[j];
  });
}

/** The matrix that lies packed at `at`, whole. */
function unpack({ words }: Primitives, at: number, n: number): number[][] {
  const entry = (i: number, j: number) => words[at + (i * (i + 1)) / 2 + j];
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => entry(Math.max(i, j), Math.min(i, j))),
  );
}

function times(A: number[][], B: number[][]): number[][] {
  return A.map((row) => B[0].map((_, j) => row.reduce((sum, value, k) => sum + value * B[k][j], 0)));
}

function largestDifference(A: number[][], B: number[][]): number {
  return Math.max(...A.flatMap((row, i) => row.map((value, j) => Math.abs(value - B[i][j]))));
}

for (const n of [1, 2, 5, 16, 48]) {
  test(`a definite ${n} x ${n} matrix is factored and solved as in double precision`, () => {
    const f32 = new PortableF32(new ArrayBuffer(4 * WORDS));
    const [a, x] = places(packedWords(n), n);
    const A = definite(n);
    pack(f32, a, A);
    assert.ok(f32.cholesky(a, n));
    const L = unpack(f32, a, n).map((row, i) => row.map((value, j) => (j <= i ? value : 0)));
    const transposed = L.map((_, i) => L.map((row) => row[i]));
    assert.ok(largestDifference(times(L, transposed), A) < 1e-5, "L L' is A");

    const b = Array.from({ length: n }, () => random.normal());
    f32.load(x, b, n);
    f32.solveLower(a, x, n);
    f32.solveLowerTransposed(a, x, n);
    const solved = Array.from({ length: n }, (_, i) => [f32.words[x + i]]);
    const back = times(A, solved);
    const wanted = b.map((value) => [value]);
    assert.ok(largestDifference(back, wanted) < 1e-4, "A x is b");
  });
}

test("an indefinite matrix has no factor", () => {
  const f32 = new PortableF32(new ArrayBuffer(64));
  for (const packed of [[0], [-1], [Infinity], [1, 2, 4], [1, 2, 3], [1, 0, 1, 1, 1, 1]]) {
    f32.load(0, packed, packed.length);
    assert.not(f32.cholesky(0, Math.floor(Math.sqrt(2 * packed.length))), packed.join(" "));
  }
});

test("a guarded primitive that would overflow in its last component leaves the first as they were", () => {
  const f32 = new PortableF32(new ArrayBuffer(256));
  const [y, x] = [3, 20];
  f32.load(y, [1, 2, 3e38], 3);
  f32.load(x, [1, 1, 3e38], 3);
  assert.not(f32.addScaled(y, 1, x, 3));
  assert.equal([...f32.words.subarray(y, y + 3)], [1, 2, Math.fround(3e38)]);
  assert.ok(f32.addScaled(y, 0.1, x, 3));
});

test.run();
