// What a port's summary says of the labels and samples that were handed over.
import type { Message } from "../../src/wire/messages.ts";
import { STATUS_NAMES } from "../session/label-status.ts";
import type { Session } from "../session/session.ts";
import type { PortSummary } from "./report.ts";

const COUNTED = [...STATUS_NAMES, "unlabelled"] as const;

type Statistics = Message<"statistics">;

/** What the node counted of labels, from one of its reports, or its start, to another; counters wrap. */
export function countedSince(before: Statistics | undefined, after: Statistics): Record<string, number> {
  return Object.fromEntries(COUNTED.map((name) => [name, (after[name] - (before?.[name] ?? 0)) >>> 0]));
}

/**
 * What crossed the line, and what was lost on it.
 * @param lost labels that the source lost.
 * @param sourceLosses how often the link to the source was lost.
 */
export function transferCounts(
  { peer, port }: Session,
  lost: number,
  sourceLosses: number,
  counted: Record<string, number> | undefined,
): Pick<PortSummary, "labels" | "samples" | "link" | "starts"> {
  const { counts, credit, node, thrown } = peer;
  const { labelled, durable } = node;
  return {
    labels: {
      ...{ sent: counts.labelsSent, resent: counts.labelsResent, labelled, durable, lost },
      ...(counted && { counted }),
    },
    samples: { fed: counts.samplesFed, refed: counts.samplesRefed, lost: counts.samplesLost },
    link: { losses: port.losses, sourceLosses, bytesLost: credit.lost, bytesThrown: thrown.bytes },
    starts: counts.starts,
  };
}
