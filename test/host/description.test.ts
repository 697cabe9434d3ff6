import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UserError } from "../../host/errors.ts";
import { descriptionPath } from "../../host/streams/description.ts";
import { type DataSet, readTable, type TableOptions } from "../../host/streams/index.ts";
import { makeFolder } from "../folder.ts";

const test = suite("description");
const folder = makeFolder();

let files = 0;

/** A file with this description beside it. */
function described(content: string, description: object | string): string {
  const path = join(folder, `${files++}.csv`);
  const text =
    typeof description === "string"
      ? description
      : JSON.stringify({ schema: "motelearn.data/1", ...description });
  writeFileSync(path, content);
  writeFileSync(descriptionPath(path), text);
  return path;
}

function read(content: string, description: object, options?: TableOptions): Promise<DataSet> {
  return readTable(described(content, description), options);
}

async function fault(content: string, description: object | string): Promise<string> {
  const path = described(content, description);
  try {
    await readTable(path);
  } catch (error) {
    assert.instance(error, UserError);
    const { message } = error as Error;
    assert.ok(message.startsWith(path) && !message.includes("\n"), message);
    return message.slice(path.length);
  }
  return "nothing was thrown";
}

const GERMAN = `sep=;
# made by a logger
zeit;temp;feuchte;zustand
# and restarted
1700000000;21,5;-200;an
1700000010;-1e1;40;aus
1700000020;,25;-200,0;unknown
`;
const HOW_GERMAN = {
  ...{ skipLines: 1, separator: ";", decimal: ",", comment: "#", header: true },
  ...{ missingWords: ["-200", "Unknown"], time: "zeit", timeUnit: "s", label: "zustand" },
};

test("a described dialect: separator, decimal comma, comments, lines before the table, missing words, time", async () => {
  const data = await read(GERMAN, HOW_GERMAN, { missing: "nan", provenance: true });
  assert.equal(data.columns, ["temp", "feuchte"]);
  assert.equal([...data.rows], [21.5, Number.NaN, -10, 40, 0.25, Number.NaN]);
  assert.equal([...data.labels], [0, 1, Number.NaN]);
  assert.equal(data.labelNames, ["an", "aus"]);
  assert.equal([...(data.provenance?.time ?? [])], [1.7e12, 1.7e12 + 10_000, 1.7e12 + 20_000]);
});

test("a point among the digits of a decimal comma is refused, and the line is the file's", async () => {
  const content = "a;y\n1,5;1\n# x;y\n1.500;2\n";
  assert.is(
    await fault(content, { separator: ";", decimal: ",", comment: "#", header: true }),
    ':4: column "a" is "1.500", not a number; choose columns of numbers with option columns',
  );
});

test("options that are given override the description; described: false reads without it", async () => {
  const content = "a,b,c\n1,2,3\n4,5,6\n";
  const how = { features: ["b"], label: "a" };
  const data = await read(content, how);
  assert.equal(
    [[...data.rows], [...data.labels]],
    [
      [2, 5],
      [1, 4],
    ],
  );
  const given = await read(content, how, { columns: ["c"], label: undefined });
  assert.equal(
    [[...given.rows], [...given.labels]],
    [
      [3, 6],
      [1, 4],
    ],
  );
  assert.is((await read(content, how, { described: false })).dimension, 2);
});

test("another label than the described one is no feature, and has classes of its own", async () => {
  const description = { features: ["a", "b"], label: "y", classes: ["ok", "bad"] };
  const content = "a,b,y\n1,left,ok\n2,right,bad\n3,left,ok\n";
  const { rows, labelNames } = await read(content, description, { label: "b" });
  assert.equal([...rows], [1, 2, 3]);
  assert.equal(labelNames, ["left", "right"]);
});

test("a pipe separates; a header that lacks the rows' names; classes keep words for missing readings", async () => {
  const content = "x|y\nMazda|1|none\nFiat|2|ok\n";
  const how = { separator: "|", header: true, rowNames: true, features: ["x"], classes: ["ok", "none"] };
  const data = await read(content, { ...how, missingWords: ["none", "ok"] });
  assert.equal(
    [[...data.rows], [...data.labels]],
    [
      [1, 2],
      [0, 1],
    ],
  );
  assert.equal(data.classes, ["ok", "none"]);
});

test("what is wrong in a description, where, and what would be right", async () => {
  const wrong: readonly [object | string, string][] = [
    ["{", ".data.json: not JSON"],
    ["[]", ".data.json: takes one JSON object"],
    ["{}", '.data.json: schema: got nothing; takes one of "motelearn.data/1"'],
    [{ separater: ";" }, ".data.json: no key separater; did you mean separator? There are "],
    [{ separator: "/" }, '.data.json: separator: got "/"; takes one of "," ";" "\\t" "|"'],
    [{ decimal: 1 }, '.data.json: decimal: got 1; takes one of "." ","'],
    [{ skipLines: -1 }, ".data.json: skipLines: got -1; takes a whole number of lines"],
    [{ missingWords: "-200" }, '.data.json: missingWords: got "-200"; takes texts'],
    [{ features: [0] }, ".data.json: features: got [0]; takes a list of columns"],
    [{ label: true }, ".data.json: label: got true; takes a column's name"],
    [{ classes: ["a", "a"] }, '.data.json: classes: got ["a","a"]; takes two or more distinct names'],
    [
      { long: { time: "t" } },
      '.data.json: long: got {"time":"t"}; takes columns, such as {"time": "last_changed"',
    ],
    [
      { rows: { every: 0 } },
      '.data.json: rows: got {"every":0}; takes {"every": seconds} or {"at": a column',
    ],
    [{ windows: [["2024-01-02", "2024-01-01"]] }, ".data.json: windows: got "],
    [{ badRows: true }, '.data.json: badRows: got true; takes one of "refuse" "skip"'],
    [{ format: "influx-line" }, ": no names of its columns; motelearn import writes them"],
    [{ time: "when" }, ':1: no column "when"; the columns are, nearest first: '],
    [{ format: "libsvm", decimal: "," }, ": decimal was given for libsvm; it is for csv only"],
  ];
  for (const [description, right] of wrong) {
    const message = await fault("a,b\n1,2\n", description);
    assert.ok(message.startsWith(right), `${message} begins with ${right}`);
  }
});

const POINTS = "a x=1 1700000000\na x=2 1700000020\na y=5 1700000010\na x=3,y=6 1700000030\n";
const HOW_POINTS = { format: "influx-line", names: ["time", "a x", "a y"], label: false };

test("readings become rows as the description says; where it can't hold, what and what to do", async () => {
  const data = await read(POINTS, HOW_POINTS, { missing: "nan" });
  assert.equal([...data.rows], [1, Number.NaN, Number.NaN, 5, 2, Number.NaN, 3, 6]);
  const steps = await read(POINTS, { ...HOW_POINTS, rows: { every: 5 } }, { provenance: true });
  assert.equal([...steps.rows], [1, 5, 1, 5, 2, 5, 2, 5, 3, 6]);
  assert.equal(
    [...(steps.provenance?.time ?? [])],
    [10, 15, 20, 25, 30].map((second) => 1.7e12 + 1000 * second),
  );
  assert.equal([...(await read(POINTS, { ...HOW_POINTS, rows: { at: "a x" } })).rows], [2, 5, 3, 6]);
  const refused = [
    [{ inOrder: true }, ":3: a time before the last one; motelearn import --force looks at their order anew"],
    [{ rows: { at: "b" } }, ": no reading of b; rows.at takes a series that it has"],
    [{ features: ["a z"] }, ': no column "a z"; the columns are, nearest first: a x, a y, time'],
  ] as const;
  for (const [keys, right] of refused) assert.is(await fault(POINTS, { ...HOW_POINTS, ...keys }), right);
});

test("bad rows are skipped and counted; missing readings and unknown classes are none of them", async () => {
  const content = 'a,b,y\n1,2,0\n3\n4,x,1\n5,6",1\n"7,8,1\n9,1e99,1\n6,7,1\n';
  const { rows, badRows } = await read(content, { badRows: "skip" });
  assert.equal([...rows], [1, 2, 6, 7]);
  const first = ["line 3: 1 field where the first row has 3", 'line 4: column "b" is "x", not a number'];
  assert.equal([badRows?.rows, badRows?.first.slice(0, 2)], [5, first]);
  assert.match(
    await fault("a,y\n1,0\n,1\n", { badRows: "skip" }),
    /:3: column "a" is "", not a number; option missing/,
  );
  const known = await read("a,y\n1,0\n2,5\n", { badRows: "skip" }, { knownLabels: [0, 1] }).catch(
    (error) => error,
  );
  assert.match(known.message, /:3: unknown label "5"/);
  assert.match(
    await fault("a,y\nx,0\ny,1\n", { badRows: "skip" }),
    /: none of its 2 rows can be read: line 2: /,
  );
});

test.run();
