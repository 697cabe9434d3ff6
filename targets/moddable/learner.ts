import { importModule } from "motelearn/import-module";
import type { Family } from "../../src/learn/family.ts";

/**
 * A learner's family, whose module comes with its manifest, `dist/moddable/learners/NAME.json`. Each learner has a module of its own:
 * were it one for all, a build would take what the build before had compiled of another. Throws a RangeError if it isn't there.
 */
export async function importLearner(name: string): Promise<Family> {
  try {
    return (await importModule(`motelearn/learners/${name}`)).default;
  } catch {
    throw new RangeError(
      `config.node.learner: got ${name}; the firmware's manifest doesn't include dist/moddable/learners/${name}.json`,
    );
  }
}
