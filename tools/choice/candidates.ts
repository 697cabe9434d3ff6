import type { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { suggestion } from "../../host-sim/nearest.ts";
import type { DataSet } from "../../host-sim/streams/table.ts";
import { type Family, takesBudget } from "../../src/learn/family.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import type { Target } from "../../targets/boards.ts";
import { DoesNotFitError, UserError } from "../cli/exit.ts";
import { prepare } from "../evaluation/evaluation.ts";
import { misfitText } from "../toolchain/footprint-text.ts";
import { type OnBoard, onBoard } from "./on-board.ts";

export const TASKS = ["classification", "regression", "novelty"] as const;
export type ChoiceTask = (typeof TASKS)[number];

type Options = { readonly [name: string]: unknown };

/** Options that the data or other flags give. */
const GIVEN_ELSEWHERE: { readonly [name: string]: string } = {
  budget: "give --budgets",
  dimension: "it follows from the data",
  classes: "they follow from the data",
};

/** A learner with a budget, to be tried on the data. */
export interface Candidate {
  /** As `motelearn learners` names it. */
  readonly learner: string;
  /** Null where the learner stores no vectors. */
  readonly budget: number | null;
  /** What it is given besides what follows from the data. */
  readonly options: Options;
  readonly bytes: number;
  /** Undefined where its costs weren't measured. */
  readonly board: OnBoard | undefined;
}

/** A learner that isn't tried with this budget, and why. */
export interface LeftOut {
  readonly learner: string;
  readonly budget: number | null;
  readonly why: string;
}

export interface Wanted {
  /** Whose learners are tried. */
  readonly catalogue: Catalogue;
  readonly train: DataSet;
  readonly task: ChoiceTask;
  readonly budgets: readonly number[];
  /** Given to each learner that has them. */
  readonly options: Options;
  /** The Gaussian kernel of learners whose kernel is one, unless `options` says another. */
  readonly kernel: Options | null;
  /** Learners that don't fit the board are left out; undefined: none. */
  readonly target: Target | undefined;
  /** The board whose instructions are counted. */
  readonly costsOf: Target;
}

function checkOptions(options: Options, families: readonly Family[]): void {
  const names = [...new Set(families.flatMap((family) => Object.keys(family.options)))];
  for (const name of Object.keys(options)) {
    if (GIVEN_ELSEWHERE[name]) throw new UserError(`--options: ${name}: ${GIVEN_ELSEWHERE[name]}`);
    if (!names.includes(name)) {
      throw new UserError(`--options: no learner has an option ${name}${suggestion(name, names)}`);
    }
  }
}

function optionsFor(family: Family, budget: number | null, { options, kernel }: Wanted): Options {
  const own = Object.entries(options).filter(([name]) => Object.hasOwn(family.options, name));
  const usual = family.options.kernel?.default as { readonly type?: string } | undefined;
  return {
    ...(budget !== null && { budget }),
    ...(kernel && usual?.type === "gaussian" && { kernel }),
    ...Object.fromEntries(own),
  };
}

/** The learner with this budget; why not, where it refuses the options or doesn't fit the board. */
function candidate(family: Family, budget: number | null, wanted: Wanted): Candidate | LeftOut {
  const learner = family.name;
  const options = optionsFor(family, budget, wanted);
  try {
    const prepared = prepare({ family, options, train: wanted.train });
    const { bytes } = prepared.family.layout(prepared.options);
    const board = onBoard(prepared.family, prepared.options, wanted.costsOf);
    const misfits = wanted.target && board ? board.misfits : [];
    if (misfits.length > 0) return { learner, budget, why: misfits.map(misfitText).join("; ") };
    return { learner, budget, options, bytes, board };
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    return { learner, budget, why: error.message };
  }
}

function isLeftOut(either: Candidate | LeftOut): either is LeftOut {
  return "why" in either;
}

/**
 * Every learner for the task with every budget; those that store no vectors once. Throws a UserError where none takes the
 * options, a DoesNotFitError where none fits the board.
 */
export function candidatesFor(wanted: Wanted): { candidates: Candidate[]; leftOut: LeftOut[] } {
  const families = wanted.catalogue.learners.filter(({ task }) => task === wanted.task);
  checkOptions(wanted.options, families);
  const all = families.flatMap((family) =>
    (takesBudget(family) ? wanted.budgets : [null]).map((budget) => candidate(family, budget, wanted)),
  );
  const leftOut = all.filter(isLeftOut);
  const candidates = all.filter((each) => !isLeftOut(each)) as Candidate[];
  if (candidates.length > 0) return { candidates, leftOut };
  const [{ learner, why }] = leftOut;
  const message = `no learner is left to try: ${learner}: ${why}`;
  throw wanted.target ? new DoesNotFitError(message) : new UserError(message);
}
