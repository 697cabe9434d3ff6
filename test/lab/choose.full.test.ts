import { execSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import * as assert from "uvu/assert";
import { easyStream } from "../../host-sim/conformance/easy-streams.ts";
import { paretoFront } from "../../lab/choice/pareto.ts";
import { takesBudget } from "../../src/learn/family.ts";
import { FAMILIES, familyNamed } from "../../src/learn/registry.ts";
import { refusesHere, run, runHere, runJsonHere, start, temporaryFolder } from "../cli/program.ts";
import { test } from "../tools/contained.ts";
import { words } from "../words.ts";

const file = temporaryFolder();
process.setMaxListeners(64); // each run in this process has one
const SCHEMA = "motelearn.choose/2";

function csv(task: Parameters<typeof easyStream>[0], count: number, dimension = 2): string {
  return easyStream(task, dimension, count)
    .map(({ x, y }) => `${[...x].join(",")},${y}\n`)
    .join("");
}

const two = file("two.csv", csv("classification", 120));
const three = file("three.csv", csv("multiclass", 120));
const numbers = file("numbers.csv", csv("regression", 120));
const novelty = file("novelty.csv", csv("novelty", 120).replaceAll(/,0\n/g, ",1\n"));
const board = file(
  "board.csv",
  Array.from({ length: 400 }, (_, i) => [Math.sin(0.7 * i), Math.cos(1.3 * i)])
    .map(([a, b]) => `${a},${b},${a * b > 0 ? 1 : -1}\n`)
    .join(""),
);
/** Where a test isn't about all learners: of two classes and more, of numbers. */
const FEW = words`--learners arow,olk-c,auto`;
const FEW_OF_NUMBERS = words`--learners rls,qkrls,auto-r`;
const wide = file("wide.csv", csv("classification", 60, 100));

// biome-ignore lint/suspicious/noExplicitAny: a result in JSON, whose form the tests state.
type Choice = any;

test("the Pareto front holds each learner that no other beats in one figure and equals in the other", () => {
  const points = [
    [10, 0.5],
    [20, 0.3],
    [20, 0.4],
    [30, 0.3],
    [40, 0.1],
    [null, 0],
    [5, null],
    [40, 0.1],
  ].map(([cost, loss]) => ({ cost, loss }));
  assert.equal(paretoFront(points), [0, 1, 4]);
  assert.equal(paretoFront([]), []);
});

test("where no learner is ahead of repeating the last label, as in a file sorted by class, it says so", async () => {
  const lines = Array.from({ length: 120 }, (_, i) => `1,${i % 3},${i < 60 ? -1 : 1}\n`);
  const sorted = file("sorted.csv", lines.join(""));
  const told = async (...order: string[]) =>
    (await runHere(["choose", "--train", sorted, "--budgets", "8", ...FEW, ...order])).stdout;
  assert.match(await told(), /\nno learner errs less than repeating the last label does: .*--shuffle/);
  assert.not.match(await told("--shuffle", "1"), /no learner errs less/);
});

test("two classes: every classifier with every budget, best first", async () => {
  const result = await runJsonHere(SCHEMA, "choose", "--train", two, "--budgets", "16,8");
  assert.is(result.task, "classification");
  assert.is(result.measure, "error");
  const columns = { features: ["column 1", "column 2"], label: "column 3", leftOut: [] };
  const classes = { labels: [-1, 1], targets: [-1, 1] };
  assert.equal(result.train, { file: two, count: 120, dimension: 2, columns, ...classes });
  const classifiers = FAMILIES.filter(({ task }) => task === "classification");
  for (const family of classifiers) {
    const { name } = family;
    const of = (list: Choice[]) => list.filter(({ learner }) => learner === name).map(({ budget }) => budget);
    const budgets = [...new Set([...of(result.choices), ...of(result.leftOut)])].sort((a, b) => a - b);
    const sized = family.traits?.sizes ? [null] : [];
    assert.equal(budgets, takesBudget(family) ? [...sized, 8, 16] : [null], name);
  }
  const { choices, search, advice } = result;
  for (const [i, { loss, passes }] of choices.slice(1).entries()) {
    const before = choices[i];
    assert.ok(passes < before.passes || (passes === before.passes && loss.mean >= before.loss.mean));
  }
  const compared = choices.filter(({ behindBest }: Choice) => behindBest !== null);
  assert.equal([...new Set(compared.map(({ passes }: Choice) => passes))], [24, 4]);
  assert.ok(choices.every((each: Choice) => compared.includes(each) || each.passes === 1));
  assert.ok(choices[0].loss.mean < 0.1 && result.trivial.majority > 0.3);
  assert.equal(
    search.rounds.map(({ rows, passes }: Choice) => [rows, passes]),
    [
      [120, 1],
      [120, 1],
      [120, 4],
      [120, 24],
    ],
  );
  assert.is(search.cut, null);
  assert.equal([advice[0].why, advice[0].choice], ["best", 0]);
});

/** What a command prints that the result names, as a shell reads it. */
function printedBy(command: string): Choice {
  const words = command.replace(/^npx motelearn/, `${process.execPath} dist/motelearn.js`);
  return JSON.parse(execSync(`${words} --json`, { encoding: "utf8" }));
}

test("the commands that it names repeat a choice: evaluate its state, plan its bytes, simulate its task", async () => {
  const args = ["--budgets", "8", "--scale", "standard", "--target", "esp32c3"];
  for (const [data, learners] of [
    [two, FEW],
    [three, FEW],
    [numbers, FEW_OF_NUMBERS],
  ] as const) {
    const { choices, advice } = await runJsonHere(SCHEMA, "choose", "--train", data, ...args, ...learners);
    const [{ choice, plan, evaluate }] = advice;
    assert.is(printedBy(evaluate).stateHash, choices[choice].stateHash, evaluate);
    const planned = printedBy(plan.command);
    assert.is(planned.bytes, plan.bytes);
    assert.is(planned.target.time?.instructions.sample ?? null, plan.instructions);
  }
});

test("a choice that is scaled by the whole file is no node's: --node is refused, and no command flashes it", async () => {
  const args = ["choose", "--train", two, "--budgets", "8", ...FEW, "--scale"];
  for (const scale of ["minmax", "standard"]) {
    await refusesHere(
      [...args, scale, "--node", file("no.node.json", "")],
      `--node: a node standardises as it samples, or takes its features as they are; takes --scale node or none, got ${scale}`,
    );
    const { advice } = await runJsonHere(SCHEMA, ...args, scale);
    assert.ok(advice.every(({ flash }: Choice) => flash === undefined));
  }
  const { stdout } = await runHere([...args, "minmax"]);
  assert.match(stdout, /next: a node can't scale by the whole file's range; choose with --scale node/);
});

test("under late, lost and wrong labels the commands repeat the choice, and the trivial predictors receive the same labels", async () => {
  const late = ["--delay", "9", "--loss", "0.1", "--wrong", "0.2", "--pending", "12"];
  const chosen = await runJsonHere(SCHEMA, "choose", "--train", two, "--budgets", "8", ...FEW, ...late);
  const [{ choice, plan, evaluate, flash, task }] = chosen.advice;
  const evaluated = printedBy(evaluate);
  assert.is(evaluated.stateHash, chosen.choices[choice].stateHash, evaluate);
  assert.equal([evaluated.trivial.majority, evaluated.trivial.last], Object.values(chosen.trivial));
  assert.is(printedBy(plan.command).bytes, plan.bytes);
  assert.match(flash, /--pending 12 /);
  assert.is(task.labels.delayMean, 9);
  const { ahead } = chosen.verdict;
  assert.is(ahead.last, chosen.trivial.last - chosen.choices[0].loss.mean);
  const shuffled = ["choose", "--train", two, "--budgets", "8", "--shuffle", "2", "--repeat", "3"];
  const more = await runJsonHere(SCHEMA, ...shuffled, ...FEW, ...late);
  const [{ choice: place, evaluate: again }] = more.advice;
  assert.is(printedBy(again).stateHash, more.choices[place].stateHash, again);
});

/** One class in twelve, in a cloud beside the other's. */
const rare = file(
  "rare.csv",
  Array.from({ length: 360 }, (_, i) => {
    const isRare = i % 12 === 5;
    const [a, b] = [Math.sin(2.1 * i) + Math.sin(3.3 * i), Math.cos(1.7 * i) + Math.sin(4.9 * i)];
    return `${a + (isRare ? 1.2 : 0)},${b + (isRare ? 0.6 : 0)},${isRare ? "fault" : "ok"}\n`;
  }).join(""),
);

test("with --balanced errors on a rare class count alike, and the commands repeat the choice", async () => {
  const args = ["--budgets", "8", "--delay", "9", "--classes", "ok,fault", "--balanced"];
  const chosen = await runJsonHere(SCHEMA, "choose", "--train", rare, ...args);
  assert.is(chosen.measure, "balanced");
  for (const { learner, options, loss, balancedAccuracy, rows } of chosen.choices) {
    assert.is(options.balanced, true, learner);
    if (rows < chosen.train.count) continue;
    assert.ok(Math.abs(loss.mean + balancedAccuracy.mean - 1) < 1e-12, `${learner} ${loss.mean}`);
  }
  assert.ok(Math.abs(chosen.trivial.majority - 0.5) < 0.01, `${chosen.trivial.majority}`);
  const [{ choice, evaluate, plan }] = chosen.advice;
  assert.is(printedBy(evaluate).stateHash, chosen.choices[choice].stateHash, evaluate);
  assert.is(printedBy(plan.command).bytes, plan.bytes);
});

test("with --balanced three classes count alike, and no learner moves a threshold", async () => {
  const args = ["--budgets", "8", "--balanced", ...FEW];
  const { measure, choices, trivial } = await runJsonHere(SCHEMA, "choose", "--train", three, ...args);
  assert.is(measure, "balanced");
  assert.ok(choices.every(({ options }: Choice) => options.balanced === undefined));
  assert.ok(Math.abs(trivial.majority - 2 / 3) < 0.03, `${trivial.majority}`);
});

test("with --balanced a class that is named and absent changes no baseline, nor whether learners balance two", async () => {
  const args = ["--budgets", "8", "--balanced", "--learners", "pa"];
  const two = await runJsonHere(SCHEMA, "choose", "--train", rare, ...args, "--classes", "ok,fault");
  const more = await runJsonHere(SCHEMA, "choose", "--train", rare, ...args, "--classes", "ok,fault,other");
  assert.equal(more.trivial, two.trivial);
  assert.ok(more.choices.every(({ options }: Choice) => options.balanced === undefined));
});

/** Two states of a wave, which only its last readings tell apart: it alternates, or doesn't. */
const waves = Array.from({ length: 400 }, (_, i) => {
  const isFast = Math.floor(i / 50) % 2 === 1;
  return `${(isFast && i % 2 ? -1 : 1) * (Math.floor(i / 40) % 2 ? 1 : -1) + 0.1 * Math.sin(7 * i)},${isFast ? "fast" : "slow"}\n`;
});

test("windows are tried where samples follow each other, and the commands repeat such a choice", async () => {
  const wave = file("wave.csv", waves.join(""));
  const late = ["--delay", "30", "--budgets", "16", ...FEW];
  const chosen = await runJsonHere(SCHEMA, "choose", "--train", wave, ...late);
  const [{ choice, evaluate, plan, flash, task }] = chosen.advice;
  const [{ features, kept }] = chosen.search.features;
  assert.ok(kept && features.window > 0, JSON.stringify(chosen.search.features));
  assert.ok(chosen.choices[choice].features.window > 0);
  assert.is(printedBy(evaluate).stateHash, chosen.choices[choice].stateHash, evaluate);
  assert.is(printedBy(plan.command).bytes, plan.bytes, plan.command);
  assert.is(plan.bytes, chosen.choices[choice].bytes);
  assert.match(flash, / --window \d+ /);
  assert.is(task.node.window, chosen.choices[choice].features.window);
  for (const without of [["--no-features"], ["--shuffle", "1"], ["--scale", "standard"]])
    assert.is(
      (await runJsonHere(SCHEMA, "choose", "--train", wave, "--budgets", "8", ...FEW, ...without)).search
        .features,
      undefined,
    );
});

test("a raw recording becomes a sample a period, with spectra; evaluate and a saved state repeat the choice", async () => {
  const readings = Array.from({ length: 24_000 }, (_, i) => {
    const isWorn = Math.floor(i / 2400) % 2 === 1;
    const wave = Math.sin(0.3 * i) + (isWorn ? 0.5 * Math.sin(1.9 * i) : 0);
    return `${(wave + 0.3 * Math.sin(i * i)).toFixed(4)},${(0.5 * wave).toFixed(4)},${isWorn ? "worn" : "good"}\n`;
  });
  const raw = file("raw.csv", `x,y,state\n${readings.join("")}`);
  const sampling = ["--rate", "1000", "--period", "80"];
  const node = file("raw.node.json", "");
  const chosen = await runJsonHere(
    SCHEMA,
    "choose",
    "--train",
    raw,
    ...sampling,
    ...words`--delay 40 --budgets 8 --node ${node}`,
    ...FEW,
  );
  assert.equal([chosen.train.count, chosen.train.dimension, chosen.train.readings], [300, 160, 80]);
  const [{ choice, evaluate, plan, flash, project }] = chosen.advice;
  const { features, stateHash } = chosen.choices[choice];
  assert.ok(features.bands > 0 && features.burst >= 64);
  assert.ok(chosen.choices[choice].loss.mean < 0.1 && chosen.trivial.last > 0.4);
  assert.is(printedBy(evaluate).stateHash, stateHash, evaluate);
  assert.is(printedBy(plan.command).bytes, plan.bytes, plan.command);
  assert.is(flash, `npx motelearn flash --node ${node}`);
  assert.is(JSON.parse(readFileSync(node, "utf8")).burst, features.burst);
  assert.is(project, `npx motelearn init raw --node ${node} --rate 1000`);
  await refusesHere(
    ["evaluate", "--node", node, "--train", raw],
    `${raw}: 2 readings a sample (x, y); ${node} has ${2 * features.burst}; say with --rate how many rows a second it has, choose its readings with --columns, or import the file`,
  );
  const saved = file("raw-state.json", "");
  assert.is(printedBy(`${evaluate} --save ${saved}`).stateHash, stateHash);
  const { options } = JSON.parse(readFileSync(saved, "utf8"));
  assert.ok(options === undefined || options.features?.burst === features.burst);
});

test("how a raw recording is sampled: what isn't a whole number of rows is refused, and a file's description may say it", async () => {
  const raw = file("short.csv", `x,state\n${"1,a\n2,b\n".repeat(40)}`);
  const refusesRaw =
    (...args: string[]) =>
    (text: string) =>
      refusesHere(["choose", "--train", raw, ...args], text);
  await refusesRaw("--rate", "100")("short.csv: 100 rows a second; how often");
  await refusesRaw("--rate", "100", "--period", "25")("are 2.5 rows a sample; take a whole number of rows");
  await refusesRaw("--battery", "100")("Give --battery mAh and --life days");
  await refusesRaw("--battery", "100", "--life", "3")("Give --target and --period ms");
  await refusesRaw(...words`--battery 9 --life 3 --target pico --period 9`)("doesn't sleep deeply");
  await refusesHere(
    ["evaluate", "--train", raw, "--learner", "pa", "--window", "8", "--scale", "minmax"],
    "take node or none",
  );
  const description = { schema: "motelearn.data/1", rate: 100, period: 50 };
  file("short.csv.data.json", JSON.stringify(description));
  const told = await runJsonHere("motelearn.evaluate/1", "evaluate", "--train", raw, "--learner", "pa");
  assert.equal([told.train.count, told.train.dimension], [16, 5]);
});

test("vectors of 16 bits stand beside float32 on the front of bytes; the commands repeat such a choice, too", async () => {
  const { choices, ranges, search } = await runJsonHere(
    SCHEMA,
    ...words`choose --train ${board} --scale none --budgets 8,16 --learners olk-c,oskm,bsgd`,
  );
  assert.is(ranges.from, "file");
  assert.ok(search.rounds.some(({ shorter }: Choice) => shorter));
  const short = choices.filter(({ options }: Choice) => options.storage === "q15");
  for (const { learner, budget, bytes } of short) {
    const own = choices.find(
      (each: Choice) =>
        each.learner === learner && each.budget === budget && each.options.storage === undefined,
    );
    assert.ok(bytes < own.bytes, `${learner} ${budget}: ${bytes} of ${own.bytes}`);
  }
  assert.ok(short.some(({ pareto }: Choice) => pareto.bytes));
  const args = ["--budgets", "8", "--scale", "standard", "--options", '{"storage":"q15"}'];
  for (const [data, learners] of [
    [two, FEW],
    [three, FEW],
    [numbers, FEW_OF_NUMBERS],
  ] as const) {
    const result = await runJsonHere(SCHEMA, "choose", "--train", data, ...args, ...learners);
    const chosen = result.advice.find(({ choice }: Choice) => result.choices[choice].options.storage);
    if (!chosen) continue;
    assert.is(printedBy(chosen.evaluate).stateHash, result.choices[chosen.choice].stateHash);
    assert.is(printedBy(chosen.plan.command).bytes, chosen.plan.bytes);
    assert.equal(result.choices[chosen.choice].options.ranges, [[-5, 5]]);
  }
});

test("the node that it writes samples as often as the file's rows came, unless --period says otherwise", async () => {
  const rows = csv("classification", 60).trim().split("\n");
  const minutes = rows.map((row, i) => `${new Date(60_000 * i).toISOString()},${row}\n`);
  const train = file("minutes.csv", `time,a,b,label\n${minutes.join("")}`);
  await runHere(["import", train]);
  const node = file("minutes-node.json", "");
  const choosePeriod = async (...flags: string[]) => {
    await runHere(["choose", "--train", train, "--budgets", "8", "--node", node, ...FEW, ...flags]);
    return JSON.parse(readFileSync(node, "utf8")).periodMs;
  };
  assert.is(await choosePeriod(), 60_000);
  assert.is(await choosePeriod("--period", "5000"), 5000);
});

test("the task that it names ends on a simulated node in the state that the choice had", async () => {
  const { choices, advice } = await runJsonHere(SCHEMA, "choose", "--train", two, "--budgets", "8", ...FEW);
  const [{ choice, task }] = advice;
  const scenario = {
    schema: "motelearn.scenario/1",
    stream: { type: "files", files: [{ node: "two", path: two }] },
    tasks: [task],
  };
  const path = file("chosen.json", JSON.stringify(scenario));
  const reports = file("reports-of-chosen", "").replace(/-of-chosen$/, "");
  const { nodes } = await runJsonHere("motelearn.simulate/1", "simulate", path, "--report", reports);
  const [{ learners }] = nodes;
  assert.is(learners[0].stateHash, choices[choice].stateHash);
});

test("marks are the fronts of bytes and of instructions, of what was measured", async () => {
  const { choices, unmeasured } = await runJsonHere(SCHEMA, "choose", "--train", two, "--budgets", "8,16");
  for (const cost of ["bytes", "instructions"]) {
    const known = choices.filter((each: Choice) => each[cost] !== null);
    for (const one of known.filter(({ pareto }: Choice) => pareto[cost])) {
      const better = known.filter(
        (other: Choice) =>
          other[cost] <= one[cost] &&
          other.loss.mean <= one.loss.mean &&
          (other[cost] < one[cost] || other.loss.mean < one.loss.mean),
      );
      assert.equal(better, [], `${one.learner} ${one.budget} in ${cost}`);
    }
    assert.ok(known.some(({ pareto }: Choice) => pareto[cost]));
  }
  for (const { learner, options, instructions, pareto } of choices) {
    const dearer = familyNamed(learner)?.traits?.costs?.dearer?.filter((flag) => options[flag]) ?? [];
    const name = [learner, ...dearer, ...(options.storage === "q15" ? ["q15"] : [])].join("/");
    assert.is(instructions === null, unmeasured.includes(name), name);
    if (instructions === null) assert.not(pareto.instructions);
  }
});

test("neither another number of threads nor another run changes anything but timing", async () => {
  const runs: Choice[] = [];
  for (const threads of ["1", "3"]) {
    const { timing, ...rest } = await runJsonHere(
      SCHEMA,
      ...["choose", "--train", three, "--budgets", "8", "--threads", threads, "--repeat", "2", ...FEW],
    );
    assert.is(timing.threads, Number(threads));
    runs.push(rest);
  }
  assert.equal(runs[0], runs[1]);
  const ova = runs[0].choices.find(({ learner }: Choice) => learner === "ova:olk-c");
  assert.is(ova.options.classes, 3);
  assert.ok(ova.loss.sd > 0 || ova.loss.mean > 0);
});

test("rows that lack readings: threads change nothing, the page counts them, and evaluate repeats the choice", async () => {
  const lines = csv("classification", 120).trim().split("\n");
  const gaps = file(
    "gaps.csv",
    lines.map((line, t) => (t % 8 === 3 ? line.replace(/^[^,]*/, "NaN") : line)).join("\n"),
  );
  for (const how of ["skip", "hold", "nan"]) {
    const args = ["choose", "--train", gaps, "--missing", how, "--budgets", "8", ...FEW, "--threads"];
    const { timing, ...one } = await runJsonHere(SCHEMA, ...args, "1");
    if (how === "nan") {
      const { timing, ...other } = await runJsonHere(SCHEMA, ...args, "3");
      assert.equal(one, other);
    }
    const skipped = how === "skip" ? 15 : 0;
    assert.equal(one.train.missing, { how, rows: 15, readings: 15, skipped });
    const [{ choice, evaluate }] = one.advice;
    assert.is(printedBy(evaluate).stateHash, one.choices[choice].stateHash, evaluate);
  }
  assert.match(
    (await runHere(["choose", "--train", gaps, "--missing", "hold", "--budgets", "8", ...FEW])).stdout,
    /\nmissing, hold: 15 rows lack 15 readings\n/,
  );
});

test("numbers are estimated, novelties found: each by the learners for it", async () => {
  const estimated = await runJsonHere(SCHEMA, "choose", "--train", numbers, "--budgets", "8");
  assert.is(estimated.task, "regression");
  assert.is(estimated.measure, "mse");
  assert.is(estimated.choices[0].balancedAccuracy, null);
  assert.ok(estimated.choices[0].loss.mean < estimated.trivial.majority);
  assert.ok(estimated.choices.some(({ learner }: Choice) => learner === "qkrls"));
  const found = await runJsonHere(SCHEMA, ...words`choose --train ${novelty} --task novelty --budgets 8`);
  assert.equal([...new Set(found.choices.map(({ learner }: Choice) => learner))].sort(), [
    "norma-n",
    "olk-n",
    "robust-z",
  ]);
});

test("a board leaves out what doesn't fit it, and says by how much", async () => {
  const result = await runJsonHere(
    SCHEMA,
    ...["choose", "--train", wide, "--budgets", "8,64", "--target", "esp32c3"],
  );
  assert.is(result.target, "esp32c3");
  const { why } = result.leftOut.find(({ learner, budget }: Choice) => learner === "oskm" && budget === 64);
  assert.match(why, /RAM needs \d+ B, there are \d+, \d+ too few/);
  assert.ok(result.choices.some(({ learner, budget }: Choice) => learner === "olk-c" && budget === 8));
  assert.not(result.choices.some(({ learner, budget }: Choice) => learner === "oskm" && budget === 64));
});

test("only the named learners are tried; a name that none for the task has is refused", async () => {
  const args = ["choose", "--train", two, "--budgets", "8", "--learners"];
  const { choices, leftOut } = await runJsonHere(SCHEMA, ...args, "arow,olk-c");
  const tried = [...choices, ...leftOut].map(({ learner }: Choice) => learner);
  assert.equal([...new Set(tried)].sort(), ["arow", "olk-c"]);
  await refusesHere(
    [...args, "arow,olkc"],
    "--learners: no learner for classification is named olkc; did you mean olk-c",
  );
  await refusesHere([...args, "rls"], "--learners: no learner for classification is named rls");
});

test("options go to the learners that have them, and aren't searched", async () => {
  const options = '{"kernel":{"type":"gaussian","gamma":2},"C":0.5}';
  const result = await runJsonHere(
    SCHEMA,
    "choose",
    "--train",
    two,
    "--budgets",
    "8",
    "--learners",
    "olk-c,pa",
    "--options",
    options,
  );
  const of = (name: string) =>
    result.choices.find((each: Choice) => each.learner === name && each.options.storage === undefined)
      .options;
  const { kernel, C } = of("olk-c");
  assert.equal({ kernel, C }, JSON.parse(options));
  assert.is(of("pa").C, 0.5);
});

test("for people: on a page what to take, how, and the table; an HTML page with the plots drawn", async () => {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  try {
    const { code, stdout } = await runHere(["choose", "--train", two, "--budgets", "8", "--report", folder]);
    assert.is(code, 0);
    assert.match(stdout, /\nq15: vectors of 16 bits, in a grid over what /);
    assert.match(stdout, /\nbest: \S+.*: error, % [\d.]+ \+- [\d.]+/);
    assert.match(
      stdout,
      /\n {2}task: \{"name":.*\n {2}plan: npx motelearn plan .*\n {8}node of \d+ bytes, \d+ instr/,
    );
    assert.match(
      stdout,
      /learner +budget +options +error, % +\+- +held back +bal. acc., % +bytes +front +instructions/,
    );
    assert.match(stdout, /report .*choose-two\.html/);
    assert.ok(stdout.split("\n").length < 60, stdout);
    const page = readFileSync(join(folder, "choose-two.html"), "utf8");
    assert.is(page.match(/<svg class="chart/g)?.length, 3);
    assert.not.match(page, /NaN|undefined|<script/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a search out of its CPU time says so, with what it knows, and ends as any other", async () => {
  const args = ["choose", "--train", two, "--budgets", "8", "--seconds", "0.01"];
  const { search, choices } = await runJsonHere(SCHEMA, ...args);
  assert.is(search.cut, "seconds");
  const [{ candidates, tried }] = search.rounds;
  assert.ok(tried >= 1 && tried < candidates && choices.length >= 1);
  const { code, stdout } = await runHere(args);
  assert.is(code, 0);
  assert.match(stdout, /\nCUT SHORT: the CPU time of --seconds is over, with \d+ of \d+ candidates/);
  await refusesHere([...args.slice(0, -1), "soon"], "--seconds", "number > 0");
});

/** A learner, last in the table, that does something at its first prediction, and something at each. */
const acting = (atFirst: string, always = "") => `import { defineLearner } from "motelearn";
import { rmSync, writeSync } from "node:fs";
let said = false;
export const learners = [defineLearner({
  name: "slow", task: "classification", title: "slow", paper: "none", options: {}, state: () => ({ w: 1 }),
  predict() {
    if (!said) ${atFirst};
    said = true;
    ${always};
    return 1;
  },
  update: () => true,
})];
`;
/** A second for 20 samples. */
const WAITS = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)";

test("Ctrl-C gives what is known so far, and exit code 130", async () => {
  const slow = file("slow.mjs", acting('writeSync(1, "begun\\n")', WAITS));
  const program = start(
    "choose",
    "--train",
    two,
    "--learners",
    "arow,slow",
    "--threads",
    "1",
    "--plugin",
    slow,
  );
  await program.says("begun");
  program.child.kill("SIGINT");
  const { code, stdout } = await program.ended;
  assert.is(code, 130);
  assert.match(stdout, /\nCUT SHORT: interrupted, with \d+ of \d+ candidates/);
  assert.match(stdout, /\nbest: /);
});

test("a report that can't be written after the run costs no result: it is printed first", () => {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  try {
    const removes = file("removes.mjs", acting(`rmSync(${JSON.stringify(folder)}, { recursive: true })`));
    const args = ["choose", "--train", two, "--learners", "slow", "--threads", "1", "--report", folder];
    const { code, stdout, stderr } = run(...args, "--plugin", removes);
    assert.is(code, 2, stderr);
    assert.match(stdout, /learner +budget[\s\S]+took /);
    assert.match(stderr, /^motelearn: --report \S+choose-two\.html: [^\n]+\n$/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("two files' reports lie beside one another, also of files of one name; a repeat replaces its own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  try {
    for (const place of ["a", "b"]) {
      mkdirSync(join(folder, place));
      writeFileSync(join(folder, place, "room.csv"), csv("classification", 30));
    }
    const reports = join(folder, "reports");
    const args = ["--budgets", "8", "--seconds", "0.01", "--report", reports];
    const paths: string[] = [];
    for (const place of ["a", "b", "a", "b"]) {
      const { stdout } = await runHere(["choose", "--train", join(folder, place, "room.csv"), ...args]);
      paths.push(/report (\S+)/.exec(stdout)?.[1] as string);
    }
    assert.equal(
      paths.map((path) => basename(path)),
      ["choose-room.html", "choose-room-2.html", "choose-room.html", "choose-room-2.html"],
    );
    for (const [i, place] of ["a", "b"].entries())
      assert.ok(readFileSync(paths[i], "utf8").includes(join(folder, place, "room.csv")));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the example in the guide is what its commands print", () => {
  const [watch, choose] = ["watch", "choose"].map((page) => readFileSync(`docs/${page}.md`, "utf8"));
  const make = /^node -e 'console.log\("a,b,label"\).*$/m.exec(watch)?.[0] as string;
  const [, command, shown] =
    /^(npx motelearn choose --train room\.csv .*)\n```\n[^`]*```\n([^`]+)\n```$/m.exec(choose) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  try {
    execSync(make, { cwd: folder });
    const words = command.replace(/^npx motelearn/, `${process.execPath} ${process.cwd()}/dist/motelearn.js`);
    const printed = execSync(words, { cwd: folder, encoding: "utf8" });
    assert.ok(printed.includes(`\n${shown}\n`), printed);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("what can't be used is said in one line", async () => {
  await refusesHere(["choose"], "--train");
  await refusesHere(["choose", "--train", "no-such.csv"], "no-such.csv");
  await refusesHere(["choose", "--train", two, "--budgets", "8,x"], "whole numbers 1..4096");
  await refusesHere(["choose", "--train", two, "--target", "esp8266"], "esp32c3");
  await refusesHere(
    ["choose", "--train", two, "--options", '{"etta":1}'],
    "no learner has an option etta",
    "eta",
  );
  await refusesHere(["choose", "--train", two, "--options", '{"budget":1}'], "--budgets");
  await refusesHere(["choose", "--train", two, "--task", "sorting"], "classification");
  await refusesHere(["choose", "--train", numbers, "--balanced"], "--balanced: the labels are numbers");
  await refusesHere(["choose", "--train", file("one.csv", "1,2,ok\n2,3,ok\n")], "two classes or more");
  await refusesHere(
    ["choose", "--train", file("words.csv", "1,2,a\n2,3,b\n"), "--task", "regression"],
    "labels are words",
  );
});

test.run();
