import { familyNamed } from "../../../src/learn/registry.ts";
import type { LearnerModule } from "../../moddable/learner.ts";
import { runFirmware } from "../../moddable/run-firmware.ts";

/** Replaces moddable/learner.ts: the emulated board's firmware has all learners. */
export async function importLearner(name: string): Promise<LearnerModule> {
  const learner = familyNamed(name);
  if (!learner) throw new RangeError(`config.node.learner: got ${name}; takes a learner's name`);
  return { default: learner, runFirmware };
}
