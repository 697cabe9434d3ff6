import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { ceil4, LEAVING, type Primitives, packedWords } from "../../src/math/primitives.ts";
import { Naive } from "./naive.ts";

const WORDS = 1 << 12;
const LONGEST = 67;
const random = new Random(1, "primitives");

const SPECIAL = [0, -0, Infinity, -Infinity, 3.4028234663852886e38, -3.4e38, 1e30, -1e20, 1.17549435e-38];

/** The memory's content: numbers about 1, with some special ones, or with many of every magnitude. */
type Data = "tame" | "wild";

/** In [-2, 2): a normal draw takes ten times as long, and there are ten millions of them. */
function about1(): number {
  return Math.fround(4 * random.uniform() - 2);
}

function word(data: Data): number {
  const kind = data === "tame" ? 3 : random.below(8);
  if (kind === 0) return SPECIAL[random.below(SPECIAL.length)];
  if (kind === 1) return (random.below(2 ** 23) - 2 ** 22) * 2 ** -149; // subnormal
  if (kind === 2) return about1() * 2 ** (random.below(250) - 125);
  return about1();
}

/** Two equal memories: one for the implementation, one for the reference. */
function twoMemories(data: Data): readonly [Primitives, Primitives] {
  const tested = new PortableF32(new ArrayBuffer(4 * WORDS));
  const naive = new Naive(new ArrayBuffer(4 * WORDS));
  for (let i = 0; i < WORDS; i++) tested.words[i] = word(data);
  naive.bits.set(tested.bits);
  return [tested, naive];
}

/** Every word of both memories, written or not: equal bits, or both NaN. */
function sameMemory(tested: Primitives, naive: Primitives, what: string): void {
  for (let i = 0; i < WORDS; i++) {
    if (tested.bits[i] === naive.bits[i]) continue;
    if (Number.isNaN(tested.words[i]) && Number.isNaN(naive.words[i])) continue;
    assert.unreachable(`${what}: word ${i} is ${tested.words[i]}, should be ${naive.words[i]}`);
  }
}

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

/** A scale as double: not yet rounded to float32, sometimes special. */
function scalar(): number {
  const kind = random.below(10);
  if (kind === 0) return SPECIAL[random.below(SPECIAL.length)];
  return kind === 1 ? 1e39 : random.normal() + random.uniform() * 1e-9;
}

type Call = (f32: Primitives) => unknown;
/** Draws the arguments of one call of n components. */
type Draw = (n: number) => Call;

function rowsOf(n: number) {
  const d = 1 + random.below(9);
  const [rows, x, out] = places(d * ceil4(n + 1), Math.max(d, n), ceil4(n));
  return { d, rows, x, out, i: random.below(n + 1), j: random.below(d) };
}

const VECTORS: Record<string, Draw> = {
  load(n) {
    const values = Array.from({ length: n }, () => (random.below(40) > 0 ? word("tame") : scalar()));
    const [to] = places(n);
    return (f32) => f32.load(to, values, n);
  },
  crc32(n) {
    const [[a], before] = [places(n), random.uint32()];
    return (f32) => f32.crc32(new Uint8Array(f32.words.buffer), 4 * a + 1, 4 * a + 3 * n + 1, before);
  },
  finite(n) {
    const [a] = places(n);
    return (f32) => f32.finite(a, n);
  },
  dot(n) {
    const [a, b] = places(n, n);
    return (f32) => f32.dot(a, b, n);
  },
  "dot with itself"(n) {
    const [a] = places(n);
    return (f32) => f32.dot(a, a, n);
  },
  addScaled(n) {
    const [[y, x], s] = [places(n, n), scalar()];
    return (f32) => f32.addScaled(y, s, x, n);
  },
  scale(n) {
    const [[x], s] = [places(n), scalar()];
    return (f32) => f32.scale(x, s, n);
  },
  copy(n) {
    const [[to], by] = [places(2 * n), random.below(n + 1)];
    return (f32) => f32.copy(to + by, to, n);
  },
  "copy downwards"(n) {
    const [[to], by] = [places(2 * n), random.below(n + 1)];
    return (f32) => f32.copy(to, to + by, n);
  },
  argmin(n) {
    const [a] = places(n);
    return (f32) => f32.argmin(a, n);
  },
  argminMagnitude(n) {
    const [a] = places(n);
    return (f32) => f32.argminMagnitude(a, n);
  },
  oldest(n) {
    const [[b], now] = [places(n), random.uint32()];
    return (f32) => f32.oldest(b, now, n);
  },
  stalest(n) {
    const [[last, uses], now, after] = [places(n, n), random.uint32(), random.below(2 ** 25)];
    return (f32) => f32.stalest(last, uses, now, after, n);
  },
  "stalest of few uses"(n) {
    const [[last, uses], now, after] = [places(n, n), random.below(100), random.below(100)];
    const clocks = Array.from({ length: n }, () => [random.below(100), random.below(4)]);
    return (f32) => {
      for (const [j, [used, times]] of clocks.entries()) {
        f32.bits[last + j] = used;
        f32.bits[uses + j] = times;
      }
      return f32.stalest(last, uses, now, after, n);
    };
  },
};

/**
 * Before a call on rows of n lanes of 16 bits: the words from `rows` to `end` become lanes, in a grid that is mostly fit for numbers about 1.
 */
function shorten({ bits, words }: Primitives, rows: number, end: number, n: number, u: number): void {
  const w = Math.ceil(n / 2);
  for (let k = rows; k < end; k++) {
    const isLast = ((k - rows) >> 2) % w === w - 1;
    const high = isLast && n % 2 !== 0 ? 0 : bits[k] >> 17;
    bits[k] = (high << 16) | (((bits[k] << 16) >> 17) & 0xffff);
  }
  if (u === 0) return;
  words[rows - n - 2] = u;
  words[rows - n - 1] = 1 / u;
  for (let j = 0; j < n; j++) words[rows - n + j] = 3 * j;
}

/** A unit about which lanes are neither all clipped nor all the same; 0: whatever the memory holds. */
function unitOf(): number {
  return random.below(4) === 0 ? 0 : 2 ** -(2 + random.below(12));
}

/** Rows of n lanes that have a grid in front. */
function shortRowsOf(n: number) {
  const d = 1 + random.below(9);
  const [grid, x, out] = places(2 + d + Math.ceil(d / 2) * ceil4(n + 1), Math.max(d, n), ceil4(n));
  const [rows, u] = [grid + 2 + d, unitOf()];
  const prepare = (f32: Primitives) => shorten(f32, rows, rows + Math.ceil(d / 2) * ceil4(n + 1), d, u);
  return { d: -d, rows, x, out, i: random.below(n + 1), prepare };
}

/** A call on rows of 16 bits. */
function onShortRows(
  call: (f32: Primitives, at: ReturnType<typeof shortRowsOf>, s: number, n: number) => unknown,
): Draw {
  return (n) => {
    const [at, s] = [shortRowsOf(n), scalar()];
    return (f32) => {
      at.prepare(f32);
      return call(f32, at, s, n);
    };
  };
}

const SHORT_ROWS: Record<string, Draw> = {
  "storeRow of 16 bits": onShortRows((f32, { rows, i, x, d }) => f32.storeRow(rows, i, x, d)),
  "fetchRow of 16 bits": onShortRows((f32, { rows, i, x, d }) => f32.fetchRow(x, rows, i, d)),
  "moveRowTowards of 16 bits": onShortRows((f32, { rows, i, x, d }, s) =>
    f32.moveRowTowards(rows, i, s, x, d),
  ),
  "squaredDistances of 16 bits": onShortRows((f32, { out, rows, x, d }, _, n) =>
    f32.squaredDistances(out, rows, x, n, d),
  ),
  "gaussianRow of 16 bits": onShortRows((f32, { out, rows, x, d }, s, n) =>
    f32.gaussianRow(out, rows, x, n, d, s),
  ),
  "nearestRow of 16 bits": onShortRows((f32, { out, rows, x, d }, _, n) =>
    f32.nearestRow(out, rows, x, n, d),
  ),
};

const ROWS: Record<string, Draw> = {
  storeRow(n) {
    const { rows, i, x, d } = rowsOf(n);
    return (f32) => f32.storeRow(rows, i, x, d);
  },
  fetchRow(n) {
    const { rows, i, x, d } = rowsOf(n);
    return (f32) => f32.fetchRow(x, rows, i, d);
  },
  storeColumn(n) {
    const { rows, j, x, d } = rowsOf(n);
    return (f32) => f32.storeColumn(rows, j, x, n, d);
  },
  addScaledRow(n) {
    const [{ rows, i, x, d }, s] = [rowsOf(n), scalar()];
    return (f32) => f32.addScaledRow(rows, i, s, x, d);
  },
  moveRowTowards(n) {
    const [{ rows, i, x, d }, s] = [rowsOf(n), scalar()];
    return (f32) => f32.moveRowTowards(rows, i, s, x, d);
  },
  innerProducts(n) {
    const { rows, x, out, d } = rowsOf(n);
    return (f32) => f32.innerProducts(out, rows, x, n, d);
  },
  blockProducts(n) {
    const [d, k] = [1 + random.below(LONGEST), 1 + random.below(6)];
    const size = 1 + (n % 9);
    const [slot, few] = [random.below(size), random.below(size + 1)];
    const [rows, x, out] = places(d * ceil4(size), k * d, k * size);
    return (f32) => f32.blockProducts(out, rows, x, slot, few, size, d, k);
  },
  squaredDistances(n) {
    const { rows, x, out, d } = rowsOf(n);
    return (f32) => f32.squaredDistances(out, rows, x, n, d);
  },
  nearestRow(n) {
    const { rows, x, out, d } = rowsOf(n);
    return (f32) => f32.nearestRow(out, rows, x, n, d);
  },
  mergeNearest(n) {
    const [d, a, gamma] = [1 + random.below(9), random.normal(), 0.3 * random.uniform() + 1e-9];
    const [rows, coefficients, x, out] = places(d * ceil4(n), n, d, ceil4(n) + 2);
    return (f32) => f32.mergeNearest(out, rows, coefficients, n, d, x, a, gamma);
  },
  fourierFeatures(n) {
    const d = 1 + random.below(9);
    const [rows, x, out] = places(d * ceil4(n), d, ceil4(2 * n));
    return (f32) => f32.fourierFeatures(out, rows, x, n, d);
  },
  gaussianRow(n) {
    const [{ rows, x, out, d }, gamma] = [rowsOf(n), 2 * random.uniform() + 1e-9];
    return (f32) => f32.gaussianRow(out, rows, x, n, d, gamma);
  },
  polynomialRow(n) {
    const [{ rows, x, out, d }, offset, degree] = [rowsOf(n), scalar(), 1 + random.below(16)];
    return (f32) => f32.polynomialRow(out, rows, x, n, d, offset, degree);
  },
};

const MATRICES: Record<string, Draw> = {
  symmetricProduct(n) {
    const [s, x, out] = places(packedWords(n), n, n);
    return (f32) => f32.symmetricProduct(out, s, x, n);
  },
  symmetricRankOne(n) {
    const [[s, v], b] = [places(packedWords(n), n), scalar()];
    return (f32) => f32.symmetricRankOne(s, b, v, n);
  },
  diagonalProduct(n) {
    const [s, x, out] = places(n, n, n);
    return (f32) => f32.diagonalProduct(out, s, x, n);
  },
  diagonalRankOne(n) {
    const [[s, v], b] = [places(n, n), scalar()];
    return (f32) => f32.diagonalRankOne(s, b, v, n);
  },
  cholesky(n) {
    const [a] = places(packedWords(n));
    return (f32) => f32.cholesky(a, n);
  },
  solveLower(n) {
    const [l, x] = places(packedWords(n), n);
    return (f32) => f32.solveLower(l, x, n);
  },
  solveLowerTransposed(n) {
    const [l, x] = places(packedWords(n), n);
    return (f32) => f32.solveLowerTransposed(l, x, n);
  },
  deleteFactorRow(n) {
    const size = 1 + (n >> 1);
    const [l, b, r] = places(packedWords(size), size, packedWords(size));
    const i = random.below(size);
    return (f32) => f32.deleteFactorRow(l, size, i, b, r);
  },
  "deleteFactorRow alone"(n) {
    const [l] = places(packedWords(n + 1));
    const i = random.below(n + 1);
    return (f32) => f32.deleteFactorRow(l, n + 1, i, -1, -1);
  },
  solveUnitLower(n) {
    const [[l, x, to], from] = [places(packedWords(n), n, n), random.below(n + 1)];
    return (f32) => f32.solveUnitLower(to, l, x, n, from);
  },
  solveUnitLowerTransposed(n) {
    const [l, x, to, order] = places(packedWords(n), n, n, n);
    const shift = random.below(n + 1);
    return (f32) => {
      for (let i = 0; i < n; i++) f32.bits[order + i] = (i + shift) % n;
      f32.solveUnitLowerTransposed(to, order, l, x, n);
    };
  },
  pivotProduct(n) {
    const [l, x, out] = places(packedWords(n), n, n);
    return (f32) => f32.pivotProduct(out, l, x, n);
  },
  deleteUnitFactorRow(n) {
    const [l, b, s] = places(packedWords(n + 1), n + 1, 2 * n + 2);
    const p = random.below(n + 1);
    return (f32) => f32.deleteUnitFactorRow(l, n + 1, p, b, s);
  },
};

const ELEMENTARY: Record<string, Draw> = Object.fromEntries(
  (["exp", "log", "cos", "sin"] as const).map((name) => [
    name,
    () => {
      const x = word("wild") * (random.below(2) ? 1 : 50);
      return (f32: Primitives) => f32[name](x);
    },
  ]),
);

/** A call on a support set of capacity n + 1 that holds `size` vectors; `out` is longer than any result. */
function onSet(
  n: number,
  size: number,
  call: (f32: Primitives, set: number, d: number, x: number, out: number) => unknown,
): Call {
  const d = 1 + random.below(9);
  const [isShort, u] = [random.below(2) === 0, unitOf()];
  const rows = (isShort ? Math.ceil(d / 2) : d) * ceil4(n + 1);
  const words = 2 + d + rows + 2 * (n + 1);
  const [grid, x, out] = places(words + 2, 2 * d + ceil4(n + 1), d + ceil4(n + 1) + 5);
  const set = grid + 2 + d;
  return (f32) => {
    if (isShort) shorten(f32, set, set + rows, d, u);
    f32.bits[grid + words] = size;
    return call(f32, set, isShort ? -d : d, x, out);
  };
}

const SETS: Record<string, Draw> = {
  gaussianExpansion(n) {
    const [gamma, rule, scale] = [random.uniform(), random.below(6), scalar()];
    return onSet(n, random.below(n + 2), (f32, set, d, x, out) => {
      const given = f32.words.slice(x, x + Math.abs(d));
      return f32.gaussianExpansion(out, given, set, n + 1, d, gamma, rule, x, scale);
    });
  },
  insertVector(n) {
    const a = scalar();
    return onSet(n, random.below(n + 1), (f32, set, d, x) => f32.insertVector(set, n + 1, d, x, a));
  },
  removeVector(n) {
    const size = 1 + random.below(n + 1);
    const i = random.below(size);
    return onSet(n, size, (f32, set, d) => f32.removeVector(set, n + 1, d, i));
  },
  removeVectorInOrder(n) {
    const size = 1 + random.below(n + 1);
    const i = random.below(size);
    return onSet(n, size, (f32, set, d) => f32.removeVectorInOrder(set, n + 1, d, i));
  },
  stepExpansion(n) {
    const size = random.below(2) === 0 ? n + 1 : random.below(n + 1);
    const [keep, a, threshold] = [
      random.uniform(),
      random.below(5) === 0 ? 0 : scalar(),
      random.uniform() / 4,
    ];
    const { oldest, smallest, refuse, merge } = LEAVING;
    const leaving = [oldest, smallest, refuse, merge, n][random.below(5)];
    const gamma = random.uniform();
    return onSet(n, size, (f32, set, d, x, out) =>
      f32.stepExpansion(set, n + 1, d, keep, x, a, leaving, threshold, out, gamma),
    );
  },
};

/** Where a local model of at most n + 1 prototypes lies, and what its unsigned words are. */
function localModel(n: number) {
  const [m, k, d] = [1 + random.below(Math.min(n + 1, 20)), 1 + random.below(3), 1 + random.below(9)];
  const [rows, across] = [ceil4(m), k * d];
  const [isShort, u] = [random.below(2) === 0, unitOf()];
  const [grid, to] = places(2 + d + rows * (d + across) + m + 1 + across, d + k + rows + 1 + 2 * across);
  const set = grid + 2 + d;
  const width = isShort ? Math.ceil(d / 2) : d;
  const [size, counted, i] = [random.below(m + 1), random.below(3), random.below(m)];
  const most = random.below(8) === 0;
  return {
    ...{ set, to, m, d, k, form: isShort ? -d : d },
    prepare(f32: Primitives) {
      const { bits } = f32;
      const counts = set + width * rows;
      if (isShort) shorten(f32, set, counts, d, u);
      for (let j = 0; j < m; j++) bits[counts + j] = most ? 0xffffffff - (j & 1) : counted;
      bits[counts + m] = size;
      bits[to + d + k + rows] = i;
    },
  };
}

/** Where a shared set of at most n + 1 vectors lies, and what its unsigned words are. */
function sharedSet(n: number) {
  const [m, k, d] = [1 + random.below(Math.min(n + 1, 20)), 2 + random.below(6), 1 + random.below(9)];
  const [rows, across] = [ceil4(m), ceil4(k)];
  const [isShort, u] = [random.below(2) === 0, unitOf()];
  const behind = 4 * d + 2 * rows + 3 * across;
  const [grid, to, counts] = places(2 + d + rows * d + (across + 3) * m + 4, behind, 5);
  const set = grid + 2 + d;
  const norms = set + (isShort ? Math.ceil(d / 2) : d) * rows;
  const labels = norms + 2 * m + 2 + across * m;
  const size = random.below(2) === 0 ? m : random.below(m + 1);
  const [steps, shrunk] = [random.below(4) === 0 ? 0xffffffff : 7, random.below(3)];
  return {
    ...{ set, to, m, d, k, counts, form: isShort ? -d : d },
    prepare(f32: Primitives) {
      const { words, bits } = f32;
      if (isShort) shorten(f32, set, norms, d, u);
      for (let i = 0; i < m; i++) {
        words[norms + i] = Math.abs(words[norms + i]);
        bits[labels + i] = i % 3;
      }
      bits[norms + 2 * m] = size;
      bits[labels + m] = steps;
      if (shrunk > 0) words[labels + m + 1] = shrunk - 1;
    },
  };
}

/** A number of float32, not yet rounded to it, that isn't special. */
function factor(): number {
  return random.normal() + random.uniform() * 1e-9;
}

const STEPS: Record<string, Draw> = {
  hingeStep(n) {
    const size = n + 1;
    const [to, y, f] = places(size, size, size);
    const [slot, margin, step] = [random.below(size), factor(), factor()];
    return (f32) => f32.hingeStep(to, y, f, slot, n, size, margin, step);
  },
  agreementStep(n) {
    const size = n + 1;
    const [[to, p, v, u], slot, step] = [places(size, n, n, n), random.below(size), factor()];
    return (f32) => f32.agreementStep(to, p, v, u, slot, n, size, step);
  },
  agree(n) {
    const [stride, agents] = [n + random.below(3), 1 + random.below(5)];
    const [v, u, p] = places(n, agents * stride, agents * stride);
    return (f32) => f32.agree(v, u, p, n, agents, stride);
  },
  aggressiveness(n) {
    const [[at], k] = [places(2), 1 + random.below(4)];
    const [y, f] = k === 1 ? [2 * random.below(2) - 1, factor()] : [random.below(k), random.below(k)];
    const [labels, errors] = [random.below(3) ? 60 * n : random.uint32(), random.below(8)];
    return (f32) => {
      f32.bits[at + 1] = labels;
      if (errors > 0) f32.words[at] = 8 * errors * Math.abs(f32.words[at]);
      return f32.aggressiveness(at, y, f, k);
    };
  },
  localDecision(n) {
    const local = localModel(n);
    return (f32) => {
      local.prepare(f32);
      const x = f32.words.slice(local.to, local.to + local.d);
      return f32.localDecision(local.to, x, local.set, local.m, local.form, local.k);
    };
  },
  localStep(n) {
    const local = localModel(n);
    const [share, C, before] = [random.uniform(), random.uniform(), random.below(2)];
    const y = local.k === 1 ? 2 * random.below(2) - 1 : random.below(local.k);
    return (f32) => {
      local.prepare(f32);
      return f32.localStep(local.to, local.set, local.m, local.form, local.k, y, share, C, before);
    };
  },
  classScores(n) {
    const [shared, scale] = [sharedSet(n), factor()];
    return (f32) => {
      shared.prepare(f32);
      return f32.classScores(shared.to, shared.set, shared.m, shared.form, shared.k, scale);
    };
  },
  classStep(n) {
    const { to, set, m, form, k, counts, prepare } = sharedSet(n);
    const [y, gamma, self] = [random.below(Math.min(k, 3)), random.uniform(), random.below(2) || factor()];
    const [keep, size, level] = [random.below(4) === 0 ? 1e-4 : random.uniform(), factor(), factor()];
    const [most, ties] = [random.below(2) === 0 ? 0 : random.uniform(), random.below(2)];
    const { oldest, smallest, refuse, merge } = LEAVING;
    const leaving = [oldest, smallest, refuse, merge, merge][random.below(5)];
    const threshold = random.below(2) === 0 ? 0 : random.uniform() / 4;
    return (f32) => {
      prepare(f32);
      f32.classStep(
        ...([to, set, m, form, k, y, gamma, self, keep, size, level, most] as const),
        ...([ties, leaving, threshold, counts] as const),
      );
    };
  },
  windowStatistics(n) {
    const size = n + 1 + random.below(3);
    const [[to, ring], place] = [places(4, size), random.below(size)];
    return (f32) => {
      for (let j = ring; j < ring + size; j++) if (!Number.isFinite(f32.words[j])) f32.words[j] = 0;
      return f32.windowStatistics(to, ring, place, n + 1, size);
    };
  },
  centre(n) {
    const [to, x] = places(3, n + 1);
    return (f32) => {
      for (let i = x; i <= x + n; i++) if (!Number.isFinite(f32.words[i])) f32.words[i] = 0;
      return f32.centre(to, x, n + 1);
    };
  },
  taper(n) {
    const [size, [x]] = [4 << (n & 7), places(512)];
    return (f32) => f32.taper(x, size);
  },
  fourierTransform(n) {
    const [size, [x]] = [4 << (n & 7), places(512)];
    return (f32) => f32.fourierTransform(x, size);
  },
  goertzel(n) {
    const [[x], c] = [places(n), 2 * Math.cos(random.uniform() * Math.PI)];
    return (f32) => f32.goertzel(x, n, c);
  },
  standardise(n) {
    const [[s, x], horizon, count] = [places(5 * n, n), 32 + random.below(40), random.below(80)];
    const stepAfter = 7 + random.below(3);
    return (f32) => {
      for (let j = 0; j < n; j++) f32.words[s + 3 * n + j] = (count + 7 * j) % 80;
      for (let j = 0; j < n; j++) f32.words[s + 4 * n + j] = ((count + j) % 17) - 8;
      return f32.standardise(s, x, n, horizon, stepAfter);
    };
  },
};

const GUARDED = [
  "addScaled",
  "addScaledRow",
  "moveRowTowards",
  "symmetricRankOne",
  "standardise",
  "centre",
  "diagonalRankOne",
];

for (const [name, draw] of Object.entries({
  ...VECTORS,
  ...ROWS,
  ...SHORT_ROWS,
  ...SETS,
  ...STEPS,
  ...MATRICES,
  ...ELEMENTARY,
})) {
  test(`${name} is the sequence of float32 operations that it is stated to be, and writes nothing else`, () => {
    const outcomes = new Set<unknown>();
    for (const data of ["tame", "wild"] as const) {
      for (let n = 0; n <= LONGEST; n++) {
        const [tested, naive] = twoMemories(data);
        const call = draw(n);
        const [got, wanted] = [call(tested), call(naive)];
        outcomes.add(got);
        assert.ok(Object.is(got, wanted), `n = ${n}: ${got}, should be ${wanted}`);
        sameMemory(tested, naive, `n = ${n}`);
      }
    }
    if (GUARDED.includes(name))
      assert.equal(new Set(outcomes), new Set([true, false]), "both outcomes came up");
    if (name === "localStep") assert.equal(outcomes, new Set([0, 1, 2]), "every outcome came up");
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
