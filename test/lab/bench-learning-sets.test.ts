import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { chosenSets } from "../../lab/bench/learning/sets.ts";
import { makeFolder } from "../folder.ts";

const folder = makeFolder();

const LENGTH = { rows: 1000, prefix: 10 };

/** A table of 60 rows and two classes, its lines changed. */
function table(change: (line: string, row: number) => string = (line) => line): string {
  const rows = Array.from({ length: 60 }, (_, i) => `${i % 7},${i % 5},${i % 3 ? "yes" : "no"}`);
  return ["a,b,label", ...rows].map(change).join("\n");
}

const FILES: { readonly [name: string]: string } = {
  "good.csv": table(),
  "constant.csv": table((line, row) => (row === 0 ? `c,${line}` : `7,${line}`)),
  "libsvm-rows.libsvm": Array.from({ length: 60 }, (_, i) => `${i % 2} 1:${i} 3:${i % 7}`).join("\n"),
  // As a recorded set is called, and a generated one.
  "elec2.csv": table(),
  "rings.csv": table(),
  "no-label.csv": table((line, row) => (row === 0 ? line : "1,2,")),
  "one-class.csv": table((line) => line.replace(/no$/, "yes")),
  "two-lines.csv": "a,b,label\n1,2,yes",
  "empty.csv": "",
  "words.csv": "hello\nworld foo",
  "numbers.csv": table((line, row) => (row === 0 ? line : `${row % 7},${row * 1.37},${row * 0.731}`)),
};

test("of a folder's tables those that can't be used are left out, each with why, and the others are run", async () => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, "sub"));
  writeFileSync(join(folder, "sub", "train.csv"), table());
  const { sets, leftOut } = await chosenSets({ data: folder, files: [] }, LENGTH);
  const found = sets.filter(({ files }) => files.length > 0).map(({ name }) => name);
  assert.equal(found.sort(), ["constant", "elec2-2", "good", "libsvm-rows", "rings-2", "sub"]);
  const whys = Object.fromEntries(leftOut.map(({ of, why }) => [of, why]));
  assert.match(whys["no-label"], /no-label\.csv: no row has a label/);
  assert.match(whys["one-class"], /one class only/);
  assert.match(whys["two-lines"], /two-lines\.csv: 1 row; with --prefix 10 at least 21/);
  assert.match(whys.empty, /empty\.csv: no rows/);
  assert.match(whys.words, /words\.csv/);
  assert.match(whys.numbers, /its labels are numbers/);
  const known = Object.keys(whys).filter((of) => of.includes("elec2"));
  assert.equal(known, ["elec2, occupancy, sea, svmguide1, letter-halves, letter-vowels, isolet-halves"]);
  assert.is(leftOut.length, 7);
  for (const { why } of leftOut) assert.not.match(why, /\n/);
});

test("a linked folder of tables is a set as any other; a link to nothing is passed over", async () => {
  const data = mkdtempSync(join(folder, "linked-"));
  mkdirSync(join(folder, "elsewhere"));
  writeFileSync(join(folder, "elsewhere", "room.csv"), table());
  symlinkSync(join(folder, "elsewhere"), join(data, "room"));
  symlinkSync(join(folder, "nowhere"), join(data, "gone"));
  const { sets } = await chosenSets({ data, files: [] }, LENGTH);
  assert.equal(
    sets.filter(({ files }) => files.length > 0).map(({ name }) => name),
    ["room"],
  );
});

test.run();
