import { axisFrom0 } from "../../host/report/axis.ts";
import { type Html, html, type Part } from "../../host/report/html.ts";
import { plotStyle, swatch } from "../../host/report/look.ts";
import { panel } from "../../host/report/plot.ts";
import { type TrackRow, tracks } from "../../host/report/tracks.ts";
import type { Figure, LearnerResult } from "../scoring/result.ts";
import { Footnotes, measure, share } from "./figures.ts";
import { footnotes, inline } from "./scores-table.ts";
import { errorUnit, type NodeResults, type TaskResults, taskError } from "./tasks.ts";

/** The cost of noise: each learner's error at each node with ideal labels and with the received ones. */
export function noiseCost(task: TaskResults, names: readonly string[]): Html {
  const both = task.nodes.flatMap(({ learners }) => learners).flatMap((learner) => errorPair(task, learner));
  const axis = axisFrom0(
    both.filter((figure) => typeof figure === "number"),
    4,
  );
  const notes = new Footnotes();
  const panels = task.nodes.map((node) => {
    const rows = node.learners.map((learner) => row(learner, task, names));
    const chart = tracks(rows, axis, errorUnit(task.kind));
    return html`<div data-node="${node.node}">${panel(node.node, chart, undefinedErrors(task, node, notes))}</div>`;
  });
  return html`<div class="grid">${panels}</div>\n${footnotes(notes)}`;
}

/** The error with the labels as they came, and with ideal ones. */
function errorPair({ kind }: TaskResults, { metrics, ideal }: LearnerResult): [Figure, Figure] {
  return [taskError(kind, metrics), taskError(kind, ideal)];
}

/** Why learners have no pair of errors. */
function undefinedErrors(task: TaskResults, { learners }: NodeResults, notes: Footnotes): Part {
  const reasons = learners.flatMap((learner) => {
    const figure = errorPair(task, learner).find((each) => typeof each !== "number");
    return figure === undefined ? [] : [html`${learner.name}: ${inline(figure, notes)}`];
  });
  return reasons.length > 0 && html`<p class="empty">${reasons.map((each, i) => [i > 0 && "; ", each])}</p>`;
}

function row(learner: LearnerResult, task: TaskResults, names: readonly string[]): TrackRow {
  const look = plotStyle(names.indexOf(learner.name));
  const name = html`${swatch(look)}${learner.name}`;
  const [came, ideal] = errorPair(task, learner);
  if (typeof came !== "number" || typeof ideal !== "number") return { name, marks: [], remark: "n/a" };
  const form = task.kind === "regression" ? measure : share;
  const { colour } = look;
  const title = `${learner.name}: ${form(ideal)} with ideal labels, ${form(came)} with the labels as they came`;
  return {
    name,
    marks: [
      { as: "span", from: ideal, to: came, colour, title },
      { as: "open", at: ideal, colour, title },
      { as: "full", at: came, colour, title },
    ],
    remark: change(came, ideal, form),
  };
}

/** By how much the error is larger than with ideal labels, with its sign. */
function change(came: number, ideal: number, form: (figure: Figure) => unknown): string {
  const size = String(form(Math.abs(came - ideal)));
  if (Number(size) === 0) return "±0";
  return `${came > ideal ? "+" : "−"}${size}`;
}
