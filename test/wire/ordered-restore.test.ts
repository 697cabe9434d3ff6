import { test } from "uvu";
import * as assert from "uvu/assert";
import { Crc32 } from "../../src/math/crc32.ts";
import { installTag } from "../../src/peer/install.ts";
import { IMAGE_STATUS } from "../../src/store/paged-image.ts";
import { LabelTag, labelKey } from "../../src/wire/label-tag.ts";
import type { DownName, Message, UpName } from "../../src/wire/messages.ts";
import { Restored, SENSING, simulated, teach } from "./restored.ts";
import { withSameCrc } from "./same-crc.ts";

const CENTRE = Uint8Array.from({ length: 16 }, (_, i) => 17 * i);
const nodeKey = (name: string) => labelKey(CENTRE, new TextEncoder().encode(name));
const KEY = nodeKey("mote-1");
const computeCrc = (image: Uint8Array) => new Crc32().crc32(image, 0, image.length, 0) >>> 0;
const pause = (at: Restored, seconds: number) => at.until(() => false, seconds);
const readStatus = (at: Restored) => at.sender?.progress?.status;

/** A node with a label key that has learned 25 labels when it is copied, and then 25 more. */
function taught(options: ConstructorParameters<typeof Restored>[0] = {}) {
  const at = new Restored({ labelKey: KEY, ...options });
  assert.ok(at.until(() => at.ends.peer.credit.largest > 0, 10));
  at.learn(25);
  const copy = at.copy();
  at.learn(25);
  return { at, copy };
}

type Taught = ReturnType<typeof taught>;
const readPlace = ({ node }: Restored) => [node.stateHash(), node.sid, node.labelled];

/** True once the node has resumed from the copy, and its peer knows. */
const isTaken =
  ({ at }: Taught, sid: number) =>
  () =>
    at.sender?.isDone === true && at.ends.peer.node.sid !== sid;

/** The node's own state stays, before and after a restart. */
function checkKept({ at }: Taught, before: ReturnType<typeof readPlace>, learner: string): void {
  assert.equal(readPlace(at), before);
  at.ends.peer.update = undefined;
  at.ends.restartNode();
  assert.is(at.node.learner.stateHash(), learner);
}

test("a node with a label key takes a state with its tag, and learns on as a node without a wire", () => {
  for (let seed = 1; seed <= 8; seed++) {
    const given = taught({ seed, rate: seed > 2 ? 0.3 : 0, ...(seed % 2 === 0 && { key: CENTRE }) });
    const { at, copy } = given;
    const { sid } = at.node;
    at.order(at.image(copy), KEY);
    assert.ok(at.until(isTaken(given, sid), 300), `seed ${seed}`);
    const beside = simulated(copy, at.node.sid);
    assert.is(at.node.stateHash(), beside.stateHash(), `seed ${seed}`);
    for (let i = 0; i < 20; i++) for (const node of [at.node, beside]) teach(node);
    assert.is(at.node.learner.stateHash(), beside.learner.stateHash(), `seed ${seed}`);
    at.ends.restartNode();
    assert.ok(at.node.labelled >= 25, "a start finds it in the flash");
  }
});

test("the same state can be ordered again, if its image has another generation", () => {
  const given = taught();
  const { at, copy } = given;
  for (const generation of [1, 2]) {
    const { sid } = at.node;
    at.order(at.image(copy, SENSING, generation), KEY);
    assert.ok(at.until(isTaken(given, sid)));
    assert.is(at.node.labelled, 25);
    at.learn(7);
  }
});

/** Another label key than the node's. */
const OTHERS = { "that is another node's": nodeKey("mote-2"), "of the centre itself": CENTRE };
for (const [whose, key] of Object.entries(OTHERS)) {
  test(`an order with a label key ${whose} begins nothing`, () => {
    const given = taught();
    const { at, copy } = given;
    const [before, learner, saved] = [readPlace(at), at.node.learner.stateHash(), at.node.count("saved")];
    at.order(at.image(copy), key);
    assert.ok(at.until(() => readStatus(at) === IMAGE_STATUS.forged, 20));
    assert.equal([at.sender?.sent, at.node.count("saved")], [0, saved]);
    checkKept(given, before, learner);
  });
}

test("a relay that changes a byte never gets a whole state into flash, even with the right check sum", () => {
  for (const from of [1, 300, 700]) {
    const statuses = new Set<number>();
    const on = (name: UpName, message: Message<UpName>) => {
      if (name === "updating") statuses.add((message as Message<"updating">).status);
    };
    const given = taught({ peer: { on: on as never } });
    const { at, copy } = given;
    const before = readPlace(at);
    const learner = at.node.learner.stateHash();
    const { order, tag } = signOrder(given);
    const changed = withSameCrc(at.image(copy), 64 + from);
    assert.is(computeCrc(changed), order.crc);
    sayOrder(given, "restore", order, tag);
    sayBlocks(given, changed);
    assert.equal([...statuses], [IMAGE_STATUS.coming, IMAGE_STATUS.forged], `from ${from}`);
    checkKept(given, before, learner);
  }
});

/** Frames of a conversation that a stranger recorded, without those that begin a session. */
function recorded({ ends }: Restored): Uint8Array[] {
  const frames: Uint8Array[] = [];
  const send = ends.down.send.bind(ends.down);
  ends.down.send = (now, frame) => {
    frames.push(frame.slice());
    send(now, frame);
  };
  return frames;
}

/** Has the peer send a message as its own. */
function say<N extends DownName>({ at }: Taught, name: N, fill: (message: Message<N>) => void): void {
  assert.ok(at.until(() => at.ends.peer.pass(name, fill) > 0, 10));
}

/** Has it send an order with that tag. */
function sayOrder(given: Taught, name: "restore" | "install", order: object, tag: ArrayLike<number>): void {
  say(given, name, (message) => {
    Object.assign(message, order, { length: tag.length });
    message.tag.set(tag);
  });
}

/** Has it send the bytes from..to-1 of an image. */
function sayBlocks(given: Taught, image: Uint8Array, from = 0, to = image.length): void {
  for (let offset = from; offset < to; offset += 40)
    say(given, "block", (message) => {
      const part = image.subarray(offset, Math.min(offset + 40, to));
      message.data.set(part);
      Object.assign(message, { offset, length: part.length });
    });
  pause(given.at, 2);
}

/** Has the peer send an order as it was recorded, and then the image's blocks. */
function replay(given: Taught, order: object, tag: ArrayLike<number>): void {
  sayOrder(given, "restore", order, tag);
  sayBlocks(given, given.at.image(given.copy));
}

/** The order of the copy for the node's position, and its tag. */
function signOrder({ at, copy }: Taught, image = at.image(copy)) {
  const tag = new LabelTag(KEY);
  const { boot } = at.ends.peer.node;
  const crc = computeCrc(image);
  const { labelled } = at.node;
  tag.computeRestore({ boot, labelled, image, crc });
  return { order: { boot, labelled, bytes: image.length, crc }, tag: tag.words };
}

test("an order that was recorded is no use after another label, after a restart, or after it was obeyed", () => {
  const given = taught();
  const { at } = given;
  const { order, tag } = signOrder(given);
  const checkUseless = (when: string) => {
    const before = readPlace(at);
    replay(given, order, tag);
    assert.equal(readPlace(at), before, when);
  };
  at.learn(1);
  checkUseless("after another label");
  at.ends.restartNode();
  assert.ok(at.until(() => at.ends.peer.node.boot === 1002 && at.ends.peer.credit.largest > 0, 10));
  at.learn(order.labelled - at.node.labelled);
  checkUseless("after a restart");
  const again = signOrder(given);
  replay(given, again.order, again.tag);
  assert.is(at.node.labelled, 25, "in its time it is obeyed");
  assert.ok(at.until(() => at.ends.peer.node.boot !== 1002 && at.ends.peer.credit.largest > 0, 10));
  at.learn(25);
  const before = readPlace(at);
  replay(given, again.order, again.tag);
  assert.equal(readPlace(at), before, "after it was obeyed");
});

test("the bytes of a model don't count as the first bytes of a state: checking them ends its order", () => {
  const options = { ...SENSING, fleetBudget: 8 };
  const given = taught({ node: options });
  const { at, copy } = given;
  const before = readPlace(at);
  const image = at.image(copy, options);
  const { order, tag } = signOrder(given, image);
  const first = image.subarray(0, 128);
  const { sid, labelled } = at.node;
  const number = labelled + 1;
  // The labeller tagged a model that has the length and check sum of the state's first bytes, by chance.
  const model = withSameCrc(first, 80);
  const install = { sid, number, bytes: model.length, crc: computeCrc(model) };
  const installed = installTag(new LabelTag(KEY), { number, model }, sid);
  sayOrder(given, "restore", order, tag);
  sayBlocks(given, withSameCrc(image, 90), 0, 128);
  sayOrder(given, "install", install, installed);
  sayBlocks(given, first);
  sayOrder(given, "install", install, installed);
  pause(at, 1);
  assert.is(at.node.fleet?.stage.status, IMAGE_STATUS.forged);
  sayOrder(given, "restore", order, tag);
  sayBlocks(given, image, 128);
  assert.equal(readPlace(at), before);
  sayOrder(given, "restore", order, tag);
  sayBlocks(given, image);
  assert.is(at.node.labelled, 25, "begun again, the order is obeyed");
});

test("a label that the node learns while a state comes ends the order; its peer's labels wait", () => {
  const given = taught({ seed: 3 });
  const { at, copy } = given;
  const sender = at.order(at.image(copy), KEY);
  assert.ok(at.until(() => sender.sent > 300, 20));
  assert.ok(sender.holdsLabels);
  at.learn(1);
  const { sid } = at.node;
  assert.ok(at.until(() => readStatus(at) === IMAGE_STATUS.none, 20));
  assert.is(at.node.labelled, 51);
  assert.ok(at.until(isTaken(given, sid), 60), "it is ordered anew, for the new position");
  assert.is(at.node.labelled, 25);
  assert.not(sender.holdsLabels);
});

test("a state without a tag is refused as ever, and a node without a label key takes no order", () => {
  for (const [options, order] of [
    [{}, false],
    [{ labelKey: undefined }, true],
  ] as const) {
    const { at, copy } = taught(options);
    const before = readPlace(at);
    if (order) at.order(at.image(copy), KEY);
    else at.send(at.image(copy));
    assert.ok(at.until(() => readStatus(at) === IMAGE_STATUS.noSlot, 10));
    pause(at, 3);
    assert.equal(readPlace(at), before);
  }
});

test("a stranger who has a whole recorded conversation can't have the node take a state", () => {
  const given = taught();
  const { at, copy } = given;
  const frames = recorded(at);
  const { sid } = at.node;
  at.order(at.image(copy), KEY);
  assert.ok(at.until(isTaken(given, sid)));
  at.ends.peer.update = undefined;
  at.learn(25);
  const before = readPlace(at);
  for (const frame of frames.splice(0)) {
    at.ends.down.send(at.ends.now, frame);
    pause(at, 0.1);
  }
  assert.equal(readPlace(at), before);
});

test.run();
