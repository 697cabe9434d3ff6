import { test } from "uvu";
import * as assert from "uvu/assert";
import { checkKeyed, checkRecords, HARM, POWER, SCENE, SHORT } from "./framings.ts";
import { network } from "./lines.ts";
import { first, run } from "./small-scene.ts";

test("messages as records fare as their bytes do: the same states, counts and times under the same harm", () =>
  checkRecords([[HARM, POWER, false]], 200));

test("a keyed line under no harm ends with the states of one without a key, and has longer frames", () =>
  checkKeyed([{}]));

test("a keyed line under harm loses no label of a node that is fed, through cuts of its power", async () => {
  const node = { ...SCENE.node, fed: true, pending: 128 };
  const link = { ...HARM, framing: "keyed" };
  const calm = await network({ ...SHORT, node });
  const { nodes } = await network({ ...SHORT, node, link, power: POWER });
  nodes.forEach(({ result }, i) => {
    assert.is(result.power.cuts, 5);
    assert.is(result.labels.applied, result.labels.issued);
    assert.is(result.stateHash, calm.nodes[i].result.stateHash);
  });
});

test("a node that sleeps while its power returns is sent again the labels that it lost", async () => {
  const node = { fed: true };
  const outages = { count: 2, lengthMean: 100 };
  for (let seed = 1; seed <= 6; seed++) {
    const calm = first(await run({ seed, node }));
    const { labels, stateHash } = first(await run({ seed, node, outages, power: { count: 1 } }));
    assert.is(labels.applied, 400, `seed ${seed}`);
    assert.is(stateHash, calm.stateHash, `seed ${seed}`);
  }
});

test("what a long turn leaves in the FIFO waits, and what finds no room there is sent again", async () => {
  const { nodes } = await network({ ...SCENE, node: { ...SCENE.node, turnMs: 400 } });
  const { labels } = nodes[0].result;
  assert.ok((labels.lagMean as number) > 6, `${labels.lagMean}`);
  assert.is(labels.applied + labels.late, labels.issued);
});

test.run();
