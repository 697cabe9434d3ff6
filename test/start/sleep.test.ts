import { test } from "uvu";
import * as assert from "uvu/assert";
import { easyStream } from "../../host-sim/conformance/easy-streams.ts";
import { SLEEP_MEMORY_BYTES } from "../../host-sim/network/sleep-memory.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import type { CheckpointStore } from "../../src/store/checkpoint-store.ts";
import { CHANNELS, checkSleeping, checkSleepingByFlash, Machine } from "./sleeping-machine.ts";

const OLK = familyNamed("olk-c")!;
const STREAM = easyStream("classification", CHANNELS, 60);
const OPTIONS = { learner: OLK, samples: STREAM };

for (const learner of [OLK, familyNamed("arow")!, familyNamed("rls-hmm")!])
  test(`${learner.name}: a node that sleeps between its samples ends with the bits of one that doesn't`, () =>
    checkSleeping(learner));

test("a node whose state doesn't fit retained memory sleeps by its flash, to the same learner", () =>
  checkSleepingByFlash(4));

test("the session continues while retained memory holds it; after that a new one begins", () => {
  const machine = new Machine({ ...OPTIONS, sleep: { talkEvery: 2 } });
  const { sid } = machine.node.station.node;
  machine.runUntil(10);
  assert.is(machine.node.station.node.sid, sid);
  assert.is(machine.node.restored, "restored");
  machine.label(9);
  assert.is(machine.node.station.node.count("applied"), 9, "labels of samples before the sleeps apply");
  assert.ok(machine.node.station.node.checkpoint());
  machine.retained.lose(); // the battery was changed
  machine.flash = machine.flash.restarted();
  machine.start();
  assert.is(machine.node.restored, "restored");
  assert.is.not(machine.node.station.node.sid, sid);
  assert.is(machine.node.station.node.labelled, 9);
});

test("any flipped bit of retained memory, or a node of other options, is no node that sleeps", () => {
  const machine = new Machine({ ...OPTIONS, sleep: {} });
  machine.runUntil(5);
  const { sid } = machine.node.station.node;
  while (machine.node.sleep() === 0) machine.now += Math.max(1, machine.node.turn());
  const kept = machine.retained.contents.slice();
  const used = kept.length - [...kept].reverse().findIndex((byte) => byte !== 0);
  assert.ok(used > 300 && used < SLEEP_MEMORY_BYTES);
  const startsAs = (bytes: Uint8Array) => {
    machine.retained.contents.set(bytes);
    machine.start();
    return machine.node.station.node.sid;
  };
  for (let at = 0; at < used; at++) {
    const bytes = kept.slice();
    bytes[at] ^= 1 << (at % 8);
    assert.is.not(startsAs(bytes), sid, `byte ${at}`);
  }
  assert.is(startsAs(kept), sid);
  assert.is.not(
    startsAs(machine.retained.contents.slice()),
    sid,
    "what was taken isn't there any more: no number is given twice",
  );
});

test("a node talks when its power comes on and at every n-th sample, for the configured time, and not between", () => {
  const machine = new Machine({ ...OPTIONS, sleep: { talkEvery: 3, talkMs: 1500 } });
  for (let seq = 0; seq < 7; seq++) {
    const { starts, now, greetings, asleepMs } = machine;
    while (machine.starts === starts) machine.turn();
    const awake = machine.now - now - (machine.asleepMs - asleepMs);
    assert.ok(
      seq % 3 === 0 ? awake >= 1500 && awake < 1530 : awake < 30,
      `awake for ${awake} ms at sample ${seq}`,
    );
    assert.is(machine.greetings > greetings, seq % 3 === 0, `sample ${seq}`);
  }
});

test("a node that sleeps spares its flash as one that doesn't: no save and no copy taken back comes sooner for its starts", () => {
  const machine = new Machine({ ...OPTIONS, sleep: {}, checkpointMs: 600_000 });
  const checkpointStore = () =>
    (machine.node.station.node as unknown as { storage: CheckpointStore }).storage;
  machine.runUntil(2);
  const begun = machine.now;
  assert.ok(checkpointStore().takesTurn());
  const due: number[] = [];
  while (due.length === 0) {
    machine.turn();
    if (checkpointStore().takesTurn()) due.push(machine.now);
  }
  assert.ok(machine.starts > 8);
  assert.ok(due[0] >= 600_000 + 10_000 && due[0] < begun + 730_000, `${due}`);
});

test("the hashes of the self-test last, and it is made once", () => {
  const machine = new Machine({ ...OPTIONS, sleep: {}, selfTest: true });
  machine.turn();
  const { selfTest } = machine.hello;
  machine.runUntil(3);
  machine.turn();
  assert.is.not(selfTest, 0);
  assert.is(machine.hello.selfTest, selfTest);
});

test("a node without a place for its state, or with a sleep that it can't do, is refused", () => {
  const start = (more: object) => () => new Machine({ ...OPTIONS, ...more });
  assert.throws(
    start({ sleep: {}, retainedBytes: 60 }),
    /startNode: option retained: got 60; takes at least 72 bytes/,
  );
  assert.throws(
    start({ sleep: { talkEvery: 0 } }),
    /sleep: option talkEvery: got 0; takes a whole number >= 1/,
  );
  assert.throws(start({ sleep: { talkMs: -1 } }), /sleep: option talkMs: got -1; takes milliseconds >= 0/);
});

test.run();
