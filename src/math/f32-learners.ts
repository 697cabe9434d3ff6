import { SupportSets } from "./f32-support-sets.ts";
import { ceil4, components, placeIn, rowWords } from "./primitives.ts";

const round = Math.fround;
/** Constants of `aggressiveness`. */
const ERRORS_SCALE = round(0.05);
const ERRORS_HORIZON = 240;
const ERRORS_FADE = round(1 / ERRORS_HORIZON);
const PRIOR_LABELS = 16;
const PRIOR_ERRORS = round(2.4);
const MOST_C = 2;
const FIRST_C = round(0.4);
const EARLY = 200;
const LEAST_C = round(0.1);
const SETTLED = 3200;

/** The primitives that are a learner's step. */
export class LearnerSteps extends SupportSets {
  hingeStep(
    to: number,
    y: number,
    f: number,
    slot: number,
    n: number,
    size: number,
    margin: number,
    step: number,
  ): void {
    const { words } = this;
    let m = placeIn(slot, size);
    for (let k = 0; k < n; k++) {
      if (words[y + m] * words[f + m] < margin) words[to + m] += step * words[y + m];
      m = m === 0 ? size - 1 : m - 1;
    }
  }

  agreementStep(
    to: number,
    p: number,
    v: number,
    u: number,
    slot: number,
    n: number,
    size: number,
    step: number,
  ): void {
    const { words } = this;
    let m = placeIn(slot, size);
    for (let i = 0; i < n; i++) {
      words[to + m] -= step * (words[p + i] - words[v + i] + words[u + i]);
      m = m === 0 ? size - 1 : m - 1;
    }
  }

  agree(v: number, u: number, p: number, n: number, agents: number, stride: number): void {
    const { words } = this;
    const end = agents * stride;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let ji = i; ji < end; ji += stride) sum += words[p + ji] + words[u + ji];
      words[v + i] = sum / agents;
      for (let ji = i; ji < end; ji += stride) words[u + ji] += words[p + ji] - words[v + i];
    }
  }

  aggressiveness(at: number, y: number, f: number, k: number): number {
    const { words, bits } = this;
    const n = bits[at + 1] < SETTLED ? bits[at + 1] + 1 : SETTLED;
    const M = words[at];
    const isWrong = k === 1 ? f < 0 !== y < 0 : f !== y;
    const error = isWrong ? (k === 1 ? 1 : round(2 / k)) : 0;
    bits[at + 1] = n;
    words[at] = round(M - (n > ERRORS_HORIZON ? round(M * ERRORS_FADE) : 0)) + error;
    const labels = n < ERRORS_HORIZON ? n : ERRORS_HORIZON;
    const C = round(round(ERRORS_SCALE * (labels + PRIOR_LABELS)) / round(words[at] + PRIOR_ERRORS));
    if (!(C < FIRST_C)) return C < MOST_C ? C : MOST_C; // above every lower bound
    let least = LEAST_C;
    if (n <= EARLY) least = FIRST_C;
    else if (n < SETTLED) least = round(FIRST_C * round(Math.sqrt(round(EARLY / n))));
    return C < least ? least : C;
  }

  localDecision(to: number, x: ArrayLike<number>, set: number, m: number, form: number, k: number): number {
    const d = components(form);
    if (!this.load(to, x, d)) return Number.NaN;
    const { words, bits } = this;
    const size = set + rowWords(form) * ceil4(m) + m;
    const scores = to + d;
    const distances = scores + k;
    const nearest = distances + ceil4(m);
    const next = nearest + 1;
    const across = k * d;
    const i = bits[size] < m ? bits[size] : this.nearestRow(distances, set, to, m, form);
    bits[nearest] = i;
    this.fetchRow(next + across, size + 1 + across, i, across);
    let best = 0;
    for (let c = 0; c < k; c++) {
      words[scores + c] = this.dot(size + 1 + c * d, to, d) + this.dot(next + across + c * d, to, d);
      if (words[scores + c] > words[scores + best]) best = c;
    }
    if (!this.finite(scores, k)) return Number.NaN;
    return k === 1 ? words[scores] : best;
  }

  localStep(
    to: number,
    set: number,
    m: number,
    form: number,
    k: number,
    y: number,
    share: number,
    C: number,
    before: number,
  ): number {
    const { words, bits } = this;
    const d = components(form);
    const counts = set + rowWords(form) * ceil4(m);
    const size = counts + m;
    const nearest = to + d + k + ceil4(m);
    const next = nearest + 1;
    const across = k * d;
    const i = bits[nearest];
    this.copy(next, size + 1, across);
    for (let c = 0; c < k; c++) {
      const label = k === 1 ? y : y === c ? 1 : -1;
      const w = next + c * d;
      if (!this.problemStep(w, w + across, to, d, label, words[to + d + c], share, C)) return 0;
    }
    const counted = bits[counts + i];
    if (counted > 0) {
      if (!this.moveRowTowards(set, i, 1 / (counted + before), to, form)) return 0;
    } else {
      this.storeRow(set, i, to, form);
      bits[size] = i + 1;
    }
    if (counted < 0xffffffff) bits[counts + i] = counted + 1;
    this.copy(size + 1, next, across);
    this.storeRow(size + 1 + across, i, next + across, across);
    return counted > 0 ? 1 : 2;
  }

  /** The step of `localStep` for one binary problem, on w and u_i. */
  private problemStep(
    w: number,
    u: number,
    x: number,
    d: number,
    y: number,
    f: number,
    share: number,
    C: number,
  ): boolean {
    const loss = 1 - y * f;
    if (!(loss > 0)) return true;
    let e = loss / ((1 + share) * this.dot(x, x, d));
    if (e > C) e = C;
    return this.addScaled(w, e * share * y, x, d) && this.addScaled(u, e * y, x, d);
  }
}
