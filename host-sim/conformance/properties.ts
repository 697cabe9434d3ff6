import { type Family, type UserOptions, withBudget } from "../../src/learn/family.ts";
import { easyStream, meanLoss, trivialLoss } from "./easy-streams.ts";
import { growsNowhere } from "./growth.ts";
import { livesInItsRange, refusesWrongMemory, takesItsBytes } from "./memory.ts";
import { refusesWrongOptions } from "./options.ts";
import { learnAll } from "./ordinary.ts";
import { recovers } from "./recovery.ts";
import {
  ignoresScratch,
  isDeterministic,
  keepsItsBudget,
  predictsWithoutTrace,
  refusesBadSamples,
  resumes,
  staysFinite,
  takesOrdinarySamples,
} from "./samples.ts";
import { extremeSubjects, type Subject, subjects } from "./subjects.ts";
import { must, within } from "./violation.ts";

/** What must hold for every learner. */
export interface Property {
  /** The property in words; messages put the learner's name before it. */
  readonly title: string;
  /**
   * Throws a Violation, which says which property fails and where. `given` are options that the family needs
   * (classes). Everything random follows from the seed.
   */
  check(family: Family, options: UserOptions, seed: number): void;
}

/** The largest mean loss of a learner that has learned, as a share of the best constant prediction's. */
const LEARNED_SHARE = 0.6;

/** On an easy stream's second half the learner's loss is clearly below the best constant's. */
function learns(family: Family, options: UserOptions, seed: number): void {
  const learner = family.create(withBudget(family, { ...options, dimension: 2 }, 48));
  const stream = easyStream(learner.task, 2, 800, seed);
  const decisions = learnAll(learner, stream);
  const late = stream.slice(400);
  const mean = meanLoss(learner.task, decisions.slice(400), late);
  const trivial = trivialLoss(learner.task, late);
  must(
    mean < LEARNED_SHARE * trivial,
    () => `samples 400 to 800: mean loss ${mean}, best constant's ${trivial}`,
  );
}

/** A check of the family with its defaults and with every other choice, flag and kernel. */
function ofAll(
  title: string,
  check: (subject: Subject, seed: number) => void,
  those: (family: Family, options: UserOptions) => Subject[] = subjects,
): Property {
  return {
    title,
    check(family, options, seed) {
      for (const each of those(family, options)) within(each.name, () => check(each, seed));
    },
  };
}

/** With a steep kernel, and no normalisation, a learner may overflow on ordinary samples. */
function withDefaults(family: Family, options: UserOptions): Subject[] {
  return subjects(family, options).slice(0, 1);
}

function ofFamily(title: string, check: Property["check"]): Property {
  return { title, check: (family, options, seed) => within(family.name, () => check(family, options, seed)) };
}

/** The conformance battery. */
export const PROPERTIES: readonly Property[] = [
  ofAll("takes the bytes that its layout says", takesItsBytes),
  ofAll("lives in handed-in memory and nowhere else", livesInItsRange),
  ofAll("refuses memory that is too small or not at a word", refusesWrongMemory),
  ofAll("holds nothing that grows", growsNowhere),
  ofAll("predicts without a trace, and learn returns the prediction", predictsWithoutTrace),
  ofAll("never exceeds its budget", keepsItsBudget),
  ofAll("refuses and counts what it can't take, state unchanged", refusesBadSamples),
  ofAll("takes every ordinary sample, after a refused one too", takesOrdinarySamples, withDefaults),
  ofAll("keeps its state finite under huge inputs", staysFinite),
  ofAll("doesn't depend on what lies in scratch", ignoresScratch),
  ofAll("resumes from a checkpoint as if never stopped", resumes),
  ofAll("ends two equal streams with equal hashes", isDeterministic),
  ofAll("keeps its state finite with extreme options too", staysFinite, extremeSubjects),
  ofFamily("refuses wrong options by name", refusesWrongOptions),
  ofFamily("learns", learns),
  ofFamily("comes back from huge inputs, labels and power-up glitches", recovers),
];
