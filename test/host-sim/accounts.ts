import * as assert from "uvu/assert";
import type { LearnerResult } from "../../host-sim/scoring/result.ts";
import * as fc from "../properties.ts";
import { network, replayOfApplied } from "./lines.ts";

const share = (max: number) => fc.oneof(fc.constant(0), fc.double({ min: max / 100, max, noNaN: true }));
const count = (max: number) => fc.oneof(fc.constant(0), fc.integer({ min: 1, max }));

/** A random small scenario with faults of labels, line and power. */
const SCENARIOS = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  stream: fc.record({
    type: fc.constant("scene"),
    nodes: fc.integer({ min: 1, max: 2 }),
    samples: fc.integer({ min: 20, max: 60 }),
    channels: fc.integer({ min: 1, max: 3 }),
  }),
  node: fc.record({
    pending: fc.integer({ min: 2, max: 40 }),
    checkpointEvery: count(12),
    standardise: fc.boolean(),
    periodMs: fc.constantFrom(50, 100, 333, 1000),
    turnMs: fc.constantFrom(0, 5, 40),
    fed: fc.boolean(),
  }),
  labels: fc.record({
    noise: fc.constantFrom({}, { symmetric: { rate: 0.2 } }),
    delayMean: fc.integer({ min: 0, max: 20 }),
    delaySpread: fc.integer({ min: 0, max: 10 }),
    loss: share(0.3),
  }),
  link: fc.record({
    baud: fc.constantFrom(9600, 115_200),
    loss: share(0.4),
    duplicates: share(0.2),
    reorder: count(3),
    byteErrors: share(0.005),
    stalls: fc.record({ rate: share(0.05), lengthMs: fc.integer({ min: 1, max: 2000 }) }),
    cuts: fc.record({ count: count(3), lengthMs: fc.integer({ min: 1, max: 3000 }) }),
    window: fc.integer({ min: 1, max: 20 }),
    framing: fc.constantFrom("records", "bytes", "keyed"),
  }),
  power: fc.record({
    count: count(4),
    off: fc.integer({ min: 0, max: 8 }),
    duringSave: fc.constantFrom(0, 0.5, 1),
  }),
  outages: fc.record({ count: count(2), lengthMean: fc.integer({ min: 1, max: 10 }) }),
});
const TASKS = [
  { name: "t", task: "classification", learners: [{ learner: "olk-c", options: { budget: 4 } }] },
];

/** How often each thing happened in all those scenarios. */
export type Met = Record<string, number>;

function meet(met: Met, { labels, link, power }: LearnerResult): void {
  const { up, down } = link;
  const { applied, late, died, lost, duplicates, held } = labels;
  const frames = { linesLost: up.lost + down.lost, damaged: up.damaged + down.damaged, stalls: up.stalls };
  for (const [name, count] of Object.entries({
    applied,
    late,
    died,
    lost,
    duplicates,
    held,
    ...power,
    ...frames,
  }))
    met[name] = (met[name] ?? 0) + count;
}

/** Runs so many random scenarios: every label has one fate, and the state follows from the applied labels. */
export async function checkAccounts(scenarios: number, seed: number): Promise<Met> {
  const met: Met = {};
  const property = fc.asyncProperty(SCENARIOS, async (options) => {
    const { nodes, replays } = await network({ ...options, tasks: TASKS });
    nodes.forEach(({ result }, i) => {
      meet(met, result);
      const { labels, samples, missed, nodeCounters } = result;
      const { labels: issued, applied } = replays[i];
      assert.is(samples + missed, options.stream.samples);
      assert.is(labels.issued + labels.lost, samples, "each sample's label is issued or lost");
      assert.is(labels.applied + labels.late + labels.died + labels.refused, labels.issued, "one fate each");
      assert.is(labels.open, 0);
      assert.is(issued.length, labels.issued);
      assert.is(applied.length, labels.applied, "none twice, also over power cuts");
      assert.is(
        new Set(applied.map((number) => `${issued[number - 1].sid}/${issued[number - 1].seq}`)).size,
        applied.length,
      );
      assert.is(nodeCounters.applied, labels.applied);
      assert.is(replayOfApplied(replays[i]), result.stateHash, "the state is a replay of those applied");
      if (options.node.fed) assert.is(labels.died, 0);
    });
  });
  await fc.assert(property, { numRuns: scenarios, seed });
  return met;
}
