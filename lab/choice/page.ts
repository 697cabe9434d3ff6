import { escapeHtml } from "../../host-sim/report/html.ts";
import { htmlPage, markTag } from "../../host-sim/report/html-page.ts";
import { STYLE } from "../../host-sim/report/style.ts";
import { marksOf, type Plot, type PlotPoint, plotOf } from "./plot.ts";
import { type Choice, type ChoiceResult, COSTS } from "./result.ts";
import {
  adviceText,
  cellsOf,
  costName,
  costTick,
  hiddenText,
  instructionsText,
  lossName,
  lossText,
  lossTick,
  named,
  noteLines,
  planText,
  plotTitle,
  setupLines,
  timeText,
} from "./words.ts";

const WIDTH = 600;
const HEIGHT = 360;
const LEFT = 60;
const RIGHT = 24;
const TOP = 14;
const BOTTOM = 44;

/** A coordinate of the drawing, to a tenth. */
function px(value: number): string {
  return String(Number(value.toFixed(1)));
}

const across = (x: number) => LEFT + x * (WIDTH - LEFT - RIGHT);
const down = (y: number) => TOP + (1 - y) * (HEIGHT - TOP - BOTTOM);

function axes({ costs, losses, cost }: Plot, result: ChoiceResult): string {
  const bottom = HEIGHT - BOTTOM;
  const ticksAcross = costs.ticks.map((tick) => {
    const x = px(across(costs.place(tick)));
    return `<line class="rule" x1="${x}" y1="${TOP}" x2="${x}" y2="${bottom}"/><text class="tick" x="${x}" y="${bottom + 16}" text-anchor="middle">${costTick(tick)}</text>`;
  });
  const ticksDown = losses.ticks.map((tick) => {
    const y = px(down(losses.place(tick)));
    const loss = lossTick(result.measure, tick);
    return `<line class="rule" x1="${LEFT}" y1="${y}" x2="${WIDTH - RIGHT}" y2="${y}"/><text class="tick" x="${LEFT - 8}" y="${y}" dy="4" text-anchor="end">${loss}</text>`;
  });
  const unit = `<text class="unit" x="${px(across(0.5))}" y="${HEIGHT - 6}" text-anchor="middle">${escapeHtml(costName(cost, result))}</text>`;
  return [...ticksAcross, ...ticksDown, unit].join("\n");
}

function point({ choice, x, y, mark }: PlotPoint, result: ChoiceResult): string {
  const loss = lossText(result.measure, choice.loss?.mean as number);
  const title = `${named(choice)}: ${loss}, ${choice.bytes} bytes, ${instructionsText(choice)} instructions`;
  const [cx, cy] = [px(across(x)), px(down(y))];
  const look = mark
    ? 'r="5" style="fill:var(--c1);stroke:var(--c1)"'
    : 'r="3.5" style="fill:none;stroke:var(--muted)"';
  const label = mark
    ? `<text class="chosen" x="${px(across(x) + 6)}" y="${px(down(y) - 5)}">${mark}</text>`
    : "";
  return `<g><title>${escapeHtml(title)}</title><circle cx="${cx}" cy="${cy}" ${look}/>${label}</g>`;
}

/** The front as the steps below which nothing lies. */
function steps(points: readonly PlotPoint[]): string {
  const front = points.filter(({ mark }) => mark).sort((a, b) => a.x - b.x);
  const path = front.map(({ x, y }, i) =>
    i === 0 ? `M${px(across(x))} ${px(down(y))}` : `H${px(across(x))}V${px(down(y))}`,
  );
  return `<path d="${path.join("")}" style="fill:none;stroke:var(--c1);stroke-width:1.5;opacity:.6"/>`;
}

function panel(plot: Plot, result: ChoiceResult): string {
  const title = plotTitle(plot, result);
  const front = plot.points.filter(({ mark }) => mark).sort((a, b) => a.x - b.x);
  const key = front.map(({ mark, choice }) => `<span><b>${mark}</b> ${escapeHtml(named(choice))}</span>`);
  const hidden = hiddenText(plot, result);
  return `<div class="panel"><h5>${escapeHtml(title)}</h5><svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}">
${axes(plot, result)}
${steps(plot.points)}
${[...plot.points]
  .sort((a, b) => Number(Boolean(a.mark)) - Number(Boolean(b.mark)))
  .map((each) => point(each, result))
  .join("\n")}
</svg><p class="keys">${key.join("")}</p>${hidden && `<p class="caption">${escapeHtml(hidden)}.</p>`}</div>`;
}

function row(choice: Choice, result: ChoiceResult, marks: readonly Map<Choice, string>[]): string {
  const cells = cellsOf(result, choice, marks).map((cell) => `<td>${escapeHtml(String(cell))}</td>`);
  return `<tr><th class="name">${escapeHtml(choice.learner)}</th>${cells.join("")}</tr>`;
}

function table(result: ChoiceResult): string {
  const marks = COSTS.map((cost) => marksOf(result.choices, cost));
  const head = [
    "budget",
    "options",
    lossName(result),
    "standard error",
    "held back, not learning",
    ...(result.measure === "error" ? ["balanced accuracy, %"] : []),
    "bytes",
    "front",
    costName("instructions", result),
    "front",
  ];
  const cells = head.map((name) => `<th>${escapeHtml(name)}</th>`).join("");
  const lines = result.choices.map((choice) => row(choice, result, marks));
  return `<div class="wide"><table><thead><tr><th class="name">learner</th>${cells}</tr></thead><tbody>${lines.join("\n")}</tbody></table></div>`;
}

/** The result as one HTML page that loads nothing and runs nothing: both plots, and the table, best first. */
/** @param mark of the data file, see `fileMark`. */
export function choicePage(result: ChoiceResult, mark: string): string {
  const plots = COSTS.flatMap((cost) => plotOf(result, cost) ?? []);
  const lines = (texts: readonly string[]) =>
    texts.map((text) => `<p class="caption">${escapeHtml(text)}</p>`);
  return htmlPage({
    title: `Learners for ${result.train.file}`,
    head: `${markTag("data", mark)}\n`,
    style: `${STYLE}
.pair { grid-template-columns: repeat(auto-fit, minmax(min(460px, 100%), 1fr)); }
.pair .chart { max-width: none; }
table { width: 100%; margin-top: 16px; }`,
    body: `<header><h1>Learners for ${escapeHtml(result.train.file)}</h1></header>
${lines(setupLines(result)).join("\n")}
${lines(result.advice.flatMap((each) => [adviceText(each, result), `${each.plan.command}: ${planText(each)}`, JSON.stringify(each.task)])).join("\n")}
<div class="pair">${plots.map((plot) => panel(plot, result)).join("\n")}</div>
${table(result)}
${lines(noteLines(result)).join("\n")}
<footer>${escapeHtml(timeText(result))}. Made from ${result.schema}.</footer>`,
  });
}
