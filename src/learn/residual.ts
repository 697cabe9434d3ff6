import { frozen } from "../memory/frozen.ts";
import { Layout } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { Around } from "./around.ts";
import type { Family, UserOptions } from "./family.ts";
import { TASK } from "./learner.ts";
import { checkGiven, choice, whole } from "./options.ts";

/** Options that a family of regressions has beside those of its learner's class. */
export const RESIDUAL_OPTIONS = frozen({
  residual: choice(
    ["none", "label", "input"],
    "none",
    "what is taken off each label before it is learned, and added to each estimate: the last label that had come when the sample was predicted, of a forecast persistence; or one of the inputs, if it has the labels' unit",
  ),
  residualInput: whole(
    { default: 1, min: 1, max: 4096 },
    'the input that `residual` "input" takes off, counted from 1',
  ),
});

const [NONE, LAST_LABEL] = RESIDUAL_OPTIONS.residual.words as readonly string[];
/** Stands for a last label of 0 in a note, as a note of 0 is none. */
const MINUS_ZERO = 0x80000000;
/** Places of the words in region `lastLabel`: the label, and 1 once there is one. */
const LABEL = 0;
const RECEIVED = 1;

/** The learner's regions, where they were, and behind them those of the last label. */
function residualLayout(inner: Layout, residual: string): Layout {
  if (residual !== LAST_LABEL) return inner;
  return new Layout([
    ...inner.regions,
    { name: "lastLabel", kind: "state", words: 2 },
    { name: "note", kind: "scratch", words: 1 },
  ]);
}

/**
 * A regression that learns what a baseline leaves: y - b, with b the last label that had come when the sample was predicted, or an input.
 * Its estimate is b + f(x). Before the first label came, the first is its own baseline.
 */
export class Residual extends Around {
  private readonly lastLabel: number = 0;
  private readonly noteAt: number = 0;
  /** Word of the input that is the baseline; 0: the last label is. */
  private readonly component: number = 0;

  constructor(family: Family, own: UserOptions, residual: string, component: number) {
    const layout = residualLayout(family.layout(own), residual);
    super(TASK.regression, family, own, layout);
    if (residual === LAST_LABEL) {
      this.lastLabel = layout.at("lastLabel", this.range);
      this.noteAt = layout.at("note", this.range);
    } else {
      this.component = this.input + component - 1;
    }
  }

  /** b of the input that was predicted last. */
  get offset(): number {
    return this.f32.words[this.component > 0 ? this.component : this.lastLabel + LABEL];
  }

  override note(): void {
    const { f32, noteAt, lastLabel } = this;
    if (noteAt === 0) return;
    const has = f32.words[lastLabel + RECEIVED] !== 0;
    f32.words[noteAt] = has ? f32.words[lastLabel + LABEL] : 0;
    if (has && f32.bits[noteAt] === 0) f32.bits[noteAt] = MINUS_ZERO;
  }

  override learn(x: ArrayLike<number>, y: number): number {
    const decision = this.predict(x);
    const isLabel = this.takesLabel(y);
    const f = this.pass(x, isLabel ? Math.fround(Math.fround(y) - this.baselineFor(y)) : Number.NaN);
    if (isLabel && f - f === 0 && this.lastLabel > 0) {
      this.f32.words[this.lastLabel + LABEL] = y;
      this.f32.words[this.lastLabel + RECEIVED] = 1;
    }
    return decision;
  }

  /** b of the sample whose label y came. */
  private baselineFor(y: number): number {
    const { f32, noteAt, lastLabel } = this;
    if (noteAt === 0) return this.offset;
    if (this.noted && f32.bits[noteAt] !== 0) return f32.words[noteAt];
    return f32.words[lastLabel + RECEIVED] === 0 ? Math.fround(y) : this.offset;
  }
}

function offerResidual(family: Family): Family {
  if (family.task !== TASK.regression) return family;
  const options = { ...family.options, ...RESIDUAL_OPTIONS };
  /** Throws an OptionError. */
  const takeOptions = (given: UserOptions) => {
    checkGiven(family.name, options, given);
    const { residual = NONE, residualInput = 1, ...own } = given;
    if (residualInput <= own.dimension) return { residual, residualInput, own };
    const takes = `a whole number >= 1 and <= dimension, which is ${own.dimension}`;
    throw new OptionError(family.name, "residualInput", residualInput, takes);
  };
  return frozen({
    ...family,
    options,
    layout(given) {
      const { residual, own } = takeOptions(given);
      return residualLayout(family.layout(own), residual);
    },
    create(given) {
      const { residual, residualInput, own } = takeOptions(given);
      return residual === NONE ? family.create(own) : new Residual(family, own, residual, residualInput);
    },
  } satisfies Family);
}

/** The families, regressions with the options `RESIDUAL_OPTIONS`. */
export function withResidual(families: readonly Family[]): readonly Family[] {
  return frozen(families.map(offerResidual));
}
