import type { Figure, LearnerResult } from "../scoring/result.ts";
import { grid } from "./curves.ts";
import { Footnotes, measure, share } from "./figures.ts";
import { escapeHtml, shorten } from "./html.ts";
import { lookOf } from "./legend.ts";
import { coordinate, type Scale, scaleTo } from "./scale.ts";
import { footnotes, inline } from "./scores-table.ts";
import { errorOf, errorUnit, learnerNames, type NodeResults, type TaskResults } from "./tasks.ts";

const WIDTH = 300;
const ROW = 22;
const TOP = 6;
const AXIS = 34;
const RIGHT = 52;
const NAME_LENGTH_MAX = 40;
const CHARACTER = 7;

/** Where things stand in a panel. */
interface Frame {
  readonly left: number;
  readonly bottom: number;
  readonly scale: Scale;
  readonly x: (value: number) => number;
}

/** The effect of noise: each learner's error at each node with ideal labels and with the received ones. */
export function dumbbells(task: TaskResults, names: readonly string[]): string {
  const both = task.nodes
    .flatMap(({ learners }) => learners)
    .flatMap(({ metrics, ideal }) => [errorOf(task.kind, metrics), errorOf(task.kind, ideal)]);
  const scale = scaleTo(Math.max(0, ...both.filter((figure) => typeof figure === "number")), 4);
  const longest = Math.max(...learnerNames(task.nodes).map((name) => Math.min(NAME_LENGTH_MAX, name.length)));
  const notes = new Footnotes();
  const panels = task.nodes.map((node) => {
    const left = 10 + CHARACTER * longest;
    const frame = {
      left,
      bottom: TOP + ROW * node.learners.length,
      scale,
      x: (value: number) => left + (value / scale.max) * (WIDTH - RIGHT - left),
    };
    return panel(task, node, frame, names, notes);
  });
  return `${grid(panels)}\n${footnotes(notes)}`;
}

function panel(
  task: TaskResults,
  node: NodeResults,
  frame: Frame,
  names: readonly string[],
  notes: Footnotes,
): string {
  const rows = node.learners.map((learner, i) =>
    row(learner, task, frame, TOP + ROW * (i + 0.5), names.indexOf(learner.name)),
  );
  const undefinedFigures = node.learners.flatMap(({ name, metrics, ideal }) =>
    [errorOf(task.kind, metrics), errorOf(task.kind, ideal)]
      .filter((figure) => typeof figure !== "number")
      .slice(0, 1)
      .map((figure) => `${escapeHtml(name)}: ${inline(figure, notes)}`),
  );
  const missing = undefinedFigures.length > 0 ? `<p class="empty">${undefinedFigures.join("; ")}</p>` : "";
  return `<div class="panel"><h5>${escapeHtml(node.node)}</h5><svg class="chart" viewBox="0 0 ${WIDTH} ${frame.bottom + AXIS}" role="img" aria-label="${escapeHtml(`${errorUnit(task.kind)} with ideal labels and as they came, ${node.node}`)}">
${axis(frame, errorUnit(task.kind))}
${rows.join("\n")}
</svg>${missing}</div>`;
}

/** Tick marks, their values and the unit, under the rows. */
function axis({ bottom, scale, x }: Frame, unit: string): string {
  const ticks = scale.ticks.map((tick) => {
    const at = coordinate(x(tick));
    return `<line class="rule" x1="${at}" y1="${TOP}" x2="${at}" y2="${bottom}"/><text class="tick" x="${at}" y="${bottom + 13}" text-anchor="middle">${tick}</text>`;
  });
  const middle = coordinate(x(scale.max / 2));
  return `${ticks.join("")}<text class="unit" x="${middle}" y="${bottom + 28}" text-anchor="middle">${escapeHtml(unit)}</text>`;
}

function row(learner: LearnerResult, task: TaskResults, frame: Frame, y: number, place: number): string {
  const { kind } = task;
  const [came, ideal] = [errorOf(kind, learner.metrics), errorOf(kind, learner.ideal)];
  const name = `<text x="${coordinate(frame.left - 8)}" y="${y + 4}" text-anchor="end">${escapeHtml(shorten(learner.name, NAME_LENGTH_MAX))}</text>`;
  if (typeof came !== "number" || typeof ideal !== "number") {
    return `${name}<text class="muted" x="${WIDTH}" y="${y + 4}" text-anchor="end">n/a</text>`;
  }
  const colour = `var(${lookOf(place).colour})`;
  const [from, to] = [coordinate(frame.x(ideal)), coordinate(frame.x(came))];
  const form = kind === "regression" ? measure : share;
  const title = `${learner.name}: ${form(ideal)} with ideal labels, ${form(came)} with the labels as they came`;
  return `<g style="stroke:${colour};fill:${colour}"><title>${escapeHtml(title)}</title><line class="bar" x1="${from}" y1="${y}" x2="${to}" y2="${y}"/><circle class="open" cx="${from}" cy="${y}" r="4.5"/><circle cx="${to}" cy="${y}" r="4.5"/></g>${name}<text class="muted" x="${WIDTH}" y="${y + 4}" text-anchor="end">${change(came, ideal, form)}</text>`;
}

/** By how much the error is larger than with ideal labels, with its sign. */
function change(came: number, ideal: number, form: (figure: Figure) => unknown): string {
  const size = String(form(Math.abs(came - ideal)));
  if (Number(size) === 0) return "±0";
  return `${came > ideal ? "+" : "−"}${size}`;
}
