import { Rows } from "./f32-rows.ts";
import { isFinite32 } from "./f32-vectors.ts";
import { ceil4, components, DECISION, LEAVING, rowWords } from "./primitives.ts";

const round = Math.fround;

/** The primitives on support sets. */
export class SupportSets extends Rows {
  gaussianExpansion(
    to: number,
    x: ArrayLike<number>,
    set: number,
    m: number,
    d: number,
    gamma: number,
    rule: number,
    term: number,
    scale: number,
  ): number {
    if (!this.load(to, x, components(d))) return Number.NaN;
    const coefficients = set + rowWords(d) * ceil4(m);
    const n = this.held(coefficients + 2 * m, m);
    const row = to + components(d);
    this.gaussianRow(row, set, to, n, d, gamma);
    const f = this.dot(coefficients, row, n);
    return f - f === 0 ? this.decision(f, rule, term, scale) : Number.NaN;
  }

  /** Vectors of a set, by the word of its size; no more than it has room for, whatever that says. */
  private held(size: number, m: number): number {
    const n = this.bits[size];
    return n < m ? n : m;
  }

  /** The decision that follows from f(x) = sum. */
  private decision(sum: number, rule: number, term: number, scale: number): number {
    const { words, bits } = this;
    if (rule === DECISION.plus) return sum + words[term];
    if (rule === DECISION.minus) return sum - words[term];
    if (rule === DECISION.level) return sum - 1 - words[term];
    const t = bits[term];
    if (rule === DECISION.sum || t === 0) return sum;
    return sum / (scale * (rule === DECISION.root ? Math.sqrt(t) : t));
  }

  insertVector(set: number, m: number, d: number, x: number, a: number): void {
    const { bits } = this;
    const coefficients = set + rowWords(d) * ceil4(m);
    const births = coefficients + m;
    const i = this.held(births + m, m);
    if (i === m) return;
    bits[births + m] = i + 1;
    this.storeRow(set, i, x, d);
    this.words[coefficients + i] = a;
    bits[births + i] = bits[births + m + 1]++;
  }

  removeVector(set: number, m: number, d: number, i: number): void {
    const { bits } = this;
    const w = rowWords(d);
    const coefficients = set + w * ceil4(m);
    const births = coefficients + m;
    const last = this.held(births + m, m) - 1;
    if (i < 0 || i > last) return;
    bits[births + m] = last;
    const from = set + 4 * w * (last >> 2) + (last & 3);
    const to = set + 4 * w * (i >> 2) + (i & 3);
    for (let j = 0; j < 4 * w; j += 4) {
      bits[to + j] = bits[from + j];
      bits[from + j] = 0;
    }
    bits[coefficients + i] = bits[coefficients + last];
    bits[coefficients + last] = 0;
    bits[births + i] = bits[births + last];
    bits[births + last] = 0;
  }

  removeVectorInOrder(set: number, m: number, d: number, i: number): void {
    const { bits } = this;
    const w = rowWords(d);
    const coefficients = set + w * ceil4(m);
    const births = coefficients + m;
    const last = this.held(births + m, m) - 1;
    if (i < 0 || i > last) return;
    for (let k = i; k < last; k++) {
      const to = set + 4 * w * (k >> 2) + (k & 3);
      const from = set + 4 * w * ((k + 1) >> 2) + ((k + 1) & 3);
      for (let j = 0; j < 4 * w; j += 4) bits[to + j] = bits[from + j];
    }
    this.copy(coefficients + i, coefficients + i + 1, last - i);
    this.copy(births + i, births + i + 1, last - i);
    this.removeVector(set, m, d, last);
  }

  stepExpansion(
    set: number,
    m: number,
    d: number,
    keep: number,
    x: number,
    a: number,
    leaving: number,
    threshold: number,
    counts: number,
    gamma: number,
  ): void {
    const { words, bits } = this;
    const coefficients = set + rowWords(d) * ceil4(m);
    const count = coefficients + 2 * m;
    this.scale(coefficients, keep, this.held(count, m));
    if (a !== 0) this.take(set, m, d, x, a, leaving, counts, gamma);
    while (bits[count] > 0) {
      const least = this.argminMagnitude(coefficients, this.held(count, m));
      if (!(Math.abs(words[coefficients + least]) < threshold)) return;
      this.removeVector(set, m, d, least);
      bits[counts + 2]++;
    }
  }

  /** The part of `stepExpansion` that stores x. */
  private take(
    set: number,
    m: number,
    d: number,
    x: number,
    a: number,
    leaving: number,
    counts: number,
    gamma: number,
  ): void {
    const { bits } = this;
    const coefficients = set + rowWords(d) * ceil4(m);
    const births = coefficients + m;
    const n = this.held(births + m, m);
    if (!isFinite32(round(a))) {
      bits[counts]++;
      return;
    }
    if (n === m && leaving === LEAVING.merge) {
      this.mergeIn(set, m, d, x, round(a), gamma);
      bits[counts + 1]++;
      bits[counts + 3]++;
      return;
    }
    if (n === m) {
      if (leaving === LEAVING.refuse) {
        bits[counts + 4]++;
        return;
      }
      let i = leaving;
      if (leaving === LEAVING.oldest) i = this.oldest(births, bits[births + m + 1], n);
      if (leaving === LEAVING.smallest) i = this.argminMagnitude(coefficients, n);
      this.removeVector(set, m, d, i);
      bits[counts + 3]++;
    }
    this.insertVector(set, m, d, x, a);
    bits[counts + 1]++;
  }

  /** The same where vectors merge. */
  private mergeIn(set: number, m: number, d: number, x: number, a: number, gamma: number): void {
    const { words } = this;
    const coefficients = set + rowWords(d) * ceil4(m);
    const row = x + components(d);
    const spare = row + ceil4(m);
    const least = this.argminMagnitude(coefficients, m);
    const stored = words[coefficients + least];
    const leaves = Math.abs(a) < Math.abs(stored);
    if (leaves) {
      this.copy(spare, x, components(d));
    } else {
      this.fetchRow(spare, set, least, d);
      this.removeVector(set, m, d, least);
      this.insertVector(set, m, d, x, a);
    }
    this.mergeNearest(row, set, coefficients, m, d, spare, leaves ? a : stored, gamma);
  }

  mergeNearest(
    out: number,
    rows: number,
    coefficients: number,
    n: number,
    d: number,
    x: number,
    a: number,
    gamma: number,
  ): number {
    const m = this.words;
    const { elementary } = this;
    const own = round(a);
    this.squaredDistances(out, rows, x, n, d);
    const j = this.nearestOfSign(out, coefficients, n, own);
    if (j < 0) return -1;
    const other = m[coefficients + j];
    const L = round(round(gamma) * m[out + j]);
    const k = elementary.exp(-L);
    if (!(k > 0)) return -1;
    const h = this.mergeShare(round(own / round(own + other)), L, k);
    const q = round(1 - h);
    const merged = round(
      round(own * elementary.exp(-round(L * round(q * q)))) +
        round(other * elementary.exp(-round(L * round(h * h)))),
    );
    if (!isFinite32(merged)) return -1;
    if (d < 0) this.q15.exchange(rows, j, x, -d, h);
    const r = rows + 4 * d * (j >> 2) + (j & 3);
    for (let i = 0; i < d; i++) {
      const before = m[r + 4 * i];
      m[r + 4 * i] = before + round(h * round(m[x + i] - before));
      m[x + i] = before;
    }
    m[coefficients + j] = merged;
    m[out] = other;
    return j;
  }

  /** The nearest of the rows whose coefficients have the sign of `own`, by the distances at `out`; -1 if there is none. */
  private nearestOfSign(out: number, coefficients: number, n: number, own: number): number {
    const m = this.words;
    let best = -1;
    for (let j = 0; j < n; j++) {
      if (round(own * m[coefficients + j]) > 0 && (best < 0 || m[out + j] < m[out + best])) best = j;
    }
    return best;
  }

  /** h of `mergeNearest`. */
  private mergeShare(share: number, L: number, k: number): number {
    const rest = round(1 - share);
    let e = round(share * k);
    let h = round(e / round(e + rest));
    for (let step = 0; step < 5; step++) {
      e = round(share * this.elementary.exp(-round(L * round(1 - round(h + h)))));
      const T = round(e / round(e + rest));
      const slope = round(1 - round(round(round(L + L) * T) * round(1 - T)));
      h = slope > 0 ? round(h + round(round(T - h) / slope)) : T;
      if (!(h <= 0.5)) h = 0.5;
    }
    return h;
  }
}
