import { importModule } from "motelearn/import-module";
import type { Family } from "../../src/learn/family.ts";
import type { runFirmware } from "./run-firmware.ts";

/** A learner's module: its family, and the function that runs a node with it. */
export interface LearnerModule {
  readonly default: Family;
  readonly runFirmware: typeof runFirmware;
}

/**
 * A learner's module, which its manifest `dist/moddable/learners/NAME.json` brings. Each learner's module has
 * its own name: with one name for all, a build would reuse another learner's compiled module. Throws a
 * RangeError if it is missing.
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
