import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { refusesHere, runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";

const written = temporaryFolder();

// biome-ignore lint/suspicious/noExplicitAny: the test states the form.
async function found(name: string, content: string): Promise<any> {
  const { files } = await runJsonHere("motelearn.import/1", "import", written(name, content));
  const { description, path, written: isWritten } = files[0];
  assert.is(isWritten, true);
  assert.equal(JSON.parse(readFileSync(path, "utf8")), description);
  return files[0];
}

const ROOM = `sep=;
# a logger's
time;temp [C];CO;note;state
2024-03-01T10:00:00Z;21,5;-200;door;on
2024-03-01T10:01:00Z;21,0;3;;off
2024-03-01T10:02:00Z;20,5;4;;unknown
2024-03-01T10:05:00Z;20,25;5;;off
2024-03-01T10:04:00Z;;6;;
`;

test("import describes a file's dialect, its columns, its time and its classes", async () => {
  const room = await found("room.csv", ROOM);
  assert.equal(room.description, {
    ...{
      schema: "motelearn.data/1",
      format: "csv",
      skipLines: 1,
      separator: ";",
      decimal: ",",
      comment: "#",
    },
    ...{ header: true, missingWords: ["-200", "unknown"], time: "time", features: ["temp [C]", "CO"] },
    ...{ label: "state", classes: ["off", "on"] },
  });
  assert.equal([room.rows, room.dimension, room.unlabelled], [5, 2, 2]);
  assert.equal(room.classes, [
    { name: "off", rows: 2 },
    { name: "on", rows: 1 },
  ]);
  assert.equal(room.columns[1], {
    name: "temp [C]",
    role: "feature",
    unit: "C",
    missing: 1,
    range: [20.25, 21.5],
  });
  const { periodSeconds, gaps, disorder, hasZone } = room.time;
  assert.equal([periodSeconds, gaps, disorder, hasZone], [60, 1, 1, true]);
});

for (const [name, dates, period] of [
  ["days first", ["31.03.2026 08:00", "31.03.2026 09:00:00", "31.3.2026 10:00"], 3_600_000],
  ["years first", ["2026/03/31 08:00", "2026/03/31 09:00:00,0", "2026/03/31 10:00"], 3_600_000],
  ["days alone", ["2026-01-31", "2026-02-01", "02.02.2026"], 86_400_000],
] as const)
  test(`a date's day is its day: ${name}`, async () => {
    const rows = dates.map((date, i) => `${date};${i};${i % 2}\n`).join("");
    const { description, time } = await found(`${name}.csv`, `Zeit;a;label\n${rows}`);
    const [year, month, day] = name === "days alone" ? [2026, 0, 31] : [2026, 2, 31];
    const hours = name === "days alone" ? 0 : 8;
    assert.is(time.first, new Date(year, month, day, hours).toISOString());
    assert.equal([time.hasZone, description.time, description.period], [false, "Zeit", period]);
  });

test("rows that come steadily give the node's period; others, and a signal's, give none", async () => {
  const importPeriod = async (name: string, steps: readonly number[]) => {
    const timeAt = (i: number) => steps.slice(0, i).reduce((sum, step) => sum + step, 1.7e12);
    const rows = steps.map((_, i) => `${new Date(timeAt(i)).toISOString()},${i},${i % 2}\n`);
    const [found] = (
      await runJsonHere("motelearn.import/1", "import", written(name, `time,a,label\n${rows.join("")}`))
    ).files;
    return found.description.period;
  };
  const steps = (each: readonly number[]) => Array.from({ length: 40 }, (_, i) => each[i % each.length]);
  assert.is(await importPeriod("steady.csv", steps([60_000])), 60_000);
  assert.is(await importPeriod("unsteady.csv", steps([1000, 60_000, 7000])), undefined);
  assert.is(await importPeriod("signal.csv", steps([1])), undefined);
});

test("import prints what it found, and keeps a description unless --force is there", async () => {
  const file = written("kept.csv", ROOM);
  const { stdout } = await runHere(["import", file]);
  for (const part of [
    "5 rows of 2 features",
    "units",
    "temp [C]: C",
    "CO 1",
    "a row each 60 s; 1 gap, 1 step back",
  ])
    assert.ok(stdout.includes(part), `${stdout} says ${part}`);
  assert.ok(stdout.includes("classes off 2, on 1") && stdout.includes("2 rows, 40.0 % of the rows"), stdout);
  const path = `${file}.data.json`;
  const edited = readFileSync(path, "utf8").replace('"off",', '"off", "gone",');
  written("kept.csv.data.json", edited);
  assert.ok((await runHere(["import", file])).stdout.includes("is there already"));
  assert.is(readFileSync(path, "utf8"), edited);
  await runHere(["import", file, "--force"]);
  assert.is.not(readFileSync(path, "utf8"), edited);
});

test("evaluate and simulate read a described file; an option overrides the description", async () => {
  const rows = Array.from({ length: 24 }, (_, i) => `${i % 2 ? "an" : "aus"};${i % 2},5;${i % 3}`);
  const file = written("said.csv", `state;a;b\n${rows.join("\n")}\n`);
  written("said.csv.data.json", '{"schema": "motelearn.data/1", "decimal": ",", "label": "state"}');
  const { train } = await runJsonHere("motelearn.evaluate/1", "evaluate", "--learner", "pa", "--train", file);
  assert.equal(train.columns, { features: ["a", "b"], label: "state", leftOut: [] });
  const one = await runJsonHere(
    "motelearn.evaluate/1",
    ..."evaluate --learner pa --columns b --train".split(" "),
    file,
  );
  assert.equal(one.train.columns.features, ["b"]);
  const scenario = {
    schema: "motelearn.scenario/1",
    stream: { type: "files", files: [{ node: "n", path: file }] },
  };
  const tasks = [{ name: "t", task: "classification", learners: [{ learner: "pa" }] }];
  const simulated = await runHere(["simulate", written("said.json", JSON.stringify({ ...scenario, tasks }))]);
  assert.is(simulated.code, 0, simulated.stderr);
  assert.ok(simulated.stdout.includes("features a, b; label state"), simulated.stdout);
});

test("epoch seconds, several separators, row names, sentinels that are readings, numbers to be estimated", async () => {
  const epoch = await found(
    "epoch.csv",
    "a|ts|target\n1|1700000000|0.5\n2|1700000010|0.25\n3|1700000020|1.5\n",
  );
  assert.equal(
    [epoch.description.separator, epoch.description.time, epoch.description.timeUnit],
    ["|", "ts", "s"],
  );
  assert.equal([epoch.classes, epoch.time.periodSeconds, epoch.dimension], [undefined, 10, 1]);
  const tabs = await found("tabs.txt", "x\ty\nMazda\t1\t-1\nFiat\t2\t1\n");
  assert.equal([tabs.description.rowNames, tabs.description.features, tabs.rows], [true, ["x"], 2]);
  const cold = await found("cold.csv", "t,y\n-200,1\n-150,2\n-180,1\n");
  assert.is(cold.description.missingWords, undefined);
  assert.equal(cold.columns[0].range, [-200, -150]);
  const twice = await found("twice.csv", "label,a,label\n1,2,3\n0,3,1\n");
  assert.equal([twice.description.label, twice.description.features], [1, ["a"]]);
  const bare = await found("bare.csv", "1,2,0\n3,4,1\n");
  assert.equal(
    [bare.description.header, bare.description.features, bare.description.label],
    [false, [1, 2], 3],
  );
});

test("a ThingSpeak export: its time, and what else is no reading", async () => {
  const feeds = await found(
    "feeds.csv",
    "created_at,entry_id,field1,field2,field3,latitude,elevation,status\n" +
      "2024-03-01 10:00:00 UTC,7,1.5,2,0,,,\n2024-03-01 10:00:15 UTC,8,1.25,3,1,,,\n",
  );
  const { time, features, label } = feeds.description;
  assert.equal([time, features, label], ["created_at", ["field1", "field2"], "field3"]);
  assert.equal(
    [feeds.time.first, feeds.time.periodSeconds, feeds.time.hasZone],
    ["2024-03-01T10:00:00.000Z", 15, true],
  );
});

const IRIS = `% Iris
@RELATION iris
@attribute 'sepal length' numeric
@ATTRIBUTE class {setosa, virginica}
@attribute note string
@data
5.1, setosa, ?
% a comment
?, virginica, late
`;

test("ARFF: its attributes name the columns, and evaluate reads it", async () => {
  const iris = await found("iris.arff", IRIS);
  assert.equal(iris.description, {
    ...{
      schema: "motelearn.data/1",
      format: "csv",
      skipLines: 6,
      separator: ",",
      quote: "'",
      comment: "%",
      header: false,
    },
    ...{ names: ["sepal length", "class", "note"], features: ["sepal length"], label: "class" },
    classes: ["setosa", "virginica"],
  });
  assert.equal([iris.rows, iris.columns[0].missing, iris.columns[2].role], [2, 1, "left out"]);
  const args = ["evaluate", "--learner", "pa", "--missing", "skip", "--train", iris.file];
  const { train } = await runJsonHere("motelearn.evaluate/1", ...args);
  assert.equal(train.columns, { features: ["sepal length"], label: "class", leftOut: ["note"] });
  await refusesHere(
    ["import", written("no.arff", "@relation x\n@attribute a numeric\n")],
    "no @attribute and @data",
  );
  await refusesHere(
    ["import", written("two.arff", IRIS.replace(", late", ""))],
    "two.arff:9: 2 fields where its names are 3",
  );
});

test("import says how a file becomes a table, and what is to be checked", async () => {
  const told: readonly [name: string, content: string, flags: readonly string[], ...parts: string[]][] = [
    [
      "a.lp",
      "a x=1 1700000000\na x=2 1700000001\n",
      [],
      "the readings of each time",
      "none; --label chooses their column, --labels takes them from a file of their own",
    ],
    ["b.lp", "a x=1 1700000000\na x=2 1700000009\n", ["--every", "3"], "the last known readings each 3 s"],
    [
      "h.csv",
      "entity_id,state,last_changed_ts\na.b,1,1700000000\na.b,2,1700000001\n",
      [],
      "entity_id, read in state",
      "at each of a.b",
    ],
    ["idle.1.csv", "timestamp,x\n0,1\n1,2\n", [], "classes idle 2", "import the folder of all files"],
    [
      "e.csv",
      `a,y\n${"1,0\n2,1\n".repeat(9)}ERR,0\n`,
      ["--label", "y"],
      "or skip such rows by --skip-bad-rows",
    ],
    [
      "f.csv",
      `a,b,y\n${"1,1,0\n2,1,1\n".repeat(9)}ERR,1,0\n`,
      [],
      'a is left out for 1 word such as "ERR"; --skip-bad-rows skips',
    ],
  ];
  for (const [name, content, flags, ...parts] of told) {
    const { stdout, stderr } = await runHere(["import", written(name, content), ...flags]);
    for (const part of parts) assert.ok(`${stdout}${stderr}`.includes(part), `${name}: ${stdout}${stderr}`);
  }
});

test("other formats are described by their name alone; what can't be read is refused in one line", async () => {
  const svm = await found("set.svm", "1 1:0.5 3:2\n-1 2:1\n");
  assert.equal(svm.description, { schema: "motelearn.data/1", format: "libsvm" });
  assert.equal(
    [svm.dimension, svm.classes],
    [
      3,
      [
        { name: "-1", rows: 1 },
        { name: "1", rows: 1 },
      ],
    ],
  );
  await refusesHere(["import", "/nowhere/room.csv"], "no such file");
  await refusesHere(["import", written("empty.csv", "")], "no rows");
  await refusesHere(
    ["import", written("torn.csv", "a,b\n1,2\n3\n")],
    "torn.csv:3: 1 field where the first row has 2",
  );
});

test.run();
