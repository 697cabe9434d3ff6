import { mock } from "node:test";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { restorable } from "../../fleet/gateway/copy.ts";
import { NO_STORAGE } from "../../src/node/ports.ts";
import { SENSING, simulated, teach } from "../wire/restored.ts";
import { CopiedNode } from "./copied-node.ts";

/** A node that has learned so many labels. */
async function taught(labels = 25, options: ConstructorParameters<typeof CopiedNode>[0] = {}) {
  const copied = new CopiedNode(options);
  assert.ok(copied.at.until(() => copied.at.ends.peer.met, 10));
  copied.at.learn(labels);
  return copied;
}

const checkpointWords = ({ node }: CopiedNode) => new Uint32Array(node.checkpointView.slice().buffer);

async function failure(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("it should have failed");
}

test("a copy of a node that takes a sample at every turn is whole, and the node resumes from it", async () => {
  const copied = await taught();
  const { at, node } = copied;
  copied.before = () => copied.sample();
  const { seq: first } = node;
  const copy = await copied.copy();
  assert.ok(node.seq > first + 50, `${node.seq - first} samples came meanwhile`);
  assert.ok(copied.parts > 8, `it came in ${copied.parts} parts`);
  assert.equal([copy.whole, copy.labelled, copy.sid], [true, 25, node.sid]);
  assert.ok(copy.seq > first && copy.seq < node.seq, "of a sample in between");
  const beside = simulated(new Uint8Array(copy.words.slice().buffer), node.sid);
  assert.is(beside.learner.stateHash(), copy.hash);
  copied.before = () => {};
  at.learn(7);
  const { sid } = node;
  const hello = await copied.restore(copy);
  assert.equal([hello.restore, hello.seq, hello.labelled], ["copied", copy.seq, 25]);
  assert.is.not(node.sid, sid);
  beside.renew(node.sid);
  assert.is(node.stateHash(), beside.stateHash());
  for (let i = 0; i < 20; i++) {
    teach(node);
    teach(beside);
  }
  assert.is(node.learner.stateHash(), beside.learner.stateHash(), "it learns on from the copy");
});

test("a copy is whole though labels come at every turn too, and each tries to keep a checkpoint", async () => {
  const copied = await taught(25, { node: { ...SENSING, checkpointEvery: 1 } });
  const { node } = copied;
  copied.before = () => teach(node);
  const copy = await copied.copy();
  assert.ok(node.labelled > copy.labelled + 50, `label ${node.labelled}, the copy's ${copy.labelled}`);
  const beside = simulated(new Uint8Array(copy.words.slice().buffer), node.sid);
  assert.is(beside.learner.stateHash(), copy.hash);
  assert.equal([beside.seq, beside.labelled], [copy.seq, copy.labelled]);
  const { durable } = node;
  teach(node);
  assert.ok(node.durable > durable, "once it is read, checkpoints are kept again");
});

test("parts of a copy that are lost, damaged or doubled are read again, on a keyed line too", async () => {
  for (let seed = 1; seed <= 6; seed++) {
    const key = seed % 2 === 0 && { key: Uint8Array.from({ length: 16 }, (_, i) => 17 * i) };
    const copied = await taught(25, { seed, rate: 0.3, ...key });
    copied.before = () => copied.sample();
    const copy = await copied.copy();
    const beside = simulated(new Uint8Array(copy.words.slice().buffer), 1);
    assert.equal([copy.whole, beside.learner.stateHash()], [true, copy.hash], `seed ${seed}`);
    assert.is(beside.seq, copy.seq, `seed ${seed}`);
  }
});

test("a copy is of now though checkpoints are ten minutes apart, and the next ones of that checkpoint until then", async () => {
  const copied = await taught(0, { intervalMs: 600_000 });
  const { at, node } = copied;
  at.learn(5);
  const from = at.ends.now;
  assert.is((await copied.copy()).labelled, 5);
  assert.ok(at.ends.now - from < 11_000, `${at.ends.now - from} ms`);
  at.learn(1);
  assert.not(node.checkpoint(), "others wait");
  assert.ok(node.saveWaitMs > 1_100_000, "longer, since the copy's came sooner");
  const { erases } = at.flash;
  const before = [...erases];
  copied.before = () => copied.sample();
  const again = await copied.copy();
  assert.equal([again.labelled, again.whole], [5, true], "samples change nothing in it");
  assert.equal([...erases], before, "it costs no save");
  copied.before = () => {};
  assert.ok(at.until(() => at.ends.now >= 611_000, 700));
  assert.is((await copied.copy()).labelled, 6);
});

test("where a node keeps no checkpoints, its memory is read between two samples", async () => {
  const copied = await taught(25, { storage: () => NO_STORAGE });
  const copy = await copied.copy();
  assert.equal([copy.whole, copy.checkpoint], [true, null]);
  assert.equal(copy.words, checkpointWords(copied));
  copied.before = () => copied.sample();
  const torn = await copied.copy();
  assert.not(torn.whole);
  assert.is(torn.hash, copied.node.learner.stateHash(), "the learner's part is whole");
  assert.throws(() => restorable(torn), /samples changed that copy's rest while it was read/);
});

test("a copy of a learner with other options than the gateway knows is refused by name", async () => {
  const copied = await taught(5);
  copied.options = { ...SENSING.options, budget: 64 };
  assert.match(await failure(copied.copy()), /other options than the fleet file names/);
});

test("a node with a label key resumes from a copy that is tagged with it, and says why it takes no other", async () => {
  const key = Uint8Array.from({ length: 16 }, (_, i) => 17 * i);
  const copied = await taught(25, { labelKey: key });
  const { at, node } = copied;
  const copy = await copied.copy();
  at.learn(7);
  const learned = node.stateHash();
  const other = key.slice().reverse();
  assert.match(
    await failure(copied.restore(copy)),
    /the node takes no copy without a tag: give its label key/,
  );
  assert.match(
    await failure(copied.restore(copy, other)),
    /the label key isn't the node's, so it takes no copy/,
  );
  assert.is(node.stateHash(), learned);
  for (const more of [0, 7]) {
    at.learn(more);
    const hello = await copied.restore(copy, key);
    assert.equal([hello.restore, hello.labelled, node.learner.stateHash()], ["copied", 25, copy.hash]);
  }
  const keyless = await taught();
  const its = await keyless.copy();
  assert.match(
    await failure(keyless.restore(its, key)),
    /the node has no label key, so it takes no copy with a tag/,
  );
});

test("a node that claims a learner of 64 MB has the gateway allocate nothing for its copy", async () => {
  const copied = await taught();
  copied.claims = { capacity: 4096 };
  copied.options = {};
  copied.hello = copied.hello && { ...copied.hello, learner: "olk-c", dimension: 4096 };
  const said = await failure(copied.copy());
  assert.match(said, /^its learner would have \d+ words; no sensor node has more than 262144$/);
});

test("a copy that takes too long leaves nothing behind: another one can be made", async () => {
  const copied = await taught();
  mock.timers.enable({ apis: ["setTimeout"] });
  copied.mute = "checkpoint";
  let turns = 0;
  copied.before = () => {
    turns++;
    if (turns === 100) mock.timers.tick(120_000);
    if (turns === 300) copied.at.ends.now += 120_000;
  };
  assert.match(await failure(copied.copy()), /came too slowly/);
  mock.timers.reset();
  await new Promise((done) => setImmediate(done)); // what was under way ends
  copied.mute = undefined;
  assert.ok((await copied.copy()).whole);
});

test.run();
