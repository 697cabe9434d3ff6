import { ceil4, components, LEAVING, type Primitives, rowWords } from "./primitives.ts";

const round = Math.fround;
/** Below it, the factor is multiplied into the coefficients. */
const LEAST_FACTOR = round(0.001);
/** t stops here. */
const MOST_STEPS = 4294967295;

/** `classScores` and `classStep` of the portable primitives. */
export class ClassSteps {
  // The words at which the present set's parts begin, and the scratch behind the vector. Fields, since an
  // object would be made for each call.
  private to = 0;
  private set = 0;
  private m = 0;
  private d = 0;
  private k = 0;
  private across = 0;
  private norms = 0;
  private births = 0;
  private size = 0;
  private classes = 0;
  private labels = 0;
  private steps = 0;
  private factor = 0;
  private row = 0;
  private spare = 0;
  private scoresAt = 0;
  private changesAt = 0;
  private leaving = 0;
  private peers = 0;
  private merged = 0;

  constructor(private readonly f32: Primitives) {}

  private place(to: number, set: number, m: number, d: number, k: number): void {
    const across = ceil4(k);
    this.across = across;
    this.to = to;
    this.set = set;
    this.m = m;
    this.d = d;
    this.k = k;
    this.norms = set + rowWords(d) * ceil4(m);
    this.births = this.norms + m;
    this.size = this.births + m;
    this.classes = this.size + 2;
    this.labels = this.classes + across * m;
    this.steps = this.labels + m;
    this.factor = this.steps + 1;
    this.row = to + components(d);
    this.spare = this.row + ceil4(m);
    this.scoresAt = this.spare + components(d);
    this.changesAt = this.scoresAt + across;
    this.leaving = this.changesAt + across;
    this.peers = this.leaving + across;
    this.merged = this.peers + ceil4(m);
  }

  scores(to: number, set: number, m: number, d: number, k: number, scale: number): number {
    const { words } = this.f32;
    this.place(to, set, m, d, k);
    const scores = this.scoresAt;
    const factor = round(this.grown() * round(scale));
    this.sums();
    let best = 0;
    for (let c = 0; c < k; c++) {
      words[scores + c] *= factor;
      if (words[scores + c] > words[scores + best]) best = c;
    }
    return this.f32.finite(scores, k) ? best : Number.NaN;
  }

  /** For each class c the sum of a_ic r_i over the vectors, in one accumulator. */
  private sums(): void {
    const { words } = this.f32;
    const n = this.held;
    const { row } = this;
    for (let c = 0; c < this.across; c++) {
      const a = this.classAt(0, c);
      let sum = 0;
      for (let i = 0; i < n; i++) sum = round(sum + round(words[a + 4 * i] * words[row + i]));
      words[this.scoresAt + c] = sum;
    }
  }

  /** Vectors of the set, no more than it has room for. */
  private get held(): number {
    const n = this.f32.bits[this.size];
    return n < this.m ? n : this.m;
  }

  /** g. */
  private grown(): number {
    const { words, bits } = this.f32;
    return bits[this.factor] === 0 ? 1 : words[this.factor];
  }

  step(
    to: number,
    set: number,
    m: number,
    d: number,
    k: number,
    y: number,
    gamma: number,
    self: number,
    keep: number,
    size: number,
    level: number,
    most: number,
    ties: number,
    leaving: number,
    threshold: number,
    counts: number,
  ): void {
    const { words, bits } = this.f32;
    this.place(to, set, m, d, k);
    const factor = round(this.grown() * round(keep));
    const norm = this.changes(y, self, round(round(size) / factor), level, most, ties);
    if (norm - norm !== 0) {
      bits[counts]++;
      return;
    }
    if (bits[this.steps] < MOST_STEPS) bits[this.steps]++;
    words[this.factor] = factor;
    if (norm > 0) this.take(y, norm, leaving, counts, gamma);
    this.forget(factor, round(threshold), counts);
    if (factor < LEAST_FACTOR) {
      this.f32.scale(this.norms, factor, m);
      this.f32.scale(this.classes, factor, this.across * m);
      words[this.factor] = 1;
    }
  }

  /** The coefficients of x, to `changes`. Returns their norm, which isn't finite if one of them isn't. */
  private changes(y: number, self: number, unit: number, level: number, most: number, ties: number): number {
    const { f32, k } = this;
    const { words } = f32;
    const scores = this.scoresAt; // an array to take apart would be made at each step
    const changes = this.changesAt;
    const own = round(self);
    const limit = round(most);
    const wanted = round(level);
    for (let c = 0; c < k; c++) {
      const f = words[scores + c];
      const gap = round(c === y ? wanted - f : wanted + f);
      const share = round(gap / own);
      const a = limit === 0 ? unit : round((share < limit ? share : limit) * unit);
      words[changes + c] = gap > 0 || (ties !== 0 && gap === 0) ? (c === y ? a : -a) : 0;
    }
    for (let c = k; c < this.across; c++) words[changes + c] = 0;
    return f32.finite(changes, k) ? round(Math.sqrt(f32.dot(changes, changes, k))) : Number.POSITIVE_INFINITY;
  }

  private forget(factor: number, threshold: number, counts: number): void {
    const { f32 } = this;
    while (threshold > 0 && f32.bits[this.size] > 0) {
      const i = f32.argminMagnitude(this.norms, this.held);
      if (!(round(f32.words[this.norms + i] * factor) < threshold)) return;
      this.remove(i);
      f32.bits[counts + 2]++;
    }
  }

  /** Takes x with the coefficients at `changes`, of that norm. */
  private take(y: number, norm: number, leaving: number, counts: number, gamma: number): void {
    const { f32 } = this;
    const { words, bits } = f32;
    const { m, d, norms } = this;
    if (this.held < m) {
      this.insert(y, norm);
      bits[counts + 1]++;
      return;
    }
    if (leaving === LEAVING.refuse) {
      bits[counts + 4]++;
      return;
    }
    const oldest = leaving === LEAVING.oldest;
    const i = oldest ? f32.oldest(this.births, bits[this.size + 1], m) : f32.argminMagnitude(norms, m);
    const least = words[norms + i];
    const label = bits[this.labels + i];
    bits[counts + 1]++;
    bits[counts + 3]++;
    const merges = leaving === LEAVING.merge;
    if (merges && least > norm) {
      f32.copy(this.leaving, this.changesAt, this.across);
      f32.copy(this.spare, this.to, components(d));
      this.merge(y, norm, gamma);
      return;
    }
    if (merges) {
      for (let c = 0; c < this.across; c++) words[this.leaving + c] = words[this.classAt(i, c)];
      f32.fetchRow(this.spare, this.set, i, d);
    }
    this.remove(i);
    this.insert(y, norm);
    if (merges) this.merge(label, least, gamma);
  }

  /** Word of a_ic. */
  private classAt(i: number, c: number): number {
    const { classes, m } = this;
    return classes + 4 * m * (c >> 2) + 4 * i + (c & 3);
  }

  private insert(y: number, norm: number): void {
    const { f32 } = this;
    const n = this.held;
    if (n === this.m) return;
    f32.storeColumn(this.classes, n, this.changesAt, this.across, this.m);
    f32.bits[this.labels + n] = y;
    f32.insertVector(this.set, this.m, this.d, this.to, norm);
  }

  private remove(i: number): void {
    const { f32 } = this;
    const { bits } = f32;
    const last = this.held - 1;
    f32.removeVector(this.set, this.m, this.d, i);
    bits[this.labels + i] = bits[this.labels + last];
    bits[this.labels + last] = 0;
    for (let c = 0; c < this.across; c++) {
      bits[this.classAt(i, c)] = bits[this.classAt(last, c)];
      bits[this.classAt(last, c)] = 0;
    }
  }

  /** `spare`, with that label and the coefficients `leaving` of that norm, joins the nearest of its label; it is lost if there is none, and both are if float32 can't hold what they merge to. */
  private merge(label: number, norm: number, gamma: number): void {
    const { f32 } = this;
    const { words, bits } = f32;
    const { d, spare, merged, leaving, peers, norms, k } = this;
    const n = components(d);
    const size = this.held;
    for (let j = 0; j < size; j++) words[peers + j] = bits[this.labels + j] === label ? words[norms + j] : 0;
    f32.copy(merged, spare, n);
    const j = f32.mergeNearest(this.row, this.set, peers, size, d, spare, norm, gamma);
    if (j < 0) return;
    f32.fetchRow(merged + n, this.set, j, d);
    const near = this.likeness(spare, merged + n, n, round(gamma));
    const far = this.likeness(merged, merged + n, n, round(gamma));
    for (let c = 0; c < this.across; c++) {
      const a = this.classAt(j, c);
      words[a] = round(words[a] * near) + round(words[leaving + c] * far);
      words[leaving + c] = words[a];
    }
    const grown = round(Math.sqrt(f32.dot(leaving, leaving, k)));
    if (grown - grown === 0) words[norms + j] = grown;
    else this.remove(j);
  }

  /** k of the vectors of n components at x and z; x is lost. */
  private likeness(x: number, z: number, n: number, gamma: number): number {
    const { f32 } = this;
    f32.addScaled(x, -1, z, n);
    return f32.exp(-round(gamma * f32.dot(x, x, n)));
  }
}
