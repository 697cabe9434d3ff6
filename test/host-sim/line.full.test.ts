import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { network, replayOfApplied } from "./lines.ts";

const shipped = (name: string) =>
  JSON.parse(readFileSync(`${process.cwd()}/host-sim/scenarios/${name}.json`, "utf8"));
const ROUGH = { loss: 0.3, byteErrors: 0.001 };
const CUTS = { count: 20, off: 3, duringSave: 0.3 };

test("the shipped scenario with changed bytes, 30 % loss and 20 power cuts a node: fed nodes end as undisturbed ones", async () => {
  const { schema: _, ...given } = shipped("one-scene");
  const node = { fed: true, checkpointEvery: 10, pending: 128 };
  const calm = await network({ ...given, link: {}, node });
  const rough = await network({ ...given, link: ROUGH, power: CUTS, node });
  rough.nodes.forEach(({ result }, i) => {
    const { labels, power, link } = result;
    assert.is(power.cuts, 20);
    assert.ok(power.restored + power.fallback > 5);
    assert.ok(link.up.damaged > 100 && link.down.damaged > 100 && link.labelsResent > 500);
    assert.equal([labels.applied, labels.died, labels.late, labels.open], [labels.issued, 0, 0, 0]);
    assert.is(result.stateHash, calm.nodes[i].result.stateHash);
    assert.is(result.nodeHash, calm.nodes[i].result.nodeHash);
  });
  assert.ok(rough.nodes.some(({ result }) => result.power.duringSave > 0));
});

test("the same where nodes have sensors: every label is accounted for, and the state is that of those applied", async () => {
  const { schema: _, ...given } = shipped("one-scene");
  const { nodes, replays } = await network({
    ...given,
    link: ROUGH,
    power: CUTS,
    node: { checkpointEvery: 10, periodMs: 1000 },
  });
  nodes.forEach(({ result }, i) => {
    const { labels, samples, missed, power, stateHash } = result;
    assert.is(power.cuts, 20);
    assert.is(samples + missed, 4000);
    assert.ok(missed >= 40, "samples while the node was off");
    assert.is(labels.issued + labels.lost, samples);
    assert.is(labels.applied + labels.late + labels.died + labels.refused, labels.issued);
    assert.ok(labels.died > 0 && labels.applied > 1000);
    assert.is(replays[i].applied.length, labels.applied);
    assert.is(replayOfApplied(replays[i]), stateHash);
  });
});

test.run();
