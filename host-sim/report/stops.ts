import type { SimulateResult, Stop } from "../scoring/result.ts";

function describeStop(place: string, { sample, why }: Stop): string {
  const when = sample === 0 ? "didn't start" : `stopped at sample ${sample}`;
  return `${place} ${when}: ${why}`;
}

/** A line for each node that stopped: the node, its learner, the sample and the reason. */
export function stopLines({ nodes }: SimulateResult): string[] {
  return nodes.flatMap(({ node, learners }) =>
    learners.flatMap(({ task, name, stop }) =>
      stop ? [describeStop(`${node} (${task}, ${name})`, stop)] : [],
    ),
  );
}
