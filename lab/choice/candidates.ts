import { DoesNotFitError, UserError } from "../../host/errors.ts";
import { distinctLabels } from "../../host/streams/class-names.ts";
import type { DataSet } from "../../host/streams/table.ts";
import { isContinuous } from "../../host/streams/targets.ts";
import { suggestion } from "../../host/suggestions.ts";
import type { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { type Family, takesBudget } from "../../src/learn/family.ts";
import { asksForRanges } from "../../src/learn/storage.ts";
import type { SearchedOption } from "../../src/learn/traits.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import { type PreparedLearner, prepare } from "../evaluation/evaluation.ts";
import { type BoardLimits, type OnBoard, onBoard } from "./on-board.ts";
import type { KnownRanges } from "./ranges.ts";
import { listSettings, type Options, SIZING, type Units } from "./settings.ts";

export const TASKS = ["classification", "regression", "novelty"] as const;
export type ChoiceTask = (typeof TASKS)[number];

/** What the labels are for: words and a few whole numbers are classes, other numbers are to be estimated. */
export function guessTask(data: DataSet): ChoiceTask {
  return data.classes || !isContinuous(data) ? "classification" : "regression";
}

/** Options that follow from the data or other flags. */
const GIVEN_ELSEWHERE: { readonly [name: string]: string } = {
  budget: "give --budgets",
  dimension: "it follows from the data",
  classes: "they follow from the data",
};

/** A planned node's session. */
const SID = 1;

/** The storage of vectors of 16 bits. */
export const Q15 = "q15";

/** A learner with a budget and other options, to be tried on the data. */
export interface Candidate {
  /** As `motelearn learners` names it. */
  readonly learner: string;
  /** Candidates of one kind differ in options that cost nothing; the result has the best of each kind. */
  readonly kind: string;
  /** Null where the learner stores no vectors, or an option sizes it. */
  readonly budget: number | null;
  /** Its options that don't follow from the data. */
  readonly options: Options;
  /** The whole node that learns so. */
  readonly node: NodeOptions;
  /** Of the node. */
  readonly bytes: number;
  readonly board: OnBoard;
}

/** A learner that isn't tried with this budget, and why. */
export interface LeftOut {
  readonly learner: string;
  readonly budget: number | null;
  /** The option that sizes it in a budget's place. */
  readonly size?: Options;
  readonly why: string;
}

export interface CandidateRules {
  /** Whose learners are tried. */
  readonly catalogue: Catalogue;
  /** As the learners get it: features, scaled. */
  readonly train: DataSet;
  readonly task: ChoiceTask;
  /** The names of those that are tried; without them all for the task. */
  readonly learners?: readonly string[];
  readonly budgets: readonly number[];
  /** Options for each learner that has them. */
  readonly options: Options;
  /** The units of widths and other options. */
  readonly units: Units;
  /** How the node makes these features of its readings. */
  readonly features: FeaturesOption;
  readonly channels: number;
  /** How many samples may wait for a label: the first with which a learner fits the board. */
  readonly pendings: readonly number[];
  /** For vectors of 16 bits. */
  readonly known: KnownRanges;
  /** The board whose instructions are counted, and its limits. */
  readonly limits: BoardLimits;
  /** True if learners that don't fit the board are left out. */
  readonly mustFit: boolean;
}

/** The learners that are tried. Throws a UserError for a name that isn't one for the task. */
function familiesFor({ catalogue, task, learners }: CandidateRules): readonly Family[] {
  const families = catalogue.learners.filter((family) => family.task === task);
  if (!learners) return families;
  const names = families.map(({ name }) => name);
  const other = learners.find((name) => !names.includes(name));
  if (other !== undefined)
    throw new UserError(`--learners: no learner for ${task} is named ${other}${suggestion(other, names)}`);
  return families.filter(({ name }) => learners.includes(name));
}

function checkOptions(options: Options, families: readonly Family[]): void {
  const names = [...new Set(families.flatMap((family) => Object.keys(family.options)))];
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(GIVEN_ELSEWHERE, name))
      throw new UserError(`--options: ${name}: ${GIVEN_ELSEWHERE[name]}`);
    if (!names.includes(name)) {
      throw new UserError(`--options: no learner has an option ${name}${suggestion(name, names)}`);
    }
  }
}

/** Options passed to each learner. Without vectors of 16 bits, none takes ranges. */
function givenOptions({ options: { ranges, ...others } }: CandidateRules): Options {
  return ranges !== undefined && others.storage === Q15 ? { ...others, ranges } : others;
}

/** A learner with a budget and other options as a candidate. Boards are known by kind and pending. */
class CandidateMaker {
  private readonly boards = new Map<string, OnBoard>();

  constructor(private readonly wanted: CandidateRules) {}

  /** On a node with the most samples waiting that the board has room for, else the fewest. Throws an OptionError for what the learner refuses. */
  make(family: Family, budget: number | null, options: Options): Candidate {
    const { train, pendings, features } = this.wanted;
    const prepared = prepare({ family, options, train });
    const sizing = SIZING.map((name) => options[name]);
    const kind = [family.name, budget, ...sizing, JSON.stringify(features)].join();
    const [most, ...fewer] = pendings;
    let made = this.on(prepared, kind, most);
    for (const pending of fewer) if (this.misfits(made).length > 0) made = this.on(prepared, kind, pending);
    return { learner: family.name, kind, budget, options, ...made };
  }

  /** Why it doesn't fit the board, where it must. */
  misfits({ board }: Pick<Candidate, "board">): readonly string[] {
    return this.wanted.mustFit ? board.misfits : [];
  }

  private on(prepared: PreparedLearner, kind: string, pending: number) {
    const { channels, features, limits } = this.wanted;
    const { family, options } = prepared;
    const node: NodeOptions = { sid: SID, channels, pending, features, learner: family, options };
    const key = `${kind}/${pending}`;
    const board = this.boards.get(key) ?? onBoard(node, limits);
    this.boards.set(key, board);
    return { node, bytes: nodeLayout(node).bytes, board };
  }
}

/**
 * The learner with this budget and each of its settings; or the reason, where it refuses them all or doesn't
 * fit the board.
 */
function makeCandidates(
  family: Family,
  budget: number | null,
  wanted: CandidateRules,
): Candidate[] | LeftOut {
  const maker = new CandidateMaker(wanted);
  const refused: string[] = [];
  const candidates = listSettings(family, wanted.units, givenOptions(wanted)).flatMap(
    (setting): Candidate[] => {
      const { ranges } = wanted.known;
      const stored = asksForRanges(family, setting) ? { ranges } : {};
      try {
        const made = maker.make(family, budget, {
          ...(budget !== null && { budget }),
          ...setting,
          ...stored,
        });
        const misfits = maker.misfits(made);
        if (misfits.length === 0) return [made];
        refused.push(misfits.join("; "));
      } catch (error) {
        if (!(error instanceof OptionError)) throw error;
        refused.push(error.message);
      }
      return [];
    },
  );
  return candidates.length > 0 ? candidates : { learner: family.name, budget, why: refused[0] };
}

function isLeftOut(either: Candidate[] | LeftOut): either is LeftOut {
  return "why" in either;
}

/** The learner with each size that an option sets in a budget's place, unless --options sets it. */
function sizedBy(
  { option, values }: SearchedOption,
  family: Family,
  wanted: CandidateRules,
): (Candidate[] | LeftOut)[] {
  if (Object.hasOwn(wanted.options, option)) return [];
  return values.map((value) => {
    const size = { [option]: value };
    const sized = makeCandidates(family, null, { ...wanted, options: { ...wanted.options, ...size } });
    return isLeftOut(sized) ? { ...sized, size } : sized;
  });
}

/** The budgets to try; none of a learner whose several classes an option alone sizes, unless --options sets that. */
function budgetsToTry(
  family: Family,
  { task, train, options, budgets }: CandidateRules,
): readonly (number | null)[] {
  const { sizes } = family.traits ?? {};
  const isSeveral = task === "classification" && distinctLabels(train.labels).length > 2;
  if (sizes?.severally !== undefined && isSeveral) return Object.hasOwn(options, sizes.option) ? [null] : [];
  return takesBudget(family, options) ? budgets : [null];
}

/** The learner in each size. */
function sizedCandidates(family: Family, wanted: CandidateRules): (Candidate[] | LeftOut)[] {
  const { sizes } = family.traits ?? {};
  return [
    ...budgetsToTry(family, wanted).map((budget) => makeCandidates(family, budget, wanted)),
    ...(sizes ? sizedBy(sizes, family, wanted) : []),
  ];
}

/**
 * Each learner that is tried, with every budget and setting; those that store no vectors once. Throws a UserError for a name
 * that no learner has and where none takes the options, a DoesNotFitError where none fits the board.
 */
export function candidatesFor(wanted: CandidateRules): { candidates: Candidate[]; leftOut: LeftOut[] } {
  const families = familiesFor(wanted);
  checkOptions(wanted.options, families);
  const all = families.flatMap((family) => sizedCandidates(family, wanted));
  const leftOut = all.filter(isLeftOut);
  const candidates = all.flatMap((each) => (isLeftOut(each) ? [] : each));
  if (candidates.length > 0) return { candidates, leftOut };
  const [{ learner, why }] = leftOut;
  const message = `no learner is left to try: ${learner}: ${why}`;
  throw wanted.mustFit ? new DoesNotFitError(message) : new UserError(message);
}

function isCheaper(one: Candidate, other: Candidate): boolean {
  if (one.bytes < other.bytes) return true;
  const [own, others] = [one.board.instructions, other.board.instructions];
  return own !== null && others !== null && own < others;
}

/**
 * The same with vectors of 16 bits, as a kind of its own. Undefined where the learner has none, or none over
 * these ranges, where they cost no less, or where --options sets the storage.
 */
export function withShortVectors(candidate: Candidate, wanted: CandidateRules): Candidate | undefined {
  const { learner, budget, options: plain } = candidate;
  const family = chooseFamily(learner, wanted.catalogue);
  const options = { ...plain, storage: Q15 };
  if (wanted.options.storage !== undefined || !asksForRanges(family, options)) return undefined;
  try {
    const { ranges } = wanted.known;
    const shorter = new CandidateMaker(wanted).make(family, budget, { ...options, ranges });
    return isCheaper(shorter, candidate) ? shorter : undefined;
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    return undefined;
  }
}
