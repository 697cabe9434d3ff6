import { test } from "uvu";
import * as assert from "uvu/assert";
import { namedColumns, readTable } from "../../host/streams/index.ts";
import { runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";

const written = temporaryFolder();
let files = 0;

const ROWS = 40;
const makeFile = (row: (i: number) => readonly (string | number)[], separator = ",", header = "") =>
  written(
    `${files++}.txt`,
    `${header}${Array.from({ length: ROWS }, (_, i) => row(i).join(separator)).join("\n")}\n`,
  );

/** The label that every command reads, its classes, and what import prints to be checked. */
async function imported(file: string, ...flags: readonly string[]) {
  const { stdout } = await runHere(["import", file, "--force", ...flags]);
  const { classes } = (await runJsonHere("motelearn.import/1", "import", file, ...flags)).files[0];
  const { roles } = await readTable(file, { unlabelled: true });
  const { label, features } = namedColumns(roles as NonNullable<typeof roles>);
  const names = classes?.map(({ name }: { name: string }) => name);
  return {
    label,
    features: features.length,
    names,
    checks: stdout.split("\n").filter((line) => /to be checked/.test(line)),
  };
}

const reading = (i: number, k: number) => (Math.sin(i * k) * 2).toFixed(6);
const SERIES = [1, 2, 3].map((k) => (i: number) => reading(i, k));
const series = (i: number) => SERIES.map((each) => each(i));

for (const [about, file, names] of [
  ["tabs, classes from 1 on", makeFile((i) => [1 + (i % 3), ...series(i)], "\t"), ["1", "2", "3"]],
  [
    "blanks, classes -1 and 1 with exponents",
    makeFile((i) => [i % 2 ? "  1.0000000e+00" : " -1.0000000e+00", ...series(i)], "  "),
    ["-1", "1"],
  ],
  [
    "a last column of large whole numbers",
    makeFile((i) => [i % 3, 1.5, ...series(i), 400 + ((i * 37) % 101)]),
    ["0", "1", "2"],
  ],
  ["a last column of one value", makeFile((i) => [i % 10, (i * 37) % 256, 0]), "0123456789".split("")],
  ["words", makeFile((i) => ["BF"[i % 2], ...series(i)]), ["B", "F"]],
] as const)
  test(`a table without names may begin with its label: ${about}`, async () => {
    const found = await imported(file);
    assert.equal([found.label, found.names], ["column 1", names]);
    assert.equal(found.checks.length, 1);
    assert.match(found.checks[0], /column 1 is the label, as the first column; --label chooses another$/);
  });

for (const [about, row, header, label] of [
  ["classes last, too", (i: number) => [i % 3, ...series(i), i % 2], "", "column 5"],
  [
    "whole numbers that aren't counted first",
    (i: number) => [[800, 1000, 1250][i % 3], ...series(i)],
    "",
    "column 4",
  ],
  ["readings first", (i: number) => [...series(i), i % 2], "", "column 4"],
  ["numbers first that don't recur", (i: number) => [i, ...series(i)], "", "column 4"],
  ["names", (i: number) => [i % 3, ...series(i)], "node,a,b,c\n", "c"],
] as const)
  test(`the label is the last column of a table with ${about}`, async () => {
    assert.is((await imported(makeFile(row, ",", header))).label, label);
  });

/** How a machine's rows end: a verdict, and columns behind it. */
for (const [about, header, row, label] of [
  [
    "a flag behind the anomaly",
    "a,b,c,anomaly,changepoint",
    (i: number) => [...series(i), +(i > 30), +(i === 31)],
    "anomaly",
  ],
  [
    "flags of its causes behind the failure",
    "a,b,c,Machine failure,TWF,RNF",
    (i: number) => [...series(i), +(i % 5 > 2), +(i % 5 === 3), +(i === 9)],
    "Machine failure",
  ],
  [
    "readings in whole numbers behind the status",
    "status,a,b,rpm",
    (i: number) => [["OK", "WARN"][i % 2], ...series(i).slice(1), 1480 + ((i * 7) % 24)],
    "status",
  ],
  [
    "a place behind the fault",
    "a,b,c,fault,site",
    (i: number) => [...series(i), +(i > 30), "plant A"],
    "fault",
  ],
  [
    "columns of one value behind the states",
    "a,b,mode,x,y",
    (i: number) => [...series(i).slice(1), (i >> 3) % 3, 0, 1],
    "mode",
  ],
  ["one state alone, of words", "a,b,c,state", (i: number) => [...series(i), "normal"], "state"],
  ["a reading named after a fault", "fault_current,a,b,mode", (i: number) => [...series(i), i % 3], "mode"],
] as const)
  test(`the label of a table with ${about}`, async () => {
    assert.is((await imported(makeFile(row, ",", `${header}\n`))).label, label);
  });

test("an engine's number and its cycle are no label and no readings", async () => {
  const row = (i: number) => [1 + Math.floor(i / 13), 1 + (i % 13), ...series(i)];
  for (const [header, names, label] of [
    ["", ["column 1", "column 2"], "column 5"],
    ["unit,cycle,a,b,c\n", ["unit", "cycle"], "c"],
  ] as const) {
    const {
      label: found,
      features,
      checks,
    } = await imported(makeFile(row, " ", header.replaceAll(",", " ")));
    assert.equal([found, features], [label, 2]);
    assert.match(
      checks.join("\n"),
      new RegExp(`${names[0]} is left out, as it numbers the parts of the recording`),
    );
    assert.match(checks.join("\n"), new RegExp(`${names[1]} is left out, as it rises from row to row`));
  }
});

test("a label that was chosen is no guess", async () => {
  const file = makeFile((i) => [i % 3, ...series(i)]);
  assert.equal(await imported(file, "--label", "2"), {
    ...{ label: "column 2", features: 3, names: undefined, checks: [] },
  });
});

test.run();
