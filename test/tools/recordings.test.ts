import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { refusesHere, runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";
import { easyCsv } from "../lab/easy-csv.ts";
import { words } from "../words.ts";

// Each run of a command in this process listens for Ctrl-C until the process ends.
process.setMaxListeners(0);

const file = temporaryFolder();
const EVALUATE = "motelearn.evaluate/1";
const SIMULATE = "motelearn.simulate/1";

/** Rows "x1,x2,label" with every third label left out, in a way of its own. */
const NO_LABEL = ["", "NA", "?", "nan", "null", "none"];
const rows = easyCsv("classification", 240, 1).trimEnd().split("\n");
const partly = rows.map((row, i) =>
  i % 3 === 1 ? `${row.slice(0, row.lastIndexOf(","))},${NO_LABEL[i % 6]}` : row,
);
const labelled = rows.filter((_, i) => i % 3 !== 1);
const table = (head: string, lines: readonly string[]) => `${head}\n${lines.join("\n")}\n`;

const PARTLY = file("partly.csv", table("temp,hum,label", partly));
const LABELLED = file("labelled.csv", table("temp,hum,label", labelled));

/** A scenario over files of that folder, whose nodes take readings as they are. */
function scenario(name: string, files: readonly string[], more: object = {}, task: object = {}): string {
  const stream = { type: "files", files: files.map((path, i) => ({ node: `n${i + 1}`, path })), ...more };
  const own = { name: "t", task: "classification", learners: [{ learner: "pa" }], ...task };
  const node = { standardise: false };
  return file(name, JSON.stringify({ schema: "motelearn.scenario/1", stream, node, tasks: [own] }));
}

const simulate = (path: string) => [
  ...words`simulate ${path} --threads 1 --report`,
  join(dirname(path), "reports"),
];

test("a row without a label passes: what is learned is what the others teach, in every command", async () => {
  const args = ["--learner", "pa", "--scale", "none", "--train"];
  const [whole, some] = [
    await runJsonHere(EVALUATE, "evaluate", ...args, LABELLED),
    await runJsonHere(EVALUATE, "evaluate", ...args, PARTLY, "--test", PARTLY),
  ];
  assert.is(some.stateHash, whole.stateHash);
  assert.equal([some.train.count, some.train.unlabelled, whole.train.unlabelled], [240, 80, undefined]);
  assert.equal(some.cumulativeError, whole.cumulativeError);
  assert.equal([some.trivial.majority, some.trivial.last], [whole.trivial.majority, whole.trivial.last]);
  assert.equal(
    some.testRecalls
      .map(({ samples }: { samples: number }) => samples)
      .reduce((a: number, b: number) => a + b),
    160,
  );

  const simulated = await runJsonHere(SIMULATE, ...simulate(scenario("partly.json", ["partly.csv"])));
  const [node] = simulated.nodes[0].learners;
  assert.is(node.stateHash, some.stateHash);
  assert.equal([node.samples, node.unlabelled, node.labels.issued, node.labels.lost], [240, 80, 160, 0]);
  assert.is(node.metrics.error, some.cumulativeError.mean);
  assert.is(node.ideal.error, node.metrics.error);
  assert.is(node.trivial.last.error, some.trivial.last);

  const explain = (log: string) =>
    runJsonHere("motelearn.explain/1", ...words`explain --learner pa --scale none --log ${log} --at 100`);
  const [ofAll, ofSome] = [await explain(LABELLED), await explain(PARTLY)];
  assert.equal([ofSome.bits, ofSome.parts], [ofAll.bits, ofAll.parts]);

  const search = ["--scale", "none", "--budgets", "8", "--threads", "1", "--options", '{"C":0.1}'];
  const choose = (train: string) => runJsonHere("motelearn.choose/2", "choose", "--train", train, ...search);
  const [known, found] = [await choose(LABELLED), await choose(PARTLY)];
  const errors = ({ choices }: { choices: { learner: string; stateHash: string }[] }) =>
    choices.filter(({ learner }) => learner === "pa").map(({ stateHash }) => stateHash);
  assert.is(found.train.unlabelled, 80);
  assert.equal(errors(found), errors(known));
});

test("counts of rows without a label, columns and classes are printed once", async () => {
  const { stdout } = await runHere(["evaluate", "--learner", "pa", "--train", PARTLY, "--classes", "no,yes"]);
  const parts = [
    "features temp, hum; label label",
    "classes no -1, yes +1",
    "80 rows without a label",
    "class yes",
  ];
  for (const part of parts) assert.is(stdout.split(part).length, 2, part);
  const path = scenario("told.json", ["partly.csv"], {}, { classes: ["no", "yes"] });
  const { stdout: simulated } = await runHere(simulate(path));
  const told = [
    "features temp, hum; label label",
    "no -1, yes +1",
    "n1 80 of 240 samples",
    /n1, pa: no 0\.\d+ of \d+, yes/,
  ];
  for (const part of told) assert.is(simulated.split(part).length, 2, String(part));
});

test("a recording without any label is refused by every command", async () => {
  const none = file(
    "none.csv",
    table(
      "temp,hum,label",
      partly.filter((_, i) => i % 3 === 1),
    ),
  );
  for (const args of [
    ["evaluate", "--learner", "pa", "--train", none],
    ["choose", "--train", none],
    ["explain", "--learner", "pa", "--log", none, "--at", "1"],
    simulate(scenario("none.json", ["none.csv"])),
  ])
    await refusesHere(args, "none.csv: no row has a label");
});

test("injected faults need no label of their stream", async () => {
  const task = { task: "faults", faults: { episodes: 3 } };
  const result = await runJsonHere(SIMULATE, ...simulate(scenario("faults.json", ["none.csv"], {}, task)));
  assert.ok(result.nodes[0].learners[0].labels.issued > 0);
});

test("a lone class is refused unless a number or a name says which it is", async () => {
  const lone = (label: string) =>
    file(`lone-${label}.csv`, table("temp,label", [`1,${label}`, `2,${label}`]));
  for (const label of ["ok", "7"]) {
    const [path, name] = [lone(label), `lone-${label}`];
    await refusesHere(["evaluate", "--learner", "pa", "--train", path], name, `got ${label}`, "--classes");
    await refusesHere(["choose", "--train", path], name, `got ${label}`, "--classes");
    await refusesHere(
      simulate(scenario(`${name}.json`, [`${name}.csv`])),
      "tasks t: classes",
      `got ${label}`,
      "name them all",
    );
  }
  const named = (classes: string) =>
    runJsonHere(EVALUATE, "evaluate", "--learner", "pa", "--train", lone("ok"), "--classes", classes);
  const signs = (label: string) =>
    runJsonHere(EVALUATE, "evaluate", "--learner", "pa", "--train", lone(label));
  assert.is((await named("ok,fault")).stateHash, (await signs("-1")).stateHash);
  assert.is((await named("fault,ok")).stateHash, (await signs("1")).stateHash);
  assert.is.not((await signs("-1")).stateHash, (await signs("1")).stateHash);
});

test("names mean their places, numbers that are targets themselves; what is neither is refused with the classes", async () => {
  const names = table(
    "a,b,label",
    rows.map((row) => row.replace(/-1$/, "fine").replace(/1$/, "broken")),
  );
  const train = file("names.csv", names);
  const numbers = file("numbers.csv", table("a,b,label", rows));
  const hash = async (path: string, ...more: string[]) =>
    (await runJsonHere(EVALUATE, "evaluate", "--learner", "arow", "--train", path, ...more)).stateHash;
  const expected = await hash(numbers);
  assert.is(await hash(train, "--classes", "fine,broken"), expected);
  assert.is(await hash(numbers, "--classes", "fine,broken"), expected);
  assert.is.not(await hash(train), expected, "by alphabet broken is -1");
  const other = ["evaluate", "--learner", "arow", "--train", train, "--classes", "ok,fault"];
  await refusesHere(other, "names.csv", "got broken, fine", "ok -1, fault +1");
  await refusesHere(
    simulate(scenario("other.json", ["names.csv"], {}, { classes: ["ok", "fault"] })),
    "got broken, fine",
  );
  await refusesHere([...other.slice(0, -1), "ok"], "2 to 256 distinct names");
});

test("a learner of K classes takes 0 to K-1 for what they say; a count that isn't the labels' is refused", async () => {
  const three = (labels: readonly number[]) =>
    table(
      "a,label",
      labels.flatMap((y) => [`${y},${y}`, `${y + 0.1},${y}`]),
    );
  const two = file("two-of-three.csv", three([0, 2]));
  const args = ["evaluate", "--learner", "arow", "--options", '{"classes":3}', "--train"];
  const { train } = await runJsonHere(EVALUATE, ...args, two);
  assert.equal(
    [train.labels, train.targets],
    [
      [0, 1, 2],
      [0, 1, 2],
    ],
  );
  const learners = [{ learner: "arow", options: { classes: 3 } }];
  const { nodes } = await runJsonHere(
    SIMULATE,
    ...simulate(scenario("of3.json", ["two-of-three.csv"], {}, { learners })),
  );
  assert.equal(nodes[0].learners[0].classNames, ["0", "1", "2"]);
  const words = file("words.csv", table("a,label", ["1,x", "2,y", "3,x"]));
  await refusesHere(
    simulate(scenario("words.json", ["words.csv"], {}, { learners })),
    "option classes: got 3",
    "have 2",
  );
  assert.ok(words);
});

test("every node's file has the same classes, whichever labels it lacks", async () => {
  file("quiet.csv", table("a,label", ["1,ok", "2,ok", "3,ok"]));
  file("loud.csv", table("a,label", ["1,zz", "2,ok", "3,zz"]));
  const { nodes } = await runJsonHere(
    SIMULATE,
    ...simulate(scenario("nodes.json", ["quiet.csv", "loud.csv"])),
  );
  for (const { learners } of nodes) assert.equal(learners[0].classNames, ["ok", "zz"]);
  assert.equal(
    nodes.map(({ learners }: { learners: { recalls: { samples: number }[] }[] }) =>
      learners[0].recalls.map(({ samples }) => samples),
    ),
    [
      [3, 0],
      [1, 2],
    ],
  );
});

test("numbers to be estimated are no classes: a classifier is refused in one line with the remedy", async () => {
  const labels = {
    fractions: (i: number) => i / 7,
    whole: (i: number) => i,
  };
  for (const [name, label] of Object.entries(labels)) {
    const lines = Array.from({ length: 199 }, (_, i) => `${i % 13},${label(i)}`);
    const path = file(`${name}.csv`, table("a,label", lines));
    for (const learner of ["auto", "pa", "arow"])
      await refusesHere(
        ["evaluate", "--learner", learner, "--train", path],
        name,
        "to be estimated",
        "regression",
        "qkrls",
      );
    await refusesHere(
      ["choose", "--train", path, "--task", "classification"],
      name,
      "to be estimated",
      "regression",
    );
  }
  const grades = file(
    "grades.csv",
    table(
      "a,label",
      Array.from({ length: 800 }, (_, i) => `${i % 13},${i % 40}`),
    ),
  );
  const { train } = await runJsonHere(EVALUATE, "evaluate", "--learner", "arow", "--train", grades);
  assert.is(train.classes, 40, "many classes of many rows each are classes");
});

test("--test and the files of a scenario have their columns by name, or are refused", async () => {
  const swapped = table(
    "hum,temp,label",
    labelled.map((row) => row.replace(/^([^,]+),([^,]+)/, "$2,$1")),
  );
  const test = file("swapped.csv", swapped);
  const args = ["evaluate", "--learner", "pa", "--train", LABELLED, "--test"];
  const figures = ({ testError, testRecalls }: { testError: unknown; testRecalls: unknown }) => [
    testError,
    testRecalls,
  ];
  assert.equal(
    figures(await runJsonHere(EVALUATE, ...args, test)),
    figures(await runJsonHere(EVALUATE, ...args, LABELLED)),
  );
  const wrong = file("wrong.csv", swapped.replace("hum", "wind"));
  const line = `wrong.csv:1: columns wind, temp where ${LABELLED} has temp, hum`;
  await refusesHere([...args, wrong], line);
  const { nodes } = await runJsonHere(
    SIMULATE,
    ...simulate(scenario("swapped.json", ["labelled.csv", "swapped.csv"])),
  );
  assert.is(nodes[0].learners[0].stateHash, nodes[1].learners[0].stateHash);
  await refusesHere(
    simulate(scenario("wrong.json", ["labelled.csv", "wrong.csv"])),
    "wrong.csv:1: columns wind, temp where",
  );
});

test("each command takes the same columns for readings, and its advice names its own options", async () => {
  const timed = file(
    "timed.csv",
    table(
      ",time,temp,hum,label,node",
      labelled.map((row, i) => `${i},${1e12 + i},${row},a`),
    ),
  );
  const { train, stateHash } = await runJsonHere(
    EVALUATE,
    ...words`evaluate --learner pa --scale none --train ${timed}`,
  );
  const columns = { features: ["temp", "hum"], label: "label", leftOut: ["column 1", "time", "node"] };
  assert.equal(train.columns, columns);
  const { nodes } = await runJsonHere(SIMULATE, ...simulate(scenario("timed.json", ["timed.csv"])));
  assert.equal([nodes[0].learners[0].columns, nodes[0].learners[0].stateHash], [columns, stateHash]);
  const explained = await runJsonHere(
    "motelearn.explain/1",
    ...words`explain --learner pa --log ${timed} --at 9`,
  );
  assert.equal(explained.columns, columns);

  const iso = file(
    "iso.csv",
    table(
      "timestamp,temp,hum,label",
      labelled.map((row) => `2024-03-31T00:00:00Z,${row}`),
    ),
  );
  const evaluated = ["evaluate", "--learner", "pa", "--scale", "none", "--train", iso];
  await refusesHere(
    evaluated,
    'iso.csv:2: column "timestamp"',
    "choose columns of numbers with --columns, such as temp,hum",
  );
  assert.is((await runJsonHere(EVALUATE, ...evaluated, "--columns", "temp,hum")).stateHash, stateHash);
  const path = scenario("iso.json", ["iso.csv"]);
  const { stderr } = await runHere(simulate(path));
  assert.match(stderr, "choose columns of numbers with stream.columns, such as temp,hum");
  assert.not.match(stderr, "--");
  await runJsonHere(
    SIMULATE,
    ...simulate(scenario("iso-chosen.json", ["iso.csv"], { columns: ["temp", "hum"] })),
  );
});

test.run();
