import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readTable } from "../../host/streams/index.ts";
import { refusesHere, runHere, runJsonHere } from "../cli/program.ts";
import { writeFolder } from "../folder.ts";

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

/** What import prints of such a file with its labels. */
const importedAgain = (file: string) =>
  runHere(["import", file, "--labels", join(dirname(file), "labels.csv"), "--force"]);

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

test("spans last so long as the unit in the name of their length says, and seconds without one are said", async () => {
  const spans = (name: string, length: string) =>
    labelled(
      READINGS,
      lines(`start,${name},state`, `${clock(2)},${length},ok`, `${clock(8)},${length},worn`),
    );
  const wanted = times({ 2: "ok", 3: "ok", 4: "ok", 8: "worn", 9: "worn", 10: "worn" });
  for (const [name, length, unit] of [
    ["Dauer [min]", "2", "min"],
    ["duration_ms", "120000", "ms"],
    ["duration", "2:00", "s"],
    ["duration", "120", undefined],
  ] as const) {
    const { rows, found } = await spans(name, length);
    assert.equal(rows, wanted, name);
    assert.is(found.description.labels.lastsUnit, unit);
    const { stdout } = await importedAgain(found.file);
    assert.is(stdout.includes("is taken in seconds"), unit === undefined, stdout);
  }
});

test("import says that no row has a label", async () => {
  const { found } = await labelled(READINGS, lines("from,to,what", "10:02,10:07,door", "10:08,10:09,window"));
  const { stdout } = await importedAgain(found.file);
  assert.match(stdout, /to be checked +no row has a label of labels.csv: its times, or --since/);
});

test("labels may count in minutes from the beginning of the recording", async () => {
  const labels = lines("start [min],end [min],state", "2,4,ok", "8.5,10,worn");
  const { rows } = await labelled(READINGS, labels);
  assert.equal(rows, times({ 2: "ok", 3: "ok", 4: "ok", 9: "worn", 10: "worn" }));
});

test("labels between rows' times hold until the next, and import says so", async () => {
  const labels = lines("when,state", `${clock(1, 30)},ok`, `${clock(4, 10)},worn`, `${clock(9, 59)},worn`);
  const { rows, found } = await labelled(READINGS, labels);
  assert.equal(rows, ["", "", "ok", "ok", "ok", ...Array(7).fill("worn")]);
  const { stdout } = await importedAgain(found.file);
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

/** Rows of a signal: half a second each, by a clock of its own that a function writes. */
const signal = (header: string, time: (i: number) => string) =>
  lines(`${header},x`, ...Array.from({ length: 24 }, (_, i) => `${time(i)},${(i * 7) % 5}.5`));
/** A gesture from 2 s to 3.9 s, another from 6 s to 8 s. */
const gestures = Array.from({ length: 24 }, (_, i) =>
  i >= 4 && i < 8 ? "wave" : i >= 12 && i <= 16 ? "tap" : "",
);
const AUDACITY = lines("2.000000\t3.900000\twave", "6.000000\t8.000000\ttap");
const SINCE_ZERO = { since: "0", rowTime: "t_ms", rowUnit: "ms" };
const BY_MS = signal("t_ms", (i) => `${500 * i}`);

const ELAPSED: readonly (readonly [about: string, data: string, labels: string, says: object])[] = [
  ["an Audacity label track, and a clock in milliseconds", BY_MS, AUDACITY, SINCE_ZERO],
  [
    "an Audacity label track, and a clock in seconds",
    signal("Time (s)", (i) => `${i / 2}`),
    AUDACITY,
    { since: "0", rowTime: "Time (s)", rowUnit: "s" },
  ],
  [
    "dates from the first row on",
    signal("time", (i) => `2024-03-01T10:00:${String(Math.floor(i / 2)).padStart(2, "0")}.${i % 2 ? 5 : 0}Z`),
    AUDACITY,
    { since: "2024-03-01T10:00:00.0Z", rowTime: undefined },
  ],
  [
    "seconds since 1970 from the first row on",
    signal("time", (i) => `${1700000000 + i / 2}`),
    AUDACITY,
    { since: "1700000000", rowTime: undefined },
  ],
  [
    "times of the day from the first row on",
    signal(
      "time",
      (i) => `10:59:${String(50 + Math.floor(i / 2)).padStart(2, "0")}.${i % 2 ? 5 : 0}`,
    ).replace(/10:59:6(\d)/g, "11:00:0$1"),
    AUDACITY,
    { since: "10:59:50.0", rowTime: "time", rowUnit: "s" },
  ],
  [
    "minutes and seconds of a video",
    BY_MS,
    lines("from,to,activity", "0:02,0:03.9,wave", "00:00:06,0:08,tap"),
    SINCE_ZERO,
  ],
  [
    "ELAN's export with a header, and milliseconds",
    BY_MS,
    lines(
      "Begin Time - msec\tEnd Time - msec\tDuration - msec\tgesture",
      "2000\t3900\t1900\twave",
      "6000\t8000\t2000\ttap",
    ),
    SINCE_ZERO,
  ],
  [
    "Praat's table",
    BY_MS,
    lines("tmin\ttier\ttext\ttmax", "2\thand\twave\t3.9", "6\thand\ttap\t8"),
    SINCE_ZERO,
  ],
];

for (const [about, data, labels, says] of ELAPSED)
  test(`labels that count from the beginning of a recording: ${about}`, async () => {
    const { rows, found } = await labelled(data, labels, { file: "labels.txt" });
    assert.equal(rows, gestures);
    const { since, rowTime, rowUnit } = found.description.labels;
    assert.equal({ since, rowTime, rowUnit }, { rowUnit: undefined, ...says });
    assert.equal(
      found.columns
        .filter(({ role }: { role: string }) => role === "feature")
        .map(({ name }: { name: string }) => name),
      ["x"],
    );
  });

test("labels of single seconds hold until the next, from the time that --since names", async () => {
  const labels = lines("time,state", "0:00,ok", "0:30,worn", "1:10,ok", "2:30,worn");
  const { rows, found } = await labelled(READINGS, labels, { flags: ["--since", clock(3)] });
  assert.equal(rows, ["", "", "", "ok", "worn", "ok", ...Array(6).fill("worn")]);
  const folder = dirname(found.file);
  const { stdout } = await runHere(["import", found.file, "--labels", join(folder, "labels.csv"), "--force"]);
  assert.match(stdout, /own labels +labels\.csv, .*, in s from 2024-03-01T10:00:00Z on\n/);
  assert.match(
    stdout,
    /to be checked +the labels' zero is the time 2024-03-01T10:00:00Z of the rows; --since TIME takes another\n/,
  );
});

test("labels that count, of rows without a clock, stand for each row in turn", async () => {
  const data = lines("x", ...Array.from({ length: ROWS }, (_, i) => `${(i * 7) % 5}.5`));
  const labels = lines(
    "time,state",
    ...Array.from({ length: ROWS }, (_, i) => `${i / 2},${i < 6 ? "ok" : "worn"}`),
  );
  const { rows, found } = await labelled(data, labels);
  assert.equal(rows, [...Array(6).fill("ok"), ...Array(6).fill("worn")]);
  assert.equal([found.description.labels.time, found.description.labels.since], [undefined, undefined]);
});

test("a line of labels that is no row is refused, not left out", async () => {
  const whole = lines("time,state", `${clock(2)},ok`, `${clock(4)},worn`, `${clock(6)},ok`);
  for (const [labels, refusal] of [
    [`${whole}${clock(8)}`, "line 5: cut off at the end of the file"],
    [`${whole}operator: night, hall 2, asleep\n${clock(8)},worn\n`, "line 5: no row: "],
  ]) {
    const folder = writeFolder({ "data.csv": READINGS, "labels.csv": labels });
    const [data, own] = ["data.csv", "labels.csv"].map((name) => join(folder, name));
    await refusesHere(["import", data, "--labels", own], `${refusal}`, "every label needs a whole row");
  }
});

test("labels beyond the recording are refused, and so is --since for others", async () => {
  const folder = writeFolder({
    "data.csv": BY_MS,
    "late.txt": "60.0\t70.5\twave\n80.0\t90.5\ttap\n",
    "dates.csv": lines("time,state", `${clock(1)},ok`),
  });
  const importing = (...args: string[]) => ["import", join(folder, "data.csv"), ...args];
  await refusesHere(
    importing("--labels", join(folder, "late.txt")),
    "labels of 60 s to 90.5 s, and rows of 0 s to 11.5 s",
    "--since",
  );
  await refusesHere(
    importing("--labels", join(folder, "dates.csv"), "--since", "start"),
    "its times don't count from 0",
  );
  await refusesHere(importing("--since", "start"), "--labels FILE is needed, too");
});

test.run();
