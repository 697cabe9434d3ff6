import type { Plots } from "./curves.ts";
import { dumbbells } from "./dumbbells.ts";
import { linksTable } from "./folded.ts";
import { escapeHtml } from "./html.ts";
import { legend, lookOf, swatch } from "./legend.ts";
import { scoresTable } from "./scores-table.ts";
import { errorUnit, learnerNames, type TaskResults } from "./tasks.ts";

/** All of one task: the table, then error, dictionary fill and label lag over time, then what noise did. */
export function taskSection(task: TaskResults, names: readonly string[], plots: Plots): string {
  const shown = learnerNames(task.nodes);
  const kind = task.task === task.kind ? "" : ` <small>${task.kind}</small>`;
  return `<section><h2>${escapeHtml(task.task)}${kind}</h2>
${scoresTable(task, names)}
${linksTable(task)}
${legend(names, shown)}
${figure("Prequential error", `${capital(errorUnit(task.kind))} over the last samples, each predicted before its label was known.`, plots.errors(task))}
${figure("Dictionary fill", "Vectors stored; the dashed line is the budget.", plots.fill(task))}
${figure("Label lag", "Samples between a prediction and the use of its label, mean since the last point.", plots.lag(task))}
${noise(task, names, plots)}
</section>`;
}

function figure(title: string, caption: string, drawn: string): string {
  return `<h3>${title}</h3>\n<p class="caption">${caption}</p>\n${drawn}`;
}

function noise(task: TaskResults, names: readonly string[], plots: Plots): string {
  const marks = `<span class="key"></span>every label issued, right and at once<span class="key full"></span>the labels as they came`;
  const whole = figure(
    "What noise, loss and delay did",
    `Error over the whole run: ${marks}; beside it, the difference.`,
    dumbbells(task, names),
  );
  const curves = learnerNames(task.nodes).map(
    (name) =>
      `<h4>${swatch(lookOf(names.indexOf(name)))}${escapeHtml(name)}</h4>\n${plots.noise(task, name)}`,
  );
  return `${whole}
<p class="caption next">The same over time: coloured with the labels as they came, grey with ideal ones; shaded where the labels cost accuracy.</p>
${curves.join("\n")}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
