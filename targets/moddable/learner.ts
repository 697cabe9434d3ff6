import { importModule } from "motelearn/import-module";
import type { Family } from "../../src/learn/family.ts";
import type { runFirmware } from "./run-firmware.ts";

/** A learner's module: its family, and what runs a node of that. */
export interface LearnerModule {
  readonly default: Family;
  readonly runFirmware: typeof runFirmware;
}

/**
 * A learner's module, which comes with its manifest, `dist/moddable/learners/NAME.json`. Each learner has one of its own name:
 * were it one for all, a build would take what the build before had compiled of another. Throws a RangeError if it isn't there.
 */
export async function importLearner(name: string): Promise<LearnerModule> {
  try {
    return await importModule(`motelearn/learners/${name}`);
  } catch {
    throw new RangeError(
      `config.node.learner: got ${name}; the firmware's manifest doesn't include dist/moddable/learners/${name}.json`,
    );
  }
}
