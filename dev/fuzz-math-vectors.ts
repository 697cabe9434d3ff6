import { ceil4, type Primitives, packedWords, rowWords } from "../src/math/primitives.ts";

/**
 * Random calls of every primitive, drawn so that fuzz-math.c draws the same: both follow from (seed,
 * primitive, number of the call) by 32-bit integer arithmetic alone. Change one only with the other.
 */

/**
 * In the order of the `enum` in fuzz-math.c, by what they work on: vectors, rows, matrices, a number, a set, then whole steps.
 * What a call draws follows from the group, so a new name stands within its own.
 */
export const NAMES = [
  ...["load", "finite", "dot", "addScaled", "scale", "copy", "argmin", "argminMagnitude", "oldest"],
  ...["stalest"],
  ...["storeRow", "fetchRow", "storeColumn", "blockProducts", "addScaledRow", "moveRowTowards"],
  ...["innerProducts", "squaredDistances", "gaussianRow", "polynomialRow"],
  ...["symmetricProduct", "symmetricRankOne", "cholesky", "solveLower", "solveLowerTransposed"],
  ...["deleteFactorRow"],
  ...["solveUnitLower", "solveUnitLowerTransposed", "pivotProduct", "deleteUnitFactorRow"],
  ...["exp", "log", "cos", "sin"],
  ...["gaussianExpansion", "insertVector", "removeVector", "removeVectorInOrder"],
  ...["stepExpansion", "nearestRow"],
  ...["hingeStep", "agreementStep", "agree", "aggressiveness", "localDecision", "localStep"],
  ...["windowStatistics", "standardise"],
  ...["diagonalProduct", "diagonalRankOne", "mergeNearest", "fourierFeatures"],
  ...["centre", "taper", "fourierTransform", "goertzel", "crc32"],
  ...["classScores", "classStep"],
] as const;

const FIRST_ROW = NAMES.indexOf("storeRow");
const FIRST_MATRIX = NAMES.indexOf("symmetricProduct");
const FIRST_SCALAR = NAMES.indexOf("exp");
const FIRST_SET = NAMES.indexOf("gaussianExpansion");
const FIRST_STEP = NAMES.indexOf("hingeStep");
/** The primitives that take rows of 16 bits, besides those of sets. */
const SHORT: readonly string[] = [
  ...["storeRow", "fetchRow", "moveRowTowards", "squaredDistances", "gaussianRow"],
  ...["localDecision", "localStep", "mergeNearest", "classScores", "classStep"],
];
/**
 * The first primitive on shared sets, of at most 4 vectors and 5 classes, and the words that they take
 * besides those of steps.
 */
const FIRST_SHARED = NAMES.indexOf("classScores");
const SHARED_WORDS = 96;
const LONGEST = 67;
const STEP = 0x9e3779b9 | 0;

/** Words enough for any call's memory. */
export const WORDS = 8192;

const SPECIAL = [
  0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0xff7fffff, 0x00800000, 0x80000001,
  0x007fffff, 0x3f800000, 0xbf800000,
];

/** 32 bits mixed, signed: the finalizer of MurmurHash3. */
function mix(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** The bytes of the memory, which needn't begin where its buffer does. */
function bytesOf({ words }: Primitives): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

/** One call: its arguments. `draw` makes the next one in place. */
class RandomCall {
  /** Words of memory that the call may access, and some beyond. */
  end = 0;
  private state = 0;
  private primitive = 0;
  private n = 0;
  private d = 0;
  /** The form of rows: d, or -d for 16 bits. */
  private form = 0;
  private i = 0;
  private j = 0;
  private by = 0;
  private degree = 0;
  private word = 0;
  private scalar = 0;
  /** Where the rows, matrix or first vector lies; the second vector; the results. */
  private m = 0;
  private x = 0;
  private out = 0;
  private readonly double = new Float64Array(LONGEST + 1);
  private readonly doubleBits = new Uint32Array(this.double.buffer);

  private next(): number {
    this.state = (this.state + STEP) | 0;
    return mix(this.state) >>> 0;
  }

  private below(n: number): number {
    return this.next() % n;
  }

  /**
   * A double with more bits than a float32: mostly between 2^-10 and 2^13, else any float32's, or special.
   */
  private drawDouble(at: number): void {
    const kind = this.below(16);
    const word = this.next();
    let high = ((word & 0x800fffff) | ((1013 + this.below(23)) << 20)) >>> 0;
    let low = this.next();
    if (kind < 4) {
      high = ((word & 0x800fffff) | ((1023 - 151 + this.below(282)) << 20)) >>> 0;
    } else if (kind === 4) {
      const special = [0, 0x80000000, 0x7ff00000, 0xfff00000, 0x7ff80000, 0x48000000, 0x3ff00000];
      high = special[word % special.length];
      low = 0;
    }
    this.doubleBits[2 * at] = low;
    this.doubleBits[2 * at + 1] = high;
  }

  /** Fills the memory: numbers about 1; of every magnitude; tiny; huge; any bits; many special. */
  private fill(bits: Uint32Array, kind: number): void {
    const lowest = [120, 1, 0, 180, 0, 0, 122, 122][kind];
    const range = [12, 253, 30, 75, 256, 256, 6, 6][kind];
    const { end } = this;
    let state = this.state; // in a register: this loop takes most of the time
    for (let k = 0; k < end; k++) {
      state = (state + STEP) | 0;
      const word = mix(state);
      const exponent = lowest + (((word >>> 23) & 0xff) % range);
      bits[k] = (word & 0x807fffff) | (exponent << 23);
      if (kind === 5 && (word & 0x300) !== 0) bits[k] = SPECIAL[(word >>> 0) % SPECIAL.length];
    }
    this.state = state;
  }

  /** A diagonal that outweighs its rows, as a float's bits. */
  private dominate(bits: Uint32Array): void {
    for (let i = 0, at = this.m; i < this.n; i++, at += i + 1) bits[at] = 0x42800000 + (i << 12);
  }

  /**
   * Vectors in the support set of capacity n + 1: room for one, at least one, any number with full as often
   * as not.
   */
  private sizeOfSet(): number {
    const name = NAMES[this.primitive];
    if (name === "insertVector") return this.by;
    if (name === "removeVector" || name === "removeVectorInOrder") return this.by + 1;
    return this.word & 1 ? this.n + 1 : this.by;
  }

  private drawSizes(): void {
    const { primitive } = this;
    this.n = this.below(LONGEST + 1);
    const wide = this.below(16) === 0;
    const p = this.below(LONGEST + 2);
    const q = this.below(LONGEST + 2);
    if (primitive >= FIRST_MATRIX && primitive < FIRST_SET && !wide)
      this.n = Math.floor((Math.floor((this.n * p) / 68) * q) / 68);
    this.d = 1 + this.below(wide ? LONGEST : 9);
    this.i = this.below(this.n + 1);
    this.j = this.below(this.d);
    this.by = this.below(this.n + 1);
    this.degree = 1 + this.below(16);
    this.word = this.next();
    this.form = this.isShort() && (this.word >>> 28) & 1 ? -this.d : this.d;
    if (primitive >= FIRST_SCALAR && primitive < FIRST_SET) this.n = 0;
  }

  /** Whether the primitive takes rows of 16 bits. */
  private isShort(): boolean {
    const { primitive } = this;
    return SHORT.includes(NAMES[primitive]) || (primitive >= FIRST_SET && primitive < FIRST_STEP);
  }

  /** Makes the words from `from` to `end` lanes, with a grid in front, sensible as often as not. */
  private shorten(bits: Uint32Array, from: number, end: number): void {
    const { d, word } = this;
    const w = rowWords(-d);
    for (let k = from; k < end; k++) {
      const isLast = ((k - from) >> 2) % w === w - 1;
      const high = d & 1 && isLast ? 0 : (bits[k] >> 17) << 16;
      bits[k] = high | (((bits[k] << 16) >> 17) & 0xffff);
    }
    if (word & 0x8000000) return;
    const exponent = (word >>> 20) & 15;
    bits[from - d - 2] = (127 - exponent) << 23;
    bits[from - d - 1] = (127 + exponent) << 23;
    for (let j = 0; j < d; j++) bits[from - d + j] = j & 1 ? 0x42800000 : 0;
  }

  /** Draws call number `index` of a primitive, and writes its memory. */
  draw(bits: Uint32Array, seed: number, primitive: number, index: number): void {
    this.state = mix(mix(seed) + mix(index * 64 + primitive + 1));
    this.primitive = primitive;
    this.drawSizes();
    const { n, d, form } = this;
    const rows = primitive >= FIRST_ROW && primitive < FIRST_MATRIX;
    const matrix = primitive >= FIRST_MATRIX && primitive < FIRST_SET;
    const set = primitive >= FIRST_SET && primitive < FIRST_STEP;
    const step = primitive >= FIRST_STEP;
    let words = rows ? d * ceil4(n + 1) : matrix ? packedWords(n) : 2 * n;
    if (set) words = d * ceil4(n + 1) + 2 * (n + 1) + 2;
    if (step) words = 4 * (n + 1) + 15 * d + 8 + (primitive >= FIRST_SHARED ? SHARED_WORDS : 0);
    this.m = 1 + this.below(7) + (rows || set || step ? d + 2 : 0);
    this.x = this.m + words + 1 + this.below(7);
    const behind = set ? 2 * d + ceil4(n + 1) : rows && d > n ? d : n;
    this.out = this.x + behind + (step ? 5 * d + 1 : 0) + 1 + this.below(7);
    this.end = this.out + ceil4(n) + (matrix ? n : 0) + (set || step ? 8 : 4);
    this.drawDouble(0);
    this.scalar = this.double[0];
    for (let k = 1; (set || step) && k < 4; k++) this.drawDouble(k);
    const kind = this.below(8);
    this.fill(bits, kind);
    if (form < 0) this.shorten(bits, this.m, this.m + rowWords(form) * ceil4(n + 1));
    if (set) bits[this.m + rowWords(form) * ceil4(n + 1) + 2 * (n + 1)] = this.sizeOfSet();
    if (matrix && kind >= 6) this.dominate(bits);
    if (primitive === 0) for (let k = 0; k < n; k++) this.drawDouble(k);
  }

  /** Makes the call. Returns its result; 0 if it has none. */
  run(f32: Primitives): number {
    if (this.primitive < FIRST_ROW) return this.runVector(f32);
    if (this.primitive < FIRST_MATRIX) return this.runRows(f32);
    if (this.primitive < FIRST_SET) return this.runMatrix(f32);
    if (this.primitive < FIRST_STEP) return this.runSets(f32);
    return this.runSteps(f32);
  }

  private runVector(f32: Primitives): number {
    const { m, x, n, scalar, by } = this;
    switch (NAMES[this.primitive]) {
      case "load":
        return Number(f32.load(x, this.double.subarray(0, n), n));
      case "finite":
        return Number(f32.finite(m, n));
      case "dot":
        return f32.dot(m, x, n);
      case "addScaled":
        return Number(f32.addScaled(m, scalar, x, n));
      case "scale":
        f32.scale(m, scalar, n);
        return 0;
      case "copy":
        f32.copy(this.word & 1 ? m : m + by, this.word & 1 ? m + by : m, n);
        return 0;
      case "argmin":
        return f32.argmin(m, n);
      case "argminMagnitude":
        return f32.argminMagnitude(m, n);
      case "oldest":
        return f32.oldest(m, this.word, n);
      default:
        return f32.stalest(m, x, this.word, by, n);
    }
  }

  private runRows(f32: Primitives): number {
    const { m, x, out, n, d, form, i, j, scalar } = this;
    switch (NAMES[this.primitive]) {
      case "storeRow":
        f32.storeRow(m, i, x, form);
        return 0;
      case "fetchRow":
        f32.fetchRow(x, m, i, form);
        return 0;
      case "storeColumn":
        f32.storeColumn(m, j, x, n, d);
        return 0;
      case "blockProducts": {
        const k = Math.min(1 + (this.word & 7), Math.max(1, Math.floor(n / d)));
        const size = Math.max(1, Math.floor(n / k));
        f32.blockProducts(out, m, x, i % size, this.by % (size + 1), size, d, k);
        return 0;
      }
      case "addScaledRow":
        return Number(f32.addScaledRow(m, i, scalar, x, d));
      case "moveRowTowards":
        return Number(f32.moveRowTowards(m, i, scalar, x, form));
      case "innerProducts":
        f32.innerProducts(out, m, x, n, d);
        return 0;
      case "squaredDistances":
        f32.squaredDistances(out, m, x, n, form);
        return 0;
      case "gaussianRow":
        f32.gaussianRow(out, m, x, n, form, scalar);
        return 0;
      default:
        f32.polynomialRow(out, m, x, n, d, scalar, this.degree);
        return 0;
    }
  }

  private runSets(f32: Primitives): number {
    const { m, x, out, n, d, form, i, by, word, scalar, double } = this;
    switch (NAMES[this.primitive]) {
      case "gaussianExpansion":
        return f32.gaussianExpansion(
          ...([
            x,
            f32.words.subarray(x, x + d),
            m,
            n + 1,
            form,
            scalar,
            (word >>> 1) % 6,
            out,
            double[1],
          ] as const),
        );
      case "insertVector":
        f32.insertVector(m, n + 1, form, x, scalar);
        return 0;
      case "removeVector":
        f32.removeVector(m, n + 1, form, i % (by + 1));
        return 0;
      case "removeVectorInOrder":
        f32.removeVectorInOrder(m, n + 1, form, i % (by + 1));
        return 0;
      case "stepExpansion": {
        const a = (word >>> 1) % 8 === 0 ? 0 : double[1];
        const leaving = [-1, -2, -3, i, -4][(word >>> 4) % 5];
        f32.stepExpansion(m, n + 1, form, scalar, x, a, leaving, double[2], out, double[3]);
        return 0;
      }
      default:
        return f32.nearestRow(out, m, x, n, form);
    }
  }

  /**
   * A local model of at most four prototypes and k problems, behind its input and scratch at m: writes its
   * unsigned words.
   */
  private placeLocal({ bits }: Primitives, k: number): number {
    const { m, d, form, i, by, word } = this;
    const most = 1 + (by % 4);
    const nearest = m + d + k + 4;
    const set = nearest + 1 + 2 * k * d;
    const counts = set + 4 * rowWords(form);
    if (form < 0) this.shorten(bits, set, counts);
    bits[nearest] = i % most;
    for (let j = 0; j < most; j++) bits[counts + j] = word & (16 << j) ? (word & 8 ? 0xffffffff : 3) : 0;
    bits[counts + most] = (word >>> 8) % (most + 1);
    return set;
  }

  /**
   * A shared set of at most four vectors and k classes at m: writes its unsigned words. Returns the word
   * behind it.
   */
  private placeShared({ bits }: Primitives, k: number): number {
    const { m, form, i, by, word } = this;
    const most = 1 + (by % 4);
    const norms = m + 4 * rowWords(form);
    const labels = norms + 2 * most + 2 + ceil4(k) * most;
    if (form < 0) this.shorten(bits, m, norms);
    for (let j = 0; j < most; j++) {
      bits[norms + j] = bits[norms + j] & 0x7fffffff;
      bits[labels + j] = (word >>> (8 + j)) & 1;
    }
    bits[norms + 2 * most] = word & 16 ? most : i % (most + 1);
    bits[labels + most] = word & 32 ? 0xffffffff : 5;
    if (word & 64) bits[labels + most + 1] = word & 128 ? 0 : 0x3f800000;
    return labels + most + 2;
  }

  private runShared(f32: Primitives): number {
    const { m, d, form, by, word, scalar, double } = this;
    const most = 1 + (by % 4);
    const k = 2 + ((word >>> 1) & 3);
    const to = this.placeShared(f32, k);
    if (NAMES[this.primitive] === "classScores") return f32.classScores(to, m, most, form, k, scalar);
    const counts = to + 4 * d + 8 + 3 * ceil4(k);
    const leaving = [-1, -2, -3, -4, -4, -4, -4, -4][(word >>> 16) & 7];
    const self = word & 0x80000 ? 1 : double[2];
    const keep = word & 0x100000 ? 0.9 : double[3];
    const size = word & 0x200000 ? 1 : double[2];
    const limit = word & 0x400000 ? 0 : double[3];
    const threshold = word & 0x800000 ? 0 : 0.25;
    f32.classStep(
      ...([to, m, most, form, k, word & 1, double[1], self, keep, size, scalar, limit] as const),
      ...([(word >>> 24) & 1, leaving, threshold, counts] as const),
    );
    return 0;
  }

  private runSteps(f32: Primitives): number {
    if (this.primitive >= FIRST_SHARED) return this.runShared(f32);
    const { m, x, out, n, d, form, i, by, word, scalar, double } = this;
    const ring = n + 1;
    let wave = 4;
    while (2 * wave <= 4 * ring + 10 * d && wave < 512) wave *= 2;
    const rows = 1 + (by % 5);
    const k = 1 + (word & 1);
    switch (NAMES[this.primitive]) {
      case "hingeStep":
        f32.hingeStep(x, m, m + ring, i, by, ring, scalar, double[1]);
        return 0;
      case "agreementStep":
        f32.agreementStep(x, m, m + ring, m + 2 * ring, i, by, ring, scalar);
        return 0;
      case "agree":
        f32.agree(x, m, m + ring, d, Math.floor(ring / d), d);
        return 0;
      case "aggressiveness":
        if (word & 1) f32.bits[m + 1] = (word >>> 1) & 0xfff;
        if (word & 0x2000) f32.words[m] = (word >>> 14) / 1024;
        return f32.aggressiveness(m, double[1], scalar, 1 + by);
      case "localDecision":
        return f32.localDecision(
          m,
          f32.words.subarray(m, m + d),
          this.placeLocal(f32, k),
          1 + (by % 4),
          form,
          k,
        );
      case "localStep":
        return f32.localStep(
          ...([
            m,
            this.placeLocal(f32, k),
            1 + (by % 4),
            form,
            k,
            k === 1 ? 1 - 2 * (by & 1) : by & 1,
          ] as const),
          ...([scalar, double[1], i & 1] as const),
        );
      case "windowStatistics":
        return Number(f32.windowStatistics(out, m, i, by + 1, ring));
      case "standardise":
        for (let j = 0; j < d; j++) {
          f32.words[m + 3 * d + j] = (by + 7 * j) % 80;
          f32.words[m + 4 * d + j] = ((i + j) % 19) - 9;
        }
        return Number(f32.standardise(m, x, d, by + 32, 8 + (i % 3)));
      case "diagonalProduct":
        f32.diagonalProduct(out, m, x, n);
        return 0;
      case "diagonalRankOne":
        return Number(f32.diagonalRankOne(m, scalar, x, n));
      case "mergeNearest":
        return f32.mergeNearest(out, m, m + ceil4(rows) * rowWords(form), rows, form, x, scalar, double[1]);
      case "fourierFeatures":
        f32.fourierFeatures(out, m, x, rows, d);
        return 0;
      case "centre":
        return Number(f32.centre(out, m, ring));
      case "taper":
        f32.taper(m, wave);
        return 0;
      case "fourierTransform":
        f32.fourierTransform(m, wave);
        return 0;
      case "goertzel":
        return f32.goertzel(m, wave, scalar);
      default:
        return f32.crc32(bytesOf(f32), 4 * m + k, 4 * m + k + by, word);
    }
  }

  private runMatrix(f32: Primitives): number {
    const { m, x, out, n, scalar } = this;
    switch (NAMES[this.primitive]) {
      case "symmetricProduct":
        f32.symmetricProduct(out, m, x, n);
        return 0;
      case "symmetricRankOne":
        return Number(f32.symmetricRankOne(m, scalar, x, n));
      case "cholesky":
        return Number(f32.cholesky(m, n));
      case "solveLower":
        f32.solveLower(m, x, n);
        return 0;
      case "solveLowerTransposed":
        f32.solveLowerTransposed(m, x, n);
        return 0;
      case "deleteFactorRow": {
        const rows = this.word & 2 ? n >> 1 : n; // two matrices of half the rows lie in one
        const form = this.word & 2 ? m + packedWords(rows) : -1;
        if (rows > 0) f32.deleteFactorRow(m, rows, this.i % rows, this.word & 1 ? x : -1, form);
        return 0;
      }
      case "solveUnitLower":
        f32.solveUnitLower(out, m, x, n, this.i);
        return 0;
      case "solveUnitLowerTransposed":
        for (let j = 0; j < n; j++) f32.bits[out + n + j] = n - 1 - j;
        f32.solveUnitLowerTransposed(out, out + n, m, x, n);
        return 0;
      case "pivotProduct":
        f32.pivotProduct(out, m, x, n);
        return 0;
      case "deleteUnitFactorRow":
        return n > 0 ? f32.deleteUnitFactorRow(m, n, this.i % n, x, out) : 0;
      case "exp":
        return f32.exp(scalar);
      case "log":
        return f32.log(scalar);
      case "cos":
        return f32.cos(scalar);
      default:
        return f32.sin(scalar);
    }
  }
}

const CANONICAL_NAN = 0x7fc00000;

function canonical(word: number): number {
  return (word & 0x7fffffff) > 0x7f800000 ? CANONICAL_NAN : word;
}

/**
 * Runs the same calls on two implementations, and compares word by word; `digest`, on request, hashes the
 * first one's results.
 */
export class Comparison {
  private readonly call = new RandomCall();
  private readonly result = new Float32Array(1);
  private readonly resultBits = new Uint32Array(this.result.buffer);
  private hash = 0;

  constructor(
    private readonly one: Primitives,
    private readonly other: Primitives,
    private readonly seed: number,
    private readonly digests = false,
  ) {}

  /**
   * Runs `count` calls of a primitive from number `first`. Returns the number of the first that differs, or
   * -1.
   */
  run(primitive: number, first: number, count: number): number {
    this.hash = 0x811c9dc5;
    for (let index = first; index < first + count; index++) {
      if (!this.same(primitive, index)) return index;
    }
    return -1;
  }

  /** 32 bits over the results and the memory of the calls of the last `run`; any NaN counts as the same. */
  digest(): number {
    return this.hash >>> 0;
  }

  private same(primitive: number, index: number): boolean {
    const { call, one, other } = this;
    call.draw(one.bits, this.seed, primitive, index);
    const { end } = call;
    other.bits.set(one.bits.subarray(0, end));
    const first = this.wordOf(call.run(one));
    let same = first === this.wordOf(call.run(other));
    const [a, b] = [one.bits, other.bits];
    for (let k = 0; k < end; k++) {
      if ((a[k] | 0) !== (b[k] | 0) && canonical(a[k] | 0) !== canonical(b[k] | 0)) same = false;
    }
    if (this.digests) this.add(first, a, end);
    return same;
  }

  private add(result: number, bits: Uint32Array, end: number): void {
    let hash = Math.imul(this.hash ^ result, 0x01000193);
    for (let k = 0; k < end; k++) {
      hash = Math.imul((hash << 13) ^ (hash >>> 19) ^ canonical(bits[k] | 0), 0x01000193);
    }
    this.hash = hash;
  }

  /** A result's bits as a float32, which an index or a boolean is too. */
  private wordOf(result: number): number {
    this.result[0] = result;
    return canonical(this.resultBits[0] | 0);
  }
}
