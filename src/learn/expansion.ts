import { LEAVING } from "../math/primitives.ts";
import { INFORMATION } from "./expansion-layout.ts";
import { KernelFunction } from "./kernel-function.ts";
import type { CorrectedTarget } from "./label-noise.ts";
import { COUNT } from "./learner.ts";
import type { WidthProbe } from "./width-probe.ts";

/**
 * When a label determines the width, a learner with long steps leaves LEFT_WAITING inputs waiting, and learns FEW_WAITING of them with each
 * later label.
 */
export const LEFT_WAITING = 4;
const FEW_WAITING = 3;
/** Shift of the next waiting input's place, beside the number of inputs held. */
const NEXT_WAITING = 16;
const WAITING_END = 0xffff;

/** Least k(c, x) at which c takes over a corrected step at x. */
const NEAR = 0.8;

/**
 * A learner of f(x) = sum_i a_i k(c_i, x), see `KernelFunction`: the base of most kernel learners. The first inputs wait for a kernel's width,
 * and labels are corrected where they are wrong at known rates.
 */
export abstract class KernelExpansion extends KernelFunction {
  /** True if it restarted while learning the first inputs. */
  private isAnew = false;
  /**
   * Word that says which inputs wait to be learned after the width is found: the next one, and how many have waited. Only a learner with
   * long steps has one. 0 for any other: it learns all of them with the label that determines the width.
   */
  protected waiting = 0;
  /** The input, as `predict` takes it. */
  private readonly x = this.gathers
    ? this.f32.words.subarray(this.input, this.input + this.dimension)
    : undefined;
  /** Word of the sum of D^2 over the labels learned, with option `sources`. */
  private readonly information = this.correction ? this.layout.at(INFORMATION.name, this.range) : 0;

  override isSound(): boolean {
    const { budget, dictionary, f32, probe, waiting } = this;
    const word = waiting > 0 ? f32.bits[waiting] : 0;
    const [next, end] = [word >>> NEXT_WAITING, word & WAITING_END];
    if (word > 0 && !(next < end && end + (end - next) <= budget)) return false;
    return dictionary.isSound && (probe === undefined || probe.isSound);
  }

  /** Sets the words of the state that don't begin as 0. */
  protected begin(): void {}

  /** The first samples wait until they give the width, and are then learned in order. */
  protected override gather(y: number, decision: number): void {
    const probe = this.probe as WidthProbe;
    // Clipped inputs lie no farther apart than their ranges, so a burst of them would give a wrong width.
    if (this.dictionary.isOutside(this.input)) {
      this.increment(COUNT.declined);
      return;
    }
    if (probe.width > 0) {
      if (this.waiting > 0 && this.f32.bits[this.waiting] > 0) {
        this.joinWaiting(y);
        return;
      }
      if (!probe.isLost(this.input)) {
        if (probe.isTrial && this.comparesWidths) this.tryNarrower(y, decision);
        this.update(y, decision);
        if (probe.changes()) this.rescale();
        return;
      }
      this.reset(false);
    }
    const { waiting, source, confidence } = this;
    const held = probe.meet(this.input, y, source, confidence);
    if (held === 0) return;
    const isLong = waiting > 0 && held > LEFT_WAITING && held + LEFT_WAITING <= this.budget;
    this.learnWaiting(0, held, isLong ? held - LEFT_WAITING : held, y);
  }

  /** Queues the input behind those that wait, and learns a few of these. */
  private joinWaiting(y: number): void {
    const probe = this.probe as WidthProbe;
    const { waiting, source, confidence } = this;
    const word = this.f32.bits[waiting];
    const [next, end] = [word >>> NEXT_WAITING, word & WAITING_END];
    probe.holdAs(end, this.input, y, source, confidence);
    const most = next + FEW_WAITING;
    this.learnWaiting(next, end + 1, most < end + 1 ? most : end + 1, y);
  }

  /** Learns the inputs `from` to `to` of those up to `end`, in their order. `y` is the label of one that has no place for it. */
  private learnWaiting(from: number, end: number, to: number, y: number): void {
    const probe = this.probe as WidthProbe;
    const { waiting, source, confidence } = this;
    this.isAnew = false;
    // A learner that restarts meanwhile forgets the waiting inputs.
    for (let i = from; i < to && !this.isAnew; i++) {
      const isHeld = probe.hasLabel(i);
      this.source = isHeld ? probe.storedSource(i) : source;
      this.confidence = isHeld ? probe.storedConfidence(i) : confidence;
      const label = isHeld ? probe.storedLabel(i) : y;
      probe.read(i, this.input);
      probe.clear(i);
      this.learnHeld(label);
    }
    this.source = source;
    this.confidence = confidence;
    if (waiting > 0) this.f32.bits[waiting] = to < end && !this.isAnew ? (to << NEXT_WAITING) | end : 0;
  }

  /** Also decides with a narrower kernel, then decides again to restore the scratch. */
  private tryNarrower(y: number, decision: number): void {
    const probe = this.probe as WidthProbe;
    const x = this.x as Float32Array;
    probe.tryNarrower();
    const narrow = this.predict(x);
    probe.endTrial();
    const { correction } = this;
    if (!correction) probe.compare(y * decision > 0, y * narrow > 0);
    else if (correction.take(y, this.source, this.confidence))
      probe.compareCorrected(y * decision > 0, y * narrow > 0, correction.target);
    this.predict(x);
  }

  /** True if its decision with a narrower kernel shows how well it would do with that kernel. */
  protected get comparesWidths(): boolean {
    return true;
  }

  private learnHeld(y: number): void {
    const decision = this.predict(this.x as Float32Array);
    if (decision - decision === 0) this.update(y, decision);
    else this.increment(COUNT.overflowed);
  }

  /** Called after the width changed. Coefficients stay; a family whose state depends on the width otherwise overrides this. */
  protected rescale(): void {}

  /** Resets the state behind the grid, if there is one. The width and what follows it stay if `keepsWidth`. */
  protected reset(keepsWidth: boolean): void {
    const { range, layout, probe } = this;
    const { bits } = this.f32;
    const end = range.state + layout.state;
    this.isAnew = true;
    bits[this.counterAt(COUNT.evicted)] += this.size;
    if (probe && keepsWidth) {
      bits.fill(0, this.set, probe.at);
      bits.fill(0, probe.at + probe.words, end);
    } else {
      bits.fill(0, this.set, end);
    }
    this.begin();
  }

  /**
   * With the option `sources`, takes a step for the label y in place of the family's own, by the likelihood of the received label (see
   * `CorrectedTarget`), on every label: f <- (1 - 0.003 s) f + s g k(x, .), with the step s = 0.2 D^2, longer for the first
   * labels. Where k is Gaussian, f has a linear part, too, which takes a share of each step, see `LinearPart`. At the full budget, where
   * a Gaussian k(c, x) of the nearest c is 0.8 or more, c takes over the step: k(c, x) k(c, .) replaces k(x, .). Otherwise steps of both
   * signs would fill the dictionary with vectors that cancel each other. Any other x is stored. Without the option it returns false.
   */
  protected correct(y: number, decision: number): boolean {
    return this.correction !== undefined && this.learnCorrected(y, decision, this.correction);
  }

  private learnCorrected(y: number, decision: number, correction: CorrectedTarget): boolean {
    if (!correction.take(y, this.source, this.confidence)) {
      this.increment(COUNT.passed);
      return true;
    }
    const { words, bits } = this.f32;
    const overflows = bits[this.outcomes];
    correction.hasten(words[this.information]);
    const a = correction.coefficient(decision, this.f32);
    this.stepCorrected(correction.keep, a);
    if (bits[this.outcomes] !== overflows) return true;
    if (this.linear?.step(correction.keep, a, this.gamma()) === false) this.increment(COUNT.overflowed);
    words[this.information] += correction.weight;
    return true;
  }

  /** f <- keep f + a k(x, .), the corrected step, as the family keeps its f. */
  protected stepCorrected(keep: number, a: number): void {
    if (!this.dictionary.full) this.stepTo(keep, a, 0);
    else if (!this.projectOntoNearest(keep, a)) this.insertCorrected(keep, a);
  }

  /**
   * f <- keep f + a k(x, .) at the full budget. Where vectors merge, the stored one of least |a_i| merges even if |a| is less: a corrected
   * step is smaller than stored coefficients, so a region without vectors would otherwise never be learned.
   */
  private insertCorrected(keep: number, a: number): void {
    const { dictionary, f32, leaving } = this;
    const { coefficients, rows } = dictionary;
    const least = dictionary.smallest();
    const stored = Math.fround(keep * dictionary.coefficient(least));
    if (leaving !== LEAVING.merge || a === 0 || !(Math.abs(a) < Math.abs(stored))) {
      this.stepTo(keep, a, 0);
      return;
    }
    f32.fetchRow(this.spare, rows, least, this.rowForm);
    this.stepTo(keep, a, 0, least);
    f32.mergeNearest(
      this.row,
      rows,
      coefficients,
      this.budget,
      this.rowForm,
      this.spare,
      stored,
      this.gamma(),
    );
  }

  /** f <- keep f + a k(c, x) k(c, .), with c the vector nearest to the input. Unless c is near, does nothing and returns false. Writes distances to `out`. */
  protected projectOntoNearest(keep: number, a: number, out = this.row): boolean {
    const { dictionary, f32 } = this;
    const gamma = this.givenGamma > 0 ? this.givenGamma : this.foundGamma();
    if (!(gamma > 0) || dictionary.size === 0) return false;
    const { coefficients } = dictionary;
    const { words } = f32;
    const nearest = dictionary.nearest(this.input, out);
    const k = f32.exp(-gamma * words[out + nearest]);
    if (k < NEAR) return false;
    const taken = Math.fround(keep * words[coefficients + nearest] + a * k);
    if (taken - taken !== 0) {
      this.increment(COUNT.overflowed);
      return true;
    }
    f32.scale(coefficients, keep, this.budget);
    words[coefficients + nearest] = taken;
    this.increment(COUNT.quantized);
    return true;
  }
}
