import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { CUT_KINDS } from "../store/emulated-flash.ts";
import { Restored, SENSING, simulated } from "./restored.ts";

const KEY = Uint8Array.from({ length: 16 }, (_, i) => 17 * i);
/** Nodes without a label key, and with one. */
const LABEL_KEYS: { readonly [what: string]: Uint8Array | undefined } = {
  "": undefined,
  ", by order with a label key": KEY,
};

/** A node with 50 labels learned, a copy of it with 25, and the two learners' hashes. */
function taught(seed: number, labelKey: Uint8Array | undefined, rate = 0) {
  const at = new Restored({ seed, rate, labelKey });
  assert.ok(at.until(() => at.ends.peer.met, 20));
  at.learn(25);
  const copy = at.copy();
  at.learn(25);
  const hashes = { copy: simulated(copy, 1).learner.stateHash(), own: at.node.learner.stateHash() };
  /** Has the node take the copy; `number`: another each time. */
  const give = (number: number) =>
    labelKey ? at.order(at.image(copy, SENSING, number), labelKey) : at.send(at.image(copy), number);
  return { at, copy, hashes, give };
}

/** The node has all of its own state or all of the copy's. */
function checkWhole(at: Restored, { copy, own }: { copy: string; own: string }, when: string): void {
  const { labelled, learner, durable, sid } = at.node;
  assert.is(learner.stateHash(), labelled === 25 ? copy : own, when);
  assert.ok(labelled === 25 || labelled === 50, `${when}: label ${labelled}`);
  assert.ok(durable <= labelled, when);
  assert.ok(sid > 0, when);
}

for (const [what, labelKey] of Object.entries(LABEL_KEYS)) {
  test(`power cut at every write of it${what}: the node has its own state or the copy's, and takes the copy in the end`, () => {
    let cuts = 0;
    for (const kind of CUT_KINDS) {
      for (let write = 0; ; write++) {
        const { at, hashes, give } = taught(write + 1, labelKey);
        const when = `${kind} cut at write ${write}`;
        const sender = give(1 + write);
        at.cutAfter(write, kind);
        const done = () => sender.isDone && at.node.labelled === 25;
        while (at.cuts === 0 && !done())
          assert.ok(
            at.until(() => at.cuts > 0 || done(), 60),
            when,
          );
        checkWhole(at, hashes, when);
        if (at.cuts === 0) break;
        cuts++;
        assert.ok(at.until(done, 60), `${when}: it is taken at last`);
        checkWhole(at, hashes, when);
        at.ends.restartNode();
        checkWhole(at, hashes, `${when}, started again`);
      }
    }
    assert.ok(cuts > 3 * 15, `${cuts} cuts`);
  });

  test(`power cut again and again at random writes, over a line that spoils frames${what}: never a mixture`, () => {
    let cuts = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const { at, hashes, give } = taught(seed, labelKey, 0.1);
      const random = new Random(seed, "cuts");
      const sender = give(seed);
      for (let left = 6; left > 0 && !sender.isDone; left--) {
        at.cutAfter(random.below(25), CUT_KINDS[random.below(4)]);
        const before = at.cuts;
        at.until(() => at.cuts > before || sender.isDone, 60);
        checkWhole(at, hashes, `seed ${seed}`);
      }
      cuts += at.cuts;
      assert.ok(
        at.until(() => sender.isDone && at.node.labelled === 25, 120),
        `seed ${seed}`,
      );
      checkWhole(at, hashes, `seed ${seed}`);
    }
    assert.ok(cuts > 100, `${cuts} cuts`);
  });

  for (const way of ["down", "up"] as const) {
    test(`the link cut at each message ${way}${what}: the state is the node's own or the copy's, and the copy is taken once the link is back`, () => {
      for (let frame = 0; ; frame++) {
        const { at, copy, hashes, give } = taught(frame + 1, labelKey);
        const sender = give(1 + frame);
        const line = at.ends[way];
        const send = line.send.bind(line);
        const done = () => sender.isDone && at.node.labelled === 25;
        let left = frame;
        line.send = (now, bytes) => {
          if (left-- > 0) send(now, bytes);
        };
        const isCut = at.until(() => left < 0 || done(), 60) && left < 0;
        assert.ok(at.until(() => at.node.saveWaitMs === 0, 5 + 0.004 * copy.length));
        checkWhole(at, hashes, `frame ${frame}`);
        assert.ok(at.node.checkpoint(), "checkpoints are kept again");
        line.send = send;
        assert.ok(at.until(done, 60), `frame ${frame}: it is taken at last`);
        checkWhole(at, hashes, `frame ${frame}`);
        if (!isCut) break;
        assert.ok(frame < 200, "each message was cut off");
      }
    });
  }
}

test.run();
