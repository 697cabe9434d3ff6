import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { Layout } from "../../src/memory/layout.ts";
import { DriftAlarms } from "../../src/node/drift-alarms.ts";
import { SensorNode } from "../../src/node/node.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { NO_STORAGE, REMARK } from "../../src/node/ports.ts";
import { nodeSchema } from "../../src/node/schema.ts";
import { runNode, scene } from "./drift-streams.ts";

const NODE: NodeOptions = { sid: 1, channels: 2, pending: 64, learner: familyNamed("arow")!, options: {} };

function alarms(flips: readonly [number, number] = [0, 0]): DriftAlarms {
  const layout = new Layout(DriftAlarms.regions());
  const made = new DriftAlarms(layout, layout.ownRange(), flips, false);
  made.begin();
  return made;
}

/** The cumulative sum on labels in float64, as its description says it. Returns the places of the alarms. */
function labelAlarms(wrong: readonly boolean[], flips: number): number[] {
  const found: number[] = [];
  let [errors, count, sum] = [3, 10, 0];
  wrong.forEach((each, i) => {
    const p0 = Math.min(0.45, Math.max(0.03, errors / count));
    const p1 = Math.min(0.6, p0 + 0.2 * (1 - 2 * flips));
    if (count >= 100) sum = Math.max(0, sum + Math.log(each ? p1 / p0 : (1 - p1) / (1 - p0)));
    if (sum > 12) {
      found.push(i);
      [errors, count, sum] = [3, 10, 0];
      return;
    }
    errors += (each ? 1 : 0) - (count < 2000 ? 0 : errors / 2000);
    count = Math.min(2000, count + 1);
  });
  return found;
}

/** The cumulative sums on margins in float64. */
function marginAlarms(margins: readonly number[]): number[] {
  const found: number[] = [];
  let [mean, variance, blocks, up, down] = [0, 0, 0, 0, 0];
  for (let end = 32; end <= margins.length; end += 32) {
    const value = margins.slice(end - 32, end).reduce((sum, m) => sum + m / (1 + m), 0) / 32;
    if (blocks >= 8) {
      const z = Math.max(-4, Math.min(4, (value - mean) / Math.sqrt(Math.max(1e-9, variance))));
      [up, down] = [Math.max(0, up + z - 0.5), Math.max(0, down - z - 0.5)];
      if (up > 8 || down > 8) {
        found.push(end - 1);
        [blocks, up, down] = [0, 0, 0];
      }
    }
    blocks = Math.min(100, blocks + 1);
    const off = value - mean;
    mean += off / blocks;
    variance += ((1 - 1 / blocks) * off * off - variance) / blocks;
  }
  return found;
}

test("alarms of labels come where the sums in float64 say so", () => {
  for (const [flips, before, after] of [
    [0, 0.1, 0.3],
    [0.2, 0.26, 0.45],
    [0, 0, 0.2],
  ]) {
    const random = new Random(3, `wrong ${before}`);
    const wrong = Array.from({ length: 6000 }, (_, t) => random.uniform() < (t < 3000 ? before : after));
    const node = alarms([flips, flips]);
    const found = wrong.flatMap((each, t) => (node.learn(each) ? [t] : []));
    assert.equal(found, labelAlarms(wrong, flips));
    assert.ok(found.some((t) => t >= 3000 && t < 3250));
    assert.is(node.drifts, found.length);
  }
});

test("alarms of margins come where the sums in float64 say so, and a margin that is none doesn't count", () => {
  const random = new Random(4, "margins");
  const margins = Array.from({ length: 6000 }, (_, t) => Math.abs(random.normal()) * (t < 3000 ? 1 : 0.6));
  const node = alarms();
  const found = margins.flatMap((margin, t) => {
    assert.not(node.predicted(Number.NaN));
    return node.predicted(margin) ? [t] : [];
  });
  assert.equal(found, marginAlarms(margins));
  assert.ok(found.length > 0 && found[0] > 3000, `${found}`);
  assert.is(node.shifts, found.length);
  assert.not(node.predicted(Number.POSITIVE_INFINITY));
});

test("when classes change places, labels raise an alarm and margins raise none", () => {
  const stream = scene(7, false, 3000);
  const swapped = { ...stream, y: stream.y.map((y, t) => (t < 1500 ? y : -y)) };
  const { drifts, shifts } = runNode(swapped, 7, 0, { node: { drift: "watch" } });
  assert.ok(
    drifts.some((seq) => seq > 1500 && seq < 1600),
    `${drifts}`,
  );
  assert.equal(
    shifts.filter((seq) => seq > 1500 && seq < 1600),
    [],
  );
});

test("an alarm restarts the confidence, so that AROW is better after a change; watching alone changes nothing that is learned", () => {
  const stream = scene(8, true, 3000);
  const run = (drift: NodeOptions["drift"]) => runNode(stream, 8, 0, { node: { drift } });
  const none = run("none");
  assert.equal(run("watch").accuracy, none.accuracy);
  assert.equal([none.drifts, none.shifts], [[], []]);
  assert.ok(run("restart").accuracy > none.accuracy + 0.02);
});

test("a learner whose confidence restarts keeps what it learned, and learns as fast as at first", () => {
  const random = new Random(9, "restart");
  const restarting = ["arow", "cw", "cw-var", "scw-1", "scw-2", "auto", "rls-hmm"].map(
    (name) => familyNamed(name)!,
  );
  for (const family of [...restarting, oneVsAllFamily(familyNamed("arow")!)]) {
    const classes = family.task === "multiclass" ? { classes: 2 } : {};
    const learner = family.create({ dimension: 2, ...classes });
    const learn = (turn: number) => {
      const x = [random.normal(), random.normal()];
      learner.learn(x, x[turn] > 0 ? 1 : family.task === "multiclass" ? 0 : -1);
    };
    for (let t = 0; t < 400; t++) learn(0);
    const inputs = Array.from({ length: 50 }, () => [random.normal(), random.normal()]);
    const said = inputs.map((x) => learner.classify(x));
    assert.ok(learner.restartConfidence(), family.name);
    assert.equal(
      inputs.map((x) => learner.classify(x)),
      said,
      family.name,
    );
    for (let t = 0; t < 60; t++) learn(1);
    const right = inputs.filter(
      (x) => learner.classify(x) === (x[1] > 0 ? 1 : family.task === "multiclass" ? 0 : -1),
    );
    assert.ok(right.length >= 35, `${family.name}: ${right.length} of 50 after 60 labels`);
  }
  const kept = familyNamed("pa")!.create({ dimension: 2 });
  const before = kept.stateHash();
  assert.not(kept.restartConfidence());
  assert.is(kept.stateHash(), before);
});

test("alarms take twelve words; without them nothing changes", () => {
  assert.is(nodeLayout({ ...NODE, drift: "watch" }).bytes - nodeLayout(NODE).bytes, 48);
  assert.is(nodeSchema({ ...NODE, drift: "none" }), nodeSchema(NODE));
  assert.is.not(nodeSchema({ ...NODE, drift: "watch" }), nodeSchema({ ...NODE, drift: "restart" }));
});

test("a node resumes from a checkpoint as if it had never stopped, its alarms included", () => {
  let kept = new Uint8Array();
  const storage = {
    ...NO_STORAGE,
    save: (bytes: Uint8Array) => {
      kept = bytes.slice();
      return true;
    },
    load: (bytes: Uint8Array) => {
      bytes.set(kept);
      return "restored" as const;
    },
  };
  const make = () => loneNode({ ...NODE, drift: "restart" }, undefined, storage);
  const { x, y } = scene(5, true, 1200);
  const step = (node: SensorNode, t: number) => {
    node.sample(x[t].slice(0, 2));
    if (t >= 9) node.label({ number: t - 8, sid: 1, seq: t - 8, y: y[t - 9] });
  };
  const node = make();
  for (let t = 0; t < 650; t++) step(node, t);
  node.checkpoint();
  const other = make();
  other.restore();
  for (let t = 650; t < 1200; t++) for (const each of [node, other]) step(each, t);
  assert.ok(node.drifts > 0);
  assert.equal([other.stateHash(), other.drifts, other.shifts], [node.stateHash(), node.drifts, node.shifts]);
});

test("an alarm is remarked once, on the next prediction", () => {
  const said: number[] = [];
  const link = {
    acknowledge() {},
    predicted: (...[, , , remarks]: [number, number, number, number]) => said.push(remarks),
  };
  const node = new SensorNode({ ...NODE, drift: "watch" }, { now: () => 0 }, link, NO_STORAGE);
  for (let t = 1; t <= 400; t++) {
    node.sample([t % 2 === 0 ? 1 : -1, 0.5]);
    node.label({ number: t, sid: 1, seq: t, y: (t % 2 === 0 ? 1 : -1) * (t < 200 ? 1 : -1) });
  }
  const remarked = said.filter((remarks) => (remarks & REMARK.drift) !== 0).length;
  assert.ok(remarked > 0);
  assert.is(remarked, node.drifts);
});

test("a regression has no alarms", () => {
  assert.throws(
    () => nodeLayout({ ...NODE, learner: familyNamed("qklms")!, drift: "watch" }),
    /drift.*"none" with qklms/,
  );
  assert.throws(
    () => nodeLayout({ ...NODE, drift: "always" as "watch" }),
    /drift.*one of none, watch, restart/,
  );
});

test.run();
