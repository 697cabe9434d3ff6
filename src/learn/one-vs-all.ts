import { frozen } from "../memory/frozen.ts";
import { Layout, type Region } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { FOR_TWO } from "./balanced.ts";
import type { Family, UserOptions } from "./family.ts";
import { refuseRates } from "./label-noise.ts";
import { COUNT, COUNTERS, Learner, noteWords } from "./learner.ts";
import { flag, type OptionTable, resolveOptions, whole } from "./options.ts";
import { canShare, SharedClasses, type SharedOptions, sharedLayout } from "./shared-classes.ts";

const shared = flag(
  false,
  "one dictionary for all classes, with a coefficient a class for each vector, so that one kernel row serves all",
);

const classes = frozen(whole({ min: 2, max: 256 }, "K, classes: labels 0..K-1"));

/** The number of classes, any option of the binary learners' family, and that family. */
export type OneVsAllOptions = UserOptions & {
  /** K, classes: labels 0..K-1; 2..256. */
  readonly classes: number;
  /** Family of the binary learners. */
  readonly learner: Family;
};

function wholeTable(learner: Family): OptionTable {
  return { ...learner.options, classes, ...(canShare(learner.name) && { shared }) };
}

/** The options of the whole, and the binary learners' options. Throws an OptionError. */
function resolveWhole(
  learner: Family,
  options: UserOptions,
): { readonly classes: number; readonly binary: UserOptions; readonly isShared: boolean } {
  if (learner.task !== "classification") {
    throw new OptionError(
      `ova:${learner.name}`,
      "learner",
      learner.task,
      "a family whose task is classification",
    );
  }
  const {
    classes: K,
    shared: isShared = false,
    ...binary
  } = resolveOptions(`ova:${learner.name}`, wholeTable(learner), options);
  refuseRates(`ova:${learner.name}`, binary.sources);
  if (binary.balanced) throw new OptionError(`ova:${learner.name}`, "balanced", true, FOR_TWO);
  return { classes: K as number, binary, isShared: isShared === true };
}

/** The whole's memory: K times the binary learner's state and counters, its scratch once; a note of each. */
function wholeLayout(binary: Layout, K: number): Layout {
  const each = Array.from({ length: K }, (_, c) => binary.parts(String(c), ["state", "counters"])).flat();
  const scratch: Region[] = binary.regions
    .filter(({ kind }) => kind === "scratch")
    .map(({ name, kind, words }) => ({ name: name === "input" ? name : `shared.${name}`, kind, words }));
  const notes: Region = { name: "note", kind: "scratch", words: K * noteWords(binary) };
  return new Layout([
    ...each,
    { name: "counters", kind: "counters", words: COUNTERS.length },
    ...scratch,
    { name: "scores", kind: "scratch", words: K },
    ...(notes.words > 0 ? [notes] : []),
  ]);
}

/**
 * One binary learner a class, of any family for classification: learner c learns +1 for class c and -1 for the others,
 *
 *     predict(x) = argmax_c f_c(x)   (the lowest c on ties)
 *
 * and region `scores` holds f_c(x), rounded to float32. All lie in one range: the K states (regions `c.name`), the K
 * counters and the whole's own, and one scratch for all, whose region `input` is the input of each. So no class's scratch survives from its
 * decision to its update, and `learn` costs each class the work of two decisions.
 *
 * If one f_c isn't finite, the whole input is refused. An update is all or nothing for each class alone.
 */
export class OneVsAll extends Learner {
  /** Learner of class 0, 1, ... */
  readonly learners: readonly Learner[];
  private readonly scores: number;
  /** Words of a class's note, and the words at which theirs, one after the other, and the learner's own lie. */
  private readonly noteLength: number;
  private readonly notes: number;
  private readonly ownNote: number;
  /** The input, as the classes' learners take it. */
  private readonly x: Float32Array;

  constructor(options: OneVsAllOptions) {
    const { learner, memory, ...given } = options;
    const { classes, binary, isShared } = resolveWhole(learner, given);
    if (isShared)
      throw new OptionError(
        `ova:${learner.name}`,
        "shared",
        true,
        "false, or oneVsAllFamily(...).create(...)",
      );
    const part = learner.layout(binary);
    const layout = wholeLayout(part, classes);
    const range = memory ?? layout.ownRange();
    super("multiclass", binary.dimension, layout, range);
    const { f32, state, counters, scratch } = range;
    const learners: Learner[] = [];
    // A loop takes less of a device's stack than a function in a function.
    for (let c = 0; c < classes; c++) {
      const at = { f32, state: state + c * part.state, counters: counters + c * part.counters, scratch };
      learners.push(learner.create({ ...binary, memory: at }));
    }
    this.learners = learners;
    this.scores = layout.at("scores", range);
    this.noteLength = noteWords(part);
    this.notes = this.noteLength > 0 ? layout.at("note", range) : 0;
    this.ownNote = this.noteLength > 0 ? layout.at("shared.note", range) : 0;
    this.x = f32.words.subarray(this.input, this.input + this.dimension);
  }

  /** Vectors stored now by all classes together. */
  get size(): number {
    let sum = 0;
    for (let c = 0; c < this.learners.length; c++) sum += this.learners[c].size;
    return sum;
  }

  /** Vectors there is room for in all classes together. */
  get capacity(): number {
    return this.learners.length * this.learners[0].capacity;
  }

  protected override takesLabel(y: number): boolean {
    return Number.isInteger(y) && y >= 0 && y < this.learners.length;
  }

  predict(x: ArrayLike<number>): number {
    if (!this.f32.load(this.input, x, this.dimension)) return Number.NaN;
    const { learners, scores } = this;
    const { words } = this.f32;
    let best = 0;
    for (let c = 0; c < learners.length; c++) {
      words[scores + c] = learners[c].predict(this.x);
      if (words[scores + c] > words[scores + best]) best = c;
    }
    return this.f32.finite(scores, learners.length) ? best : Number.NaN;
  }

  override note(): void {
    const { learners, noteLength, notes, ownNote } = this;
    for (let c = 0; noteLength > 0 && c < learners.length; c++) {
      learners[c].predict(this.x);
      learners[c].note();
      this.f32.copy(notes + c * noteLength, ownNote, noteLength);
    }
  }

  override isSound(): boolean {
    for (let c = 0; c < this.learners.length; c++) if (!this.learners[c].isSound()) return false;
    return true;
  }

  override restartConfidence(): boolean {
    let has = false;
    for (let c = 0; c < this.learners.length; c++) has = this.learners[c].restartConfidence() || has;
    return has;
  }

  protected update(y: number): void {
    const { learners, noteLength, notes, ownNote } = this;
    for (let c = 0; c < learners.length; c++) {
      learners[c].noted = this.noted;
      if (this.noted && noteLength > 0) this.f32.copy(ownNote, notes + c * noteLength, noteLength);
      learners[c].learn(this.x, c === y ? 1 : -1);
    }
  }

  /**
   * `learned` and `refused` count the whole's samples, each once. Everything else is the sum over the classes, to
   * which `overflowed` adds the samples for which a decision wasn't finite.
   */
  override counted(place: number): number {
    let sum = super.counted(place);
    if (place <= COUNT.refused) return sum;
    for (let c = 0; c < this.learners.length; c++) sum += this.learners[c].counted(place);
    return sum >>> 0;
  }
}

/**
 * The family `ova:name`: one-vs-all over a family for classification, with its options and `classes`. OLK, the kernel perceptron and
 * BSGD also take `shared: true`: see `SharedClasses`.
 */
export function oneVsAllFamily(learner: Family): Family {
  return {
    name: `ova:${learner.name}`,
    task: "multiclass",
    title: `One-vs-all over ${learner.title}`,
    paper: learner.paper,
    options: wholeTable(learner),
    traits: { decision: learner.traits?.decision },
    layout(options) {
      const { classes, binary, isShared } = resolveWhole(learner, options);
      const apart = learner.layout(binary); // also throws for what the learner refuses
      return isShared ? sharedLayout({ ...binary, classes } as SharedOptions) : wholeLayout(apart, classes);
    },
    create(given) {
      const { memory, ...options } = given;
      const { classes, binary, isShared } = resolveWhole(learner, options);
      if (!isShared) return new OneVsAll({ ...given, learner } as OneVsAllOptions);
      learner.layout(binary);
      return new SharedClasses(learner.name, { ...binary, classes, memory } as SharedOptions);
    },
  };
}
