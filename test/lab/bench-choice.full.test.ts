import { test } from "uvu";
import * as assert from "uvu/assert";
import { CHOICE_SETS, DIMENSION, drawSet } from "../../lab/bench/choice/sets.ts";
import { refusesHere, runJson } from "../cli/program.ts";

test("a set's draws are of one concept and differ; another seed has another", () => {
  for (const set of CHOICE_SETS) {
    // As many as no state of the machine stays.
    const [file, again, fresh] = ["file", "file", "fresh 0"].map((part) => drawSet(set, 9, part, 500));
    assert.is(file.rows.length, 500 * DIMENSION);
    assert.equal(file, again);
    assert.not.equal(file.rows, fresh.rows);
    assert.not.equal(file.labels, drawSet(set, 10, "file", 500).labels);
  }
});

test("what choose takes on 2,500 samples of 16 features errs on fresh ones at most 0.3 points more than the best", () => {
  const { results } = runJson(
    "motelearn.bench-choice/1",
    ...["bench", "--choice", "--sets", "offset", "--seeds", "21", "--draws", "2", "--samples", "2500"],
    ...["--budgets", "32"],
  );
  const [{ regret, fresh, best, candidates, regretOfDraws, standardError }] = results;
  assert.ok(candidates > 400);
  assert.ok(regret >= 0 && regret <= 0.3, `${regret}`);
  assert.ok(Math.abs(fresh - best - regret) < 1e-9);
  const [first, second] = regretOfDraws;
  assert.ok(Math.abs((first + second) / 2 - regret) < 1e-9);
  assert.ok(Math.abs(Math.abs(first - second) / 2 - standardError) < 1e-9);
});

test("a set that there isn't is refused by name", async () => {
  await refusesHere(["bench", "--choice", "--sets", "bord"], "--sets bord: no such set", "board");
  await refusesHere(["bench", "--choice", "--faults"], "take one of them");
});

test.run();
