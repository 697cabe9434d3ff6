import type { SimulateResult } from "../scoring/result.ts";
import { Plots } from "./curves.ts";
import { DRAWING } from "./drawing.ts";
import { hashesTable } from "./folded.ts";
import { fusionSection } from "./fusion.ts";
import { escapeHtml } from "./html.ts";
import { htmlPage, markTag } from "./html-page.ts";
import { plottingLibrary } from "./plotting-library.ts";
import { stopLines } from "./stops.ts";
import { STYLE } from "./style.ts";
import { taskSection } from "./task-section.ts";
import { learnerNames, tasksOf } from "./tasks.ts";
import { timingText } from "./timing.ts";
import { NODES_SHOWN } from "./totals.ts";

/**
 * The result as one HTML page that loads nothing: tables, plots, the command that repeats the run.
 * The same result gives the same bytes; only the footer has wall-clock figures.
 *
 * @param mark identifies the scenario in the page, for code that writes it to a file; default: none.
 */
export function renderReport(result: SimulateResult, mark?: string): string {
  const names = learnerNames(result.nodes);
  const plots = new Plots(names);
  const sections = tasksOf(result).map((task) => taskSection(task, names, plots));
  const library = plottingLibrary();
  return htmlPage({
    title: result.title,
    style: `${library.style}${STYLE}`,
    scripts: "'unsafe-inline'",
    head: mark === undefined ? "" : `${markTag("scenario", mark)}\n`,
    body: `${heading(result, names)}
<noscript><p>The curves need JavaScript; tables and bars don't.</p></noscript>
${stopsSection(result)}${sections.join("\n")}
${fusionSection(result.fusion)}
${hashesTable(result)}
${footer(result)}
<script type="application/json" id="plots">${plots.json}</script>
<script>${library.script}</script>
<script>${DRAWING}</script>`,
  });
}

function heading(result: SimulateResult, names: readonly string[]): string {
  const facts: [string, string][] = [
    ["scenario", result.scenario],
    ["nodes", nodesText(result)],
    [
      "tasks",
      tasksOf(result)
        .map(({ task, kind }) => (task === kind ? task : `${task} (${kind})`))
        .join(", "),
    ],
    ["learners", names.join(", ")],
    ["seed", String(result.seed)],
    ["engine", result.engine],
    ["arithmetic", result.arithmetic],
  ];
  return `<header><h1>${escapeHtml(result.title)}</h1>
<dl>${facts.map(([name, text]) => `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>`).join("\n")}
${howSure(result)}<dt>repeat with</dt><dd class="repeat"><code id="repeat">${escapeHtml(result.repeat)}</code><button type="button" id="copy">copy</button></dd></dl></header>`;
}

/** Of learners that are compared on one seed. */
function howSure({ nodes }: SimulateResult): string {
  if ((nodes[0]?.learners.length ?? 0) < 2) return "";
  return "<dt>how sure</dt><dd>one seed has no intervals; <code>motelearn sweep</code> runs the scenario on several, and says which differences are shown</dd>\n";
}

function nodesText({ nodes }: SimulateResult): string {
  return nodes.length > NODES_SHOWN ? `${nodes.length}` : nodes.map(({ node }) => node).join(", ");
}

function stopsSection(result: SimulateResult): string {
  const lines = stopLines(result).map((line) => `<li>${escapeHtml(line)}</li>`);
  if (lines.length === 0) return "";
  return `<section id="stops"><h2>Nodes that stopped</h2><p>Theirs are the figures until then.</p><ul>${lines.join("\n")}</ul></section>\n`;
}

function footer({ schema, timing }: SimulateResult): string {
  if (!timing) return `<footer>Made from ${schema}.</footer>`;
  return `<footer>Took ${timingText(timing)}: the only figures on this page that another run may change. Made from ${schema}.</footer>`;
}
