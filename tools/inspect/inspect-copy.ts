import { loadedCopy, optionsIn } from "../../host-sim/state/checked-copy.ts";
import { readCopy } from "../../host-sim/state/copy-file.ts";

/** Reads the regions of the memory in a file of `evaluate --save`. */
export function inspectCopy(file: string) {
  const read = readCopy(file);
  const copy = loadedCopy(file, read, optionsIn(file, read));
  const { learner, ...node } = copy.options;
  const { sid } = copy.options;
  return {
    schema: "motelearn.inspect/1" as const,
    ...{ file, learner: learner.name, options: { ...node, learner: learner.name } },
    ...{ sid, seq: read.seq, labelled: read.labelled, hashes: copy.hashes },
    ...copy.fill,
    counters: copy.counters,
    regions: copy.regions,
  };
}

/** What `inspect` prints of a file. */
export type CopyInspection = ReturnType<typeof inspectCopy>;
