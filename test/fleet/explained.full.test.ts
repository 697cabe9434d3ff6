import { test } from "uvu";
import * as assert from "uvu/assert";
import { explainSample } from "../../fleet/gateway/explain.ts";
import type { FollowedNode } from "../../fleet/gateway/followed-node.ts";
import { type Given, LATE, SAMPLES, SID, taught } from "../tools/followed-node.ts";

const EXPLAINED: Given[] = [
  { learner: "olk-c" },
  { learner: "olk-c", features: { standardise: true } },
  { learner: "kernel-perceptron" },
  { learner: "arow", features: { standardise: true } },
  { learner: "arow", features: { window: 4 } },
  { learner: "arow", features: { window: 4, standardise: true } },
  { learner: "olk-c", features: { window: 4, wavelet: "haar" } },
  { learner: "auto" },
  { learner: "auto", features: { standardise: true } },
  { learner: "auto", features: { window: 4 } },
  { learner: "rls-hmm" },
  { learner: "pa" },
  { learner: "bsgd", options: { lambda: 0.01 } },
  { learner: "fogd" },
  { learner: "lol" },
];

for (const given of EXPLAINED)
  test(`decisions of ${JSON.stringify(given)} are taken apart, with the labels that they come from`, () => {
    const { store, followed, decisions } = taught(given);
    let named = 0;
    for (let seq = LATE + 2; seq <= SAMPLES; seq += 7) {
      const explained = explainSample(store, followed, SID, seq);
      assert.is(explained.decision, decisions[seq]);
      assert.is(explained.seq, seq);
      assert.ok(explained.labels <= seq - LATE - 1, `${explained.labels} labels before sample ${seq}`);
      for (const { from } of explained.parts) {
        if (!from) continue;
        named++;
        assert.ok(from.seq <= explained.labels);
        assert.is(from.y, from.seq % 3 === 0 ? 1 : -1);
        assert.is(from.by, from.seq % 2 ? "anna" : "bert");
        assert.is(from.time, 1000 * from.seq);
      }
    }
    assert.ok(named > 20, `${named} parts with a label`);
    store.close();
  });

for (const learner of ["olk-c", "arow"])
  test(`where the first labels are gone, ${learner} is followed from a copy of the node`, () => {
    const { store, followed, decisions, node } = taught({ learner, copyAt: 24 });
    store.read("DELETE FROM label WHERE number < 10", []);
    store.read("DELETE FROM sample WHERE seq < 10", []);
    const { copy, decision, parts } = explainSample(store, followed, SID, SAMPLES);
    assert.is(copy, 24 - LATE);
    assert.is(decision, decisions[SAMPLES]);
    assert.ok(
      parts.some(({ from }) => from && from.seq > 24 - LATE),
      "since the copy",
    );
    if (learner === "olk-c") {
      assert.is(parts.length, node.learner.size);
      const before = explainSample(store, followed, SID, 26);
      assert.ok(
        before.parts.some(({ from }) => from && from.seq < 24 - LATE),
        "recognised in the copy",
      );
    }
    assert.throws(() => explainSample(store, followed, SID, 20), /don't lead to this decision/);
    store.close();
  });

test("a windowed feature has a name, and is followed over a gap once its window is full again", () => {
  const { store, followed, decisions } = taught({ learner: "pa", features: { window: 4 } });
  const { inputs, parts } = explainSample(store, followed, SID, 60);
  assert.is(inputs[2].name, "peak to peak of heat over 4");
  const heat = [57, 58, 59, 60].map((seq) => Math.fround(((7 * seq) % 11) / 4));
  assert.is(inputs[2].value, Math.fround(Math.max(...heat) - Math.min(...heat)));
  assert.is(parts[4].input, "damp less its mean over 4");
  // The samples whose windows lack one get their labels after the decision.
  store.read("DELETE FROM sample WHERE seq = 95", []);
  assert.is(explainSample(store, followed, SID, 104).decision, decisions[104]);
  assert.throws(() => explainSample(store, followed, SID, 97), /don't lead to this decision/);
  store.close();
});

test("a committee is followed from a copy, and where an answer's place among the samples is unknown", () => {
  const { store, followed, decisions } = taught({ learner: "auto", copyAt: 24 });
  store.read("DELETE FROM label_after WHERE seq IN (12, 40, 41, 77)", []);
  assert.is(explainSample(store, followed, SID, SAMPLES).copy, undefined);
  store.read("DELETE FROM label WHERE number < 10", []);
  store.read("DELETE FROM sample WHERE seq < 10", []);
  const { copy, decision, parts, sum, labels } = explainSample(store, followed, SID, SAMPLES);
  assert.equal([copy, decision, labels], [24 - LATE, decisions[SAMPLES], SAMPLES - LATE - 1]);
  assert.is(parts.length, 11);
  assert.ok(Math.abs(sum - parts.reduce((total, { part }) => total + part, 0)) < 1e-9);
  store.read("UPDATE prediction SET decision = decision / 2 WHERE seq = 100", []);
  assert.throws(() => explainSample(store, followed, SID, SAMPLES), /don't lead to this decision/);
  store.close();
});

test("decision and labels have the names of the node's classes, and no names where it has none", () => {
  for (const learner of ["olk-c", "auto"]) {
    const { store, followed } = taught({ learner, pending: 48 });
    const named = explainSample(store, { ...followed, classes: ["ok", "worn"] }, SID, SAMPLES);
    assert.is(named.class, named.decision < 0 ? "ok" : "worn");
    const labels = named.parts.flatMap(({ from }) => from ?? []);
    assert.ok(labels.length > 0);
    for (const { y, class: name } of labels) assert.is(name, y < 0 ? "ok" : "worn");
    for (const classes of [undefined, ["-1", "1"]]) {
      const { parts, ...plain } = explainSample(store, { ...followed, classes }, SID, SAMPLES);
      assert.not("class" in plain || parts.some(({ from }) => from && "class" in from));
    }
    store.close();
  }
});

test("labels that came too late are passed over, and count", () => {
  const { store, followed, decisions, statuses } = taught({ learner: "olk-c", pending: 8 });
  assert.ok(statuses.slice(1).every((status) => status === 3));
  const { decision, parts } = explainSample(store, followed, SID, SAMPLES);
  assert.is(decision, decisions[SAMPLES]);
  assert.equal(parts, []);
  store.close();
});

test("what leads to a decision as it was read and standardised is what leads to the last one, else the fleet file's", () => {
  const features = { standardise: true };
  const { store, followed, decisions } = taught({ learner: "auto", features, always: -1 });
  const early = LATE + 3;
  const of = (node: FollowedNode) => {
    const { decision, inputs, labels } = explainSample(store, node, SID, early);
    assert.equal([decision, labels], [decisions[early], early - LATE - 1]);
    return inputs[0].name;
  };
  assert.is(of(followed), "heat, standardised");
  store.read("DELETE FROM prediction WHERE seq > ?", [early + 1]);
  assert.throws(() => of(followed), /as they are, and standardised: give the node's features/);
  assert.is(of({ ...followed, features }), "heat, standardised");
  assert.is(of({ ...followed, features: {} }), "heat");
  store.close();
});

test("what can't be explained says why", () => {
  const { store, followed } = taught({
    learner: "olk-c",
    options: { kernel: { type: "gaussian", gamma: 2 } },
  });
  const why = (node: FollowedNode, seq: number, part: RegExp) =>
    assert.throws(() => explainSample(store, node, SID, seq), part);
  why(followed, SAMPLES + 1, /no decision on sample 121/);
  why({ ...followed, options: {} }, SAMPLES, /don't lead to this decision/);
  why(
    { ...followed, capacity: 64, options: {}, hello: { ...followed.hello, learner: "oskm" } },
    SAMPLES,
    /isn't one sum/,
  );
  why(
    { ...followed, options: { classes: 3 }, hello: { ...followed.hello, learner: "pa" } },
    SAMPLES,
    /^pa of several classes: the gateway explains decisions between two; export the samples/,
  );
  why({ ...followed, hello: { ...followed.hello, learner: "<b>" } }, SAMPLES, /doesn't know that learner/);
  why(
    { ...followed, hello: { ...followed.hello, channels: 1 } },
    SAMPLES,
    /give them as its features in the fleet file/,
  );
  assert.ok(explainSample(store, followed, SID, SAMPLES).parts.length > 0);
  store.read("DELETE FROM sample WHERE seq = 3", []);
  why(followed, SAMPLES, /don't lead to this decision/);
  store.close();
});

test.run();
