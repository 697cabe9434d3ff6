import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ClassNames } from "../../host/streams/class-names.ts";
import { namedColumns } from "../../host/streams/index.ts";
import { fileSupply, readRecording } from "../../tools/labels/file-supply.ts";
import { runHere, runJsonHere } from "../cli/program.ts";
import { makeFolder } from "../folder.ts";
import { words } from "../words.ts";

process.setMaxListeners(32); // each run in this process has one
const folder = makeFolder();

const ROWS = 40;
const COUNT = Array.from({ length: ROWS }, (_, i) => i);
const START = Date.UTC(2024, 2, 1);
const stateAt = (i: number) => (i % 2 === 0 ? "idle" : "busy");
const isUnlabelled = (i: number) => i % 10 === 9;
const dateAt = (i: number) => new Date(START + 60_000 * i).toISOString();
const temp = (i: number) => 20 + (i % 2) + i / 100;
const acquisition = (label: string) =>
  JSON.stringify({
    payload: {
      sensors: [{ name: "temp" }, { name: "hum" }],
      values: COUNT.slice(20).map((i) => [temp(i), label.length + (i % 3)]),
    },
  });

const half = (state: string) =>
  ["temp;hum", ...COUNT.slice(20).map((i) => `${20 + (i % 2)},${state.length % 4}${i % 9};${i % 3}`)].join(
    "\n",
  );

/** A file, what import is asked, and what every command must read. */
interface Recorded {
  readonly file: string;
  readonly content: readonly string[] | Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  /** The lines of its labels' file. */
  readonly labels?: readonly string[];
  readonly features: readonly string[];
  readonly classes: readonly string[];
  readonly rows: number;
  readonly unlabelled: number;
  readonly bad?: number;
}

const RECORDINGS: readonly Recorded[] = [
  {
    file: "history.csv",
    content: [
      "entity_id,state,last_changed",
      ...COUNT.map((i) => `input_select.mode,${isUnlabelled(i) ? "unknown" : stateAt(i)},${dateAt(i)}`),
      ...COUNT.map((i) => `sensor.hum,${i % 3},${dateAt(i)}`),
      ...COUNT.map((i) => `sensor.temp,${temp(i)},${dateAt(i)}`),
    ],
    flags: ["--every", "60"],
    ...{ features: ["sensor.hum", "sensor.temp"], classes: ["busy", "idle"], rows: ROWS, unlabelled: 4 },
  },
  {
    file: "air.lp",
    content: COUNT.map(
      (i) => `air temp=${temp(i)},hum=${i % 3}i,mode="${stateAt(i)}" ${START + 60_000 * i}000000`,
    ),
    ...{ features: ["air temp", "air hum"], classes: ["busy", "idle"], rows: ROWS, unlabelled: 0 },
  },
  {
    file: "log.ndjson",
    content: COUNT.map((i) =>
      JSON.stringify({
        ts: dateAt(i),
        temp: temp(i),
        hum: i % 3,
        ...(!isUnlabelled(i) && { mode: stateAt(i) }),
      }),
    ),
    ...{ features: ["temp", "hum"], classes: ["busy", "idle"], rows: ROWS, unlabelled: 4 },
  },
  {
    file: "mqtt.log",
    content: COUNT.flatMap((i) => [
      `${dateAt(i)} m/mode ${isUnlabelled(i) ? "" : stateAt(i)}`,
      `${dateAt(i)} m/air {"hum":${i % 3}, "temp":${temp(i)}}`,
    ]),
    ...{ features: ["m/air hum", "m/air temp"], classes: ["busy", "idle"], rows: ROWS, unlabelled: 4 },
  },
  {
    file: "serial.log",
    content: COUNT.map(
      (i) => `${dateAt(i).slice(11, 23)} -> temp: ${temp(i)}, hum: ${i % 3}, mode: ${stateAt(i)}`,
    ),
    ...{ features: ["temp", "hum"], classes: ["busy", "idle"], rows: ROWS, unlabelled: 0 },
  },
  {
    file: "gestures",
    content: { "idle.1.json": acquisition("idle"), "shake.2.json": acquisition("shake") },
    ...{ features: ["temp", "hum"], classes: ["idle", "shake"], rows: ROWS, unlabelled: 0 },
  },
  {
    file: "room.csv",
    content: [
      "time;temp;hum;mode",
      ...COUNT.map((i) => `${dateAt(i)};${temp(i)};${i % 3};${stateAt(i)}`),
      "restart",
      "x;1;2;busy;",
    ],
    flags: ["--skip-bad-rows"],
    ...{ features: ["temp", "hum"], classes: ["busy", "idle"], rows: ROWS, unlabelled: 0, bad: 2 },
  },
  {
    file: "machines",
    content: { "busy_1.csv": half("busy"), "idle_1.csv": half("idle") },
    ...{ features: ["temp", "hum"], classes: ["busy", "idle"], rows: ROWS, unlabelled: 0 },
  },
  {
    file: "restarted.csv",
    content: [0, 1].flatMap((k) => [
      ...(k === 0 ? [] : ["2024-03-01,20", "SD card OK"]),
      "time,temp,hum,mode",
      ...COUNT.slice(20 * k, 20 * k + 20).map((i) => `${dateAt(i)},${temp(i)},${i % 3},${stateAt(i)}`),
    ]),
    ...{ features: ["temp", "hum"], classes: ["busy", "idle"], rows: ROWS, unlabelled: 0, bad: 3 },
  },
  {
    file: "swing.csv",
    content: ["t_ms,temp,hum", ...COUNT.map((i) => `${500 * i},${temp(i)},${i % 3}`)],
    labels: ["0.0\t9.5\tidle", "10.0\t17.5\tbusy"],
    ...{ features: ["temp", "hum"], classes: ["busy", "idle"], rows: ROWS, unlabelled: 4 },
  },
];

/** Where the labels of a file lie. */
const labelsBeside = (path: string) => `${path}.labels.txt`;

function writtenFile({ file, content, labels }: Recorded): string {
  const path = join(folder, file);
  if (labels) writeFileSync(labelsBeside(path), `${labels.join("\n")}\n`);
  if (Array.isArray(content)) writeFileSync(path, `${content.join("\n")}\n`);
  else {
    mkdirSync(path);
    for (const [name, text] of Object.entries(content)) writeFileSync(join(path, name), text);
  }
  return path;
}

for (const recording of RECORDINGS) {
  const { file, features, classes, rows, unlabelled, bad, flags = [] } = recording;
  const all = { columns: features, classes, rows, unlabelled, bad };

  test(`${file}: evaluate, choose, explain, simulate and labels read the same channels, classes and rows`, async () => {
    const path = writtenFile(recording);
    const given = recording.labels ? ["--labels", labelsBeside(path)] : [];
    await runHere(["import", path, ...flags, ...given]);
    const { train } = await runJsonHere(
      "motelearn.evaluate/1",
      ...words`evaluate --learner pa --train ${path}`,
    );
    const chosen = await runJsonHere(
      "motelearn.choose/2",
      ...words`choose --train ${path} --budgets 8 --seconds 1`,
    );
    const explain = await runJsonHere(
      "motelearn.explain/1",
      ...words`explain --learner pa --log ${path} --at 9`,
    );
    const [evaluated, chose, explained] = [train, chosen.train, { ...explain, ...explain.classes }].map(
      (read) => ({
        ...{ columns: read.columns.features, classes: read.labels, rows: read.count },
        ...{ unlabelled: read.unlabelled ?? 0, bad: read.badRows?.rows },
      }),
    );
    assert.equal([evaluated, chose, explained], [all, all, all]);
    assert.equal(await simulated(path), all);
    assert.equal(await sent(path), {
      columns: features,
      classes: classesText(classes),
      rows,
      labels: rows - unlabelled,
    });
  });
}

const classesText = ([first, second]: readonly string[]) => `${first} -1, ${second} +1`;

function writeScenario(path: string): string {
  const scenario = join(folder, "scenario.json");
  const stream = { type: "files", files: [{ node: "n", path }] };
  const tasks = [{ name: "t", task: "classification", learners: [{ learner: "pa" }] }];
  writeFileSync(scenario, JSON.stringify({ schema: "motelearn.scenario/1", stream, tasks }));
  return scenario;
}

async function simulated(path: string): Promise<object> {
  const scenario = writeScenario(path);
  const { code, stdout, stderr } = await runHere(["simulate", scenario, "--json"]);
  assert.is(code, 0, stderr);
  const { nodes } = JSON.parse(stdout);
  const [{ columns, classNames, samples, missed, unlabelled = 0, badRows }] = nodes[0].learners;
  return {
    columns: columns.features,
    classes: classNames,
    rows: samples + missed,
    unlabelled,
    bad: badRows?.rows,
  };
}

/** What `labels` would send to a node that names no classes. */
async function sent(path: string): Promise<object> {
  const data = (await readRecording(path)).get("");
  assert.ok(data?.roles);
  const pupil = { task: "classification", classes: ClassNames.forCount(2), pending: 64 } as const;
  const supply = fileSupply("", data, pupil, { ahead: 8 });
  let labels = 0;
  while (supply.label(labels + 1)) labels++;
  return { columns: namedColumns(data.roles).features, classes: supply.mapping, rows: data.count, labels };
}

test("no command skips bad rows in silence", async () => {
  const path = join(folder, "bad.csv");
  writeFileSync(path, `a,mode\n${COUNT.map((i) => `${i % 5},${stateAt(i)}`).join("\n")}\n1\n2\n`);
  await runHere(["import", path, "--skip-bad-rows"]);
  const counted = `bad.csv: 2 bad rows skipped: line 42: 1 field where the first row has 2; line 43: `;
  const scenario = writeScenario(path);
  const sweep = `sweep --learners pa --seeds 1 --report ${folder} --name swept --scenario ${scenario}`;
  const told: readonly [args: readonly string[], text: string][] = [
    [["evaluate", "--learner", "pa", "--train", path], counted],
    [["choose", "--budgets", "8", "--seconds", "1", "--train", path], counted],
    [["explain", "--learner", "pa", "--at", "9", "--log", path], counted],
    [["simulate", scenario], "bad.csv: 2 bad rows skipped: line 42"],
    [sweep.split(" "), "bad.csv: its description has bad rows skipped"],
  ];
  for (const [args, text] of told) {
    const { code, stdout, stderr } = await runHere(args);
    assert.is(code, 0, stderr);
    assert.ok(`${stdout}${stderr}`.replace(/\s+/g, " ").includes(text), `${args[0]}: ${stdout}${stderr}`);
  }
});

test("a recorded stream with a description: its classes are the description's in each command", async () => {
  const path = join(folder, "recorded.ndjson");
  const line = (i: number) =>
    JSON.stringify({
      time: START + i,
      node: "n",
      ticks: i,
      sid: 1,
      seq: i + 1,
      x: [i % 2, i % 3],
      label: stateAt(i),
    });
  writeFileSync(path, `${COUNT.map(line).join("\n")}\n`);
  writeFileSync(
    `${path}.data.json`,
    JSON.stringify({ schema: "motelearn.data/1", format: "ndjson", classes: ["idle", "busy"] }),
  );
  const { train } = await runJsonHere("motelearn.evaluate/1", "evaluate", "--learner", "pa", "--train", path);
  assert.equal(train.labels, ["idle", "busy"]);
  const data = (await readRecording(path)).get("n");
  assert.ok(data);
  const pupil = { task: "classification", classes: ClassNames.forCount(2), pending: 64 } as const;
  assert.is(fileSupply("n", data, pupil, { ahead: 8 }).mapping, "idle -1, busy +1");
});

test.run();
