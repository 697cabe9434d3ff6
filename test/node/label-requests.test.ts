import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { Layout } from "../../src/memory/layout.ts";
import { LabelRequests } from "../../src/node/label-requests.ts";
import { SensorNode } from "../../src/node/node.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { NO_STORAGE, REMARK } from "../../src/node/ports.ts";
import { nodeSchema } from "../../src/node/schema.ts";

function newRequests(budget: number): LabelRequests {
  const layout = new Layout(LabelRequests.regions());
  const requests = new LabelRequests(
    layout,
    layout.range(new PortableF32(new ArrayBuffer(layout.bytes))),
    budget,
  );
  requests.begin();
  return requests;
}

const NODE: NodeOptions = {
  sid: 7,
  channels: 2,
  learner: familyNamed("pa")!,
  options: {},
};

function newNode(options: Partial<NodeOptions>) {
  const remarks: number[] = [];
  const link = {
    predicted: (_seq: number, _ts: number, _decision: number, said: number) => remarks.push(said),
    acknowledge() {},
  };
  return { node: new SensorNode({ ...NODE, ...options }, { now: () => 0 }, link, NO_STORAGE), remarks };
}

test("of the first n samples, never more than B n + 21 are asked for, whatever the decisions are", () => {
  const random = new Random(3, "margins");
  const margins: readonly ((n: number) => number)[] = [
    () => 0,
    () => 1e9,
    (n) => (n % 2000 < 1000 ? 1e9 : 0),
    () => Math.abs(random.normal()),
    () => Number.NaN,
  ];
  for (const budget of [0.01, 0.1, 0.25, 0.9]) {
    for (const margin of margins) {
      const requests = newRequests(budget);
      let asked = 0;
      for (let n = 1; n <= 20_000; n++) {
        if (requests.asks(7, n, margin(n))) asked++;
        assert.ok(asked <= budget * n + 21, `${asked} of ${n} at ${budget}`);
      }
    }
  }
});

test("a budget of labels is used: within a twentieth, of decisions of any scale, from 1,000 samples on", () => {
  for (const scale of [0.01, 1, 30]) {
    for (const budget of [0.1, 0.25, 0.5]) {
      const random = new Random(5, "margins");
      const requests = newRequests(budget);
      let asked = 0;
      for (let n = 1; n <= 11_000; n++)
        if (requests.asks(1, n, scale * Math.abs(random.normal())) && n > 1000) asked++;
      assert.ok(Math.abs(asked / 10_000 - budget) < 0.05 * budget, `${asked} at ${budget}, ${scale}`);
    }
  }
});

test("two fifths of a budget are asked for however sure the decisions are, other samples of every session", () => {
  const asked = [1, 2].map((sid) => {
    const requests = newRequests(0.25);
    return Array.from({ length: 10_000 }, (_, n) => requests.asks(sid, n + 1, 1e9));
  });
  for (const list of asked) {
    const share = list.filter(Boolean).length / list.length;
    assert.ok(Math.abs(share - 0.1) < 0.01, `${share}`);
  }
  const both = asked[0].filter((asks, n) => asks && asked[1][n]).length;
  assert.ok(both < 150, `${both} of both`);
});

test("a node that asks for labels remarks it on predictions, and takes two words; one that doesn't takes none", () => {
  const { node, remarks } = newNode({ labelBudget: 0.25 });
  assert.is(nodeLayout({ ...NODE, labelBudget: 0.25 }).bytes, nodeLayout(NODE).bytes + 8);
  for (let n = 0; n < 1000; n++) node.sample([n % 3, n % 5]);
  const asked = remarks.filter((said) => said === REMARK.asked).length;
  assert.ok(asked > 100 && asked <= 271, `${asked}`);
  const silent = newNode({});
  for (let n = 0; n < 100; n++) silent.node.sample([n % 3, n % 5]);
  assert.ok(silent.remarks.every((said) => said === 0));
  assert.is(nodeSchema({ ...NODE, labelBudget: 0 }), nodeSchema(NODE));
  assert.is.not(nodeSchema({ ...NODE, labelBudget: 0.25 }), nodeSchema(NODE));
});

test("with several classes a node asks labels for samples whose two best classes are close", () => {
  const learner = oneVsAllFamily(familyNamed("pa")!);
  const { node, remarks } = newNode({ learner, options: { classes: 3 }, labelBudget: 0.1 });
  const random = new Random(9, "classes");
  const leads: number[] = [];
  for (let n = 1; n <= 3000; n++) {
    const y = n % 3;
    node.sample([(y - 1) * 2 + random.normal(), (y === 1 ? 2 : -1) + random.normal()]);
    const at = node.layout.at("learner.scores", node.range);
    const [best, next] = [...node.range.f32.words.subarray(at, at + 3)].sort((a, b) => b - a);
    leads.push(best - next);
    node.label({ number: n, sid: 7, seq: n, y });
  }
  const mean = (asks: boolean) => {
    const of = leads.filter((_, i) => i >= 500 && ((remarks[i] & REMARK.asked) !== 0) === asks);
    return of.reduce((sum, lead) => sum + lead, 0) / of.length;
  };
  assert.ok(mean(true) < 0.7 * mean(false), `${mean(true)} of ${mean(false)}`);
});

test("a budget that can't be is refused by name", () => {
  assert.throws(() => newNode({ labelBudget: 1 }), /labelBudget.*>= 0 and < 1/);
  assert.throws(() => newNode({ labelBudget: -0.1 }), /labelBudget/);
  assert.throws(
    () => newNode({ labelBudget: 0.1, learner: familyNamed("qklms")! }),
    /labelBudget.*0 with qklms: an estimate has no margin/,
  );
});

test.run();
