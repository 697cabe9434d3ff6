import { test } from "uvu";
import * as assert from "uvu/assert";
import { HERE, type NodeMaker, type SimulatedNode } from "../../host-sim/network/simulated-node.ts";
import { renderReport } from "../../host-sim/report/page.ts";
import { renderTable } from "../../host-sim/report/terminal.ts";
import { perform, planRuns } from "../../host-sim/runs/runs.ts";
import { parseScenario } from "../../host-sim/scenario/scenario.ts";
import type { Stop } from "../../host-sim/scoring/result.ts";
import { first, run, SCENE } from "./small-scene.ts";

const SCENE_RANGES = [
  [-6, 6],
  [-6, 6],
];

test("with nothing wrong every label is applied at once, and the ideal network is the same network", async () => {
  const result = await run({});
  assert.is(result.nodes.length, 3);
  for (const { learners } of result.nodes) {
    const [{ labels, link, metrics, ideal, samples, curves }] = learners;
    assert.is(samples, 400);
    assert.is(labels.applied, 400);
    assert.equal([labels.lost, labels.late, labels.wrong, link.labelsResent, labels.lagMax], [0, 0, 0, 0, 0]);
    assert.equal(metrics, ideal);
    assert.equal(curves.error, curves.idealError);
    assert.ok((metrics.error as number) < 0.2);
  }
});

test("a baseline knows the labels that its node received, when it received them, and none that was lost", async () => {
  const errors = async (labels: object) => {
    const { majority, last } = first(await run({ labels })).trivial;
    return [majority.error, last.error] as number[];
  };
  const [, atOnce] = await errors({});
  const [, late] = await errors({ delayMean: 30 });
  const [majority, none] = await errors({ loss: 1 });
  const [, wrong] = await errors({ noise: { symmetric: { rate: 0.5 } } });
  assert.is(none, majority, "both predict class -1 as long as no label came");
  assert.ok(atOnce < 0.15, `labels last: ${atOnce}`);
  assert.ok(late > 2 * atOnce, `${late} late, ${atOnce} at once`);
  assert.ok(wrong > 0.35 && wrong < 0.65, `of labels, half of them wrong: ${wrong}`);
});

test("vectors of 16 bits take the node's own ranges: half the bytes, of vectors in use too", async () => {
  const scores = async (storage: string, node: object) => {
    const learners = [{ learner: "olk-c", options: { budget: 24, storage } }];
    const { metrics, bytes, bytesUsed, budget } = first(
      await run({ node, tasks: [{ name: "t", task: "classification", learners }] }),
    );
    return { error: metrics.error as number, bytes, bytesUsed, budget };
  };
  for (const node of [{}, { standardise: false, ranges: SCENE_RANGES }]) {
    const [whole, half] = [await scores("float32", node), await scores("q15", node)];
    assert.ok(half.error < 0.2 && Math.abs(half.error - whole.error) < 0.03, `${half.error} ${whole.error}`);
    assert.is(half.budget, 24);
    assert.ok(half.bytes < whole.bytes && half.bytesUsed <= half.bytes);
  }
});

test("readings and labels outside their ranges are refused and counted, and every label has one outcome", async () => {
  const tasks = [
    { name: "value", task: "regression", learners: [{ learner: "olk-r", options: { budget: 16 } }] },
  ];
  const ranges = [[-3, 3], null];
  const { labels, nodeCounters } = first(await run({ tasks, node: { ranges, labelRange: [-2, 0] } }));
  assert.ok(nodeCounters.unreadable > 0 && nodeCounters.range > 100);
  assert.is(labels.refused, nodeCounters.range + nodeCounters.unreadable);
  assert.is(labels.issued, labels.applied + labels.late + labels.died + labels.refused + labels.open);
  const told = await run({ node: { ranges: [[-3, 3]] } }).catch(String);
  assert.match(told as string, /option ranges: got \[\[-3,3\]\]; takes .* channel: 2/);
});

test("a network reports how far it is, rising to its end", async () => {
  const scenario = parseScenario(JSON.stringify(SCENE), "test.json");
  const shares: number[] = [];
  await perform(planRuns(scenario, "test.json")[0], { reached: (share) => shares.push(share) });
  assert.is(shares.length, 100);
  assert.ok(shares.every((share, i) => i === 0 || share > shares[i - 1]));
  assert.is(shares[99], 1);
});

test("a node that is fed can't sleep", async () => {
  try {
    await run({ node: { fed: true, sleep: {} } });
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, /^node\.sleep: a node that is fed never sleeps; leave out/);
  }
});

/** Node 2 gives up when it is given sample 101. */
const secondGivesUp: NodeMaker = {
  make(parts) {
    const node = HERE.make(parts);
    if (parts.options.sid !== 2) return node;
    const stopping: SimulatedNode & { stop?: Stop } = Object.assign(Object.create(node), {
      start: (boot: number) => node.start(boot),
      sample(readings: Float32Array) {
        if (node.seq < 100) return node.sample(readings);
        stopping.stop = { sample: 101, why: "memory full: 64 bytes asked", asked: 64 };
        return Number.NaN;
      },
    });
    return stopping;
  },
};

test("a node that stops keeps its figures until then, is named, and the others continue", async () => {
  const options = { labels: { delayMean: 5, noise: { symmetric: { rate: 0.1 } } } };
  const whole = await run(options);
  const result = await run(options, secondGivesUp);
  assert.equal(result.nodes[0], whole.nodes[0]);
  assert.equal(result.nodes[2], whole.nodes[2]);
  const [{ samples, stop, metrics, labels, curves }] = result.nodes[1].learners;
  const before = whole.nodes[1].learners[0].curves.error;
  assert.is(samples, 100);
  assert.equal(stop, { sample: 101, why: "memory full: 64 bytes asked", asked: 64 });
  assert.type(metrics.error, "number");
  assert.ok(labels.applied > 80 && labels.applied <= 100);
  assert.is(labels.issued, labels.applied + labels.open);
  assert.ok(curves.error.at.length > 0);
  assert.equal(curves.error.value, before.value.slice(0, curves.error.at.length));
  const line = "node 2 (presence, olk-c) stopped at sample 101: memory full: 64 bytes asked";
  assert.ok(renderReport(result).includes(line));
  assert.ok(renderTable(result, { columns: 120 }).includes(line));
});

test("labels add up: every sample's label is lost or issued, every issued one applied or late", async () => {
  const labels = { noise: { symmetric: { rate: 0.2 } }, delayMean: 30, delaySpread: 20, loss: 0.25 };
  const link = { loss: 0.3, duplicates: 0.1, reorder: 3 };
  const result = await run({
    labels,
    link,
    node: { pending: 32 },
    signal: { dropout: { rate: 0.02, length: 3 } },
    outages: { count: 3 },
  });
  for (const { learners } of result.nodes) {
    const [{ labels, link, samples, missed, nodeCounters, counters }] = learners;
    assert.is(samples + missed, 400);
    assert.ok(missed > 0);
    assert.is(labels.lost + labels.issued, samples);
    assert.is(labels.applied + labels.late, labels.issued);
    assert.ok(labels.late > 0 && labels.lost > 0 && labels.wrong > 0 && link.labelsResent > 0);
    assert.is(counters.learned, labels.applied);
    assert.is(nodeCounters.applied, labels.applied);
    for (const { lost, doubled, frames } of [link.up, link.down]) {
      assert.ok(lost > 0 && doubled > 0 && lost + doubled < frames);
    }
  }
});

test("a link that drops, doubles and reorders costs time, never a label", async () => {
  const clean = first(await run({ node: { pending: 400 } }));
  const rough = first(
    await run({ node: { pending: 400 }, link: { loss: 0.4, duplicates: 0.3, reorder: 5 } }),
  );
  assert.is(rough.labels.applied, 400);
  assert.ok(rough.labels.lagMax > 0);
  assert.is(rough.stateHash, clean.stateHash, "the same labels in the same order teach the same");
});

test("a seed repeats a run to the last bit, and another seed is another run", async () => {
  const rough = { labels: { noise: { burst: {} }, delayMean: 5, loss: 0.1 }, link: { loss: 0.2 } };
  assert.equal(await run(rough), await run(rough));
  assert.is.not(first(await run({ ...rough, seed: 2 })).stateHash, first(await run(rough)).stateHash);
});

test("switching one stage on moves no other stage's draws", async () => {
  const labels = { noise: { symmetric: { rate: 0.3 } }, loss: 0.2 };
  const without = first(await run({ labels, node: { pending: 400 } }));
  const withLink = first(await run({ labels, node: { pending: 400 }, link: { loss: 0.3, reorder: 2 } }));
  assert.is(withLink.labels.wrong, without.labels.wrong);
  assert.is(withLink.labels.lost, without.labels.lost);
});

test("Chair-Varshney trusts the good node, majority counts heads", async () => {
  const nodeRates = [0.02, 0.35, 0.4];
  const scene = { ...SCENE.stream, samples: 3000 };
  const told = async (rule: string) =>
    (await run({ stream: scene, labels: { nodeRates }, fusion: { rule } })).fusion[0];
  const fusion = await told("chair-varshney");
  assert.is(fusion.decisions, 3000);
  // Of votes wrong with probability .02, .35 and .4 the majority errs with .02*.35*.6 + .02*.65*.4 + .98*.35*.4 + .02*.35*.4.
  assert.ok(Math.abs(fusion.rules.majority - 0.1494) < 0.03, `majority ${fusion.rules.majority}`);
  assert.ok(
    fusion.rules["chair-varshney"] < fusion.rules.majority / 2,
    `chair-varshney ${fusion.rules["chair-varshney"]}`,
  );
  assert.is(fusion.error, fusion.rules["chair-varshney"]);
  assert.is((await told("majority")).error, fusion.rules.majority);
});

test("where each node has faults of its own, a fused label is wrong if it isn't the truth of the node that gets it", async () => {
  const tasks = [{ name: "f", task: "faults", learners: [{ learner: "pa" }] }];
  const stream = { type: "scene", nodes: 3, samples: 400 };
  for (const rule of ["oracle", "majority", "chair-varshney"]) {
    const { nodes, fusion } = await run({ stream, tasks, fusion: { rule } });
    const labels = nodes.map(({ learners }) => learners[0].labels);
    const sum = (of: "wrong" | "issued") => labels.reduce((total, each) => total + each[of], 0);
    assert.is(fusion[0].error, sum("wrong") / sum("issued"), rule);
    assert.equal(Object.values(fusion[0].votes), [0, 0, 0]);
    assert.is(fusion[0].error > 0, rule !== "oracle");
  }
});

test("the reference with ideal labels is scored on the samples that the node took, also where its power failed", async () => {
  for (const missed of [{ power: { at: [100], off: 150 } }, { outages: { count: 2, lengthMean: 60 } }]) {
    const { metrics, ideal, samples } = first(await run(missed));
    assert.ok(samples < SCENE.stream.samples);
    assert.is(ideal.events, metrics.events);
  }
});

test("curves, readings and events are numbered by the samples taken, though a node's own number goes back with its power", async () => {
  for (const node of [{}, { checkpointEvery: 7 }]) {
    const result = first(await run({ node, power: { at: [100, 200], off: 20 } }));
    const { curves, readings, runs, samples, metrics } = result;
    for (const { at } of [curves.error, curves.idealError, curves.size, readings!])
      assert.equal(at, curves.idealError.at);
    assert.is(curves.error.at.at(-1), samples);
    assert.is(runs?.length, metrics.events);
    assert.ok(runs!.every(({ from }, i) => i === 0 || from > runs![i - 1].to));
  }
});

test("what a stream doesn't define is said, with why", async () => {
  const stream = { ...SCENE.stream, samples: 10, persistence: 1e6 };
  const { metrics } = first(await run({ stream }));
  assert.equal(metrics.auc, { why: "no sample of class -1" });
  assert.equal(metrics.rmse, { why: "not defined for classification" });
});

test("a scenario that can't be run is refused by name", async () => {
  const refused = async (given: object, message: RegExp) => {
    try {
      await run(given);
    } catch (error) {
      assert.match((error as Error).message, message);
      return;
    }
    assert.unreachable(String(message));
  };
  const task = (learner: object, kind = "classification") => ({
    tasks: [{ name: "t", task: kind, learners: [learner] }],
  });
  await refused(task({ learner: "olkc" }), /tasks t: no learner olkc; did you mean olk-c/);
  await refused(
    task({ learner: "olk-r" }),
    /tasks t: learner olk-r is for regression; takes one for classification/,
  );
  await refused(task({ learner: "olk-c", options: { budget: 0 } }), /olk-c: option budget: got 0; takes/);
  await refused(
    task({ learner: "olk-c", options: { buget: 9 } }),
    /olk-c: no option buget; takes dimension, budget/,
  );
  await refused({ stream: { type: "files" } }, /stream.files is empty/);
  await refused(
    { stream: { type: "recorded-network" }, fusion: { rule: "majority" } },
    /fusion.rule: got majority; takes oracle/,
  );
  const scene = { type: "scene", nodes: 2, samples: 300 };
  await refused(
    { stream: scene, labels: { nodeRates: [0.1, 0.2, 0.3] } },
    /labels.nodeRates: 3 rates; takes at most one for each of the 2 nodes/,
  );
  await refused({ stream: scene, power: { at: [5, 301] } }, /power.at: got 301; the last sample is 300/);
});

test.run();
