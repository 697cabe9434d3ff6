import {
  FAMILIES,
  type Family,
  familyNamed,
  type GivenOptions,
  type Learner,
  oneVsAllFamily,
} from "../../src/index.ts";
import { arithmetic } from "../arithmetic.ts";

/** Learners as `motelearn learners` names them; "ova:pa" is one-vs-all over pa. */
function family(name: string): Family {
  const found = name.startsWith("ova:") ? oneVsAllFamily(family(name.slice(4))) : familyNamed(name);
  if (!found) throw new Error(`no learner ${name} among ${FAMILIES.map((each) => each.name).join(", ")}`);
  return found;
}

/** A learner of that name in memory of its own, on this program's arithmetic. Throws a RangeError for an option. */
export function makeLearner(name: string, options: GivenOptions): Learner {
  const chosen = family(name);
  return chosen.create({ ...options, memory: arithmetic().allocate(chosen.layout(options)) });
}
