import { type Html, html, type Part } from "../../host/report/html.ts";
import { markTag, pageText, verdict } from "../../host/report/page.ts";
import type { SimulateResult } from "../scoring/result.ts";
import { hashesTable } from "./folded.ts";
import { fusionSection } from "./fusion.ts";
import { stopLines } from "./stops.ts";
import { taskSection } from "./task-section.ts";
import { groupTasks, learnerNames, type TaskResults } from "./tasks.ts";
import { timingText } from "./timing.ts";
import { NODES_SHOWN } from "./totals.ts";
import { judgeTask } from "./verdict.ts";

/**
 * The result as one HTML page that loads nothing: verdicts, the command that repeats the run, tables, plots.
 * The same result gives the same bytes; only the footer has wall-clock figures.
 *
 * @param mark identifies the scenario in the page, for code that writes it to a file; default: none.
 */
export function renderReport(result: SimulateResult, mark?: string): string {
  const names = learnerNames(result.nodes);
  return pageText({
    title: result.title,
    mark: mark !== undefined && markTag("scenario", mark),
    runs: true,
    body: html`${groupTasks(result).map(verdictSection)}${facts(result, names)}
${stopsSection(result)}${groupTasks(result).map((task) => taskSection(task, names))}
${fusionSection(result.fusion)}
${hashesTable(result)}
${footer(result)}`,
  });
}

function verdictSection(task: TaskResults): Html {
  return verdict(task.task === task.kind ? task.task : `${task.task}, ${task.kind}`, judgeTask(task));
}

function facts(result: SimulateResult, names: readonly string[]): Html {
  const tasks = groupTasks(result).map(({ task, kind }) => (task === kind ? task : `${task} (${kind})`));
  const nodes = result.nodes.map(({ node }) => node);
  const texts: [string, string][] = [
    ["scenario", result.scenario],
    ["nodes", nodes.length > NODES_SHOWN ? `${nodes.length}` : nodes.join(", ")],
    ["tasks", tasks.join(", ")],
    ["learners", names.join(", ")],
    ["seed", String(result.seed)],
    ["engine", result.engine],
    ["arithmetic", result.arithmetic],
  ];
  return html`<dl>${texts.map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>\n`)}
${howSure(result)}<dt>repeat with</dt><dd class="repeat"><code id="repeat">${result.repeat}</code><button type="button" id="copy">copy</button></dd></dl>`;
}

/** Of learners that are compared on one seed. */
function howSure({ nodes }: SimulateResult): Part {
  if ((nodes[0]?.learners.length ?? 0) < 2) return "";
  return html`<dt>how sure</dt><dd>one seed has no intervals; <code>motelearn sweep</code> runs the scenario on several, and says which differences are shown</dd>\n`;
}

function stopsSection(result: SimulateResult): Part {
  const lines = stopLines(result).map((line) => html`<li>${line}</li>\n`);
  if (lines.length === 0) return "";
  return html`<section id="stops"><h2>Nodes that stopped</h2><p>Theirs are the figures until then.</p><ul>${lines}</ul></section>\n`;
}

function footer({ schema, timing }: SimulateResult): Html {
  const took =
    timing && `Took ${timingText(timing)}: the only figures on this page that another run may change. `;
  return html`<footer>${took}Made from ${schema}.</footer>`;
}
