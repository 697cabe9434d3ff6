import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { UserError } from "../../host/errors.ts";
import type { DataSet } from "../../host/streams/table.ts";
import { easyStream } from "../../host-sim/conformance/easy-streams.ts";
import { type Family, takesBudget, withBudget } from "../../src/learn/family.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { Projectron } from "../../src/learn/projectron.ts";
import { FAMILIES, familyNamed } from "../../src/learn/registry.ts";
import { SensorNode } from "../../src/node/node.ts";
import { type LabelStatus, NO_STORAGE } from "../../src/node/ports.ts";
import { type FeaturesOption, featureDimension } from "../../src/signal/features.ts";
import type { Message } from "../../src/wire/messages.ts";
import { Explainer, type Explanation, type Part } from "../../tools/explanation/explanation.ts";
import { featureNames, readingNames } from "../../tools/explanation/feature-names.ts";
import { chooseExplainer } from "../../tools/explanation/one-vs-all-explainer.ts";
import { floatBits } from "../../tools/explanation/sums.ts";
import { Recording } from "../../tools/record/recording.ts";
import { refusesHere, runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";
import { words } from "../words.ts";
import { inFolder } from "./stations.ts";

const COUNT = 150;
const file = temporaryFolder();
const stream = easyStream("classification", 2, COUNT, 1);
const csv = file("two.csv", stream.map(({ x, y }) => `${[...x].join(",")},${y}\n`).join(""));
const logged = file(
  "log.ndjson",
  stream.map(({ x, y }, i) => `${JSON.stringify({ x: [...x], label: y, source: 1 + (i % 3) })}\n`).join(""),
);

/** Families whose decision isn't one sum over vectors, weights or members. */
const REFUSED = ["oskm", "robust-z"];

const EVERY = 5;
const NODE_FILE = { schema: "motelearn.node/1", learner: "olk-c", channels: 2 };

/** Every 5th decision of a learner, taken apart: `explain` throws unless the parts come to the decision's bits. */
function explained(family: Family, options = {}): Explanation[] {
  const learner = family.create({ ...withBudget(family, { dimension: 2, ...options }, 32), ...options });
  const samples = easyStream(learner.task, 2, COUNT, 3);
  const labels = Float64Array.from(samples, ({ y }) => y);
  const train = { labels, count: COUNT } as unknown as DataSet;
  const explainer = chooseExplainer(learner, family, options, ["heat", "damp"]);
  return samples.flatMap(({ x, y }, i) => {
    const found = i % EVERY === EVERY - 1 ? [explainer.explain(x, train)] : [];
    explainer.learn(x, y, i + 1);
    return found;
  });
}

function checkParts(all: readonly Explanation[]): void {
  assert.is(all.length, COUNT / EVERY);
  all.forEach(({ parts, decision, score = decision, total }, k) => {
    assert.ok(Object.is(score, total) || score === total);
    for (const { sample, label } of parts) {
      if (sample === null) continue;
      assert.ok(sample >= 1 && sample < EVERY * (k + 1), `${sample}`);
      assert.ok(label !== null);
    }
  });
  assert.ok(all.some(({ parts }) => parts.some(({ sample, part }) => sample !== null && part !== 0)));
}

for (const family of FAMILIES) {
  if (REFUSED.includes(family.name)) {
    test(`${family.name} is refused in one line`, () => {
      assert.throws(
        () => explained(family),
        (error: unknown) => error instanceof UserError && error.message.startsWith(`${family.name}: its`),
      );
    });
    continue;
  }
  const stored = family.options.storage ? [{ storage: "q15", ranges: [[-8, 8]] }] : [];
  const corrected = family.options.sources
    ? [{}, ...stored].map((way) => ({ ...way, sources: [[0.1, 0.2]] }))
    : [];
  const ways = [{}, ...stored, ...corrected];
  test(`${family.name}: the parts come to the decision's bits, and each has the sample that it came with`, () => {
    for (const options of ways) checkParts(explained(family, options));
  });
}

const CLASSES = { classes: 3 };
const oneVsAll = (name: string) => oneVsAllFamily(familyNamed(name)!);
/** Learners that take several classes by themselves, one-vs-all apart and with one dictionary, and committees. */
const SEVERAL: [Family, object][] = [
  ...FAMILIES.filter(({ manyClasses }) => manyClasses).map((family): [Family, object] => [family, CLASSES]),
  [familyNamed("pa")!, { ...CLASSES, bias: true }],
  [familyNamed("auto")!, { ...CLASSES, bytes: 2048 }],
  ...["arow", "olk-c", "bsgd", "perceptron", "auto"].map((name): [Family, object] => [
    oneVsAll(name),
    CLASSES,
  ]),
  ...["olk-c", "kernel-perceptron", "bsgd"].map((name): [Family, object] => [
    oneVsAll(name),
    { ...CLASSES, shared: true },
  ]),
  [oneVsAll("bsgd"), { ...CLASSES, shared: true, lambda: 0.01 }],
];

for (const [family, options] of SEVERAL)
  test(`${family.name} with ${JSON.stringify(options)}: the decided class and the second, each with the parts of its value`, () => {
    const all = explained(family, options);
    const both = all.filter(({ against }) => against);
    assert.ok(both.length > all.length / 2, `${both.length}`);
    for (const { decision, score = Number.NaN, total, against } of both) {
      assert.ok(total === score && against!.total === against!.score);
      assert.ok(score >= against!.score, `${score} ${against!.score}`);
      assert.is.not(decision, against!.target);
      assert.ok(decision < 3 && against!.target < 3);
    }
    checkParts(all);
    checkParts(all.map((each) => ({ ...each, ...each.against })));
  });

test("a committee of two classes is taken apart in the order in which it adds its votes", () => {
  for (const bytes of [1024, 2048]) checkParts(explained(familyNamed("auto")!, { bytes }));
});

test("of several classes each member of auto votes for one, by itself and through the model of classes that last", async () => {
  const lines = easyStream("multiclass", 2, COUNT, 1).map(({ x, y }) => `${[...x].join()},${"abc"[y]}`);
  const three = file("three.csv", lines.join("\n"));
  const args = ["explain", "--learner", "auto", "--log", three, "--at", "120"];
  const { decision, class: own, parts, score, against } = await runJsonHere("motelearn.explain/1", ...args);
  const members = ["kernel", "neighbours", "cautious", "tracking"];
  const named = [
    ...members,
    "majority",
    "last label",
    "recent labels",
    ...members.map((m) => `filtered ${m}`),
  ];
  for (const value of [parts, against.parts])
    assert.equal(
      value.map(({ of }: Part) => of),
      named.map((name) => `member ${name}`),
    );
  const votes = (value: readonly Part[]) => value.map(({ by }) => by);
  for (const [i, by] of votes(parts).entries()) assert.ok(by + votes(against.parts)[i] <= 1);
  const last = "abc".indexOf(lines[118].at(-1) as string);
  assert.is(votes(parts)[5], last === decision ? 1 : 0, "the last label's vote is the last label");
  assert.ok(score > 0.5 && score + against.score <= 1 + 1e-6);
  assert.equal([own, against.class], ["abc"[decision], "abc"[against.target]]);
  const { stdout } = await runHere(args);
  assert.match(stdout, new RegExp(`decision ${decision}, class ${own}: [01]`));
  assert.match(stdout, new RegExp(`^against class ${against.class}: `, "m"));
  assert.ok(stdout.includes(`bits ${against.bits}, the same as the class's`), stdout);
});

test("a kernel's first inputs wait for its width: the nearest one's label decides, then each is a vector with its own sample", () => {
  const samples = easyStream("classification", 2, 40, 3);
  const train = { labels: Float64Array.from(samples, ({ y }) => y), count: 40 } as unknown as DataSet;
  const learner = new Projectron({ dimension: 2, budget: 32 });
  const explainer = new Explainer(learner, familyNamed("projectron") as Family, {});
  const [first, second] = samples;
  explainer.learn(first.x, first.y, 1);
  explainer.learn(second.x, second.y, 2);
  for (const [x, sample] of [
    [first.x, 1],
    [second.x, 2],
  ] as const) {
    const { parts } = explainer.explain(x, train);
    const [{ of, weight, by, label }] = parts;
    assert.equal([parts.length, of, by, weight], [1, "nearest first input", 1, label]);
    assert.is(parts[0].sample, sample);
  }
  for (let t = 2; learner.width === 0; t++) explainer.learn(samples[t].x, samples[t].y, t + 1);
  const { parts } = explainer.explain(first.x, train);
  const came = parts.map(({ sample }) => sample as number);
  assert.ok(came.length > 1 && new Set(came).size === came.length, came.join());
  for (const { weight, label } of parts) assert.is(Math.sign(weight), label);
});

test("fogd's parts are its frequencies' cosines and sines; lol's are weights of all inputs and of the nearest prototype", () => {
  const named = (name: string, options: object) =>
    explained(familyNamed(name)!, options)
      .at(-1)
      ?.parts.map(({ of }) => of) as string[];
  assert.equal(named("fogd", { budget: 2 }), [
    ...["cosine of frequency 1", "sine of frequency 1", "cosine of frequency 2", "sine of frequency 2"],
  ]);
  const [w1, w2, ...local] = named("lol", { budget: 4 });
  assert.equal([w1, w2], ["weight 1", "weight 2"]);
  assert.match(local.join(), /^weight 1 of prototype [0-3],weight 2 of prototype [0-3]$/);
});

test("nogd's parts are its vectors until they are full, then its features", () => {
  const family = familyNamed("nogd")!;
  const parts = explained(family, { budget: 8, rank: 4 }).map(({ parts }) => parts.map(({ of }) => of));
  assert.ok(
    parts[1].every((of) => of.startsWith("vector ")),
    parts[1].join(),
  );
  assert.equal(parts.at(-1), ["feature 1", "feature 2", "feature 3", "feature 4"]);
});

test("with rates of wrong labels an expansion's weights and offset follow its vectors or features, each with its input's name", () => {
  for (const [name, given, main] of [
    ["olk-c", {}, "vector"],
    ["nogd", { budget: 8, rank: 4 }, "feature"],
  ] as const) {
    const all = explained(familyNamed(name)!, { ...given, sources: [[0.1, 0.2]] });
    const { parts, after, sum } = all.at(-1) as Explanation;
    const linear = parts.slice(-3);
    assert.equal(
      linear.map(({ of, input }) => [of, input]),
      [
        ["weight 1", "heat"],
        ["weight 2", "damp"],
        ["offset", undefined],
      ],
    );
    assert.ok(parts.slice(0, -3).every(({ of }) => of.startsWith(`${main} `)));
    assert.ok(linear.every(({ part, sample }) => part !== 0 && sample !== null));
    const vectors = explained(familyNamed(name)!, given).at(-1) as Explanation;
    assert.ok(vectors.parts.every(({ of }) => of.startsWith(`${main} `)));
    assert.equal([after.length, sum], [0, all.at(-1)?.decision]);
  }
});

test("auto's members vote, each with its weight; the stack's own decision grades the vote", async () => {
  const args = ["explain", "--learner", "auto", "--log", csv, "--at"];
  const { parts, sum, decision, after } = await runJsonHere("motelearn.explain/1", ...args, "120");
  assert.equal(
    parts.map(({ of }: Explanation["parts"][number]) => of),
    [
      ...["stack", "landmarks", "kernel", "tracking", "cautious", "majority", "last label"],
      ...["filtered landmarks", "filtered cautious", "neighbours", "recent neighbours"],
    ].map((m) => `member ${m}`),
  );
  for (const { part, weight, by } of parts) assert.ok(Math.abs(by) === 1 && part === weight * by);
  const weights = parts.reduce(
    (total: number, { weight }: Explanation["parts"][number]) => total + weight,
    0,
  );
  assert.ok(Math.abs(weights - 1) < 1e-6, `${weights}`);
  assert.ok(Math.abs(sum) <= 1 + 1e-6 && Math.sign(sum) === Math.sign(decision));
  assert.ok(Math.abs(decision) <= Math.abs(sum) && Math.abs(decision) >= Math.abs(sum) / 3);
  assert.is(after.length, 1);
  const last = parts[6] as Explanation["parts"][number];
  assert.is(last.by, stream[118].y, "the last label's vote is the last label");
  const first = await runJsonHere("motelearn.explain/1", ...args, "1");
  assert.ok(
    first.parts.every(({ by, sample }: Explanation["parts"][number]) => by === -1 && sample === null),
  );
});

test("windows of features take in samples without a label, and a weight names its input", async () => {
  const rows = stream.map(({ x, y }, i) => ({ heat: x[0], damp: x[1], label: i % 4 === 3 ? y : "" }));
  const sparse = file(
    "sparse.csv",
    ["heat,damp,label", ...rows.map((row) => Object.values(row).join())].join("\n"),
  );
  const args = [...words`explain --learner arow --log ${sparse} --scale none --at 20 --window 8`];
  const { inputs, parts } = await runJsonHere("motelearn.explain/1", ...args);
  const heat = rows.slice(72, 80).map(({ heat }) => Math.fround(heat));
  const mean = Math.fround(heat.reduce((sum, x) => sum + x, 0) / 8);
  assert.equal(inputs.slice(0, 3), [
    { name: "heat", value: heat[7] },
    { name: "heat less its mean over 8", value: Math.fround(heat[7] - mean) },
    { name: "peak to peak of heat over 8", value: Math.fround(Math.max(...heat) - Math.min(...heat)) },
  ]);
  const named = parts.filter(({ input }: Explanation["parts"][number]) => input !== undefined);
  assert.equal(
    named.map(({ input }: Explanation["parts"][number]) => input),
    inputs.map(({ name }: { name: string }) => name),
  );
  assert.match((await runHere(args)).stdout, /weight 3: peak to peak of heat over 8/);
  await refusesHere([...args.slice(0, -1), "7", "--wavelet", "haar"], "window", "even number");
});

test("each feature of a node has a name", () => {
  const options: FeaturesOption[] = [
    {},
    { standardise: true },
    { window: 8 },
    { window: 4, wavelet: "rbio1.3" },
    { window: 64, bands: 4, lines: [0.1, 0.2] },
    { window: 64, bands: 2, burst: 2, standardise: true },
  ];
  for (const option of options) {
    const names = featureNames(["heat", "damp"], option);
    assert.is(names.length, featureDimension(2, option));
    assert.is(new Set(names).size, names.length);
  }
  assert.equal(featureNames(readingNames(2, ["heat"]), { standardise: true }), [
    "heat, standardised",
    "reading 2, standardised",
  ]);
});

test("a log's parts name the label and its source; text and JSON say the same", async () => {
  const args = ["explain", "--learner", "olk-c", "--log", logged, "--at", "100", "--budget", "8"];
  const result = await runJsonHere("motelearn.explain/1", ...args);
  assert.is(result.parts.length, 8);
  for (const { sample, label, source } of result.parts) {
    assert.is(source, 1 + ((sample - 1) % 3));
    assert.is(label, stream[sample - 1].y);
  }
  const { code, stdout } = await runHere(args);
  assert.is(code, 0);
  assert.ok(stdout.includes(`bits ${result.bits}, the same as the decision's`), stdout);
});

test("its stored vectors at the first sample are none; a sample that there isn't and another learner are refused", async () => {
  const args = ["explain", "--log", csv, "--at"];
  assert.equal((await runJsonHere("motelearn.explain/1", ...args, "1", "--learner", "olk-c")).parts, []);
  await refusesHere([...args, "151", "--learner", "olk-c"], "--at 151", "150 samples with a label");
  await refusesHere([...args, "0", "--learner", "olk-c"], "--at");
  await refusesHere([...args, "9", "--learner", "oskm"], "oskm: its decision isn't one sum");
});

test("rows that lack a reading aren't counted with --missing skip, and aren't explained with nan", async () => {
  const lines = stream.map(({ x, y }) => `${[...x].join(",")},${y}`);
  const gaps = file(
    "gaps.csv",
    lines.map((line, t) => (t % 10 === 3 ? line.replace(/^[^,]*/, "") : line)).join("\n"),
  );
  const without = file("without.csv", lines.filter((_, t) => t % 10 !== 3).join("\n"));
  const args = ["--learner", "olk-c", "--at"];
  const skip = ["explain", "--log", gaps, "--missing", "skip", ...args, "90"];
  const skipped = await runJsonHere("motelearn.explain/1", ...skip);
  const { parts, bits } = await runJsonHere(
    "motelearn.explain/1",
    "explain",
    "--log",
    without,
    ...args,
    "90",
  );
  assert.equal([skipped.parts, skipped.bits], [parts, bits]);
  assert.equal(skipped.missing, { how: "skip", rows: 15, readings: 15, skipped: 15 });
  assert.match((await runHere(skip)).stdout, /missing, skip: 15 rows lack 15 readings; 15 rows skipped/);
  const nan = ["explain", "--log", gaps, "--missing", "nan", ...args];
  assert.is((await runJsonHere("motelearn.explain/1", ...nan, "100")).bits, bits);
  await refusesHere([...nan, "94"], "--at 94: a node refuses that sample of", "a reading is missing");
});

/** Samples that a label of the logged node is late, and how many labels are too late. */
const LATE = 9;

interface Logged {
  readonly learner: string;
  readonly options?: { readonly [name: string]: unknown };
  readonly features?: FeaturesOption;
}

const threeClasses = easyStream("multiclass", 2, COUNT, 1);

/** Samples for a learner with these options. */
function chooseStream({ classes }: { readonly [name: string]: unknown }) {
  return classes === undefined ? stream : threeClasses;
}

/** A node whose labels come late and in an order of their own, and its log as `monitor` writes it. */
function loggedNode({ learner, options = {}, features = {} }: Logged) {
  const family = familyNamed(learner)!;
  const path = inFolder(`${learner}-${JSON.stringify([options, features]).length}.ndjson`);
  const recording = new Recording(path, false, { port: "", node: "room" });
  const decisions: number[] = [];
  let statuses: LabelStatus[] = [];
  const link = {
    predicted: (seq: number, _at: number, decision: number) => {
      decisions[seq] = decision;
    },
    acknowledge: (_: number, status: LabelStatus) => {
      statuses.push(status);
    },
  };
  const samples = chooseStream(options);
  const given = { learner: family, options: withBudget(family, options, 8), features };
  const node = new SensorNode(
    { sid: 7, channels: 2, pending: 16, ...given },
    { now: () => 0 },
    link,
    NO_STORAGE,
  );
  let number = 0;
  const label = (seq: number, y: number) => {
    const told = { number: ++number, sid: 7, seq, y, source: 1 + (seq % 2), confidence: 255 };
    recording.sent("label", told as Message<"label">);
    statuses = [];
    node.label(told);
    for (const status of statuses) recording.answered({ number, status, labelled: node.labelled });
  };
  samples.slice(0, 90).forEach(({ x, y }, i) => {
    const seq = i + 1;
    const readings = Float32Array.from(x);
    const of = { start: 1, sid: 7, seq, ts: i, dr: 0 };
    recording.take({ ...of, first: 0, total: 2, x: readings, length: 2 });
    node.sample(readings);
    const decision = Math.fround(decisions[seq]);
    recording.predicted({ ...of, decision, remarks: new Uint8Array(0), length: 0 });
    if (seq % 4 === 0) return;
    if (seq > LATE) label(seq - LATE, samples[seq - LATE - 1].y);
    if (seq > 40 && seq % 10 === 1) label(seq - 35, y);
  });
  recording.close();
  return { path, decisions, applied: () => node.count("applied") };
}

const LOGGED: Logged[] = [
  { learner: "olk-c" },
  { learner: "olk-c", features: { standardise: true }, options: { storage: "q15" } },
  { learner: "arow", features: { window: 4 } },
  { learner: "pa" },
  { learner: "norma-c" },
  { learner: "bsgd", options: { lambda: 0.01 } },
  { learner: "rls-hmm" },
  { learner: "fogd" },
  { learner: "lol" },
  { learner: "nogd", options: { rank: 4 } },
  { learner: "auto" },
  { learner: "auto", features: { window: 4, standardise: true } },
  { learner: "auto", options: CLASSES },
  { learner: "pa", options: CLASSES, features: { standardise: true } },
];

for (const given of LOGGED)
  test(`--seq explains what a node of ${JSON.stringify(given)} predicted, with the labels that it had by then`, async () => {
    const { path, decisions } = loggedNode(given);
    const { learner, options = {}, features = {} } = given;
    const budget = takesBudget(familyNamed(learner)!, options) ? ["--budget", "8"] : [];
    const flags = [...budget, "--options", JSON.stringify(options)];
    if (features.window) flags.push("--window", `${features.window}`);
    flags.push("--scale", features.standardise ? "node" : "none");
    const args = ["explain", "--learner", learner, "--log", path, ...flags, "--seq"];
    for (const seq of [30, 90]) {
      const { decision, bits, parts, sid, labels, against } = await runJsonHere(
        "motelearn.explain/1",
        ...args,
        `${seq}`,
      );
      assert.is(decision, decisions[seq]);
      if (!against) assert.is(bits, floatBits(decisions[seq]));
      assert.is(against === undefined, options.classes === undefined);
      assert.equal([sid, labels > 0 && labels < seq], [7, true]);
      assert.ok(parts.some(({ sample }: Explanation["parts"][number]) => sample !== null));
      for (const { sample, label, source } of [...parts, ...(against?.parts ?? [])]) {
        if (sample === null) continue;
        assert.ok(sample <= seq - LATE, `sample ${sample} had no label at ${seq}`);
        assert.equal([label, source], [chooseStream(options)[sample - 1].y, 1 + (sample % 2)]);
      }
    }
    assert.match(
      (await runHere([...args, "90"])).stdout,
      /sample 90, as the node predicted it after \d+ labels, of/,
    );
  });

test("classes have their names in a decision and its parts, of a file and of a node's log", async () => {
  const { path } = loggedNode({ learner: "pa", options: { C: 1 } });
  const ways = [
    ["--log", csv, "--at", "90"],
    ["--log", path, "--seq", "60", "--scale", "none"],
  ];
  for (const way of ways) {
    const args = ["explain", "--learner", "pa", "--options", '{"C":1}', ...way];
    const {
      decision,
      class: own,
      parts,
    } = await runJsonHere("motelearn.explain/1", ...args, "--classes", "ok,fault");
    assert.is(own, decision < 0 ? "ok" : "fault");
    for (const { label, class: name } of parts)
      assert.is(name, label === null ? undefined : label < 0 ? "ok" : "fault");
    const { stdout } = await runHere([...args, "--classes", "ok,fault"]);
    assert.match(stdout, new RegExp(`decision \\S+, class ${own}\\b`));
    assert.match(stdout, / (ok|fault)( |$)/m);
    const plain = await runJsonHere("motelearn.explain/1", ...args);
    assert.is(plain.class, undefined);
    assert.is(plain.decision, decision);
  }
  const log = ["explain", "--learner", "pa", "--options", '{"C":1}', ...ways[1], "--classes"];
  await refusesHere([...log, "ok"], "--classes ok", "two names");
  const three = loggedNode({ learner: "pa", options: CLASSES });
  const options = ["--options", JSON.stringify(CLASSES), "--seq", "60", "--scale", "none"];
  const several = ["explain", "--learner", "pa", "--log", three.path, ...options, "--classes"];
  const { class: decided, against } = await runJsonHere("motelearn.explain/1", ...several, "low,ok,high");
  const named = ["low", "ok", "high"];
  assert.equal([decided, against.class], [named[three.decisions[60]], named[against.target]]);
  for (const { label, class: name } of against.parts)
    assert.is(name, label === null ? undefined : named[label]);
  await refusesHere([...several, "low,high"], "--classes low,high", "3 classes; give as many names");
});

test("a log may lack a sample that got no label; one that doesn't lead to the prediction, and what isn't in it, is said in one line", async () => {
  const { path } = loggedNode({ learner: "perceptron" });
  const args = ["explain", "--learner", "perceptron", "--log"];
  await refusesHere([...args, path, "--seq", "99"], "--seq 99", "1 to 90");
  await refusesHere([...args, path, "--seq", "20"], "doesn't lead to that prediction");
  await refusesHere([...args, path, "--seq", "20", "--scale", "standard"], "--scale", "--at");
  await refusesHere([...args, path, "--seq", "20", "--at", "3"], "--at or --seq");
  await refusesHere([...args, path], "--at or --seq");
  await refusesHere([...args, logged, "--seq", "3"], "has no predictions", "monitor");
  await refusesHere([...args, csv, "--seq", "3"], "one JSON object a line");
  await refusesHere([...args, inFolder("none.ndjson"), "--seq", "3"], "none.ndjson");
  const lines = readFileSync(path, "utf8").trim().split("\n");
  const late = file("late.ndjson", lines.filter((line) => JSON.parse(line).seq > 12).join("\n"));
  await refusesHere([...args, late, "--seq", "60"], "the node's first sample");
  const far = lines.map((line) => JSON.parse(line)).filter(({ seq }) => seq === 60);
  const alone = file("alone.ndjson", far.map((line) => JSON.stringify({ ...line, seq: 4e9 })).join("\n"));
  await refusesHere([...args, alone, "--seq", "4000000000"], "has 1 samples of that session");
  // The node discarded sample 3 without a label: nothing depends on it.
  const gap = file("gap.ndjson", lines.filter((line) => JSON.parse(line).seq !== 3).join("\n"));
  const [whole, lacking] = [path, gap].map((log) => [...args, log, "--scale", "none", "--seq", "60"]);
  assert.is(
    (await runJsonHere("motelearn.explain/1", ...lacking)).bits,
    (await runJsonHere("motelearn.explain/1", ...whole)).bits,
  );
});

test("in a log, decisions of the fleet's model are none of the learner's: they are refused, and the others explained", async () => {
  const { path } = loggedNode({ learner: "kernel-perceptron" });
  const args = ["explain", "--learner", "kernel-perceptron", "--budget", "8", "--scale", "none", "--log"];
  const judged = readFileSync(path, "utf8").replace(
    /("seq":40,"decision":)[^,}]+/,
    (_, start) => `${start}99,"fleet":true`,
  );
  const log = file("judged.ndjson", judged);
  await refusesHere([...args, log, "--seq", "40"], "the fleet's model made that prediction", "sid=7&seq=40");
  const own = await runJsonHere("motelearn.explain/1", ...args, path, "--seq", "60");
  const other = await runJsonHere("motelearn.explain/1", ...args, log, "--seq", "60");
  assert.is(other.bits, own.bits);
});

test("explain takes vectors of 16 bits in the ranges of the file, as evaluate does, or in those of a node's file", async () => {
  const options = ["--options", '{"storage":"q15"}'];
  const ranges = { ...NODE_FILE, channels: ["a", "b"].map((name) => ({ name, range: [-9, 9] })) };
  const ranged = file("ranged.node.json", { ...ranges, standardise: false });
  for (const way of [
    words`--learner olk-c`,
    words`--learner olk-c --scale none`,
    words`--learner olk-c --scale minmax`,
    words`--node ${ranged}`,
  ]) {
    const predicted = file("predicted.csv", "");
    const args = ["evaluate", "--train", csv, ...way, ...options, "--predictions", predicted];
    await runJsonHere("motelearn.evaluate/1", ...args);
    const { decision } = await runJsonHere(
      "motelearn.explain/1",
      "explain",
      "--log",
      csv,
      ...way,
      ...options,
      "--at",
      "90",
    );
    assert.is(decision, Number(readFileSync(predicted, "utf8").split("\n")[90].split(",")[4]), way.join(" "));
  }
});

test("explain --at refuses a node whose features only a whole node makes, and a sample outside the node's ranges", async () => {
  const near = ["a", "b"].map((name) => ({ name, range: [-0.001, 0.001] }));
  const narrow = file("narrow.node.json", { ...NODE_FILE, channels: near });
  const wide = file("horizon.node.json", { ...NODE_FILE, horizon: 100 });
  const at = (node: string) => ["explain", "--log", csv, "--node", node, "--at", "90"];
  await refusesHere(at(narrow), "--at 90", "outside its channel's range");
  await refusesHere(at(wide), "horizon.node.json: horizon: explain --at runs the learner on a data file");
});

test.run();
