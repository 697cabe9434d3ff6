/** What the papers' page runs in the browser: draws each figure with uPlot, and shows values under the cursor. */
export const PAPERS_DRAWING = `
"use strict";
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const specs = JSON.parse(document.getElementById("plots").textContent);
const drawn = [];

function tick(value) {
  if (value == null) return "";
  return Math.abs(value) < 1e5 ? String(Number(value.toPrecision(6))) : value.toExponential(0).replace("+", "");
}

function axis(label, size) {
  return {
    label, size, labelSize: 17, gap: 4, labelGap: 0,
    font: "11px system-ui, sans-serif", labelFont: "11px system-ui, sans-serif",
    stroke: () => css("--muted"),
    grid: { stroke: () => css("--rule"), width: 1 },
    ticks: { stroke: () => css("--rule"), width: 1, size: 4 },
    values: (plot, values) => values.map(tick),
  };
}

function series(line) {
  return {
    label: line.name, width: 1.8, dash: line.dash.length ? line.dash : undefined, spanGaps: true,
    stroke: () => css(line.colour),
    paths: line.points ? () => null : undefined,
    points: { show: line.points || line.at.length < 30, size: line.points ? 5 : 4, fill: () => css(line.colour) },
  };
}

function readOut(plot, spec, output) {
  const place = plot.cursor.idx;
  output.textContent = "";
  if (plot.cursor.left < 0 || place == null) return;
  output.append("at " + Number(plot.data[0][place].toPrecision(4)));
  spec.lines.forEach((line, i) => {
    const value = plot.data[i + 1][place];
    if (value == null) return;
    const figure = document.createElement("b");
    figure.style.color = css(line.colour);
    figure.textContent = String(Number(value.toPrecision(3)));
    output.append(figure);
  });
}

function scale(log) {
  return log ? { distr: 3, log: 10 } : { distr: 1 };
}

// Of the points at either end of the scale uPlot draws but one: a cloud gets a margin.
function margin(lines) {
  if (!lines.some((line) => line.points)) return {};
  return { range: (plot, min, max) => [min - (max - min) / 40, max + (max - min) / 40] };
}

// uPlot joins lines by their x, which must rise: a cloud or a path has equal ones, so a line is sorted first.
function sorted(line) {
  const order = line.at.map((_, i) => i).sort((a, b) => line.at[a] - line.at[b] || a - b);
  return [order.map((i) => line.at[i]), order.map((i) => line.value[i])];
}

function table(lines) {
  const xs = [];
  const columns = lines.map(() => []);
  const cursors = lines.map(() => 0);
  const ordered = lines.map(sorted);
  for (;;) {
    let x = Infinity;
    ordered.forEach(([at], i) => { if (cursors[i] < at.length) x = Math.min(x, at[cursors[i]]); });
    if (x === Infinity) return [xs, ...columns];
    xs.push(x);
    ordered.forEach(([at, value], i) => {
      columns[i].push(cursors[i] < at.length && at[cursors[i]] === x ? value[cursors[i]++] : null);
    });
  }
}

function draw(place) {
  const spec = specs[place.dataset.plot];
  const output = place.parentElement.querySelector("output");
  const plot = new uPlot({
    width: place.clientWidth, height: 300,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: { x: { time: false, ...scale(spec.logX), ...margin(spec.lines) }, y: scale(spec.logY) },
    axes: [{ ...axis(spec.x, 30), space: 50 }, { ...axis(spec.y, 52), space: 28 }],
    series: [{}, ...spec.lines.map(series)],
    hooks: { setCursor: [(plot) => readOut(plot, spec, output)] },
  }, table(spec.lines), place);
  new ResizeObserver(() => {
    if (place.clientWidth > 0) plot.setSize({ width: place.clientWidth, height: 300 });
  }).observe(place);
  drawn.push(plot);
}

document.querySelectorAll("[data-plot]").forEach(draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const plot of drawn) plot.redraw(false, true);
});
`;
