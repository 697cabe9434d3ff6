import { test } from "uvu";
import * as assert from "uvu/assert";
import { AXIS, chart } from "../../tools/monitor/chart.ts";
import { Prequential } from "../../tools/monitor/prequential.ts";

/** A curve of so many points, the first half at `before`, the rest at `after`; a label a sample. */
function drawCurve(points: number, before: number, after: number): Prequential {
  const prequential = new Prequential("error");
  prequential.take(0, 0, 0, 0);
  for (let i = 1; i <= points; i++) prequential.take(100 * i, 100 * i, 0, i <= points / 2 ? before : after);
  return prequential;
}

for (const columns of [80, 120, 200]) {
  test(`a curve of few points, or of many, is as wide as a terminal of ${columns} columns`, () => {
    for (const points of [1, 3, 50, 79, 300]) {
      const lines = chart(drawCurve(points, 1, 1), [], columns, 5, true);
      assert.equal(
        lines.slice(0, 4).map((line) => line.length),
        [columns, columns, columns, columns],
        `${points} points`,
      );
    }
  });
}

test("each point takes its share of the columns, and a mark stands below its point", () => {
  const lines = chart(drawCurve(4, 1, 0.5), [300], AXIS + 12, 3, true);
  assert.is(lines[0].slice(AXIS), "██████", "the first two points");
  assert.is(lines[1].slice(AXIS), "████████████", "all four");
  assert.is(lines[2].slice(AXIS).indexOf("▲"), 6, "sample 300 is the third point");
});

test("a mark stands below the column that its point is part of, however many points share one", () => {
  for (const points of [1, 3, 7, 50, 74, 75, 300]) {
    const prequential = drawCurve(points, 1, 1);
    for (let mark = 1; mark <= points; mark++) {
      const width = 74;
      const column = chart(prequential, [100 * mark], AXIS + width, 3, true)[2]
        .slice(AXIS)
        .indexOf("▲");
      const shown = (at: number) => Math.floor((at * points) / width);
      assert.ok(column >= 0 && shown(column) <= mark - 1, `${mark} of ${points}`);
      assert.ok(Math.max(shown(column), shown(column + 1) - 1) >= mark - 1, `${mark} of ${points}`);
    }
  }
});

test("a first label alone, right or wrong, is no point of the curve", () => {
  const prequential = new Prequential("accuracy");
  prequential.take(0, 0, 0, 0);
  prequential.take(1, 1, 1, 0);
  assert.is(prequential.curve.length, 0);
  prequential.take(40, 40, 4, 0);
  assert.equal(prequential.curve, [{ seq: 40, value: 0.9 }]);
});

test("before the first label there is no curve", () => {
  assert.is(chart(new Prequential("accuracy"), [], 80, 4, true)[3].trim(), "no labels to draw yet");
});

test.run();
