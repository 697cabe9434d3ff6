import { test } from "uvu";
import * as assert from "uvu/assert";
import { axisFrom0, makeAxis } from "../../host/report/axis.ts";
import { html, shorten } from "../../host/report/html.ts";
import { plotStyle } from "../../host/report/look.ts";
import { pageText } from "../../host/report/page.ts";
import { plot, type Series } from "../../host/report/plot.ts";
import { table } from "../../host/report/table.ts";
import { tracks } from "../../host/report/tracks.ts";
import * as fc from "../properties.ts";

const BAD = `<a b="c">'&\u0007`;
const SAFE = "&lt;a b=&quot;c&quot;&gt;&#39;&amp;\\x07";

test("a template escapes every text, in lists too, and no other template", () => {
  assert.is(
    String(html`<b title="${BAD}">${[BAD, html`<i>${BAD}</i>`]}</b>`),
    `<b title="${SAFE}">${SAFE}<i>${SAFE}</i></b>`,
  );
  assert.is(String(html`${0}${false}${undefined}${null}${""}`), "0");
});

test("frame, charts, tracks and tables escape what they are given", () => {
  const series: Series = {
    ...{ name: BAD, look: plotStyle(0), isNamed: true, line: "joined", dots: "full" },
    points: [
      { x: 1, y: 2, mark: BAD },
      { x: 2, y: 3, title: BAD },
    ],
  };
  const form = { x: BAD, y: BAD, spans: [{ from: 1, to: 2, title: BAD }] };
  const mark = { as: "bar" as const, from: 0, to: 1, colour: "red", title: BAD };
  const page = pageText({
    title: BAD,
    runs: true,
    body: html`${plot([series], form)}${plot([series], { ...form, names: [BAD, BAD, BAD] })}
${tracks([{ name: BAD, figure: BAD, marks: [mark], remark: BAD }], axisFrom0([1]), BAD)}
${table([{ head: BAD, doc: BAD, group: BAD }], [{ cells: [BAD, { content: BAD, title: BAD }] }], { sorted: BAD })}`,
  });
  assert.not.ok(page.includes("<a b") || page.includes("\u0007"));
  assert.ok(page.split(SAFE).length > 20);
});

test("an axis has round ticks, and every value lies between the first and the last", () => {
  assert.equal(makeAxis([0.1033, 0.4867]).ticks, [0.1, 0.2, 0.3, 0.4, 0.5]);
  assert.equal(makeAxis([10.33, 20.08]).ticks, [10, 12, 14, 16, 18, 20, 22]);
  assert.equal(makeAxis([0.25]).ticks, [0.25, 0.3]);
  assert.equal(makeAxis([0]).ticks, [0, 0.2]);
  assert.equal(makeAxis([80, 36168], true).ticks, [50, 100, 1000, 10_000, 50_000]);
  assert.equal(makeAxis([90, 2100], true).ticks, [50, 100, 200, 500, 1000, 2000, 5000]);
  assert.equal(makeAxis([5896, 5904], true).ticks, [5896, 5898, 5900, 5902, 5904]);
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 9 }),
      fc.boolean(),
      (values, logarithmic) => {
        const { low, high, ticks, place } = makeAxis(values, logarithmic);
        assert.ok(ticks.length >= 2 && ticks.length <= 30, ticks.join());
        assert.ok(ticks.every((tick, i) => i === 0 || tick > ticks[i - 1]));
        assert.equal([ticks[0], ticks[ticks.length - 1]], [low, high]);
        assert.equal([place(low), place(high)], [0, 1]);
        for (const value of values) {
          const at = place(value);
          assert.ok(at >= -1e-6 && at <= 1 + 1e-6, `${value} at ${at} of ${ticks.join()}`);
        }
      },
    ),
  );
});

test("an axis from 0 ends at the first tick that holds the largest value", () => {
  assert.equal(axisFrom0([0.17]).ticks, [0, 0.05, 0.1, 0.15, 0.2]);
  assert.equal(axisFrom0([64]).ticks, [0, 20, 40, 60, 80]);
  assert.is(axisFrom0([0]).high, 1);
  for (let largest = 1e-6; largest < 1e6; largest *= 1.37) {
    const { high, ticks } = axisFrom0([largest], 4);
    assert.ok(
      high >= largest * (1 - 1e-9) && high < 2.6 * largest && ticks.length <= 5,
      `${largest}: ${ticks}`,
    );
  }
});

test("text is cut by characters, not by halves of them", () => {
  assert.is(shorten("mote-1", 6), "mote-1");
  assert.is(shorten("mote-12", 6), "mote-…");
  assert.is(shorten("📡📡📡", 2), "📡…");
});

test("names of points that lie on one another stand under one another", () => {
  const series = ["a", "b", "c"].map(
    (name, place): Series => ({
      ...{ name, look: plotStyle(place), dots: "full", isNamed: true },
      points: [{ x: place === 2 ? 10 : 1000, y: 1 }],
    }),
  );
  const drawing = String(plot(series, { x: "bytes", y: "error", logX: true }));
  const places = [...drawing.matchAll(/class="beside" x="[\d.]+" y="([\d.]+)" text-anchor="\w+">([abc])</g)];
  const at = Object.fromEntries(places.map(([, y, name]) => [name, Number(y)]));
  assert.is(Math.abs(at.a - at.b), 13);
  assert.is(at.c, Math.min(at.a, at.b));
});

test.run();
