import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readTable } from "../../host/streams/index.ts";
import { refusesHere, runHere, runJsonHere } from "../cli/program.ts";
import { writeFolder } from "../folder.ts";

/** A recording of rows whose x tells its file, with a counter. */
const recording = (x: number, rows = 25, { header = "count;x;y\n", separator = ";" } = {}) =>
  header + Array.from({ length: rows }, (_, i) => [i + 1, x, `${(i * 7) % 5}.5`].join(separator)).join("\n");

/** What import says of a folder, and what every command reads: the first feature and the class of each row. */
async function imported(folder: string, options = {}) {
  const { stdout } = await runHere(["import", folder]);
  const [found] = (await runJsonHere("motelearn.import/1", "import", folder)).files;
  const { rows, dimension, labels, labelNames, count } = await readTable(folder, {
    unlabelled: true,
    ...options,
  });
  const firsts = Array.from({ length: count }, (_, i) => rows[i * dimension]);
  return { found, stdout, firsts, classes: [...labels].map((label) => labelNames?.[label]) };
}

const BY_NAME = {
  "idle.csv": recording(1),
  "fault_bearing_01.csv": recording(2),
  "fault_bearing_02.csv": recording(3),
};
const BY_FOLDER = {
  "normal/2024-03-01.csv": recording(1),
  "normal/2024-03-02.csv": recording(2),
  "fault/bearing/2024-03-01.csv": recording(3),
};

for (const [about, files, names, order] of [
  ["their names", BY_NAME, ["fault_bearing", "fault_bearing", "idle"], [2, 3, 1]],
  ["their folders", BY_FOLDER, ["fault", "normal", "normal"], [3, 1, 2]],
] as const)
  test(`the tables of a folder are one recording of the classes that ${about} say`, async () => {
    const folder = writeFolder({ ...files, "README.txt": "who recorded this" });
    const { found, stdout, firsts, classes } = await imported(folder);
    assert.equal(found.description.format, "class-files");
    assert.equal(found.description.features, ["x", "y"]);
    assert.equal(
      firsts,
      order.flatMap((x) => Array(25).fill(x)),
    );
    assert.equal(
      classes,
      names.flatMap((name) => Array(25).fill(name)),
    );
    assert.match(stdout, /to be checked +each class stays to the end of its files: --shuffle SEED/);
    assert.match(stdout, /next: npx motelearn choose --train \S+ --shuffle 1\n/);
  });

test("tables of a folder without a header are read so, and a lone class is no label", async () => {
  const bare = { header: "", separator: "," };
  const walk = await imported(
    writeFolder({ "walk1.csv": recording(1, 25, bare), "idle1.csv": recording(2, 25, bare) }),
  );
  assert.equal(walk.classes, [...Array(25).fill("idle"), ...Array(25).fill("walk")]);
  const days = await imported(
    writeFolder({ "log-2024-03-01.csv": recording(1), "log-2024-03-02.csv": recording(2) }),
  );
  assert.equal([days.found.rows, days.classes.some((name) => name !== undefined)], [50, false]);
});

test("no sample has rows of two files, of a folder by class or of Edge Impulse's", async () => {
  const period = { rate: 10, period: 1000 };
  const { firsts, classes } = await imported(writeFolder(BY_NAME), period);
  assert.equal(firsts, [2, 2, 3, 3, 1, 1]);
  assert.equal(classes, [...Array(4).fill("fault_bearing"), "idle", "idle"]);
  const acquired = { header: "timestamp,x,y\n", separator: "," };
  const edge = await imported(
    writeFolder({ "idle.1.csv": recording(1, 25, acquired), "wave.1.csv": recording(2, 25, acquired) }),
    period,
  );
  assert.equal([edge.found.description.format, edge.firsts], ["edge-impulse", [1, 1, 2, 2]]);
});

test("choose refuses samples that are too short for a spectrum and don't follow each other", async () => {
  const folder = writeFolder(BY_NAME);
  await runHere(["import", folder]);
  await refusesHere(
    ["choose", "--train", folder, ...["--rate", "10", "--period", "1000", "--shuffle", "1"]],
    "samples of 10 readings of 2 sensors make no spectrum; 64 or more, of 64 sensors at most, are needed: a longer --period",
  );
});

test("a table of other columns, and folders that are no classes, are refused with the remedy", async () => {
  const other = writeFolder({ ...BY_NAME, "summary.csv": "class;mean\nidle;1.5\nfault;2.5\n" });
  await refusesHere(
    ["import", other],
    `summary.csv:1: columns class, mean where ${join(other, "fault_bearing_01.csv")} has count, x, y`,
    "take others out of it",
  );
  const split = writeFolder({ "train/idle.csv": recording(1), "test/idle.csv": recording(2) });
  await refusesHere(
    ["import", split],
    "a folder test, which is no class",
    `motelearn import ${join(split, "test")}`,
  );
});

test("files whose names say classes are imported each, and import says how they are joined", async () => {
  const folder = writeFolder(BY_NAME);
  const each = Object.keys(BY_NAME).map((name) => join(folder, name));
  const { stdout } = await runHere(["import", ...each]);
  const command = `if these are classes: idle, fault_bearing, join the files of each: npx motelearn import ${folder}`;
  assert.ok(stdout.includes(command), stdout);
  const alike = await runHere(["import", ...each.slice(1), "--force"]);
  assert.not.match(alike.stdout, /join the files/);
});

test.run();
