import type { Learner } from "../../src/learn/learner.ts";
import { ANY, FINITE, faultIn, LANES, type Layout, type MemoryRange } from "../../src/memory/layout.ts";

function takes(most: number): string {
  if (most === FINITE) return "a finite number";
  if (most === LANES) return "two numbers of 15 bits";
  return most === ANY ? "any bits" : `at most ${most}`;
}

/** What of a state that came from outside its layout doesn't allow, in words; undefined: nothing. */
function findFault(layout: Layout, { f32, state }: MemoryRange): string | undefined {
  const word = faultIn(f32, state, layout.rules);
  const region = layout.regions.find(
    ({ kind, offset, words }) => kind === "state" && word >= offset && word < offset + words,
  );
  if (!region) return undefined;
  const { name, holds = [FINITE], offset, words } = region;
  const place = word - offset;
  const value = f32.bits[state + word];
  return `word ${place} of the ${words} of ${name} is ${value}; takes ${takes(holds[place % holds.length])}`;
}

/** Why a state is none that this learner, in a memory of this layout, can have; undefined: it can. */
export function stateFault(
  learner: Learner,
  layout = learner.layout,
  range = learner.range,
): string | undefined {
  const fault = findFault(layout, range);
  return fault ?? (learner.isSound() ? undefined : "words of its learner contradict one another");
}
