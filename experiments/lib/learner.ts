import { arithmetic } from "../../host-sim/arithmetic.ts";
import {
  FAMILIES,
  type Family,
  familyNamed,
  type GivenOptions,
  Layout,
  type Learner,
  type MemoryRange,
  oneVsAllFamily,
} from "../../src/index.ts";

/** Learners as `motelearn learners` names them; "ova:pa" is one-vs-all over pa. */
function family(name: string): Family {
  const found = name.startsWith("ova:") ? oneVsAllFamily(family(name.slice(4))) : familyNamed(name);
  if (!found) throw new Error(`no learner ${name} among ${FAMILIES.map((each) => each.name).join(", ")}`);
  return found;
}

/**
 * Where this thread's learners lie, each in the place of the one before: a run makes hundreds, and an engine reserves
 * gigabytes of addresses for each of its memories.
 */
class Room {
  private range: MemoryRange | undefined;
  private words = 0;

  take(layout: Layout): MemoryRange {
    const words = layout.bytes / 4;
    if (!this.range || words > this.words) {
      this.words = Math.max(words, 2 * this.words);
      this.range = arithmetic().allocate(new Layout([{ name: "room", kind: "scratch", words: this.words }]));
    }
    return layout.range(this.range.f32, 4 * this.range.scratch);
  }
}

const room = new Room();

/**
 * A learner of that name on this program's arithmetic, where the one made before lay: only the last one made is to be
 * used. Throws a RangeError for an option.
 */
export function makeLearner(name: string, options: GivenOptions): Learner {
  const chosen = family(name);
  return chosen.create({ ...options, memory: room.take(chosen.layout(options)) });
}
