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
const optionsOf = (learner: string, more: object = {}): NodeOptions => ({
  ...{ sid: 4, channels: 2, learner: familyNamed(learner)!, options: {} },
  ...more,
});

/** What a node without models received. */
interface TaughtSource extends MirrorSource {
  label(number: number): DueLabel | undefined;
}

/** Readings, and a label for each sample. */
function sourceOf(seed: number): TaughtSource {
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

/** A node that takes samples and labels in some order, up to 8 samples ahead of the labels, and what it says of them. */
function taught(options: NodeOptions, source: TaughtSource, seed: number) {
  const said: ["sample" | "label", number][] = [];
  const link = {
    predicted: (seq: number) => void said.push(["sample", seq]),
    acknowledge: (number: number) => void said.push(["label", number]),
  };
  const node = new SensorNode(options, { now: () => 0 }, link, NO_STORAGE);
  const random = new Random(seed, "order");
  while (node.labelled < COUNT) {
    const ahead = node.seq - node.labelled;
    if (node.seq < COUNT && (ahead === 0 || (ahead < 8 && random.uniform() < 0.5)))
      node.sample(Float32Array.from(source.sample(node.seq + 1)!.x));
    else node.label({ ...source.label(node.labelled + 1)!, sid: node.sid });
  }
  return { said, state: { seq: node.seq, labelled: node.labelled, stateHash: node.learner.stateHash() } };
}

test("a mirror ends in its node's state, in whatever order the node took what, also where its learner notes the order", () => {
  for (const learner of ["olk-c", "pa", "auto", "lol"])
    for (const seed of [1, 2]) {
      const options = optionsOf(learner);
      const source = sourceOf(seed);
      const { said, state } = taught(options, source, seed);
      const mirror = new Mirror(options, source, false);
      for (const [what, number] of said) mirror[what === "sample" ? "sampled" : "labelled"](number);
      assert.equal(mirror.compare(state), { same: true, stateHash: state.stateHash }, learner);
    }
});

test("a mirror that heard nothing of the order compares learners that don't depend on it, and says so of others", () => {
  const source = sourceOf(3);
  const { state } = taught(optionsOf("olk-c"), source, 3);
  assert.ok(new Mirror(optionsOf("olk-c"), source, false).compare(state).same);
  const auto = taught(optionsOf("auto"), source, 3);
  const compared = new Mirror(optionsOf("auto"), source, false).compare(auto.state);
  if (!compared.same) assert.match((compared as { why: string }).why, /order .* isn't known/);
});

test("another state is another, unless the node had learned before, or its samples or labels aren't known", () => {
  const source = sourceOf(5);
  const { state } = taught(optionsOf("olk-c"), source, 5);
  const other = { ...state, stateHash: "0123456789abcdef" };
  const options = optionsOf("olk-c");
  assert.is(new Mirror(options, source, false).compare(other).same, false);
  const why = (mirror: Mirror, of = other) => (mirror.compare(of) as { why: string }).why;
  assert.match(why(new Mirror(options, source, true)), /had learned before/);
  assert.ok(new Mirror(options, source, true).compare(state).same, "it learned before from the same");
  assert.match(why(new Mirror(options, { ...source, label: () => undefined }, false)), /label 1 isn't known/);
  assert.match(
    why(new Mirror(options, { ...source, sample: () => undefined }, false)),
    /sample 1 isn't known/,
  );
  assert.is(
    new Mirror(optionsOf("olk-c", { options: { budget: 5 } }), source, false).compare(state).same,
    false,
  );
});

test.run();
