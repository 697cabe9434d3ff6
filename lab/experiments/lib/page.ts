import { type Html, html, type Part } from "../../../host/report/html.ts";
import { type PlotStyle, plotStyle, swatch } from "../../../host/report/look.ts";
import { pageText, verdict as verdictBox } from "../../../host/report/page.ts";
import { panel, plot, type Series } from "../../../host/report/plot.ts";
import { table } from "../../../host/report/table.ts";
import { INTERVALS } from "../../sweep/statistics/statistics.ts";
import type { Figure } from "./experiment.ts";
import {
  type ExperimentResult,
  FIGURE_HEADS,
  figureRows,
  notRun,
  OUTCOMES,
  type PapersResult,
  runsText,
  timeText,
  totalsText,
} from "./result.ts";

/** Every second line is dashed, and drawn over the others: of two that coincide both are seen. */
function lineLook(place: number): PlotStyle {
  return { colour: plotStyle(place).colour, dash: place % 2 === 0 ? [] : [5, 5] };
}

/** A point as the plots draw it. */
function dot({ colour }: PlotStyle): Html {
  return html`<svg class="swatch" width="10" height="10" aria-hidden="true"><circle cx="5" cy="5" r="3" fill="${colour}"/></svg>`;
}

/** The rerun of the papers as one HTML page that loads nothing: verdicts, then a section an experiment, its figures drawn. */
export function renderPapersReport(result: PapersResult): string {
  return pageText({
    title: "The papers, rerun",
    runs: true,
    body: html`${contents(result)}
${result.experiments.filter(({ runs }) => runs > 0).map((each) => section(each, result))}
<footer>Took ${timeText(result)}. Made from ${result.schema}.</footer>`,
  });
}

function contents(result: PapersResult): Html {
  const { experiments } = result;
  const rows = experiments.map(({ id, paper, title, runs, planned, verdict }) => {
    const what = runs > 0 ? html`<a href="#${id}">${title}</a>` : title;
    return [paper, OUTCOMES[verdict.outcome], what, runsText({ runs, planned })];
  });
  const [unfinished, lacking] = notRun(result).map(({ heading, lines }) => {
    const items = lines.map((line) => html`<li>${line}</li>\n`);
    return (
      lines.length > 0 &&
      html`<details><summary>${heading}: ${lines.length}</summary><ul>${items}</ul></details>`
    );
  });
  const headline = `${totalsText({ experiments }).replace("\n", ". ")}.`;
  return html`${verdictBox(runsLine(experiments), { headline, sentences: [] })}
<p class="caption">${CAPTION}</p>
${table(["paper", "verdict", "what", "runs"], rows, { names: 3 })}
${unfinished}
${lacking}`;
}

function runsLine(experiments: readonly ExperimentResult[]): string {
  const sum = (of: "runs" | "planned") => experiments.reduce((total, each) => total + each[of], 0);
  const [runs, planned] = [sum("runs"), sum("planned")];
  if (runs === planned) return `${runs} runs`;
  return `${runs} of ${planned} runs are done; the same command does the rest`;
}

const CAPTION = `A verdict says whether the paper's result comes out. Claims are decided by 95 % intervals of differences, paired by seed; published figures by a z test with both sides' standard errors, at 5 % for the whole table. Ours is the mean ± the standard deviation of the runs; beside it the mean's 95 % interval, ${INTERVALS}. One run has neither.`;

function section(experiment: ExperimentResult, result: PapersResult): Html {
  const { id, paper, title, setup, runs, planned, figures, verdict } = experiment;
  const word = OUTCOMES[verdict.outcome];
  const panels = figures.map((figure) => figurePanel(figure, experiment));
  const rows = figureRows(experiment, result);
  return html`<section id="${id}"><h2>${paper}, ${title}<small>${id}</small></h2>
<p><b>${word[0].toUpperCase()}${word.slice(1)}.</b> ${verdict.text}</p>
<p class="caption">Set-up: ${setup} ${runsText({ runs, planned })} ${runs === 1 && planned === 1 ? "run" : "runs"}.</p>
<div class="results">${rows.length > 0 && table(FIGURE_HEADS, rows)}
${panels.length > 0 && html`<div class="pair">${panels}</div>`}</div></section>
`;
}

/** A curve's points; a logarithmic axis has none at 0 or below. */
function curvePoints(
  { at, value }: ExperimentResult["curves"][string],
  { logX, logY }: Figure,
): Series["points"] {
  const all = at.map((x, i) => ({ x, y: value[i] }));
  return all.filter(({ x, y }) => Number.isFinite(y) && (!logX || x > 0) && (!logY || y > 0));
}

function figurePanel(figure: Figure, { curves }: ExperimentResult): Part {
  const drawn = figure.lines
    .filter(({ curve }) => curves[curve]?.at.length > 0)
    .map(({ curve, label, as }, i) => ({
      label,
      as,
      look: lineLook(i),
      points: curvePoints(curves[curve], figure),
    }));
  const series = drawn.map(
    ({ label, as, look, points }): Series => ({
      ...{ name: label, look, points },
      ...(as === "points" ? { dots: "cloud" } : { line: "joined" }),
    }),
  );
  const dashedLast = series.sort((a, b) => (a.look.dash?.length ?? 0) - (b.look.dash?.length ?? 0));
  const title = `${figure.y} over ${figure.x}: ${figure.title}`;
  const chart = plot(dashedLast, { ...figure, title });
  const entries = drawn.map(
    ({ label, as, look }) => html`<span>${as === "points" ? dot(look) : swatch(look)}${label}</span>`,
  );
  return panel(figure.title, chart, html`<p class="keys">${entries}</p>`);
}
