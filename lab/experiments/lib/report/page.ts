import { embedJson, escapeHtml } from "../../../../host-sim/report/html.ts";
import { htmlPage } from "../../../../host-sim/report/html-page.ts";
import { type Look, lookOf, swatch } from "../../../../host-sim/report/legend.ts";
import { plottingLibrary } from "../../../../host-sim/report/plotting-library.ts";
import { STYLE } from "../../../../host-sim/report/style.ts";
import { INTERVALS } from "../../../sweep/statistics/statistics.ts";
import type { Figure } from "../experiment.ts";
import {
  type ExperimentResult,
  oursIntervalText,
  oursText,
  type PapersResult,
  publishedText,
  runsText,
  totalsText,
} from "../result.ts";
import { OUTCOMES } from "../words.ts";
import { PAPERS_DRAWING } from "./drawing.ts";

/** One figure as the browser gets it. */
interface Plot extends Omit<Figure, "lines"> {
  readonly lines: readonly {
    readonly name: string;
    readonly points: boolean;
    readonly colour: string;
    readonly dash: readonly number[];
    readonly at: readonly number[];
    readonly value: readonly number[];
  }[];
}

/** Beside the figures the table, as wide as its text, where the page has room for both; else above them. */
const OWN_STYLE = `
h2 small { white-space: nowrap; }
.results { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 20px 40px; }
.results .wide { max-width: 100%; }
.results .pair { flex: 1 1 460px; min-width: min(460px, 100%); gap: 20px 40px;
  grid-template-columns: repeat(auto-fit, minmax(min(460px, 100%), 1fr)); }
.panel { max-width: 640px; }
`;

/** Every second line is dashed, and drawn over the others: of two that coincide both are seen. */
function lineLook(place: number): Look {
  return { colour: lookOf(place).colour, dash: place % 2 === 0 ? [] : [5, 5] };
}

/** A point as the plots draw it. */
function dot({ colour }: Look): string {
  return `<svg class="swatch" width="10" height="10" aria-hidden="true"><circle cx="5" cy="5" r="3" style="fill:var(${colour})"/></svg>`;
}

/** The rerun of the papers as one HTML page that loads nothing: a section an experiment, its figures drawn. */
export function renderPapersReport(result: PapersResult): string {
  const plots: Plot[] = [];
  const sections = result.experiments
    .filter(({ runs }) => runs > 0)
    .map((each) => section(each, result, plots));
  const library = plottingLibrary();
  const { seconds, threads } = result.timing;
  return htmlPage({
    title: "The papers, rerun",
    style: `${library.style}${STYLE}${OWN_STYLE}`,
    scripts: "'unsafe-inline'",
    body: `<header><h1>The papers, rerun</h1></header>
<noscript><p>The figures need JavaScript; tables don't.</p></noscript>
${contents(result)}
${sections.join("\n")}
<footer>Took ${seconds.toFixed(1)} s on ${threads === 1 ? "1 thread" : `${threads} threads`}. Made from ${result.schema}.</footer>
<script type="application/json" id="plots">${embedJson(plots)}</script>
<script>${library.script}</script>
<script>${PAPERS_DRAWING}</script>`,
  });
}

function contents({ experiments }: PapersResult): string {
  const rows = experiments.map(({ id, paper, title, runs, planned, verdict }) => {
    const name = escapeHtml(title);
    const what = runs > 0 ? `<a href="#${id}">${name}</a>` : name;
    return `<tr><th class="name">${escapeHtml(paper)}</th><th class="name">${OUTCOMES[verdict.outcome]}</th><th class="name">${what}</th><td>${runsText({ runs, planned })}</td></tr>`;
  });
  return `<p>${totals(experiments)}</p>
<p class="caption">${CAPTION}</p>
<div class="wide"><table><thead><tr><th class="name">paper</th><th class="name">verdict</th><th class="name">what</th><th>runs</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div>
${without("Not finished", "unfinished", experiments)}
${without("Not run", "not-run", experiments)}`;
}

/** How many runs and verdicts there are. */
function totals(experiments: readonly ExperimentResult[]): string {
  const sum = (of: "runs" | "planned") => experiments.reduce((total, each) => total + each[of], 0);
  const [runs, planned] = [sum("runs"), sum("planned")];
  const rest =
    runs < planned ? `${runs} of ${planned} runs are done; the same command does the rest` : `${runs} runs`;
  return `${rest}. ${totalsText({ experiments }).replace("\n", ". ")}.`;
}

const CAPTION = `A verdict says whether the paper's result comes out. Claims are decided by 95 % intervals of differences, paired by seed; published figures by a z test with both sides' standard errors, at 5 % for the whole table. Ours is the mean ± the standard deviation of the runs; beside it the mean's 95 % interval, ${INTERVALS}. One run has neither.`;

/** Those without any run, for one reason. */
function without(
  heading: string,
  outcome: ExperimentResult["verdict"]["outcome"],
  experiments: readonly ExperimentResult[],
): string {
  const lines = experiments
    .filter(({ runs, verdict }) => runs === 0 && verdict.outcome === outcome)
    .map(({ id, verdict }) => `<li>${id}: ${escapeHtml(verdict.text)}</li>`);
  if (lines.length === 0) return "";
  return `<details><summary>${heading}: ${lines.length}</summary><ul>${lines.join("\n")}</ul></details>`;
}

function section(experiment: ExperimentResult, { timing }: PapersResult, plots: Plot[]): string {
  const { id, paper, title, setup, runs, planned, figures, verdict } = experiment;
  const word = OUTCOMES[verdict.outcome];
  const panels = figures.map((figure) => panel(figure, experiment, plots));
  return `<section id="${id}"><h2>${escapeHtml(`${paper}, ${title}`)}<small>${id}</small></h2>
<p><b>${word[0].toUpperCase()}${word.slice(1)}.</b> ${escapeHtml(verdict.text)}</p>
<p class="caption">Set-up: ${escapeHtml(setup)} ${runsText({ runs, planned })} ${runs === 1 && planned === 1 ? "run" : "runs"}.</p>
<div class="results">${table(experiment, timing.experiments[id])}
${panels.length > 0 ? `<div class="pair">${panels.join("\n")}</div>` : ""}</div></section>`;
}

function table(
  { rows }: ExperimentResult,
  timings: PapersResult["timing"]["experiments"][string] = {},
): string {
  if (rows.length === 0) return "";
  const lines = rows.map(
    ({ name, label, published, digits = 4, ours = timings[name] }) =>
      `<tr><th class="name">${escapeHtml(label)}</th><td>${escapeHtml(publishedText(published, digits))}</td><td>${oursText(ours, digits)}</td><td>${oursIntervalText(ours, digits)}</td></tr>`,
  );
  return `<div class="wide"><table><thead><tr><th></th><th>published</th><th>ours</th><th>95 % of the mean</th></tr></thead><tbody>${lines.join("\n")}</tbody></table></div>`;
}

function panel({ lines, ...axes }: Figure, { curves }: ExperimentResult, plots: Plot[]): string {
  const drawn = lines.filter(({ curve }) => curves[curve]?.at.length > 0);
  const place = plots.push({
    ...axes,
    lines: drawn
      .map(({ curve, label, as }, i) => ({
        name: label,
        points: as === "points",
        ...lineLook(i),
        at: curves[curve].at,
        value: curves[curve].value.map((value) => Number(value.toPrecision(5))),
      }))
      .sort((a, b) => a.dash.length - b.dash.length),
  });
  const entries = drawn.map(({ label, as }, i) => {
    const mark = as === "points" ? dot(lineLook(i)) : swatch(lineLook(i));
    return `<span>${mark}${escapeHtml(label)}</span>`;
  });
  const label = escapeHtml(`${axes.y} over ${axes.x}: ${axes.title}`);
  return `<div class="panel"><div class="over"><h5>${escapeHtml(axes.title)}</h5><output></output></div><div class="plot" style="height:300px" data-plot="${place - 1}" role="img" aria-label="${label}"></div><p class="keys">${entries.join("")}</p></div>`;
}
