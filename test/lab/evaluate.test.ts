import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { refusesHere, runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";
import { board } from "../learn/width-finders.ts";
import { words } from "../words.ts";
import { easyCsv } from "./easy-csv.ts";

const file = temporaryFolder();
const SCHEMA = "motelearn.evaluate/1";

const two = file("two.csv", easyCsv("classification", 200, 1));
const twoTest = file("two-test.csv", easyCsv("classification", 80, 2));
const three = file(
  "three.csv",
  `a,b,kind\n${easyCsv("multiclass", 240, 1, (y) => ["ant", "bee", "cow"][y])}`,
);
const threeTest = file(
  "three-test.csv",
  `a,b,kind\n${easyCsv("multiclass", 90, 2, (y) => ["ant", "bee", "cow"][y])}`,
);
const numbers = file("numbers.csv", easyCsv("regression", 200, 1));
const numbersTest = file("numbers-test.csv", easyCsv("regression", 80, 2));
const novelty = file(
  "novelty.csv",
  easyCsv("novelty", 300, 1, (y) => (y < 0 ? "odd" : "normal")),
);

test("a KRLS that discards warns where its dictionary is full, as it learns nothing more", async () => {
  const full = ["evaluate", "--learner", "krls-ald-discard", "--train", numbers, "--budget", "2"];
  assert.match(
    (await runHere(full)).stdout,
    /warning +full: it learned nothing from \d+ samples; give a larger budget/,
  );
  assert.not.match((await runHere([...full.slice(0, -1), "200"])).stdout, /warning/);
  const other = ["evaluate", "--learner", "krls-ald", "--train", numbers, "--budget", "2"];
  assert.not.match((await runHere(other)).stdout, /warning/);
});

test("two classes: errors as fractions, trivial predictors beside them, bytes as planned", async () => {
  const args = ["--learner", "olk-c", "--train", two, "--test", twoTest, "--budget", "16"];
  const result = await runJsonHere(SCHEMA, "evaluate", ...args);
  assert.is(result.learner, "olk-c");
  assert.is(result.task, "classification");
  const columns = { features: ["column 1", "column 2"], label: "column 3", leftOut: [] };
  const known = { classes: 2, labels: [-1, 1], targets: [-1, 1], columns };
  assert.equal(result.train, { file: two, count: 200, dimension: 2, ...known });
  assert.equal(result.test, { file: twoTest, count: 80, columns });
  assert.equal(result.options, { budget: 16, dimension: 2 });
  assert.ok(result.testError.mean < 0.1 && result.testError.mean >= 0);
  assert.is(result.testError.sd, 0);
  assert.ok(result.cumulativeError.mean < 0.2);
  assert.ok(result.trivial.majority > 0.3 && result.trivial.last > 0.3 && result.trivial.testMajority > 0.3);
  assert.ok(result.testBalancedAccuracy.mean > 0.9);
  assert.ok(result.supportVectors.mean <= 16 && result.supportVectors.mean > 0);
  assert.is(result.counters.learned, 200);
  assert.match(result.stateHash, /^[0-9a-f]{16}$/);
  assert.is(result.repeats.length, 1);
  assert.is(result.repeats[0].stateHash, result.stateHash);
  assert.is(result.shuffle, null);
  assert.type(result.timing.seconds, "number");
  const plan = await runJsonHere(
    "motelearn.plan/1",
    ...words`plan --learner olk-c --dimension 2 --budget 16`,
  );
  assert.is(result.bytes, plan.learnerBytes);
});

test("vectors of 16 bits lie in the scaled train file's ranges, and decide as float32 does", async () => {
  const args = ["--learner", "olk-c", "--train", two, "--scale", "minmax"];
  const short = await runJsonHere(SCHEMA, "evaluate", ...args, "--options", '{"storage":"q15"}');
  assert.equal(short.options.ranges, [
    [-1, 1],
    [-1, 1],
  ]);
  const { cumulativeError, stateHash } = await runJsonHere(SCHEMA, "evaluate", ...args);
  assert.ok(Math.abs(short.cumulativeError.mean - cumulativeError.mean) <= 0.01);
  assert.is.not(short.stateHash, stateHash);
});

test("three classes: by the learner itself where it can, else one-vs-all", async () => {
  for (const [learner, used] of [
    ["olk-c", "ova:olk-c"],
    ["lol", "lol"],
  ]) {
    const result = await runJsonHere(
      SCHEMA,
      ...words`evaluate --learner ${learner} --train ${three} --test ${threeTest}`,
    );
    assert.is(result.learner, used);
    assert.is(result.train.classes, 3);
    assert.equal(result.train.labels, ["ant", "bee", "cow"]);
    assert.is(result.options.classes, 3);
    assert.ok(result.testError.mean < 0.3, `${learner}: ${result.testError.mean}`);
  }
});

test("regression: testMse in place of testError", async () => {
  const result = await runJsonHere(
    SCHEMA,
    ...words`evaluate --learner qklms --train ${numbers} --test ${numbersTest}`,
  );
  assert.ok(result.testMse.mean < 0.5 * result.trivial.testMajority);
  assert.ok(result.cumulativeMse.mean < result.trivial.majority && result.trivial.last > 0);
  assert.is(result.testError, undefined);
  assert.is(result.train.classes, null);
});

test("how labels are read is refused of a learner that reads them otherwise", async () => {
  await refusesHere(
    words`evaluate --learner pa --train ${two} --novel 1`,
    "--novel: goes with a learner for novelty; pa is for classification",
  );
  await refusesHere(
    words`evaluate --learner rls --train ${numbers} --classes a,b`,
    "--classes: goes with a learner of classes; rls is for regression",
  );
});

test("novelty: the label of a novelty is --novel's, or the rarer one", async () => {
  const rare = await runJsonHere(SCHEMA, "evaluate", "--learner", "olk-n", "--train", novelty);
  const told = await runJsonHere(SCHEMA, ...words`evaluate --learner olk-n --train ${novelty} --novel odd`);
  assert.is(rare.stateHash, told.stateHash);
  assert.ok(rare.counters.passed > 0);
  const other = await runJsonHere(
    SCHEMA,
    ...words`evaluate --learner olk-n --train ${novelty} --novel normal`,
  );
  assert.is.not(other.stateHash, told.stateHash);
});

test("each class by its name: its samples, and how many of them were found", async () => {
  const rare = file(
    "rare.csv",
    `a,kind\n${Array.from({ length: 200 }, (_, t) => (t % 20 === 19 ? `${t % 40},alarm` : `${t % 7},ok`)).join("\n")}\n`,
  );
  const args = ["evaluate", "--learner", "pa", "--train", rare, "--test", rare];
  const result = await runJsonHere(SCHEMA, ...args);
  const [alarm, ok] = result.cumulativeRecalls;
  assert.equal([alarm.label, alarm.samples, ok.label, ok.samples], ["alarm", 10, "ok", 190]);
  assert.is((alarm.recall.mean + ok.recall.mean) / 2, result.cumulativeBalancedAccuracy.mean);
  const wrong = (1 - alarm.recall.mean) * 10 + (1 - ok.recall.mean) * 190;
  assert.ok(Math.abs(wrong / 200 - result.cumulativeError.mean) < 1e-12);
  assert.is(result.testRecalls.length, 2);
  const { stdout } = await runHere(args);
  assert.match(
    stdout,
    /balanced accuracy.*\n +class alarm +[\d.]+ % of 10 samples\n +class ok +[\d.]+ % of 190 samples\n/,
  );
  const ten = file(
    "ten.csv",
    `a,kind\n${Array.from({ length: 60 }, (_, t) => `${t % 10},k${t % 10}`).join("\n")}\n`,
  );
  const many = await runHere(["evaluate", "--learner", "pa", "--train", ten]);
  assert.is(many.stdout.match(/ class k\d .* of 6 samples/g)?.length, 8);
  assert.match(many.stdout, /classes found more often +2, in --json/);
  const detector = ["evaluate", "--learner", "olk-n", "--train", novelty];
  const detected = await runJsonHere(SCHEMA, ...detector);
  assert.equal(
    detected.cumulativeRecalls.map(({ label }: { label: string }) => label),
    ["ordinary", "novelty"],
  );
  assert.is(detected.testRecalls, null);
});

test("label -1 is the novelty, also where a file has no other", async () => {
  const alone = file("alone.csv", "0.1,0.2,-1\n0.3,0.1,-1\n");
  const { cumulativeRecalls } = await runJsonHere(
    SCHEMA,
    ...words`evaluate --learner robust-z --train ${alone}`,
  );
  assert.equal(
    cumulativeRecalls.map(({ samples }: { samples: number }) => samples),
    [0, 2],
  );
});

test("two runs are byte-identical but for timing", async () => {
  const args = [...words`evaluate --learner lol --train ${three} --test ${threeTest} --repeat 3 --json`];
  const [one, other] = [await runHere(args), await runHere(args)].map(({ stdout }) =>
    stdout.replace(/"timing": \{[^}]*\}/, ""),
  );
  assert.is(one, other);
});

test("repeats shuffle with seeds that follow each other, and give mean and deviation", async () => {
  const repeated = await runJsonHere(
    SCHEMA,
    ...words`evaluate --learner pa --train ${two} --test ${twoTest} --shuffle 5 --repeat 3`,
  );
  assert.equal(
    repeated.repeats.map((pass: { seed: number }) => pass.seed),
    [5, 6, 7],
  );
  const alone = await runJsonHere(
    SCHEMA,
    ...words`evaluate --learner pa --train ${two} --test ${twoTest} --shuffle 7`,
  );
  assert.is(alone.stateHash, repeated.stateHash);
  const errors: number[] = repeated.repeats.map((pass: { cumulativeError: number }) => pass.cumulativeError);
  const mean = errors.reduce((sum, error) => sum + error, 0) / 3;
  assert.ok(Math.abs(repeated.cumulativeError.mean - mean) < 1e-12);
  const sd = Math.sqrt(errors.reduce((sum, error) => sum + (error - mean) ** 2, 0) / 2);
  assert.ok(Math.abs(repeated.cumulativeError.sd - sd) < 1e-12);
  const unsaid = await runJsonHere(SCHEMA, "evaluate", "--learner", "pa", "--train", two, "--repeat", "2");
  assert.is(unsaid.shuffle, 1, "repeats without a seed shuffle from seed 1");
});

test("scaling is fitted to train and applied to test", async () => {
  const train = file("scale-train.csv", "0,1,5\n10,2,7\n5,3,6\n");
  const widened = file("scale-test.csv", "20,2,9\n");
  const same = file("scaled-train.csv", "-1,-1,5\n1,0,7\n0,1,6\n");
  const sameTest = file("scaled-test.csv", "3,0,9\n");
  const scaled = await runJsonHere(
    SCHEMA,
    ...words`evaluate --learner olk-r --train ${train} --test ${widened} --scale minmax`,
  );
  const plain = await runJsonHere(
    SCHEMA,
    ...words`evaluate --learner olk-r --train ${same} --test ${sameTest} --scale none`,
  );
  assert.is(scaled.stateHash, plain.stateHash);
  assert.equal(scaled.testMse, plain.testMse);
  const standard = await runJsonHere(
    SCHEMA,
    ...words`evaluate --learner olk-r --train ${train} --scale standard`,
  );
  assert.is.not(standard.stateHash, plain.stateHash);
});

test("by default features are standardised as a node's, sample by sample, so that a simulated node learns the same", async () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `${20 + (i % 7)},${500 + ((i * 37) % 90)},${i % 3 === 0 ? 1 : -1}`,
  );
  const train = file("node-scale.csv", rows.join("\n"));
  const evaluated = await runJsonHere(SCHEMA, "evaluate", "--learner", "olk-c", "--train", train);
  const scenario = {
    schema: "motelearn.scenario/1",
    stream: { type: "files", files: [{ node: "n1", path: train }] },
    tasks: [{ name: "t", task: "classification", learners: [{ learner: "olk-c" }] }],
  };
  const path = file("node-scale.json", JSON.stringify(scenario));
  const report = join(dirname(path), "reports");
  const simulated = await runJsonHere(
    "motelearn.simulate/1",
    ...words`simulate ${path} --threads 1 --report ${report}`,
  );
  const [{ learners }] = simulated.nodes;
  assert.is(learners[0].stateHash, evaluated.stateHash);
  const plain = await runJsonHere(SCHEMA, ...words`evaluate --learner olk-c --train ${train} --scale none`);
  assert.is.not(plain.stateHash, evaluated.stateHash);
});

/** What a learner of a scenario's only node comes to. */
async function simulated(path: string) {
  const report = join(dirname(path), "reports");
  const args = ["simulate", path, "--threads", "1", "--report", report];
  return (await runJsonHere("motelearn.simulate/1", ...args)).nodes[0].learners;
}

/** 240 samples of two classes that last 20 samples each. */
const lasting = file(
  "lasting.csv",
  Array.from({ length: 240 }, (_, i) => {
    const y = i % 40 < 20 ? 1 : -1;
    return `${(y + 3 * Math.sin(7.1 * i)).toFixed(3)},${Math.cos(3.3 * i).toFixed(3)},${y}\n`;
  }).join(""),
);

test("with labels late, lost and wrong the figures are those of simulate, learner and trivial predictors alike", async () => {
  const learners = ["auto", "olk-c", "pa"];
  const cases = [
    { labels: { delayMean: 30 }, flags: ["--delay", "30"] },
    {
      labels: { delayMean: 5, round: 20, until: 190 },
      // 20 labels take longer than a period of 100 ms on a line of 115,200 baud.
      link: { baud: 10_000_000 },
      flags: ["--delay", "5", "--round", "20", "--until", "190"],
    },
    { labels: { delayMean: 9 }, node: { pending: 7 }, flags: ["--delay", "9", "--pending", "7"] },
    {
      labels: { delayMean: 20, delaySpread: 12, loss: 0.2, noise: { symmetric: { rate: 0.2 } } },
      node: { pending: 24 },
    },
  ];
  for (const [i, { labels, node = {}, link = {}, flags }] of cases.entries()) {
    const scenario = {
      ...{ schema: "motelearn.scenario/1", seed: 4, labels, node, link },
      stream: { type: "files", files: [{ node: "n1", path: lasting }] },
      tasks: [{ name: "t", task: "classification", learners: learners.map((learner) => ({ learner })) }],
    };
    const path = file(`late-${i}.json`, JSON.stringify(scenario));
    const results = await simulated(path);
    for (const [k, learner] of learners.entries()) {
      const how = flags ?? ["--scenario", path];
      const got = await runJsonHere(SCHEMA, "evaluate", "--learner", learner, "--train", lasting, ...how);
      const { metrics, trivial, stateHash, labels: fates, pending } = results[k];
      const { applied, late, lost } = got.labels;
      assert.equal(
        [got.stateHash, got.cumulativeError.mean, got.cumulativeBalancedAccuracy.mean, got.labels.pending],
        [stateHash, metrics.error, metrics.balancedAccuracy, pending.samples],
        learner,
      );
      assert.equal([applied, late, lost], [fates.applied, fates.late, fates.lost], learner);
      assert.equal(
        [got.trivial.majority, got.trivial.last],
        [trivial.majority.error, trivial.last.error],
        learner,
      );
      assert.is(late > 0, i > 1);
      assert.is(lost > 0, i === 1 || i === 3);
    }
  }
});

test("evaluate --test errs as a node does that gets no more labels, which --until simulates", async () => {
  const [first, rest] = [
    readFileSync(lasting, "utf8").split("\n").slice(0, 160),
    readFileSync(lasting, "utf8").split("\n").slice(160),
  ];
  const [train, tested] = [file("first.csv", first.join("\n")), file("rest.csv", rest.join("\n"))];
  for (const learner of ["auto", "rls-hmm", "pa"]) {
    const run = ["evaluate", "--learner", learner, "--scale", "none"];
    const apart = await runJsonHere(SCHEMA, ...run, "--train", train, "--test", tested);
    const alone = await runJsonHere(SCHEMA, ...run, "--train", train);
    const whole = await runJsonHere(SCHEMA, ...run, "--train", lasting, "--until", "160");
    const wrong = 240 * whole.cumulativeError.mean - 160 * alone.cumulativeError.mean;
    assert.ok(Math.abs(80 * apart.testError.mean - wrong) < 1e-9, `${learner}: ${wrong} of 80`);
    assert.is(apart.stateHash, alone.stateHash, `${learner}: the test leaves the state as it was`);
  }
});

test("a forecast's label isn't known before its time: with --horizon the last label is that many samples old", async () => {
  const ahead = file("ahead.csv", Array.from({ length: 60 }, (_, t) => `${t % 3},${t + 5}\n`).join(""));
  const run = ["evaluate", "--learner", "qkrls", "--train", ahead];
  const leaked = await runJsonHere(SCHEMA, ...run);
  const known = await runJsonHere(SCHEMA, ...run, "--horizon", "5");
  // Label t is t + 5: the last one received by sample t is t - 1's at once, or t - 6's, whose 5 samples are over.
  const squares = (lag: number) =>
    Array.from({ length: 60 }, (_, t) => (t < lag ? t + 5 : lag) ** 2).reduce((a, b) => a + b, 0) / 60;
  assert.is(leaked.trivial.last, squares(1));
  assert.is(known.trivial.last, squares(6));
  const later = await runJsonHere(SCHEMA, ...run, "--horizon", "5", "--delay", "9");
  assert.is(later.trivial.last, squares(10), "a longer delay stands");
});

test("how labels come is said once, and only as the task has them", async () => {
  const scenario = file(
    "votes.json",
    JSON.stringify({
      ...{ schema: "motelearn.scenario/1", stream: { type: "scene" }, fusion: { rule: "majority" } },
      tasks: [{ name: "t", task: "classification", learners: [{ learner: "pa" }] }],
    }),
  );
  const run = ["evaluate", "--learner", "pa", "--train", lasting];
  await refusesHere([...run, "--scenario", scenario], "fusion.rule majority", "only simulate has");
  await refusesHere([...run, "--scenario", scenario, "--delay", "3"], "leave out --delay or --scenario");
  await refusesHere([...run, "--wrong", "2"], "Takes a number 0..1");
  const numbers = file("plain.csv", "1,0.5\n2,1.5\n3,2.5\n");
  const regression = ["evaluate", "--learner", "qkrls", "--train", numbers, "--wrong", "0.1"];
  await refusesHere(regression, "--wrong: a regression's labels have no classes");
});

test("a CSV's columns and label are chosen by name or number", async () => {
  const table = file("table.csv", "id,t,h,busy\n1,0.5,1,no\n2,0.25,0,yes\n3,0.75,1,no\n");
  const byName = await runJsonHere(
    SCHEMA,
    ...words`evaluate --learner pa --train ${table} --columns t,h --label busy`,
  );
  const byNumber = await runJsonHere(
    SCHEMA,
    ...words`evaluate --learner pa --train ${table} --columns 2-3 --label 4 --header`,
  );
  assert.is(byName.stateHash, byNumber.stateHash);
  assert.is(byName.train.dimension, 2);
});

test("the text names the figures", async () => {
  const { code, stdout, stderr } = await runHere([
    ...words`evaluate --learner olk-c --train ${two} --test ${twoTest} --repeat 2`,
  ]);
  assert.is(code, 0);
  assert.is(stderr, "");
  for (const name of [
    "test error",
    "majority of the labels so far",
    "last label",
    "support vectors",
    "state hash",
    "+-",
    "bytes",
  ]) {
    assert.ok(stdout.includes(name), `${name} in ${stdout}`);
  }
  assert.ok(
    stdout.split("\n").every((line) => line.length <= 100 || line.includes("/")),
    "readable at 100 columns",
  );
});

test("a length of steps that follows from the errors is printed, as the option that would set it", async () => {
  const printed = async (learner: string, data: string, ...more: string[]) => {
    const { code, stdout } = await runHere(["evaluate", "--learner", learner, "--train", data, ...more]);
    assert.is(code, 0);
    return / {2}((?:C|eta) of the last pass, from the errors) +(.*)/.exec(stdout)?.slice(1).join(": ");
  };
  assert.match((await printed("pa", two)) ?? "", /^C of the last pass, from the errors: \d[\d.]* \/ d$/);
  assert.match((await printed("fogd", two)) ?? "", /^eta of the last pass, from the errors: \d[\d.]* \/ D$/);
  assert.match((await printed("ova:olk-c", three, "--header")) ?? "", /errors: \d[\d.]*( to \d[\d.]*)?$/);
  assert.is(await printed("olk-c", two, "--options", '{"C":0.4}'), undefined);
  assert.is(await printed("arow", two), undefined);
  const { bounds, cumulativeError } = await runJsonHere(
    SCHEMA,
    ...words`evaluate --learner olk-c --train ${two} --scale none`,
  );
  assert.equal([bounds.option, bounds.per, bounds.values.length], ["C", "", 1]);
  // 200 labels and the next, which is right.
  const errors = 200 * cumulativeError.mean;
  assert.ok(errors > 0 && Math.abs(bounds.values[0] - (0.05 * (201 + 16)) / (errors + 2.4)) < 1e-6);
});

test("a width that is found from the data is printed", async () => {
  const kernel = '{"kernel":{"type":"gaussian","width":"auto"}}';
  const args = ["evaluate", "--learner", "olk-c", "--train"];
  const { code, stdout } = await runHere([...args, two]);
  assert.is(code, 0);
  assert.match(stdout, /kernel width.* \d\.\d+, half the inputs' median distance/);
  const corrected = await runHere([...args, two, "--options", '{"sources":[[0.1,0.1]]}']);
  assert.match(corrected.stdout, /kernel width.* \d\.\d+, 0\.\d+ times the inputs' median distance/);
  const fields = board(2000, 4).map(({ x, y }) => [...x, y].join());
  const narrowed = await runHere([...args, file("board.csv", `${fields.join("\n")}\n`)]);
  assert.match(
    narrowed.stdout,
    /kernel width.* \d\.\d+, (a quarter of|0\.125 times) the inputs' median distance/,
  );
  const several = await runJsonHere(SCHEMA, ...args, three, "--header");
  assert.is(several.widths.length, 3);
  const file1 = file("one-input.csv", "1,1,-1\n1,1,1\n1,1,-1\n");
  assert.match((await runHere([...args, file1])).stdout, /kernel width.*not found/);
  const drawn = await runHere(["evaluate", "--learner", "fogd", "--options", kernel, "--train", two]);
  assert.match(drawn.stdout, /kernel width.* \d\.\d+/);
});

/** An easy file; some rows lack a reading. */
const lines = easyCsv("classification", 200, 1).trim().split("\n");
const isWhole = (t: number) => t % 5 !== 2 && t % 9 !== 4;
const lacksFirst = (line: string, word: string) => line.replace(/^[^,]*/, word);
const gaps = file(
  "gaps.csv",
  lines.map((line, t) => (isWhole(t) ? line : lacksFirst(line, "NA"))).join("\n"),
);
const ROWS = lines.filter((_, t) => !isWhole(t)).length;

test("--missing: skip is the file without such rows, hold the file with the last readings; both are counted", async () => {
  const without = file("without.csv", lines.filter((_, t) => isWhole(t)).join("\n"));
  let last = "";
  const held = file(
    "held.csv",
    lines
      .map((line, t) => {
        if (isWhole(t)) last = line.split(",")[0];
        return lacksFirst(line, last);
      })
      .join("\n"),
  );
  const scales = ["none", "standard", "minmax"];
  for (const [how, twin, skipped] of [
    ["skip", without, ROWS],
    ["hold", held, 0],
  ] as const) {
    for (const scale of scales) {
      const args = ["--learner", "olk-c", "--scale", scale, "--shuffle", "3"];
      const result = await runJsonHere(SCHEMA, "evaluate", "--train", gaps, "--missing", how, ...args);
      const { train, stateHash, cumulativeError } = await runJsonHere(
        SCHEMA,
        "evaluate",
        "--train",
        twin,
        ...args,
      );
      assert.equal(
        [result.stateHash, result.cumulativeError],
        [stateHash, cumulativeError],
        `${how} ${scale}`,
      );
      assert.equal(result.train.missing, { how, rows: ROWS, readings: ROWS, skipped });
      assert.is(result.train.count, train.count);
    }
  }
  const args = ["evaluate", "--learner", "olk-c", "--train", gaps, "--test", gaps, "--missing", "skip"];
  const { stdout } = await runHere(args);
  assert.is(
    stdout.split(`  missing, skip: ${ROWS} rows lack ${ROWS} readings; ${ROWS} rows skipped`).length,
    3,
  );
});

test("--missing nan: the learner refuses such a sample, which counts as wrong, and learns the others as they are scaled", async () => {
  const args = ["--learner", "olk-c", "--scale", "standard", "--missing"];
  const nan = await runJsonHere(SCHEMA, "evaluate", "--train", gaps, ...args, "nan");
  assert.equal([nan.counters.refused, nan.counters.learned], [ROWS, 200 - ROWS]);
  assert.equal(nan.train.missing, { how: "nan", rows: ROWS, readings: ROWS, skipped: 0 });
  assert.ok(200 * nan.cumulativeError.mean >= ROWS);
  // Columns are scaled by the readings that are there: without the rows that lack one it is the same as skip.
  const raw = await runJsonHere(SCHEMA, ...words`evaluate --learner olk-c --train ${gaps} --missing nan`);
  const skip = await runJsonHere(SCHEMA, ...words`evaluate --learner olk-c --train ${gaps} --missing skip`);
  assert.is(raw.stateHash, skip.stateHash);
  assert.is(
    Math.round(200 * raw.cumulativeError.mean),
    Math.round((200 - ROWS) * skip.cumulativeError.mean) + ROWS,
  );
  const short = ["--learner", "olk-c", "--train", gaps, "--missing", "nan", "--options", '{"storage":"q15"}'];
  const { options } = await runJsonHere(SCHEMA, "evaluate", ...short);
  assert.ok(options.ranges.flat().every(Number.isFinite));
});

test("a row that lacks a reading is refused, and the line says what takes it", async () => {
  const args = ["evaluate", "--learner", "olk-c", "--train", gaps];
  await refusesHere(args, 'gaps.csv:3: column 1 is "NA", not a number; --missing', "skip, hold or nan");
  await refusesHere([...args, "--missing", "drop"], "--missing", "refuse, skip, hold, nan");
  const large = file("large.csv", "1,2,a\n3,1e39,b\n");
  const line = "large.csv:2: column 2: 1e39 is beyond float32 (at most 3.4028235e38)";
  await refusesHere(["evaluate", "--learner", "olk-c", "--train", large, "--missing", "skip"], line);
});

test.run();
