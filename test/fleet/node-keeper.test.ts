import { test } from "uvu";
import * as assert from "uvu/assert";
import { PendingRequests } from "../../fleet/api/pending-requests.ts";
import type { Arrivals } from "../../fleet/store/arrivals.ts";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import type { GivenCopy } from "../../host-sim/state/copy-file.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { nodeSchema } from "../../src/node/schema.ts";
import { inFolder } from "../tools/stations.ts";
import { NODE } from "../tools/taught-node.ts";
import { KeptNode } from "./kept-node.ts";

let kept: KeptNode | undefined;
test.after.each(async () => {
  await kept?.close();
  kept = undefined;
});

test("a label that comes while the line is cut reaches the node when the line is back", async () => {
  kept = await KeptNode.met("cut");
  kept.sample(3);
  await kept.cut();
  kept.give(1);
  await kept.join();
  await kept.become("the node takes the label", () => kept?.labels[0].status === LABEL_STATUS.applied);
  assert.equal([kept.labelled, kept.labels[0].number], [1, 1]);
});

test("answers that are lost on their way are asked for, also those of labels in a checkpoint", async () => {
  kept = await KeptNode.met("mute");
  const OTHER = 77;
  kept.sample(6);
  await kept.become("the gateway hears of the samples", () => kept?.keeper.reach?.seq === 6);
  kept.mute = true;
  for (const seq of [1, 2, 3, 4, 5]) kept.give(seq);
  kept.give(6, OTHER);
  await kept.become("the node takes the labels", () => kept?.labelled === 6);
  assert.equal(
    kept.labels.map(({ status }) => status),
    [null, null, null, null, null, null],
  );
  kept.mute = false;
  const { applied, session } = LABEL_STATUS;
  await kept.become("the gateway knows the last answer", () => kept?.labels[5].status === session);
  assert.equal(
    kept.labels.map(({ status, durable }) => [status, durable]),
    [...[1, 2, 3, 4].map(() => [applied, 1]), [applied, 0], [session, 0]],
  );
});

/** The memory of such a node after so many samples with labels. */
function learned(labels: number): GivenCopy {
  const node = loneNode(NODE);
  for (let k = 1; k <= labels; k++) {
    node.sample([k % 3, k % 2]);
    node.label({ number: k, sid: NODE.sid, seq: k, y: k % 2 ? 1 : -1 });
  }
  const { checkpointView: bytes } = node;
  const words = new Uint32Array(bytes.slice().buffer);
  const { seq, labelled } = node;
  return { seq, labelled, words, hash: node.learner.stateHash(), checkpoint: nodeSchema(NODE) };
}

test("a node that has learned no label begins with the state of the fleet file, and goes on from there", async () => {
  const state = learned(8);
  kept = await KeptNode.met("newcomer", NODE, state);
  await kept.become("the node has the state", () => kept?.labelled === 8);
  assert.is(kept.stateHash, state.hash);
  await kept.become("the gateway says so", () => kept?.events.some(([kind]) => kind === "state") === true);
  const said = kept.events.find(([kind]) => kind === "state");
  assert.equal(said, ["state", "starts from its state: after sample 8 and label 8"]);
  kept.sample(1);
  kept.give(9);
  await kept.become("the node takes the label", () => kept?.labelled === 9);
  assert.is(kept.labels[0].number, 9);
});

test("a node with a label key begins with the state of the fleet file by that key's tag, and takes labels with it", async () => {
  const key = new Uint8Array(16).fill(9);
  const state = learned(8);
  kept = await KeptNode.met("keyed", NODE, state, { labelKey: key, filed: key });
  await kept.become("the node has the state", () => kept?.labelled === 8);
  assert.is(kept.stateHash, state.hash);
  kept.sample(9);
  kept.give(9);
  await kept.become("the node takes the label", () => kept?.labelled === 9);
});

test("a state of other options is refused once, and the node goes on as it is", async () => {
  kept = await KeptNode.met("other", NODE, { ...learned(8), checkpoint: "0123456789abcdef" });
  await kept.become("the gateway says so", () => kept?.events.some(([kind]) => kind === "state") === true);
  const [, text] = kept.events.find(([kind]) => kind === "state") as readonly [string, string];
  assert.match(text, /^doesn't start from its state: .*of another learner, other options/);
  kept.sample(1);
  kept.give(1);
  await kept.become("the node takes the label", () => kept?.labelled === 1);
  assert.is(kept.events.filter(([kind]) => kind === "state").length, 1);
});

test("events of a node beyond 60 a minute are counted, and the next minute's first says how many", async () => {
  kept = await KeptNode.met("chatty");
  const before = kept.events.length;
  for (let i = 0; i < 500; i++) kept.keeper.say("log", `line ${i}`);
  assert.is(kept.events.length, 60);
  const left = 500 - (60 - before);
  kept.minutes++;
  kept.keeper.say("log", "a line");
  kept.keeper.say("log", "another");
  assert.equal(kept.events.slice(60), [
    ["log", `a line (and ${left} events before that weren't logged)`],
    ["log", "another"],
  ]);
});

test("a node that starts again and again is left alone for a while, and leaves nothing waiting", async () => {
  kept = await KeptNode.met("restless");
  const { keeper } = kept;
  const { waits } = (keeper as unknown as { session: { waits: { waiters: Set<unknown> } } }).session;
  let starts = 1;
  while (keeper.state.trouble === undefined) {
    kept.restart(++starts);
    await kept.become("the gateway meets it, or has enough", () => {
      return keeper.hello?.boot === starts || keeper.state.trouble !== undefined;
    });
    assert.ok(waits.waiters.size < 4, `${waits.waiters.size} wait`);
  }
  assert.match(keeper.state.trouble, /^the node starts more than 30 times a minute; it is left alone/);
  assert.ok(starts <= 32, `${starts}`);
});

test("samples of another length than the node said, and their parts, are not kept", async () => {
  kept = await KeptNode.met("long");
  const hears = kept.keeper as unknown as { take(name: string, message: object): void };
  const x = new Float32Array(8);
  const send = (total: number, seq: number) =>
    hears.take("sample", { dr: 0, sid: 9, seq, first: 0, total, x, length: Math.min(total, 8) });
  for (const [i, total] of [0, 1, 3, 65_535].entries()) send(total, 10 + i);
  send(NODE.channels, 20);
  kept.store.commit();
  assert.equal(
    [...kept.store.rows("sample")].map(({ seq }) => seq),
    [20],
  );
});

test("a node that asks for everything has so many questions as are kept, however many it says that it keeps", () => {
  const asked = new PendingRequests();
  for (let seq = 10_000; seq > 0; seq--) asked.add(1, seq, 0xffffffff);
  for (let seq = 0; seq < 10_000; seq++) asked.add(1, seq, 0xffffffff);
  assert.is(asked.count, 4096);
});

test("of a node's events the newest are kept, those of the others stay", () => {
  const store = new FleetStore(inFolder("events.db"));
  store.event("quiet", "log", "one");
  for (let i = 0; i < 12_500; i++) store.event("loud", "log", String(i));
  const count = (node: string) =>
    Number(store.read("SELECT count(*) AS n FROM event WHERE node = ?", [node])[0].n);
  assert.ok(count("loud") <= 11_000, `${count("loud")}`);
  assert.is(count("quiet"), 1);
  assert.is(store.read("SELECT text FROM event ORDER BY id DESC LIMIT 1", [])[0].text, "12499");
  store.close();
});

test("what a node sends faster than it is sorted into tables doesn't pile up in memory", () => {
  const store = new FleetStore(inFolder("piled.db"), undefined, () => 0, 1000);
  const { arrivals } = (store as unknown as { arrivals: { arrivals: Arrivals } }).arrivals;
  const READINGS = 60_000;
  for (let seq = 1; seq <= 60; seq++) {
    store.sample("wide", 1, seq, new Float32Array(READINGS));
    store.sample("narrow", 1, seq, new Float32Array(2));
    store.commit();
    assert.ok(arrivals.of("wide").length * READINGS <= 2 ** 20 + READINGS);
  }
  assert.is(arrivals.of("narrow").length, 60);
  assert.is([...store.rows("sample", "wide")].length, 60);
  store.close();
});

test.run();
