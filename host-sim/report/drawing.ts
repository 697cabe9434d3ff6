/**
 * The page's script. It draws the plots in the JSON (see curves.ts) with uPlot, folded ones when they come
 * into view. It follows the window's width and the colour scheme, shows values under the cursor, copies the
 * repeat command, and sorts and filters the nodes.
 */
export const DRAWING = `
"use strict";
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const specs = JSON.parse(document.getElementById("plots").textContent);
const drawn = [];

function axis(label, size) {
  return {
    label, size, labelSize: 17, gap: 4, labelGap: 0,
    font: "11px system-ui, sans-serif", labelFont: "11px system-ui, sans-serif",
    stroke: () => css("--muted"),
    grid: { stroke: () => css("--rule"), width: 1 },
    ticks: { stroke: () => css("--rule"), width: 1, size: 4 },
    values: (plot, values) => values.map((value) => String(Number(value.toPrecision(6)))),
  };
}

function series(line) {
  return {
    label: line.name, width: line.width, dash: line.dash.length ? line.dash : undefined,
    stroke: () => css(line.colour),
    points: { show: line.at.length < 3, size: 5, fill: () => css(line.colour) },
  };
}

function drawRules(plot, rules) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const { value, colour } of rules) {
    const y = Math.round(plot.valToPos(value, "y", true)) + 0.5;
    ctx.strokeStyle = css(colour);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}

function readOut(plot, spec, output) {
  const places = plot.cursor.idxs;
  output.textContent = "";
  if (plot.cursor.left < 0 || !places || places[0] == null) return;
  output.append("at " + plot.data[0][places[0]]);
  spec.lines.forEach((line, i) => {
    const value = places[i + 1] == null ? null : plot.data[i + 1][places[i + 1]];
    if (value == null) return;
    const figure = document.createElement("b");
    figure.style.color = css(line.colour);
    figure.textContent = String(Number(value.toPrecision(3)));
    output.append(figure);
  });
}

function draw(place) {
  const spec = specs[place.dataset.plot];
  const output = place.parentElement.querySelector("output");
  const plot = new uPlot({
    width: place.clientWidth, height: spec.height,
    padding: [6, 20, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, sync: { key: spec.group }, points: { size: 6 } },
    scales: { x: { time: false, range: () => [0, spec.max[0]] }, y: { range: () => [0, spec.max[1]] } },
    axes: [{ ...axis("samples", 26), space: 55 }, { ...axis(spec.unit, 40), space: 28 }],
    series: [{}, ...spec.lines.map(series)],
    bands: spec.filled ? [{ series: [1, 2], fill: () => css(spec.lines[0].colour) + "38" }] : [],
    hooks: { draw: [(plot) => drawRules(plot, spec.rules)], setCursor: [(plot) => readOut(plot, spec, output)] },
  }, uPlot.join(spec.lines.map((line) => [line.at, line.value])), place);
  new ResizeObserver(() => {
    if (place.clientWidth > 0) plot.setSize({ width: place.clientWidth, height: spec.height });
  }).observe(place);
  drawn.push(plot);
}

const seen = new IntersectionObserver((places) => {
  for (const { target, isIntersecting } of places) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    draw(target);
  }
}, { rootMargin: "400px" });
for (const place of document.querySelectorAll("[data-plot]")) {
  if (place.closest("details.all")) seen.observe(place);
  else draw(place);
}

function sortable(all) {
  const ranks = new Map(JSON.parse(all.dataset.worst).map((name, rank) => [name, rank]));
  const [filter, order] = [all.querySelector("input"), all.querySelector("select")];
  const parts = [...all.querySelectorAll(".scores tbody, .panel, details tbody tr")].map((part, place) => {
    const name = part.querySelector("h5, th").textContent;
    return { part, place, name, rank: ranks.get(name) ?? ranks.size };
  });
  filter.addEventListener("input", () => {
    for (const { part, name } of parts) part.hidden = !name.toLowerCase().includes(filter.value.toLowerCase());
  });
  order.addEventListener("change", () => {
    const by = order.value === "worst" ? (a, b) => a.rank - b.rank || a.place - b.place : (a, b) => a.place - b.place;
    for (const { part } of [...parts].sort(by)) part.parentElement.append(part);
  });
}
document.querySelectorAll("details.all").forEach(sortable);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const plot of drawn) plot.redraw(false, true);
});
document.getElementById("copy").addEventListener("click", async (event) => {
  const command = document.getElementById("repeat");
  getSelection().selectAllChildren(command);
  try {
    await navigator.clipboard.writeText(command.textContent);
    event.target.textContent = "copied";
  } catch {
    event.target.textContent = "selected";
  }
});
`;
