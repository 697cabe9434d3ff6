import { test } from "uvu";
import * as assert from "uvu/assert";
import { familyNamed } from "../../src/learn/registry.ts";
import { NO_STORAGE } from "../../src/node/ports.ts";
import { IMAGE_STATUS } from "../../src/store/paged-image.ts";
import { Restored, SENSING, simulated, teach } from "./restored.ts";

const KEY = Uint8Array.from({ length: 16 }, (_, i) => 17 * i);
const pause = (at: Restored, seconds: number) => at.until(() => false, seconds);
const readStatus = (at: Restored) => at.sender?.progress?.status;

/** A node that has learned 25 labels when it is copied, and then as many as `more`. */
function taught(options: ConstructorParameters<typeof Restored>[0] = {}, more = 25) {
  const at = new Restored(options);
  assert.ok(at.until(() => at.ends.peer.met, 10));
  at.learn(25);
  const copy = at.copy();
  at.learn(more);
  return { at, copy };
}

test("a node takes a copy of its memory back, in a new session, and then learns the same bits as a simulated node", () => {
  const { at, copy } = taught();
  const { sid } = at.node;
  const hash = simulated(copy, sid).learner.stateHash();
  assert.is.not(at.node.learner.stateHash(), hash);
  const sender = at.send(at.image(copy));
  assert.ok(at.until(() => sender.isDone && at.ends.peer.node.sid !== sid));
  assert.equal([at.node.seq, at.node.labelled], [25, 25]);
  assert.is.not(at.node.sid, sid);
  assert.is(at.node.learner.stateHash(), hash);
  const beside = simulated(copy, at.node.sid);
  assert.is(at.node.stateHash(), beside.stateHash());
  for (let i = 0; i < 40; i++) {
    teach(at.node);
    teach(beside);
    assert.is(at.node.learner.stateHash(), beside.learner.stateHash());
  }
});

test("a start finds the copy in the flash, and a rollback what was learned before it", () => {
  const { at, copy } = taught();
  const { sid } = at.node;
  const learned = at.node.learner.stateHash();
  const sender = at.send(at.image(copy));
  assert.ok(at.until(() => sender.isDone && at.ends.peer.node.sid !== sid));
  at.ends.restartNode();
  assert.is(at.node.learner.stateHash(), simulated(copy, 1).learner.stateHash());
  assert.is(at.node.labelled, 25);
  at.ends.peer.update = undefined;
  assert.ok(at.until(() => at.ends.peer.node.boot === 1000 + at.ends.boots));
  at.ends.peer.rollback();
  assert.ok(at.until(() => at.node.labelled === 50));
  assert.is(at.node.learner.stateHash(), learned);
});

test("labels of the session that was left are refused by name; those of samples in the copy still teach", () => {
  const at = new Restored();
  assert.ok(at.until(() => at.ends.peer.met, 10));
  at.learn(20);
  const { sid } = at.node;
  at.node.sample(Float32Array.of(1, 2, 3));
  const copy = at.copy();
  at.node.sample(Float32Array.of(3, 2, 1));
  const sender = at.send(at.image(copy));
  assert.ok(at.until(() => sender.isDone));
  assert.is(at.node.label({ number: 21, sid, seq: 21, y: 1 }), 0, "applied");
  assert.is(at.node.label({ number: 22, sid, seq: 22, y: 1 }), 4, "session");
});

test("blocks that are lost, damaged, doubled or late do no harm, on a keyed line too", () => {
  for (let seed = 1; seed <= 8; seed++) {
    const { at, copy } = taught({ seed, rate: 0.3, ...(seed % 2 === 0 && { key: KEY }) });
    const { sid } = at.node;
    const sender = at.send(at.image(copy));
    assert.ok(
      at.until(() => sender.isDone && at.ends.peer.node.sid !== sid, 300),
      `seed ${seed}`,
    );
    assert.is(at.node.stateHash(), simulated(copy, at.node.sid).stateHash(), `seed ${seed}`);
    pause(at, 5);
    assert.is(at.node.stateHash(), simulated(copy, at.node.sid).stateHash(), "a late block changes nothing");
  }
});

test("the same copy can be taken back again, after more was learned", () => {
  const { at, copy } = taught();
  for (const number of [1, 2]) {
    const { sid } = at.node;
    const sender = at.send(at.image(copy), number);
    assert.ok(at.until(() => sender.isDone && at.ends.peer.node.sid !== sid));
    assert.is(at.node.labelled, 25);
    at.learn(7);
  }
});

const other = { ...SENSING, learner: familyNamed("projectron")!, options: { budget: 8 } };
const REFUSED: { [what: string]: [(at: Restored, copy: Uint8Array) => Uint8Array, number] } = {
  "of another learner": [(at) => at.image(new Restored({ node: other }).copy(), other), IMAGE_STATUS.other],
  "of other options": [
    (at, copy) => at.image(copy, { ...SENSING, options: { ...SENSING.options, C: 0.25 } }),
    IMAGE_STATUS.other,
  ],
  "cut short": [(at, copy) => at.image(copy).subarray(0, -4), IMAGE_STATUS.other],
  "of a shorter memory": [(at, copy) => at.image(copy.subarray(0, -4)), IMAGE_STATUS.other],
  "without a header": [(at, copy) => at.image(copy).fill(0, 0, 64), IMAGE_STATUS.damaged],
  "with a damaged header": [(at, copy) => flipped(at.image(copy), 9), IMAGE_STATUS.damaged],
};

function flipped(image: Uint8Array, at: number): Uint8Array {
  image[at] ^= 4;
  return image;
}

for (const [what, [makeImage, status]] of Object.entries(REFUSED)) {
  test(`a copy ${what} is refused, and changes nothing`, () => {
    const { at, copy } = taught();
    const before = [at.node.stateHash(), at.node.sid];
    const sender = at.send(makeImage(at, copy));
    assert.ok(at.until(() => sender.progress !== undefined && readStatus(at) !== IMAGE_STATUS.coming, 20));
    assert.is(readStatus(at), status);
    at.ends.peer.update = undefined;
    assert.equal([at.node.stateHash(), at.node.sid], before);
    assert.ok(at.node.checkpoint(), "the node keeps checkpoints as before");
  });
}

test("a copy that doesn't have its check sum is refused once all of it came, and the node keeps its own checkpoint", () => {
  const { at, copy } = taught();
  const [hash, { sid }] = [at.node.learner.stateHash(), at.node];
  const sender = at.send(at.image(copy));
  assert.ok(at.until(() => sender.sent > 300, 20));
  // Its sender described another image: one byte of this one differs.
  (sender as unknown as { image: Uint8Array }).image[at.image(copy).length - 3] ^= 1;
  assert.ok(at.until(() => readStatus(at) === IMAGE_STATUS.damaged, 20));
  at.ends.peer.update = undefined;
  assert.equal([at.node.learner.stateHash(), at.node.sid], [hash, sid]);
  at.ends.restartNode();
  assert.is(at.node.learner.stateHash(), hash);
});

test("a node without flash, and one that takes only tagged labels, take no copy", () => {
  for (const options of [{ storage: () => NO_STORAGE }, { labelKey: KEY }]) {
    const { at, copy } = taught(options);
    const { sid } = at.node;
    const sender = at.send(at.image(copy));
    assert.ok(at.until(() => sender.progress !== undefined, 10));
    assert.is(readStatus(at), IMAGE_STATUS.noSlot);
    pause(at, 3);
    assert.equal([at.node.sid, at.node.labelled], [sid, 50]);
  }
});

test("on a keyed line nobody without the key can have a node take a copy", () => {
  const { at, copy } = taught({ key: KEY });
  const stranger = taught({}).at;
  const frames: Uint8Array[] = [];
  const { down } = stranger.ends;
  const send = down.send.bind(down);
  down.send = (now, frame) => {
    frames.push(frame);
    send(now, frame);
  };
  const sent = stranger.send(stranger.image(copy));
  assert.ok(stranger.until(() => sent.isDone));
  const [hash, { sid }] = [at.node.stateHash(), at.node];
  for (const frame of frames) {
    at.ends.down.send(at.ends.now, frame);
    pause(at, 0.1);
  }
  assert.equal([at.node.stateHash(), at.node.sid], [hash, sid]);
});

test("while a copy comes no checkpoint takes its place; if it stops coming, one does, and the copy begins again", () => {
  const { at, copy } = taught();
  const sender = at.send(at.image(copy));
  assert.ok(at.until(() => sender.sent > 300, 20));
  at.ends.peer.update = undefined;
  pause(at, 0.5);
  assert.not(at.node.checkpoint());
  assert.is(at.node.saveStatus(false), 1, "early");
  assert.ok(at.node.saveWaitMs > 3000 && at.node.saveWaitMs <= 5000 + 4 * copy.length);
  pause(at, at.node.saveWaitMs / 1000);
  at.learn(1);
  assert.ok(at.node.checkpoint());
  const { sid } = at.node;
  at.ends.peer.update = sender;
  assert.ok(at.until(() => sender.isDone && at.ends.peer.node.sid !== sid, 20));
  assert.is(at.node.stateHash(), simulated(copy, at.node.sid).stateHash());
});

test("a peer that begins another restoration each second has the node write two, and one an interval, and save at its interval", () => {
  const { at, copy } = taught({ intervalMs: 600_000 });
  const image = at.image(copy);
  const { erases } = at.flash;
  const sectors = erases.length / 2;
  const written = () => erases.reduce((sum, each) => sum + each, 0) / sectors;
  for (let number = 1; at.ends.now < 3_600_000; number++) {
    at.send(image.subarray(0, 300), number);
    (at.sender as unknown as { image: Uint8Array }).image = image;
    pause(at, 2);
    at.learn(1);
  }
  const saved = at.node.count("saved");
  assert.ok(saved >= 5, `${saved} saves`);
  assert.ok(written() - saved <= 7, `${written()} writes, ${saved} of them saves`);
});

test("a copy that a peer began and abandoned doesn't keep the next from reading the node's checkpoint, whatever it sends meanwhile", () => {
  const { at, copy } = taught({ intervalMs: 3_600_000 });
  pause(at, 3600);
  assert.ok(at.node.checkpoint());
  const sender = at.send(at.image(copy));
  assert.ok(at.until(() => sender.sent > 300, 20));
  at.ends.peer.update = undefined;
  const { reader } = at.node;
  assert.not(reader?.begin(true));
  pause(at, 5 + 0.004 * copy.length);
  assert.ok(reader?.begin(true));
  assert.is(reader?.read(0, new Uint32Array(16), 16), 16);
  const { sid } = at.node;
  at.send(at.image(copy), 2);
  assert.ok(
    at.until(() => at.ends.peer.node.sid !== sid, 60),
    "a copy can be taken back as before",
  );
});

test("a node that spares its flash answers so, changes nothing, and takes the copy once it may", () => {
  const { at, copy } = taught({ intervalMs: 60_000 });
  pause(at, 60);
  for (const number of [1, 2]) {
    const { sid } = at.node;
    const sender = at.send(at.image(copy), number);
    assert.ok(at.until(() => sender.isDone && at.ends.peer.node.sid !== sid));
  }
  const { sid } = at.node;
  const sender = at.send(at.image(copy), 3);
  assert.ok(at.until(() => readStatus(at) === IMAGE_STATUS.early, 20));
  assert.is(at.node.sid, sid);
  assert.ok(at.until(() => sender.isDone && at.ends.peer.node.sid !== sid, 100));
});

test.run();
