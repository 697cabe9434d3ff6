import type { Family } from "../../../src/learn/family.ts";
import { familyNamed } from "../../../src/learn/registry.ts";

/** In place of moddable/learner.ts: the emulated board's firmware has all learners. */
export async function importLearner(name: string): Promise<Family> {
  const learner = familyNamed(name);
  if (!learner) throw new RangeError(`config.node.learner: got ${name}; takes a learner's name`);
  return learner;
}
