// Why labels and samples can't be handed over, and the remedy: lines for people.
import type { Deliverables, DueItem, Supply } from "./supply.ts";

type Items = Deliverables<DueItem>;

/** A node that takes `own` readings a sample is fed from a source that has others. */
export function otherChannels(own: number, channels: number, source = ""): string {
  return (
    `the node takes ${own} readings a sample; ${source || "the source"} has ${channels}. ` +
    `A node for ${channels} is made by board --channels ${channels}, or flash --dimension ${channels}`
  );
}

/** The node refuses the tags of labels. */
export function refusedTags(labelled: number, labelKey?: Uint8Array, source?: Supply): string {
  const theirs = source?.label(labelled + 1)?.tag;
  let why = labelKey ? "--label-key isn't its label key" : "it has a label key: give --label-key FILE";
  if (theirs)
    why = `either they were changed on their way, or its label key isn't the one that motelearn key FILE --of CENTRE --node ${JSON.stringify(source?.node)} makes`;
  return `the node refuses the tags of these labels; ${why}`;
}

/** The node answered more labels than a source has that has ended; undefined: it didn't. */
export function aheadFault({ end }: Items, node: string, labelled: number): string | undefined {
  if (!end || labelled <= end.labels) return undefined;
  return `the node answered ${labelled} labels, and ${node || "the source"} has ${end.labels}: give the source that it learned from, or erase the node's flash`;
}

/**
 * The next label waits for a later sample, and the next sample for a later label, or there is none; undefined: one of them can be handed over.
 * @param samples how many there are; undefined: the node isn't fed, or nobody knows yet.
 * @param nextSampleAfter the label after which the next sample is fed.
 */
export function deadlock(
  source: Items,
  { labelled, seq }: { readonly labelled: number; readonly seq: number },
  samples: number | undefined,
  nextSampleAfter: () => number,
): string | undefined {
  const { end } = source;
  if (!end || samples === undefined) return undefined;
  const due = source.label(labelled + 1)?.due ?? Number.POSITIVE_INFINITY;
  const after = nextSampleAfter();
  const [noLabel, noSample] = [labelled >= end.labels, seq >= samples];
  if ((noLabel && noSample) || due <= seq || (!noSample && after <= labelled)) return undefined;
  const label = noLabel
    ? `there are ${end.labels} labels`
    : `label ${labelled + 1} is due after sample ${due}`;
  const sample = noSample ? `there are ${samples} samples` : `sample ${seq + 1} is fed after label ${after}`;
  return `${label}, and ${sample}; give a source whose labels and samples meet`;
}
