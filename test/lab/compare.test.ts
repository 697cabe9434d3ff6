import { test } from "uvu";
import * as assert from "uvu/assert";
import type { ComparedFigure, ComparedLearner, Comparison } from "../../lab/comparison/comparison.ts";
import { comparisonText } from "../../lab/comparison/text.ts";
import { refusesHere, runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";
import { network } from "../host-sim/results.ts";

const write = temporaryFolder();
const COLUMNS =
  "point,labels.loss,task,kind,learner,options,seed,run,node,error,balancedAccuracy,stateHash,nodeHash";

interface Line {
  readonly loss?: number;
  readonly seed?: number;
  readonly node?: string;
  readonly error?: number | string;
}

/** A line of a sweep's table; its states are named by its error. */
function line(learner: string, { loss = 0, seed = 1, node = "n1", error = "" }: Line): string {
  return `0,${loss},presence,classification,${learner},{},${seed},r,${node},${error},,s${error},n${error}`;
}

const csv = (name: string, lines: readonly string[]) => write(name, `${[COLUMNS, ...lines].join("\n")}\n`);
const compared = (...files: string[]): Promise<Comparison> =>
  runJsonHere("motelearn.compare/1", "compare", ...files);
const errorFigure = ({ learners }: Comparison, place = 0) =>
  learners[place].figures.find(({ figure }) => figure === "error") as ComparedFigure;

const near = (got: number | null, wanted: number) =>
  assert.ok(Math.abs((got ?? Number.NaN) - wanted) < 1e-6, `${got}, not ${wanted}`);

/** Seeds 1 to 3, two nodes each; B differs by these. */
function sweeps(differences: readonly number[]): [string, string] {
  const lines = (by: readonly number[]) =>
    [1, 2, 3].flatMap((seed, i) =>
      ["n1", "n2"].map((node, n) =>
        line("pa", { seed, node, error: Number((0.1 * seed + 0.05 * n + by[i]).toFixed(9)) }),
      ),
    );
  return [csv("a.csv", lines([0, 0, 0])), csv("b.csv", lines(differences))];
}

test("two sweeps: differences are paired over seeds, with Student's interval", async () => {
  const spread = await compared(...sweeps([0.1, 0.2, 0.3]));
  assert.is(spread.learners[0].paired, "seeds");
  const { a, b, difference, equal } = errorFigure(spread);
  near(a, 0.225);
  near(b, 0.425);
  near(difference.mean, 0.2);
  near(difference.low, 0.2 - 0.248413771); // t(2) 4.302653, standard error 0.1 / sqrt(3)
  near(difference.high, 0.2 + 0.248413771);
  assert.equal([difference.count, difference.shown, equal], [3, false, false]);
  const close = await compared(...sweeps([0.1, 0.11, 0.12]));
  assert.ok(errorFigure(close).difference.shown);
});

test("seeds draw if figures differ, even where no node's state does", async () => {
  const named = (path: string) =>
    csv(
      path,
      [1, 2, 3].flatMap((seed) =>
        ["n1", "n2"].map((node) => line("coin", { seed, node, error: seed / 10 }).replace(/,n[\d.]+$/, ",n")),
      ),
    );
  assert.is((await compared(named("a.csv"), named("b.csv"))).learners[0].paired, "seeds");
});

test("seeds that repeat one run aren't pairs: nodes are, and one node has no interval", async () => {
  const repeated = (name: string, by: number, nodes: readonly string[]) => {
    const rows = (seed: number) =>
      nodes.map((node, n) => line("pa", { seed, node, error: 0.1 + (1 + n) * by }));
    return csv(name, [1, 2, 3].flatMap(rows));
  };
  const two = await compared(repeated("r1.csv", 0, ["n1", "n2"]), repeated("r2.csv", 0.1, ["n1", "n2"]));
  assert.is(two.learners[0].paired, "nodes");
  assert.is(errorFigure(two).difference.count, 2);
  const one = await compared(repeated("r3.csv", 0, ["n1"]), repeated("r4.csv", 0.1, ["n1"]));
  const { mean, count, low, shown } = errorFigure(one).difference;
  near(mean, 0.1);
  assert.equal([count, low, shown], [1, null, false]);
});

test("on a terminal of 80 columns no line of the text is wider, and nothing is left out", async () => {
  const text = comparisonText(await compared(...sweeps([0.1, 0.2, 0.3])), 80);
  assert.equal(
    text.split("\n").filter((each) => each.length > 80 && !each.startsWith("A ") && !each.startsWith("B ")),
    [],
  );
  assert.match(
    text,
    /^pa\n {2}error +0\.2250 +0\.4250 +\+0\.2000 \[-0\.0484, \+0\.4484\] +no difference shown$/m,
  );
  assert.match(text, /^pa: paired over 3 seeds; states equal: 0 of 6$/m);
});

test("the text says no difference shown, or which is better, and whether states are equal", async () => {
  const text = async (differences: readonly number[]) =>
    (await runHere(["compare", ...sweeps(differences)])).stdout;
  assert.match(await text([0.1, 0.2, 0.3]), /pa +error +0\.2250 +0\.4250 +\+0\.2000 \[-0\.0484, \+0\.4484\]/);
  assert.match(await text([0.1, 0.2, 0.3]), /no difference shown +3 seeds +0 of 6\n/);
  assert.match(await text([0.1, 0.11, 0.12]), /B is worse +3 seeds/);
  assert.match(await text([-0.01, -0.011, -0.012]), /B is better +3 seeds/);
  assert.match(await text([0, 0, 0]), /equal +3 seeds +6 of 6\n/);
  assert.match(await text([0, 0, 0.2]), / 4 of 6\n/);
});

test("rows belong together by the values of swept keys, whatever their order; what has no partner is counted", async () => {
  const a = [0, 0.3].map((loss) => line("pa", { loss, error: loss }));
  const b = [0.3, 0.5, 0].map((loss) => line("pa", { loss, error: loss }));
  const comparison = await compared(
    csv("a.csv", [...a, line("arow", { error: 0.4 })]),
    csv("b.csv", [...b, line("olk-c", { error: 0.4 })]),
  );
  assert.ok(errorFigure(comparison).equal);
  assert.equal(comparison.learners[0].states, { count: 2, equal: 2, nodesEqual: 2 });
  assert.equal([comparison.a.left, comparison.b.left], [1, 2]);
  assert.equal(comparison.a.only, [{ task: "presence", learner: "arow" }]);
  assert.equal(comparison.b.only, [{ task: "presence", learner: "olk-c" }]);
});

test("a figure counts where both files define it; one pair has no interval", async () => {
  const a = [0.2, "", 0.4].map((error, n) => line("pa", { node: `n${n}`, error }));
  const b = [0.3, 0.9, ""].map((error, n) => line("pa", { node: `n${n}`, error }));
  const { difference } = errorFigure(await compared(csv("a.csv", a), csv("b.csv", b)));
  near(difference.mean, 0.1);
  assert.equal([difference.count, difference.low, difference.shown], [1, null, false]);
  assert.match(
    (await runHere(["compare", ...["a.csv", "b.csv"].map((name, i) => csv(name, [a, b][i]))])).stdout,
    /one pair: no interval +1 node /,
  );
});

test("runs of other seeds are paired over nodes, and their states aren't compared", async () => {
  const nodes = (seed: number, by: number) =>
    ["n1", "n2", "n3"].map((node, n) => line("pa", { seed, node, error: 0.1 * n + by * (n + 1) }));
  const comparison = await compared(csv("a.csv", nodes(1, 0)), csv("b.csv", nodes(2, 0.01)));
  assert.is(comparison.learners[0].paired, "nodes");
  assert.is(errorFigure(comparison).difference.count, 3);
  near(errorFigure(comparison).difference.mean, 0.02);
  assert.is(comparison.learners[0].states.count, 0);
  assert.is(comparison.a.left, 0);
});

test("a table is the same in CSV and NDJSON, and rows of --decompose are left out", async () => {
  const [a, b] = sweeps([0.1, 0.2, 0.3]);
  const names = COLUMNS.split(",");
  const rows = [1, 2, 3].flatMap((seed) => ["n1", "n2"].map((node, n) => ({ seed, node, n })));
  const objects = rows.map(({ seed, node, n }) => {
    const values = line("pa", { seed, node, error: 0.1 * seed + 0.05 * n + 0.1 * seed }).split(",");
    return Object.fromEntries(
      names.map((name, i) => [name, name === "error" ? Number(values[i]) : values[i]]),
    );
  });
  const parts = objects.map((each) => ({ ...each, without: "delay", error: 1 }));
  const ndjson = [...objects, ...parts].map((each) => JSON.stringify(each)).join("\n");
  const [one, other] = [await compared(a, b), await compared(a, write("b.ndjson", ndjson))];
  near(errorFigure(other).difference.mean, errorFigure(one).difference.mean);
  near(errorFigure(other).difference.low, errorFigure(one).difference.low ?? Number.NaN);
  assert.is(other.b.rows, 6);
});

test("two results of simulate: a learner a task, two of one name apart, and a file like the other is equal", async () => {
  const result = network({ names: ["pa", "pa"] });
  const file = write("run.json", JSON.stringify(result, null, 2));
  const { a, learners } = await compared(file, write("compact.json", JSON.stringify(result)));
  const names = learners.map(({ task, learner }) => `${task} ${learner}`);
  assert.equal(names, ["novelty pa", "novelty pa (2)", "faults pa", "faults pa (2)"]);
  assert.equal([a.form, a.rows, a.left], ["simulate", 16, 0]);
  for (const { paired, figures, states } of learners as ComparedLearner[]) {
    assert.is(paired, "nodes");
    assert.ok(figures.length === 3 && figures.every(({ equal }) => equal));
    assert.equal(states, { count: 4, equal: 4, nodesEqual: 4 });
  }
  const novelty = learners[0].figures.find(({ figure }) => figure === "auc");
  assert.is(novelty?.difference.count, 2, "two nodes have no event in it");
});

test("names from a file reach the terminal as escapes", async () => {
  const rows = [line("\u001b[2Jpa", { error: 0.1 })];
  const { stdout } = await runHere(["compare", csv("a.csv", rows), csv("b.csv", rows)]);
  assert.ok(stdout.includes("\\x1b[2Jpa"));
  assert.not.ok(stdout.includes("\u001b"));
});

test("what can't be compared is refused in one line", async () => {
  const good = csv("good.csv", [line("pa", { error: 0.1 })]);
  const bad: [string, string, ...string[]][] = [
    ["empty.csv", "", "nothing in it"],
    ["head.csv", `${COLUMNS}\n`, "no results in it"],
    ["curves.csv", "point,task,learner,seed,run,sample,error\n", "no column node"],
    ["short.csv", `${COLUMNS}\n1,2,3\n`, "short.csv:2: 3 fields where the first line has 13"],
    ["word.csv", `${COLUMNS}\n${line("pa", { error: "x" })}\n`, "word.csv:2", "column error", "x"],
    ["seed.csv", `${COLUMNS}\n${line("pa", { seed: 0.5, error: 1 })}\n`, "seed must be a whole number"],
    ["row.ndjson", '{"task":"t","learner":"pa","seed":1}\n', "row.ndjson:1: no node"],
    ["rows.ndjson", '{"task":"t","learner":"pa","seed":1,"node":"n"}\n[]\n', "rows.ndjson:2: no object"],
    ["broken.json", "{\n", "broken.json: not JSON"],
    ["bundle.json", '{"schema":"motelearn.sweep-bundle/1"}', "it is motelearn.sweep-bundle/1", "sweep"],
    ["other.json", '{"schema":"motelearn.simulate/1","seed":1,"nodes":[{"node":"n"}]}', "nodes[0].learners"],
    ["none.json", '{"schema":"motelearn.simulate/1","seed":1,"nodes":[]}', "no results in it"],
    ["table.parquet", "PAR1....", "Parquet isn't read"],
    [
      "pegasos.csv",
      `${COLUMNS}\n${line("pegasos", {})}\n`,
      "no learner of a task in common",
      "presence pegasos",
    ],
    ["elsewhere.csv", `${COLUMNS}\n${line("pa", { node: "n9" })}\n`, "no node at one point with both"],
  ];
  for (const [name, text, ...says] of bad) await refusesHere(["compare", good, write(name, text)], ...says);
  await refusesHere(["compare", good, "no-such.csv"], "no-such.csv");
  await refusesHere(["compare", good], "missing required argument 'B'");
});

test.run();
