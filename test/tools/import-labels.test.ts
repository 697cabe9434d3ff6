import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readTable } from "../../host/streams/index.ts";
import { refusesHere, runHere, runJsonHere } from "../cli/program.ts";

const root = mkdtempSync(join(tmpdir(), "motelearn-import-labels-"));
test.after(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;

/** Writes files into a folder of their own; returns its path. */
function writeFolder(files: Readonly<Record<string, string>>): string {
  const folder = join(root, `${folders++}`);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

const lines = (...rows: readonly string[]) => `${rows.join("\n")}\n`;
const clock = (minute: number, second = 0) =>
  `2024-03-01T10:${String(minute).padStart(2, "0")}:${String(second).padStart(2, "0")}Z`;

const ROWS = 12;
/** A row each minute from 10:00 on. */
const READINGS = lines("time,temp", ...Array.from({ length: ROWS }, (_, i) => `${clock(i)},${20 + i}`));

/** The label of each row, "" for none, as every command reads a file with such labels. */
async function labelled(
  data: string,
  labels: string,
  { file = "labels.csv", flags = [] as string[] } = {},
): Promise<{ readonly rows: string[]; readonly found: Awaited<ReturnType<typeof runJsonHere>> }> {
  const folder = writeFolder({ "data.csv": data, [file]: labels });
  const args = ["import", join(folder, "data.csv"), "--labels", join(folder, file), ...flags];
  const [found] = (await runJsonHere("motelearn.import/1", ...args)).files;
  const { labels: values, labelNames } = await readTable(found.file, { unlabelled: true });
  const rows = [...values].map((value) =>
    Number.isNaN(value) ? "" : (labelNames?.[value] ?? String(value)),
  );
  return { rows, found };
}

const times = (of: Readonly<Record<number, string>>) => Array.from({ length: ROWS }, (_, i) => of[i] ?? "");

test("labels at rows' times are of these rows, and the others have none", async () => {
  const labels = lines(
    "time,state",
    `${clock(9)},worn`,
    `${clock(2)},ok`,
    `${clock(4)},ok`,
    `${clock(11)},worn`,
  );
  const { rows, found } = await labelled(READINGS, labels);
  assert.equal(rows, times({ 2: "ok", 4: "ok", 9: "worn", 11: "worn" }));
  assert.equal([found.unlabelled, found.description.labels.holds], [8, undefined]);
});

test("labels between rows' times hold until the next, and import says so", async () => {
  const labels = lines("when,state", `${clock(1, 30)},ok`, `${clock(4, 10)},worn`, `${clock(9, 59)},worn`);
  const { rows, found } = await labelled(READINGS, labels);
  assert.equal(rows, ["", "", "ok", "ok", "ok", ...Array(7).fill("worn")]);
  const { stdout } = await runHere([
    "import",
    found.file,
    "--labels",
    join(dirname(found.file), "labels.csv"),
    "--force",
  ]);
  assert.match(stdout, /own labels +labels\.csv, each of the rows until the next label\n/);
  assert.match(
    stdout,
    /to be checked +each label holds until the next, the last one to the end; .*"holds": false/,
  );
});

test("a log of changes holds, though its times are those of rows", async () => {
  const labels = lines("time,state", `${clock(0)},ok`, `${clock(5)},worn`, `${clock(9)},ok`);
  const { rows } = await labelled(READINGS, labels);
  assert.equal(rows, [...Array(5).fill("ok"), ...Array(4).fill("worn"), ...Array(3).fill("ok")]);
});

test("of two labels at one time the later one counts", async () => {
  const labels = lines(
    "time,state",
    ...[1, 2, 3, 3].map((minute, i) => `${clock(minute)},${i < 3 ? "ok" : "worn"}`),
  );
  assert.equal((await labelled(READINGS, labels)).rows, times({ 1: "ok", 2: "ok", 3: "worn" }));
});

test("spans of one class: both ends belong to it, and the other rows are of the other class", async () => {
  const numbers = lines("start,end,fault", `${clock(2)},${clock(4)},1`, `${clock(8)},${clock(8, 30)},1`);
  const faults = ["0", "0", "1", "1", "1", "0", "0", "0", "1", "0", "0", "0"];
  assert.equal((await labelled(READINGS, numbers)).rows, faults);
  const bare = lines("id;begin;end", `1;${clock(2)};${clock(4)}`, `2;${clock(8)};${clock(8, 30)}`);
  assert.equal((await labelled(READINGS, bare)).rows, faults);
  const words = lines("from,to,fault", `${clock(2)},${clock(4)},leak`, `${clock(8)},${clock(8, 30)},leak`);
  assert.equal(
    (await labelled(READINGS, words)).rows,
    faults.map((each) => (each === "1" ? "leak" : "other")),
  );
});

test("spans of class 0 alone leave the other rows 1", async () => {
  const spans = lines("id,start,end,fault", `1,${clock(2)},${clock(4)},0`, `2,${clock(8)},${clock(9)},0`);
  const normal = [2, 3, 4, 8, 9];
  assert.equal(
    (await labelled(READINGS, spans)).rows,
    Array.from({ length: ROWS }, (_, i) => (normal.includes(i) ? "0" : "1")),
  );
});

test("more labels than a call takes arguments", async () => {
  const start = Date.parse("2024-03-01T10:00:00Z") / 1000;
  const each = Array.from({ length: 200_000 }, (_, i) => `${start + i},${i < 300 ? 1 : 2}`);
  const labels = lines("time,state", each.join("\n"));
  const { rows } = await labelled(READINGS, labels);
  assert.equal(rows, [...Array(5).fill("1"), ...Array(7).fill("2")]);
});

test("spans of several classes: other rows have no label, unless the description gives them one", async () => {
  const spans = lines(
    "id,start,end,activity,note",
    `1,${clock(1)},${clock(3)},walk,first of all`,
    `2,${clock(2)},${clock(4)},walk,`,
    `3,${clock(6)},${clock(7)},sit,tired`,
    `4,${clock(7)},${clock(9)},walk,`,
  );
  const { rows, found } = await labelled(READINGS, spans);
  const known = { 1: "walk", 2: "walk", 3: "walk", 4: "walk", 6: "sit", 7: "walk", 8: "walk", 9: "walk" };
  assert.equal(rows, times(known));
  const described = JSON.parse(readFileSync(found.path, "utf8"));
  described.labels.otherwise = "rest";
  described.classes.push("rest");
  writeFileSync(found.path, JSON.stringify(described));
  const { labels, labelNames } = await readTable(found.file);
  assert.equal(
    [...labels].map((label) => labelNames?.[label]),
    times(known).map((each) => each || "rest"),
  );
});

test("a label for each row in turn, with or without a header, beside rows without one", async () => {
  const features = lines(...Array.from({ length: ROWS }, (_, i) => `${i % 5}   1.${i}e+1  ${i}.5`));
  const numbers = lines(...Array.from({ length: ROWS }, (_, i) => `${1 + (i % 3)}`));
  const file = "y_train.txt";
  const one = await labelled(features, numbers, { file });
  assert.equal(one.rows, numbers.trim().split("\n"));
  assert.equal(one.found.dimension, 3);
  assert.is(one.found.description.labels.file, file);
  const words = numbers.replace(/1/g, "walk").replace(/2/g, "sit").replace(/3/g, "stand");
  assert.equal((await labelled(features, words, { file })).rows, words.trim().split("\n"));
  const named = lines(
    "index,class",
    ...words
      .trim()
      .split("\n")
      .map((word, i) => `${i},${word}`),
  );
  assert.equal((await labelled(READINGS, named)).rows, words.trim().split("\n"));
});

test("labels of a history in its long form, and in another folder", async () => {
  const long = lines(
    "time,sensor,value",
    ...Array.from({ length: 8 }, (_, i) => `${clock(i >> 1)},${i % 2 ? "hum" : "temp"},${i}.5`),
  );
  const labels = lines("time,label", `${clock(1)},ok`, `${clock(2)},worn`, `${clock(3)},worn`);
  const { rows, found } = await labelled(long, labels, { file: "by hand/labels.csv" });
  assert.equal(rows, ["", "ok", "worn", "worn"]);
  assert.is(found.description.labels.file, "by hand/labels.csv");
});

test("a date and the time of its day in two columns", async () => {
  const labels = lines(
    "date;time;state",
    ...[1, 5, 7, 8].map((minute) => `01.03.2024;10:0${minute}:00;${minute < 6 ? "ok" : "worn"}`),
  );
  const readings = READINGS.replaceAll("Z,", ",");
  assert.equal((await labelled(readings, labels)).rows, times({ 1: "ok", 5: "ok", 7: "worn", 8: "worn" }));
});

test("--label chooses the column of the labels' file", async () => {
  const labels = lines(
    "time,who,what",
    ...[1, 2, 3].map((minute) => `${clock(minute)},${minute & 1},${minute === 3 ? 5 : 4}`),
  );
  const { rows } = await labelled(READINGS, labels, { flags: ["--label", "what"] });
  assert.equal(rows, times({ 1: "4", 2: "4", 3: "5" }));
});

const REFUSED: readonly (readonly [labels: string, right: string, data?: string])[] = [
  [lines("1", "2"), "labels.csv: 2 labels for the 12 rows of "],
  ["", "labels.csv: no labels; one or more is needed"],
  [
    lines("time,state", ...Array.from({ length: ROWS }, (_, i) => `${i === 1 ? "soon" : clock(i)},ok`)),
    'labels.csv:3: "soon" is no time; every label needs one',
  ],
  [
    lines("time,state", ...[1, 2, 3].map((day) => `2024-04-0${day},ok`)),
    "labels.csv: labels of 2024-04-01T00:00:00.000Z to 2024-04-03T00:00:00.000Z, and rows of 2024-03-01T10:00:00.000Z to 2024-03-01T10:11:00.000Z; labels of times that ",
  ],
  [
    lines("start,end,state", `${clock(1)},${clock(4)},ok`, `${clock(3)},${clock(6)},worn`),
    'labels.csv:3: its span is "worn", and overlaps that of line 2, "ok"; one class at a time is needed',
  ],
  [
    lines("start,end,state", `${clock(1)},${clock(4)},ok`, `${clock(8)},${clock(6)},worn`),
    "labels.csv:3: its last time is before its first; a span ends later",
  ],
  [
    lines("time,who,what", ...[1, 2, 3].map((minute) => `${clock(minute)},1,${minute}`)),
    "labels.csv: no column is called label; --label chooses one of time, who, what",
  ],
  [
    lines("time,state", `${clock(1)},ok`),
    "data.csv: no time of its rows, which --every and --labels need; a column of dates, or of seconds since 1970 under a header, is needed",
    lines("a,b", "1,2.5"),
  ],
];

for (const [labels, right, data = READINGS] of REFUSED)
  test(`refused in one line: ${right}`, async () => {
    const folder = writeFolder({ "data.csv": data, "labels.csv": labels });
    await refusesHere(["import", join(folder, "data.csv"), "--labels", join(folder, "labels.csv")], right);
  });

test("labels for each row in turn don't go with rows that may be skipped", async () => {
  const folder = writeFolder({ "data.csv": READINGS, "y.txt": lines(...Array(ROWS).fill("1")) });
  const args = ["import", join(folder, "data.csv"), "--labels", join(folder, "y.txt"), "--skip-bad-rows"];
  await refusesHere(
    args,
    "y.txt: bad rows are skipped, but its labels stand for each row in turn; labels with times are needed",
  );
});

test.run();
