// Labels that are written in digits, but name classes.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readTable } from "../../host/streams/index.ts";
import { runHere } from "../cli/program.ts";
import { imported, lines, makeRows, temp, write } from "./imported.ts";

const TURN = 15;
/** A table whose label has these values in turn. */
const labelled = (...labels: readonly string[]) =>
  lines("temp,angle,label", ...makeRows((i) => `${temp(i)},${(i * 7) % 13}.25,${at(labels, i)}`));
const at = (labels: readonly string[], i: number) => labels[Math.floor(i / TURN) % labels.length];

/** The class of each row, as every command reads it. */
const readClasses = ({ labels, labelNames }: Awaited<ReturnType<typeof readTable>>) =>
  [...labels].map((label) => labelNames?.[label] ?? String(label));

for (const [about, labels] of [
  ["a grade with a minus behind it is no number below zero", ["1-", "2-", "3-"]],
  ["grades with a plus or a minus behind them are classes beside whole ones", ["5-", "5", "5+", "6-"]],
  ["zeros before a label are a part of its name", ["000", "007", "010"]],
  ["an exponent without a sign is a part of a label's name", ["1E3", "1E4", "12"]],
  ["a lone word among whole labels is a class", ["1", "2", "3", "X"]],
] as const)
  test(about, async () => {
    const file = write(labelled(...labels));
    const { data, doubts, description } = await imported(file);
    assert.equal(
      readClasses(data),
      makeRows((i) => at(labels, i)),
    );
    assert.equal(description.classes, [...labels].sort());
    assert.equal(doubts, []);
    const { stdout } = await runHere(["evaluate", "--train", file, "--learner", "lol"]);
    const shown = [...labels].sort().map((label, target) => `${label} ${target}`);
    assert.ok(stdout.includes(shown.join(", ")), stdout);
  });

test("classes whose names differ in case alone, or mean one truth, are said", async () => {
  for (const [labels, wanted] of [
    [["OK", "ok", "NOK"], "OK and ok may be one class: one spelling of each is needed"],
    [["False", "True", "0", "1"], "0 and False; 1 and True may be one class: one spelling of each is needed"],
    [["yes", "no"], undefined],
  ] as const)
    assert.is((await imported(write(labelled(...labels)))).doubts[0], wanted);
});

test("a whole label with a minus behind it is a word without a description, too", async () => {
  const data = await readTable(write(labelled("ok", "1-", "2-")));
  assert.equal([...new Set(readClasses(data))], ["ok", "1-", "2-"]);
});

test("a lone word among few whole readings far from zero is a missing one", async () => {
  const rows = makeRows((i: number) => `${i % 20 === 7 ? "OL" : 18 + (i % 6)},${temp(i)},${i % 2}`);
  const { description, features } = await imported(write(lines("celsius,force,label", ...rows)));
  assert.equal([description.missingWords, features], [["ol"], ["celsius", "force"]]);
});

test("labels of numbers that a program writes out are numbers", async () => {
  for (const labels of [
    ["0.000e+00", "1.000e+00"],
    ["+1", "-1"],
    ["1.0", "2.0"],
  ]) {
    const { data, description } = await imported(write(labelled(...labels)));
    assert.equal(description.classes, undefined);
    assert.equal([...data.labels], makeRows((i) => at(labels, i)).map(Number));
  }
});

test("few whole readings with a minus behind them are left out, and said; those with decimals are read", async () => {
  const rows = makeRows((i) => `${i % 2 ? "1-" : "2"},${temp(i)}${i % 2 ? "-" : ""},${(i * 7) % 13}.25`);
  const { features, doubts, data } = await imported(write(lines("grade,force,angle", ...rows)));
  assert.equal(features, ["force", "angle"]);
  assert.ok(
    doubts.some((doubt: string) => doubt.includes("grade")),
    doubts.join("\n"),
  );
  assert.equal(data.rows[2], -Number(temp(1)));
});

test.run();
