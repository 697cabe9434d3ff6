/** Distinct steps that are counted exactly. */
const EXACT_MAX = 1 << 16;
/** Beyond that, steps have so many binary digits: 0.02 %. */
const DIGITS = 12;

/** Counts steps of time by their size, in memory that doesn't depend on how many there are. */
export class StepCounts {
  total = 0;
  private counts = new Map<number, number>();
  private isExact = true;

  add(step: number): void {
    this.total++;
    this.addTo(this.counts, this.isExact ? step : roundStep(step), 1);
    if (!this.isExact || this.distinct <= EXACT_MAX) return;
    const exact = this.counts;
    this.isExact = false;
    this.counts = new Map();
    for (const [each, count] of exact) this.addTo(this.counts, roundStep(each), count);
  }

  /** Steps that are told apart. */
  get distinct(): number {
    return this.counts.size;
  }

  private addTo(counts: Map<number, number>, step: number, count: number): void {
    counts.set(step, (counts.get(step) ?? 0) + count);
  }

  /** The upper median; NaN without steps. */
  median(): number {
    let before = 0;
    for (const [step, count] of [...this.counts].sort(([a], [b]) => a - b)) {
      before += count;
      if (before > this.total >> 1) return step;
    }
    return Number.NaN;
  }

  /** How many steps are such. */
  count(isSuch: (step: number) => boolean): number {
    let count = 0;
    for (const [step, steps] of this.counts) if (isSuch(step)) count += steps;
    return count;
  }
}

function roundStep(step: number): number {
  if (step === 0) return 0;
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(step))) + 1 - DIGITS);
  return Math.round(step / unit) * unit;
}
