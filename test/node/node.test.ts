import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { SensorNode } from "../../src/node/node.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { LABEL_STATUS, type LabelStatus, type Storage } from "../../src/node/ports.ts";
import { nodeSchema, nodeStore } from "../../src/node/schema.ts";
import { type RestoreStatus, storeBytes } from "../../src/store/checkpoint-store.ts";
import * as fc from "../properties.ts";
import { EmulatedFlash } from "../store/emulated-flash.ts";

const OPTIONS: NodeOptions = {
  sid: 7,
  channels: 3,
  pending: 16,
  labelWindow: 8,
  features: { window: 4, standardise: true },
  learner: familyNamed("olk-c")!,
  options: { budget: 8, C: 0.5, regularization: 0.05, forgetThreshold: 0.01 },
};

class Disk implements Storage {
  kept: Uint8Array | undefined;
  broken = false;
  save(bytes: Uint8Array): boolean {
    if (!this.broken) this.kept = bytes.slice();
    return !this.broken;
  }
  load(bytes: Uint8Array): RestoreStatus | undefined {
    if (this.kept?.length !== bytes.length) return "fresh";
    bytes.set(this.kept);
    return "restored";
  }
  rollback(): RestoreStatus {
    return "fresh";
  }
}

function makeNode<S extends Storage = Disk>(
  options: Partial<NodeOptions> = {},
  disk = new Disk() as Storage as S,
) {
  const answers: [number, LabelStatus, number][] = [];
  const predictions: [number, number][] = [];
  const link = {
    predicted: (seq: number, _ts: number, decision: number) => predictions.push([seq, decision]),
    acknowledge: (number: number, status: LabelStatus, durable: number) =>
      answers.push([number, status, durable]),
  };
  const node = new SensorNode({ ...OPTIONS, ...options }, { now: () => 0 }, link, disk);
  return { node, answers, predictions, disk };
}

function stream(seed: number, count: number) {
  const random = new Random(seed, "stream");
  return Array.from({ length: count }, () => {
    const y = random.uniform() < 0.5 ? -1 : 1;
    return { x: [random.normal() + y, random.normal(), 20 + random.normal() * y], y };
  });
}

test("a node's memory is what its layout says, to the byte, pending ring and learner included", () => {
  const layout = nodeLayout(OPTIONS);
  const { node } = makeNode();
  assert.is(node.range.f32.words.byteLength, layout.bytes);
  const ring = layout.regions.filter(({ name }) => name.startsWith("pending."));
  assert.is(
    ring.reduce((sum, { words }) => sum + words, 0),
    16 * (2 + node.learner.dimension),
  );
  const memory = new PortableF32(new ArrayBuffer(layout.bytes + 64));
  memory.words.fill(5);
  const guarded = new SensorNode(
    OPTIONS,
    { now: () => 0 },
    { predicted: () => {}, acknowledge: () => {} },
    new Disk(),
    layout.range(memory, 32),
  );
  stream(1, 50).forEach(({ x, y }, i) => {
    guarded.sample(x);
    guarded.label({ number: i + 1, sid: 7, seq: i + 1, y });
  });
  for (let i = 0; i < 8; i++) {
    assert.is(memory.words[i], 5);
    assert.is(memory.words[8 + layout.bytes / 4 + i], 5);
  }
});

test("what labels teach depends on their numbers only: not on when, how often or in which order they arrive", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
      const samples = stream(seed, 60);
      const plain = makeNode().node;
      samples.forEach(({ x, y }, i) => {
        plain.sample(x);
        plain.label({ number: i + 1, sid: 7, seq: i + 1, y });
      });
      const { node } = makeNode();
      const random = new Random(seed, "shuffle");
      samples.forEach(({ x }) => {
        node.sample(x);
        // Some labels of the last eight samples arrive, in any order, some twice, some too far ahead.
        for (let k = 0; k < 6; k++) {
          const number = node.seq - random.below(8);
          if (number >= 1) node.label({ number, sid: 7, seq: number, y: samples[number - 1].y });
        }
        // None may fall so far behind that its sample expires.
        for (let number = node.labelled + 1; number <= node.seq - 10; number++) {
          node.label({ number, sid: 7, seq: number, y: samples[number - 1].y });
        }
      });
      for (let number = node.labelled + 1; number <= 60; number = node.labelled + 1) {
        node.label({ number, sid: 7, seq: number, y: samples[number - 1].y });
      }
      assert.is(node.count("applied"), 60);
      assert.is(node.learner.stateHash(), plain.learner.stateHash());
      assert.is(node.stateHash(), plain.stateHash(), "the rings are empty again, too");
    }),
    { numRuns: 100 },
  );
});

test("every label is answered by name", () => {
  const { node, answers } = makeNode();
  const samples = stream(3, 40);
  for (const { x } of samples.slice(0, 20)) node.sample(x);
  assert.is(
    node.label({ number: 1, sid: 7, seq: 1, y: 1 }),
    LABEL_STATUS.expired,
    "sample 1 left the ring of 16",
  );
  assert.is(node.label({ number: 1, sid: 7, seq: 1, y: 1 }), LABEL_STATUS.duplicate);
  assert.is(node.label({ number: 3, sid: 7, seq: 19, y: 1 }), LABEL_STATUS.held);
  assert.is(node.label({ number: 3, sid: 7, seq: 19, y: 1 }), LABEL_STATUS.duplicate);
  assert.is(
    node.label({ number: 10, sid: 7, seq: 20, y: 1 }),
    LABEL_STATUS.ahead,
    "1 is answered, 8 may be held: 2 to 9",
  );
  assert.is(node.label({ number: 2, sid: 8, seq: 20, y: 1 }), LABEL_STATUS.session);
  assert.equal(answers.slice(-2), [
    [2, LABEL_STATUS.session, 0],
    [3, LABEL_STATUS.applied, 0],
  ]);
  assert.is(
    node.label({ number: 4, sid: 7, seq: 21, y: 1 }),
    LABEL_STATUS.unknown,
    "sample 21 isn't taken yet",
  );
  assert.is(
    node.label({ number: 5, sid: 7, seq: 19, y: 1 }),
    LABEL_STATUS.expired,
    "sample 19 has its label",
  );
  const before = node.learner.stateHash();
  assert.is(node.label({ number: 6, sid: 7, seq: 20, y: 0.5 }), LABEL_STATUS.refused);
  assert.is(node.learner.stateHash(), before);
  assert.is(node.count("applied"), 1);
  assert.is(node.count("unlabelled"), 4);
});

test("the sample of a refused label waits on: the right label teaches what it would have taught at first", () => {
  for (const name of ["dual-greedy", "auto"]) {
    const given = { learner: familyNamed(name)!, options: { budget: 8 }, coverage: 0.9 };
    const [corrected, right] = [makeNode(given).node, makeNode(given).node];
    for (let t = 0; t < 30; t++) for (const node of [corrected, right]) node.sample([t % 3, 1, -t]);
    const say = (node: SensorNode, number: number, y: number) => node.label({ number, sid: 7, seq: 29, y });
    assert.is(say(corrected, 1, 0), LABEL_STATUS.refused);
    assert.is(corrected.pending.waiting, 16);
    assert.is(say(corrected, 2, 1), LABEL_STATUS.applied);
    assert.is(say(corrected, 3, 1), LABEL_STATUS.expired, "the sample has its label");
    assert.is(say(right, 1, 1), LABEL_STATUS.applied);
    assert.is(corrected.learner.stateHash(), right.learner.stateHash(), name);
    assert.is(corrected.pending.waiting, right.pending.waiting);
  }
});

test("labels before their turn are held as far as the window goes, and again once they were released", () => {
  const { node } = makeNode();
  for (const { x } of stream(3, 12)) node.sample(x);
  const label = (number: number) => node.label({ number, sid: 7, seq: number, y: 1 });
  assert.is(label(8), LABEL_STATUS.held);
  assert.is(label(9), LABEL_STATUS.ahead);
  node.releaseHeld();
  assert.is(label(8), LABEL_STATUS.held, "it was discarded");
  for (let number = 7; number >= 1; number--) label(number);
  assert.is(node.labelled, 8);
});

test("a label of sample 0 of session 0, which there never is, reaches no empty place", () => {
  const { node } = makeNode();
  const before = node.learner.stateHash();
  assert.is(node.label({ number: 1, sid: 0, seq: 0, y: 1 }), LABEL_STATUS.session);
  assert.is(node.label({ number: 2, sid: 7, seq: 0, y: 1 }), LABEL_STATUS.unknown);
  assert.is(node.learner.stateHash(), before);
});

test("in a new session, labels of the one before reach the samples that still wait, and none that has their number", () => {
  const samples = stream(4, 12);
  const { node, disk } = makeNode();
  for (const { x } of samples.slice(0, 5)) node.sample(x);
  node.checkpoint();
  for (const { x } of samples.slice(5, 8)) node.sample(x);
  const later = makeNode({}, disk).node;
  assert.ok(later.restore());
  later.renew(9);
  for (const { x } of samples.slice(8, 11)) later.sample(x);
  assert.is(later.label({ number: 1, sid: 7, seq: 4, y: 1 }), LABEL_STATUS.applied, "sample 4 was restored");
  assert.is(
    later.label({ number: 2, sid: 7, seq: 6, y: 1 }),
    LABEL_STATUS.session,
    "sample 6 of session 7 is lost",
  );
  assert.is(later.label({ number: 3, sid: 9, seq: 6, y: 1 }), LABEL_STATUS.applied, "sample 6 of session 9");
});

test("a sample that can't be read has a number, no prediction, and no label reaches it", () => {
  const { node, predictions } = makeNode();
  node.sample([1, 2, 3]);
  const before = node.learner.stateHash();
  for (const bad of [
    [1, Number.NaN, 3],
    [1, 2],
    [Number.POSITIVE_INFINITY, 0, 0],
  ]) {
    assert.ok(Number.isNaN(node.sample(bad)));
  }
  assert.is(node.seq, 4);
  assert.is(node.count("unreadable"), 3);
  assert.equal(
    predictions.map(([seq]) => seq),
    [1],
  );
  assert.is(node.label({ number: 1, sid: 7, seq: 3, y: 1 }), LABEL_STATUS.expired);
  assert.is(node.learner.stateHash(), before);
});

test("resumed from a checkpoint equals never stopped, held labels and pending samples included", () => {
  const samples = stream(5, 80);
  for (const stop of [0, 1, 7, 33, 60]) {
    const run = (from: SensorNode, begin: number, end: number) => {
      for (let i = begin; i < end; i++) {
        from.sample(samples[i].x);
        if (i >= 3 && i % 4 === 3)
          for (const k of [2, 0, 3, 1])
            from.label({ number: i - k + 1, sid: 7, seq: i - k + 1, y: samples[i - k].y });
      }
    };
    const whole = makeNode().node;
    run(whole, 0, 80);
    const { node, disk } = makeNode();
    run(node, 0, stop);
    assert.ok(node.checkpoint());
    const later = makeNode({}, disk).node;
    assert.is(later.restore(), "restored");
    assert.is(later.durable, later.labelled);
    run(later, stop, 80);
    assert.is(later.learner.stateHash(), whole.learner.stateHash(), `stopped after ${stop}`);
    assert.is(later.count("applied"), whole.count("applied"));
  }
});

test("a label is durable once a checkpoint that holds it was kept", () => {
  const { node, answers, disk } = makeNode({ checkpointEvery: 3 });
  stream(9, 7).forEach(({ x, y }, i) => {
    node.sample(x);
    disk.broken = i === 5;
    node.label({ number: i + 1, sid: 7, seq: i + 1, y });
  });
  assert.equal(
    answers.map(([, , durable]) => durable),
    [0, 0, 3, 3, 3, 3, 3],
  );
  assert.is(node.count("saved"), 1);
  assert.is(node.count("unsaved"), 1);
  const other = makeNode({ pending: 32 }, disk).node;
  assert.is(other.restore(), "fresh", "a checkpoint of another length is not taken");
});

test("labels that say otherwise than the prediction just before them are counted, by task", () => {
  const random = new Random(3, "stream");
  const draws = Array.from({ length: 120 }, () => [random.normal(), random.normal(), random.normal()]);
  const tasks = {
    "olk-c": {
      labelAt: ([a, b]: number[]) => (a * b < 0 ? -1 : 1),
      wrong: (d: number, y: number) => d >= 0 !== y > 0,
    },
    "olk-n": {
      labelAt: ([a]: number[]) => (a > 1 ? -1 : a < 0 ? 0 : 1),
      wrong: (d: number, y: number) => d < 0 !== y < 0,
    },
    lol: {
      labelAt: ([a, b]: number[]) => (a > b ? 2 : a < -1 ? 0 : 1),
      wrong: (d: number, y: number) => d !== y,
    },
  };
  for (const [name, { labelAt, wrong }] of Object.entries(tasks)) {
    const options = { budget: 8, ...(name === "lol" && { classes: 3 }) };
    const { node } = makeNode({ learner: familyNamed(name)!, options, features: undefined });
    let expected = 0;
    draws.forEach((x, i) => {
      expected += Number(wrong(node.sample(x), labelAt(x)));
      assert.is(node.label({ number: i + 1, sid: 7, seq: i + 1, y: labelAt(x) }), LABEL_STATUS.applied);
    });
    assert.is(node.count("mistaken"), expected, name);
    assert.ok(expected > 0 && expected < draws.length, name);
    node.label({ number: draws.length + 1, sid: 7, seq: 1, y: 1 });
    assert.equal([node.count("mistaken"), node.errors], [expected, 0], "a label that wasn't applied");
  }
});

test("a regression's absolute errors are summed, before each label is learned", () => {
  const { node } = makeNode({ learner: familyNamed("qklms")!, options: { budget: 8 }, features: undefined });
  let expected = 0;
  stream(4, 60).forEach(({ x }, i) => {
    const y = Math.fround(x[0] * x[1]);
    expected += Math.abs(node.sample(x) - y);
    node.label({ number: i + 1, sid: 7, seq: i + 1, y });
  });
  assert.equal([node.errorSum, node.errors, node.count("mistaken")], [expected, 60, 0]);
});

test("a checkpoint holds the count of the label that brought it about", () => {
  const { node, disk } = makeNode({ checkpointEvery: 2 });
  for (let seq = 1; seq <= 2; seq++) {
    node.sample([seq, 1, 2]);
    node.label({ number: seq, sid: 7, seq, y: 1 });
  }
  const again = makeNode({ checkpointEvery: 2 }, disk).node;
  assert.ok(again.restore());
  assert.is(again.count("applied"), 2);
});

test("lagMax is the largest lag of an applied label since it was last read, not the latest", () => {
  const { node } = makeNode();
  for (const { x } of stream(6, 12)) node.sample(x);
  const lags = [11, 7, 8, 4].map((seq, i) => {
    node.label({ number: i + 1, sid: 7, seq, y: 1 });
    return node.lagMax;
  });
  assert.equal(lags, [1, 5, 5, 8]);
  node.label({ number: 5, sid: 7, seq: 40, y: 1 });
  assert.is(node.lagMax, 8, "a label that wasn't applied has no lag");
});

test("a reading outside its channel's range is refused and counted, and leaves no trace in the state", () => {
  const ranges = [[-10, 10], null, [0, 5]] as const;
  const [{ node }, { node: twin }] = [makeNode({ ranges }), makeNode()];
  for (const x of [
    [10, 1e30, 0],
    [-10, -7, 5],
  ]) {
    assert.ok(!Number.isNaN(node.sample(x)), "the ends are included, and null takes any");
    twin.sample(x);
  }
  for (const x of [
    [10.001, 0, 1],
    [0, 0, -1e-6],
    [0, 0, 1e30],
    [Number.NaN, 0, 1],
  ])
    assert.ok(Number.isNaN(node.sample(x)));
  assert.is(node.count("unreadable"), 4);
  for (let t = 0; t < 4; t++) twin.sample([Number.NaN, 0, 0]);
  assert.is(node.stateHash(), twin.stateHash());
  assert.is(nodeSchema({ ...OPTIONS, ranges }), nodeSchema(OPTIONS), "a checkpoint outlives a new range");
});

test("a regression's label outside its range is refused by name, counted, and answered once and for all", () => {
  const learner = familyNamed("olk-r")!;
  const labelRange = [-40, 125] as const;
  const { node, answers } = makeNode({ learner, options: { budget: 8 }, labelRange });
  for (let t = 0; t < 5; t++) node.sample([t, 1, 2]);
  const before = node.learner.stateHash();
  const say = (number: number, y: number) => node.label({ number, sid: 7, seq: number, y });
  assert.equal(
    [1e20, -40.5, Number.NaN].map((y, i) => say(i + 1, y)),
    [LABEL_STATUS.range, LABEL_STATUS.range, LABEL_STATUS.range],
  );
  assert.is(node.learner.stateHash(), before);
  assert.is(say(1, 1e20), LABEL_STATUS.duplicate);
  assert.equal([say(4, 125), say(5, -40)], [LABEL_STATUS.applied, LABEL_STATUS.applied]);
  assert.equal([node.labelled, node.count("range"), node.count("applied")], [5, 3, 2]);
  assert.equal(answers[0], [1, LABEL_STATUS.range, 0]);
});

test("options are refused by name", () => {
  const refused = (given: Partial<NodeOptions>, message: RegExp) =>
    assert.throws(() => makeNode(given), message);
  refused({ sid: 0 }, /node: option sid: got 0; takes a whole number >= 1/);
  refused({ pending: 0.5 }, /node: option pending: got 0.5/);
  refused({ options: { budget: 0 } }, /olk-c: option budget: got 0/);
  const takes = /node: option ranges: got .*; takes \[least, largest\] or null for each channel: 3$/;
  for (const ranges of [[[0, 1]], [[0, 1], null, [1, 1]], [[0, 1], null, [2]], [null, null, ["0", 1]], 5, {}])
    refused({ ranges } as object, takes);
  refused(
    { labelRange: [0, 1] },
    /node: option labelRange: got \[0,1\]; takes nothing with olk-c: its labels/,
  );
  const learner = familyNamed("olk-r")!;
  for (const labelRange of [[1, 0], [0], null, [0, Number.NaN]])
    refused(
      { learner, options: {}, labelRange } as object,
      /node: option labelRange: got .*; takes \[least, largest\]$/,
    );
});

test("a node whose checkpoints turn out unreadable while they are loaded is as it was made", () => {
  const disk = new Disk();
  disk.load = (bytes) => {
    bytes.fill(0x5a);
    return undefined;
  };
  const { node } = makeNode({}, disk);
  const made = node.stateHash();
  assert.is(node.restore(), "fresh");
  assert.is(node.stateHash(), made);
  assert.is(node.count("sampled"), 0);
  const [whole, restarted] = [makeNode().node, node];
  for (const [i, { x, y }] of stream(3, 50).entries()) {
    for (const each of [whole, restarted]) {
      each.sample(x);
      each.label({ number: i + 1, sid: 7, seq: i + 1, y });
    }
  }
  assert.is(restarted.stateHash(), whole.stateHash());
});

test("a node that rolls back is as it was at the checkpoint before the newest", () => {
  const block = EmulatedFlash.ofSectors(storeBytes(nodeLayout(OPTIONS)) / 4096);
  const { node } = makeNode({}, nodeStore(OPTIONS, block, { now: () => 0 }));
  const hashes = stream(4, 3).map(({ x, y }, i) => {
    node.sample(x);
    node.label({ number: i + 1, sid: 7, seq: i + 1, y });
    assert.ok(node.checkpoint());
    return node.stateHash();
  });
  assert.is(node.rollback(), "fallback");
  assert.is(node.stateHash(), hashes[1]);
  assert.is(node.rollback(), undefined, "there is none before it");
  assert.is(node.stateHash(), hashes[1]);
});

test.run();
