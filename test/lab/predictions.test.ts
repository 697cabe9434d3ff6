import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { refusesHere, runJsonHere, temporaryFolder } from "../cli/program.ts";
import { easyCsv } from "./easy-csv.ts";

const file = temporaryFolder();
const KINDS = ["ant", "bee", "cow"];

const two = file("two.csv", easyCsv("classification", 200, 1));
const twoTest = file("two-test.csv", easyCsv("classification", 80, 2));
const three = file("three.csv", `a,b,kind\n${easyCsv("multiclass", 240, 1, (y) => KINDS[y])}`);
const numbers = file("numbers.csv", easyCsv("regression", 150, 1));
const novelty = file(
  "novelty.csv",
  easyCsv("novelty", 200, 1, (y) => (y < 0 ? "odd" : "normal")),
);

/** The table that --predictions wrote, as rows of cells, and the result. */
async function predicted(learner: string, train: string, ...others: string[]) {
  const path = file("predictions.csv", "");
  const args = ["--learner", learner, "--train", train, ...others, "--predictions", path];
  const result = await runJsonHere("motelearn.evaluate/1", "evaluate", ...args);
  const [head, ...rows] = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  assert.equal(head, ["of", "row", "label", "prediction", "decision"]);
  return { result, rows };
}

const errors = (rows: string[][]) => rows.filter(([, , label, prediction]) => label !== prediction).length;
const labelsIn = (path: string) => readFileSync(path, "utf8").trim().split("\n");

test("each sample's prediction is a row: the error of the rows is the printed one, of train and test", async () => {
  const { result, rows } = await predicted("olk-c", two, "--test", twoTest, "--delay", "9");
  const train = rows.filter(([of]) => of === "train");
  const tested = rows.filter(([of]) => of === "test");
  assert.equal([train.length, tested.length], [200, 80]);
  assert.is(errors(train) / 200, result.cumulativeError.mean);
  assert.is(errors(tested) / 80, result.testError.mean);
  assert.equal(
    tested.map(([, row]) => Number(row)),
    Array.from({ length: 80 }, (_, i) => i + 1),
  );
  for (const [, , , prediction, decision] of rows)
    assert.is(prediction, Number(decision) < 0 ? "-1" : "1", decision);
});

test("in another order a row keeps its number in the file, and its label's name", async () => {
  const { result, rows } = await predicted("ova:pa", three, "--shuffle", "3");
  assert.is(errors(rows) / 240, result.cumulativeError.mean);
  assert.not.equal(rows[0][1], "1");
  const lines = labelsIn(three).slice(1);
  for (const [, row, label] of rows) assert.ok(lines[Number(row) - 1].endsWith(`,${label}`));
});

test("a regression's table has numbers, a sample without a label none, and a novelty its class", async () => {
  const { result, rows } = await predicted("qkrls", numbers);
  const squares = rows.map(([, , label, prediction]) => (Number(prediction) - Number(label)) ** 2);
  const mean = squares.reduce((sum, each) => sum + each, 0) / squares.length;
  assert.ok(Math.abs(mean / result.cumulativeMse.mean - 1) < 1e-9);
  const part = file("part.csv", "a,label\n1,1\n2,\n-1,-1\n");
  assert.equal(
    (await predicted("pa", part)).rows.map(([, , label]) => label),
    ["1", "", "-1"],
  );
  const novel = await predicted("norma-n", novelty, "--novel", "odd");
  assert.is(errors(novel.rows) / 200, novel.result.cumulativeError.mean);
});

test("several passes, and a file that is read, are refused", async () => {
  const args = ["evaluate", "--learner", "pa", "--train", two, "--predictions"];
  await refusesHere([...args, "p.csv", "--repeat", "2"], "--predictions: takes one pass, got --repeat 2");
  await refusesHere([...args, two], "--predictions", "would replace", "give another file");
  await refusesHere([...args, ""], "--predictions: takes a file's name; got an empty one");
});

test.run();
