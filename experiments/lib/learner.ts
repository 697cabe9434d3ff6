import { ReusedMemory } from "../../host-sim/reused-memory.ts";
import {
  FAMILIES,
  type Family,
  familyNamed,
  type GivenOptions,
  type Learner,
  oneVsAllFamily,
} from "../../src/index.ts";

/** A learner of an experiment's comparison. */
export interface Method {
  /** In names of numbers and curves. */
  readonly key: string;
  readonly label: string;
  readonly learner: string;
  readonly options: GivenOptions;
}

/** Learners as `motelearn learners` names them; "ova:pa" is one-vs-all over pa. */
function family(name: string): Family {
  const found = name.startsWith("ova:") ? oneVsAllFamily(family(name.slice(4))) : familyNamed(name);
  if (!found) throw new Error(`no learner ${name} among ${FAMILIES.map((each) => each.name).join(", ")}`);
  return found;
}

/** Where this thread's learners lie. */
const room = new ReusedMemory();

/**
 * A learner of that name on this program's arithmetic, where the one made before lay: only the last one made is to be
 * used. Throws a RangeError for an option.
 */
export function makeLearner(name: string, options: GivenOptions): Learner {
  const chosen = family(name);
  return chosen.create({ ...options, memory: room.take(chosen.layout(options)) });
}
