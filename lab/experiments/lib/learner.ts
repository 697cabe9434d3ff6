import { ReusedMemory } from "../../../host/reused-memory.ts";
import {
  FAMILIES,
  type Family,
  familyNamed,
  type Learner,
  oneVsAllFamily,
  type UserOptions,
} from "../../../src/index.ts";

/** A learner of an experiment's comparison. */
export interface Method {
  /** In names of numbers and curves. */
  readonly key: string;
  readonly label: string;
  readonly learner: string;
  readonly options: UserOptions;
}

export function method<const Key extends string>(
  key: Key,
  label: string,
  learner: string,
  options: UserOptions,
): Method & { readonly key: Key } {
  return { key, label, learner, options };
}

/** Learners as `motelearn learners` names them; "ova:pa" is one-vs-all over pa. */
export function chosenFamily(name: string): Family {
  const found = name.startsWith("ova:") ? oneVsAllFamily(chosenFamily(name.slice(4))) : familyNamed(name);
  if (!found) throw new Error(`no learner ${name} among ${FAMILIES.map((each) => each.name).join(", ")}`);
  return found;
}

/** Values at which options that no paper has do nothing. */
const OFF: UserOptions = { staleAfter: 1 << 24, outlierLimit: 1e30 };

/**
 * These options, and those that no paper has at a value at which they do nothing: a stale vector stays, and no input or label is clipped.
 */
export function asPublished({ options }: Family, own: UserOptions): UserOptions {
  const off = Object.entries(OFF).filter(([name]) => Object.hasOwn(options, name));
  return { ...Object.fromEntries(off), ...own };
}

/** Where this thread's learners lie. */
const room = new ReusedMemory();

/**
 * A learner of that name on this program's arithmetic, where the one made before lay: only the last one made is to be
 * used. Throws a RangeError for an option.
 */
export function makeLearner(name: string, options: UserOptions): Learner {
  const chosen = chosenFamily(name);
  return chosen.create({ ...options, memory: room.take(chosen.layout(options)) });
}

/** As `makeLearner`, with what no paper has switched off: what a rerun of a paper takes. */
export function makePublished(name: string, options: UserOptions): Learner {
  return makeLearner(name, asPublished(chosenFamily(name), options));
}
