import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { SensorNode } from "../../src/node/node.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { NO_STORAGE } from "../../src/node/ports.ts";
import type { DueLabel } from "../../src/peer/labels.ts";
import { Mirror, type MirrorSource } from "../../tools/labels/mirror.ts";

const COUNT = 300;
const nodeOptions = (learner: string, more: object = {}): NodeOptions => ({
  ...{ sid: 4, channels: 2, learner: familyNamed(learner)!, options: {} },
  ...more,
});

/** What a node without models received. */
interface TaughtSource extends MirrorSource {
  label(number: number): DueLabel | undefined;
}

/** Readings, and a label for each sample. */
function makeSource(seed: number): TaughtSource {
  const random = new Random(seed, "mirror");
  const rows = Array.from({ length: COUNT }, () => [random.uniform() * 2 - 1, random.uniform() * 2 - 1]);
  return {
    sample: (seq) => rows[seq - 1] && { x: rows[seq - 1] },
    label: (number) =>
      rows[number - 1] && {
        ...{ number, sid: 1, seq: number, due: number },
        y: rows[number - 1][0] * rows[number - 1][1] > 0 ? 1 : -1,
      },
  };
}

/**
 * A node that takes some samples, then samples and labels in some order, up to 8 samples ahead of the labels, and what it says of them after
 * the first.
 */
function taught(options: NodeOptions, source: TaughtSource, seed: number, first = 0) {
  const said: ["sample" | "label", number][] = [];
  const link = {
    predicted: (seq: number) => void said.push(["sample", seq]),
    acknowledge: (number: number) => void said.push(["label", number]),
  };
  const node = new SensorNode(options, { now: () => 0 }, link, NO_STORAGE);
  const random = new Random(seed, "order");
  const sample = () => node.sample(Float32Array.from(source.sample(node.seq + 1)!.x));
  while (node.seq < first) sample();
  said.length = 0;
  while (node.labelled < COUNT) {
    const ahead = node.seq - node.labelled;
    if (node.seq < COUNT && (ahead === 0 || (ahead < 8 && random.uniform() < 0.5))) sample();
    else node.label({ ...source.label(node.labelled + 1)!, sid: node.sid });
  }
  return { said, state: { seq: node.seq, labelled: node.labelled, stateHash: node.learner.stateHash() } };
}

test("a mirror ends in its node's state, in whatever order the node took what, also where its learner notes the order", () => {
  for (const learner of ["olk-c", "pa", "auto", "lol"])
    for (const seed of [1, 2]) {
      const options = nodeOptions(learner);
      const source = makeSource(seed);
      const { said, state } = taught(options, source, seed);
      const mirror = new Mirror(options, source, 0, false);
      for (const [what, number] of said) mirror[what === "sample" ? "sampled" : "labelled"](number);
      assert.equal(mirror.compare(state), { same: true, stateHash: state.stateHash }, learner);
    }
});

test("a mirror knows the order although the node took samples before it was met, which the source knows only later", () => {
  for (const learner of ["auto", "rls-hmm", "olk-drift"]) {
    const options = nodeOptions(learner);
    const source = makeSource(7);
    const { said, state } = taught(options, source, 7, 40);
    const isKnown = { yet: false };
    const sample = (seq: number) => (isKnown.yet ? source.sample(seq) : undefined);
    const mirror = new Mirror(options, { ...source, sample }, 40, false);
    for (const [what, number] of said) {
      isKnown.yet ||= what === "label";
      mirror[what === "sample" ? "sampled" : "labelled"](number);
    }
    assert.equal(mirror.compare(state), { same: true, stateHash: state.stateHash }, learner);
  }
});

test("where a message was lost between samples and labels, a mirror says that it doesn't know the order", () => {
  const source = makeSource(3);
  const options = nodeOptions("rls-hmm");
  const { said, state } = taught(options, source, 3);
  const compared = (lost: number) => {
    const mirror = new Mirror(options, source, 0, false);
    said.forEach(([what, number], i) => {
      if (i !== lost) mirror[what === "sample" ? "sampled" : "labelled"](number);
      else mirror.reached(what === "sample" ? number : 0, what === "label" ? number : 0);
    });
    return mirror.compare({ ...state, stateHash: "0123456789abcdef" });
  };
  assert.is(compared(-1).same, false);
  const places = said.map(([what], i) => ({ what, i })).slice(10, 200);
  const after = (one: string, other: string) =>
    places.find(({ what, i }) => what === other && said[i - 1][0] === one)!.i;
  for (const lost of [after("label", "sample"), after("sample", "label")])
    assert.match((compared(lost) as { why: string }).why, /order .* isn't known/);
});

test("a mirror that heard nothing of the order compares learners that don't depend on it, and says so of others", () => {
  const source = makeSource(3);
  const { state } = taught(nodeOptions("olk-c"), source, 3);
  assert.ok(new Mirror(nodeOptions("olk-c"), source, 0, false).compare(state).same);
  const auto = taught(nodeOptions("auto"), source, 3);
  const compared = new Mirror(nodeOptions("auto"), source, 0, false).compare(auto.state);
  if (!compared.same) assert.match((compared as { why: string }).why, /order .* isn't known/);
});

test("another state is another, unless the node had learned before, or its samples or labels aren't known", () => {
  const source = makeSource(5);
  const { state } = taught(nodeOptions("olk-c"), source, 5);
  const other = { ...state, stateHash: "0123456789abcdef" };
  const options = nodeOptions("olk-c");
  assert.is(new Mirror(options, source, 0, false).compare(other).same, false);
  const why = (mirror: Mirror, of = other) => (mirror.compare(of) as { why: string }).why;
  assert.match(why(new Mirror(options, source, 0, true)), /had learned before/);
  assert.ok(new Mirror(options, source, 0, true).compare(state).same, "it learned before from the same");
  assert.match(
    why(new Mirror(options, { ...source, label: () => undefined }, 0, false)),
    /label 1 isn't known/,
  );
  assert.match(
    why(new Mirror(options, { ...source, sample: () => undefined }, 0, false)),
    /sample 1 isn't known/,
  );
  assert.is(
    new Mirror(nodeOptions("olk-c", { options: { budget: 5 } }), source, 0, false).compare(state).same,
    false,
  );
});

test.run();
