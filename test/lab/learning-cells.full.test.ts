import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { prepare, runNetwork } from "../../host-sim/network/network.ts";
import { holdStream } from "../../host-sim/network/stream.ts";
import { parseScenario } from "../../host-sim/scenario/scenario.ts";
import { LastLabel, MajorityClass } from "../../host-sim/scoring/trivial.ts";
import { type Condition, type Flips, labelOptions } from "../../lab/bench/learning/conditions.ts";
import { type Entrant, listGrids, parseEntrant } from "../../lab/bench/learning/entrants.ts";
import { GENERATED, generate } from "../../lab/bench/learning/generated.ts";
import { Performer } from "../../lab/bench/learning/perform.ts";
import { type Cell, type Grid, planRuns, type Run } from "../../lab/bench/learning/plan.ts";
import { assembleBench, type Find } from "../../lab/bench/learning/result.ts";
import { type Outcome, runLearner, runTrivial, type Stream } from "../../lab/bench/learning/run.ts";
import { chosenSets } from "../../lab/bench/learning/sets.ts";
import { scaleRows } from "../../lab/evaluation/scaling.ts";
import type { FlipRates } from "../../src/learn/label-noise.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";
import { words } from "../words.ts";

const file = temporaryFolder();
const folder = file("kept", "").slice(0, -"/kept".length);
const SCHEMA = "motelearn.bench-learning/1";
const LENGTH = { rows: 100, prefix: 0 };

// biome-ignore lint/suspicious/noExplicitAny: a result in JSON, whose form the tests state.
type Json = any;

/** A run of few samples, whose results go to the folder of the tests. */
function bench(...args: string[]): Json {
  return runJsonHere(SCHEMA, "bench-learning", "--threads", "1", "--report", folder, ...args);
}

test("a learner without a line errs where the simulator's does and ends in its state, and so do the trivial predictors", async () => {
  const loss = 0.1;
  const [samples, seed, delay] = [700, 3, 30];
  for (const [learner, flips] of [
    ["pa", 0.2],
    ["olk-c", "one"],
    ["auto", 0.2],
  ] as const) {
    const condition: Condition = { delay, flips, order: "time" };
    const scenario = parseScenario(
      JSON.stringify({
        schema: "motelearn.scenario/1",
        name: "held-to",
        seed,
        stream: { type: "scene", nodes: 1, samples, channels: 3 },
        node: { standardise: true, pending: 64 },
        labels: labelOptions(condition, loss, 2),
        tasks: [{ name: "presence", task: "classification", learners: [{ learner, options: {} }] }],
      }),
      "held-to",
    );
    const prepared = await prepare(scenario, "held-to", 0);
    const [{ result }] = runNetwork({ scenario, prepared, task: 0, learner: 0 }).nodes;
    const { readings, truth, channels: dimension } = holdStream(prepared.streams[0]);
    const data = { dimension, rows: readings.slice(), labels: truth, count: samples, source: "held-to" };
    scaleRows(data, "node");
    const stream: Stream = {
      place: "presence/node 1",
      seed,
      inputs: Array.from({ length: samples }, (_, t) =>
        data.rows.subarray(t * dimension, (t + 1) * dimension),
      ),
      targets: truth,
      task: "classification",
      classes: 2,
    };
    const protocol = { loss, prefix: 0 };
    const family = familyNamed(learner)!;
    const outcome = runLearner(family, { dimension }, stream, condition, protocol);
    assert.is(outcome.error, result.metrics.error, learner);
    assert.is(outcome.balancedAccuracy, result.metrics.balancedAccuracy);
    const trivial = (predictor: MajorityClass | LastLabel) =>
      runTrivial(predictor, stream, condition, protocol).error;
    assert.is(trivial(new MajorityClass(-1)), result.trivial.majority.error);
    assert.is(trivial(new LastLabel(-1)), result.trivial.last.error);
    assert.is(outcome.stateHash, result.stateHash, "labels under way at the end are learned too");
  }
});

test("with every label at once and right, a cell is what evaluate comes to", async () => {
  const rows = Array.from({ length: 300 }, (_, i) => [(i * 37) % 101, (i * 53) % 97]);
  const csv = file("plane.csv", rows.map(([a, b]) => `${a / 100},${b / 100},${a > b ? 1 : -1}\n`).join(""));
  const calm = ["--delay", "0", "--flips", "0", "--loss", "0", "--prefix", "0", "--scale", "none"];
  const result = await bench(...words`--set ${csv} --learners pa,norma-c --budget 16 --seeds 2`, ...calm);
  for (const { order, standings } of result.cells) {
    const ordered = order === "time" ? [] : ["--shuffle", "1", "--repeat", "2"];
    for (const learner of ["pa", "norma-c"]) {
      const budget = learner === "pa" ? [] : ["--budget", "16"];
      const args = [
        ...words`evaluate --learner ${learner} --train ${csv} --scale none`,
        ...budget,
        ...ordered,
      ];
      const { cumulativeError, trivial } = await runJsonHere("motelearn.evaluate/1", ...args);
      const readError = (name: string) => standings.find((each: Json) => each.entrant === name).error.mean;
      assert.is(readError(learner), cumulativeError.mean, `${learner}, ${order}`);
      assert.is(readError("majority"), trivial.majority);
      assert.is(readError("last"), trivial.last);
    }
  }
  assert.equal(
    result.cells.map(({ order }: Json) => order),
    ["time", "shuffled"],
  );
});

test("the result has every cell with its entrants, and goals with their figures", async () => {
  const small = ["--rows", "260", "--delay", "0,5", "--flips", "0,one", "--seeds", "2"];
  const only = ["--only", "checkerboard,scene-20,islands", "--learners", "pa,bsgd,kernel-perceptron"];
  const result = await bench(...only, ...small, "--budget", "8,16");
  assert.equal(result.runs.done, result.runs.planned);
  // checkerboard and islands shuffled only, scene-20 in both orders; two delays, two flips, two budgets.
  assert.is(result.cells.length, 4 * 2 * 2 * 2);
  const names = ["majority", "last", "pa", "bsgd", "kernel-perceptron"];
  for (const { standings, best, seeds, varied, plain } of result.cells) {
    assert.equal(
      standings.map(({ entrant }: Json) => entrant),
      names,
    );
    assert.is(seeds, 2);
    const least = Math.min(...standings.map(({ error }: Json) => error.mean));
    assert.is(standings.find(({ entrant }: Json) => entrant === best).error.mean, least);
    for (const { error, errors } of standings) {
      assert.is(error.mean, (errors[0] + errors[1]) / 2);
      assert.ok(Math.abs(error.standardError - Math.abs(errors[0] - errors[1]) / 2) < 1e-12);
    }
    assert.is(varied.length > 0, plain);
  }
  assert.is(result.cells.filter(({ plain }: Json) => plain).length, 4);
  assert.equal(
    [...new Set(result.cells.map(({ set, classes }: Json) => `${set} ${classes}`))],
    ["checkerboard 2", "scene-20 2", "islands 4"],
  );
  assert.is(result.summary.length, 2 * names.length);
  const of = (met: boolean | null) => result.goals.filter((goal: Json) => goal.met === met).length;
  assert.is(of(null), 3 + 6, "OLK, NORMA, dual ascent and auto weren't run");
  assert.ok(result.goals.every((goal: Json) => (goal.figure === null) === (goal.met === null)));
  const text = await runHere(["bench-learning", ...only, ...small, "--budget", "8,16", "--report", folder]);
  assert.match(text.stdout, /\n(not met|met): kernel-perceptron, budget 8: error at most 1.3 times bsgd's/);
  assert.is(text.stderr, "");
});

test("a summary is over the cells in which every entrant has run", async () => {
  const [set] = (await chosenSets({ files: [] }, LENGTH, ["rings"])).sets;
  const entrants = ["majority", "last", "pa"].map((name) => parseEntrant(name));
  const conditions = { budgets: [64], delays: [0], flips: [0, 0.2], orders: ["time", "shuffled"] as const };
  const grid: Grid = { ...conditions, sets: [set], entrants, seeds: 2 };
  const setting = { sources: { files: [] }, rows: 100, scale: "none", loss: 0, prefix: 0 } as const;
  const makeOutcome = ({ flips }: Cell, name: string, seed: number): Outcome | undefined => {
    if (flips === 0.2 && seed === 2) return undefined;
    return { error: name === "pa" ? 0.1 * seed : 0.5, late: 0, balancedAccuracy: null, classes: 2 };
  };
  const find: Find = (cell, { name }, _, seed) => makeOutcome(cell, name, seed);
  const { cells, summary } = assembleBench(grid, setting, [], { done: 9, planned: 12 }, find);
  assert.equal(
    cells.map(({ flips, seeds }) => [flips, seeds]),
    [
      [0, 2],
      [0.2, 1],
    ],
  );
  const pa = summary.find(({ entrant }) => entrant === "pa")!;
  assert.equal(pa.error, { mean: (0.15000000000000002 + 0.1) / 2, standardError: null });
  assert.is(pa.within, 1);
  assert.is(summary[0].beyondLast, 0);
  assert.is(summary[0].regret, (0.35 + 0.4) / 2);
});

test("runs begin with the first seed of every cell, and one cell of every set", async () => {
  const { sets } = await chosenSets({ files: [] }, LENGTH, ["rings", "scene-20"]);
  const entrants = [parseEntrant("last"), parseEntrant("olk-c"), ...listGrids([parseEntrant("olk-c")])];
  const grid: Grid = {
    sets,
    entrants,
    budgets: [8, 16],
    delays: [0],
    flips: [0],
    orders: ["time", "shuffled"],
    seeds: 2,
  };
  const runs = planRuns(grid);
  const once = (of: (run: Run) => unknown) => runs.map(of).filter((value, i, all) => value !== all[i - 1]);
  assert.equal(
    once(({ seed }) => seed),
    [1, 2],
  );
  assert.equal(once(({ set, order }) => `${set} ${order}`).slice(0, 3), [
    "rings shuffled",
    "scene-20 time",
    "scene-20 shuffled",
  ]);
  assert.equal(
    runs.filter(({ entrant, seed }) => entrant.name === "last" && seed === 1).map(({ budget }) => budget),
    [null, null, null],
  );
  const varied = runs.filter(({ entrant }) => entrant.gridOf !== undefined);
  assert.ok(varied.length > 0);
  assert.ok(varied.every(({ budget }) => budget === 16));
});

test("a generated stream follows from its seed, has its classes, and one that is longer begins like it", () => {
  for (const stream of GENERATED) {
    const short = generate(stream, 2, 200);
    const long = generate(stream, 2, 400);
    assert.equal(long.rows.subarray(0, short.rows.length), short.rows, stream.name);
    assert.equal(long.labels.subarray(0, 200), short.labels);
    assert.is.not(generate(stream, 3, 200).rows[0], short.rows[0]);
    assert.is(new Set(long.labels).size, stream.name === "islands" ? 4 : 2);
    assert.ok(long.rows.every((value) => Number.isFinite(value)));
  }
});

test("a budget that a learner refuses is left out, and so is a table found beside the known ones whose labels are no classes", async () => {
  const data = file("found", "");
  rmSync(data);
  mkdirSync(join(data, "own"), { recursive: true });
  writeFileSync(join(data, "numbers.csv"), "1,0.5\n2,0.25\n3,0.125\n4,7.5\n");
  const rows = Array.from({ length: 60 }, (_, i) => `${i % 3 === 0 ? 1 : -1} 1:${i % 3}\n`).join("");
  writeFileSync(join(data, "own/train.libsvm"), rows);
  writeFileSync(join(data, "own/test.libsvm"), "1 1:1\n");
  writeFileSync(join(data, "sorted.csv"), `${"1,0\n".repeat(50)}${"2,1\n".repeat(50)}`);
  const { sets, leftOut } = await chosenSets({ data, files: [] }, { rows: 50, prefix: 5 });
  assert.is(sets[0].name, "own");
  assert.match(leftOut.find(({ of }) => of === "numbers")!.why, /its labels are numbers, not classes/);
  assert.match(leftOut.find(({ of }) => of === "sorted")!.why, /its first 50 rows have one class only/);
  assert.ok(
    leftOut.some(({ of, why }) => of.split(", ").includes("elec2") && why.includes("no file of theirs")),
  );
  const small = [...words`--data ${data} --only own --seeds 1 --delay 0 --flips 0 --prefix 5`];
  const result = await bench(...small, "--learners", "nogd,pa", "--budget", "8,32");
  assert.match(result.leftOut[0].why, /^nogd: option rank/);
  assert.equal(
    result.cells.map(({ standings }: Json) => standings.length),
    [3, 4, 3, 4],
  );
});

test("the cost of wrong labels with known rates stands beside its goal, for each kind of set", async () => {
  const csv = file(
    "line.csv",
    Array.from({ length: 300 }, (_, i) => `${(i * 37) % 101},${(i * 37) % 101 > 50}\n`).join(""),
  );
  const both = [...words`--learners arow,arow:sources=known --flips 0,0.3,one --delay 0 --budget 8`];
  const result = await bench(
    "--set",
    csv,
    "--only",
    "line,rings",
    ...both,
    ...words`--rows 300 --no-grid --order shuffled`,
  );
  const accuracy = (set: string, flips: Flips, name: string) =>
    result.cells
      .find((cell: Json) => cell.set === set && cell.flips === flips)
      .standings.find(({ entrant }: Json) => entrant === name).balancedAccuracy.mean;
  for (const [kind, set, most] of [
    ["generated", "rings", 0.02],
    ["recorded", "line", 0.04],
  ] as const) {
    const { figure, met } = result.goals.find(({ of }: Json) => of === `arow:sources=known, ${kind} sets`);
    const costs = ([0.3, "one"] as const).map(
      (flips) => accuracy(set, 0, "arow") - accuracy(set, flips, "arow:sources=known"),
    );
    const kept = costs.filter((cost) => cost <= most).length;
    assert.ok(
      figure.startsWith(`${kept} of 2 cells; at most ${Math.max(...costs).toFixed(4)} (${set}, `),
      figure,
    );
    assert.is(met, kept === 2);
  }
});

test("with sources=known a learner gets the rates at which labels are wrong, of all or of one class", async () => {
  const performer = new Performer({ sources: { files: [] }, rows: 600, scale: "none", loss: 0, prefix: 0 });
  const on = { set: "rings", budget: null, delay: 0, order: "time", seed: 1 } as const;
  const stateHashAt = async (name: string, flips: Flips) =>
    (await performer.perform({ ...on, flips, entrant: parseEntrant(name) })).stateHash;
  const rates = (sources: FlipRates[]): Entrant => ({ ...parseEntrant("arow"), options: { sources } });
  for (const [flips, sources] of [
    [0.3, [[0.3, 0.3]]],
    ["one", [[0.4, 0]]],
  ] as [Flips, FlipRates[]][]) {
    const told = await performer.perform({ ...on, flips, entrant: rates(sources) });
    assert.is(await stateHashAt("arow:sources=known", flips), told.stateHash);
    assert.is.not(await stateHashAt("arow", flips), told.stateHash);
  }
});

test.run();
