import { test } from "uvu";
import * as assert from "uvu/assert";
import { judgeGoals } from "../../lab/bench/learning/goals.ts";
import type { CellResult, Standing } from "../../lab/bench/learning/result.ts";

function standing(entrant: string, mean: number): Standing {
  const error = { mean, standardError: null };
  return { entrant, error, late: error, balancedAccuracy: null, errors: [mean] };
}

/** A cell in which the last label received, PA and the best of PA's grid err so much. */
function cell(set: string, last: number, pa: number, best: number): CellResult {
  return {
    ...{ set, order: "time", delay: 0, flips: 0, budget: 32, classes: 2, plain: true, seeds: 1, best: "pa" },
    standings: [standing("last", last), standing("pa", pa)],
    varied: [
      { of: "pa", ...standing("pa:C=2", best) },
      { of: "pa", ...standing("pa:C=0.1", 1) },
    ],
  };
}

function judgeFigure(...cells: CellResult[]): string {
  const goal = judgeGoals(cells, ["last", "pa"], new Set()).find(
    ({ of }) => of === "all learners' defaults, time",
  );
  return `${goal?.met} ${goal?.figure}`;
}

test("defaults are counted against the best of the grid, and apart where that beats the last label", () => {
  assert.is(
    judgeFigure(cell("a", 0.5, 0.2, 0.2), cell("b", 0.5, 0.25, 0.2), cell("c", 0.1, 0.3, 0.15)),
    "false 2 of 3, 66.7 %; 2 of 2, 100.0 %, where the best of the grid errs less than the last label received; worst 2.00 times (pa, c)",
  );
});

test("a figure says nothing of the last label where every best of a grid beats it, or none does", () => {
  assert.is(judgeFigure(cell("a", 0.5, 0.26, 0.2)), "false 0 of 1, 0.0 %; worst 1.30 times (pa, a)");
  assert.is(judgeFigure(cell("a", 0.1, 0.2, 0.2)), "true 1 of 1, 100.0 %; worst 1.00 times (pa, a)");
});

test("two errors of 0 are as good as each other", () => {
  assert.match(judgeFigure(cell("a", 0.5, 0, 0)), /^true 1 of 1, 100.0 %/);
});

/** The figures of the two goals of `olk-drift`: where the boundary moves, and elsewhere. */
function foundFigures(
  cells: readonly (readonly [set: string, found: number, usual: number, fast: number])[],
) {
  const names = ["olk-drift", "olk-c", "olk-c:regularization=1e-2"];
  const all = cells.map(([set, ...errors]) => ({
    ...cell(set, 0.5, 0.5, 0.5),
    standings: names.map((name, i) => standing(name, errors[i])),
  }));
  const goals = judgeGoals(all, names, new Set()).filter(({ of }) => of === "olk-drift");
  return goals.map(({ met, figure }) => `${met} ${figure}`);
}

test("forgetting that is found is judged by the best fixed rate where the boundary moves, else by the default", () => {
  assert.equal(
    foundFigures([
      ["blobs", 0.11, 0.3, 0.1],
      ["spirals-fast", 0.0145, 0.3, 0.01],
      ["rings", 0.103, 0.1, 0.05],
      ["room", 0.0104, 0.01, 0.01],
    ]),
    ["true 2 of 2 cells, 100.0 %", "true 2 of 2 cells, 100.0 %"],
  );
  assert.equal(
    foundFigures([
      ["blobs", 0.12, 0.3, 0.1],
      ["rings", 0.105, 0.1, 0.05],
    ]),
    [
      "false 0 of 1 cells, 0.0 %; worst + 1.00 points (blobs, time, delay 0, flips 0, budget 32)",
      "false 0 of 1 cells, 0.0 %; worst + 0.20 points (rings, time, delay 0, flips 0, budget 32)",
    ],
  );
});

test.run();
