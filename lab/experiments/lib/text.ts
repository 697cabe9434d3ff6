import { table } from "../../../host/terminal/table.ts";
import {
  type ExperimentResult,
  oursIntervalText,
  oursText,
  type PapersResult,
  publishedText,
  runsText,
  totalsText,
} from "./result.ts";
import { OUTCOMES } from "./wording.ts";

/** The result as plain text, at most `columns` wide; what wasn't run comes last, in a line each. */
export function renderPapers(result: PapersResult, columns: number): string {
  const { experiments, timing } = result;
  const run = experiments.filter(({ runs }) => runs > 0);
  const sections = run.map((each) => section(each, timing.experiments[each.id], columns));
  const on = timing.threads === 1 ? "1 thread" : `${timing.threads} threads`;
  return [
    ...sections,
    ...without("Not finished", "unfinished", experiments),
    ...without("Not run", "not-run", experiments),
    `${totalsText(result)}\ntook ${timing.seconds.toFixed(1)} s on ${on}`,
  ].join("\n\n");
}

/** Those without any run, for one reason. */
function without(
  heading: string,
  outcome: ExperimentResult["verdict"]["outcome"],
  experiments: readonly ExperimentResult[],
): string[] {
  const own = experiments.filter(({ runs, verdict }) => runs === 0 && verdict.outcome === outcome);
  if (own.length === 0) return [];
  return [[heading, ...own.map(({ id, verdict }) => `  ${id}: ${verdict.text}`)].join("\n")];
}

function section(
  experiment: ExperimentResult,
  timings: PapersResult["timing"]["experiments"][string] | undefined,
  columns: number,
): string {
  const { id, paper, title, setup, rows, verdict } = experiment;
  const numbers = rows.map(({ name, label, published, digits = 4, ours = timings?.[name] }) => [
    label,
    publishedText(published, digits),
    oursText(ours, digits),
    oursIntervalText(ours, digits),
  ]);
  const facts = [
    ["set-up", setup],
    ["runs", runsText(experiment)],
    ["verdict", `${OUTCOMES[verdict.outcome]}. ${verdict.text}`],
  ];
  const parts = [`${paper}, ${title}  [${id}]`, wrapTable(facts, columns)];
  return [...parts, ...(rows.length > 0 ? [figures(numbers)] : [])].join("\n");
}

function wrapTable(rows: readonly (readonly string[])[], columns: number): string {
  return table(
    rows.map(([name, text]) => [`  ${name}`, text]),
    { widths: [9, Math.max(40, columns) - 11] },
  );
}

function figures(rows: readonly (readonly string[])[]): string {
  const head = ["", "published", "ours", "95 % of the mean"];
  const lines = table([head, ...rows], { aligns: ["left", "right", "right", "left"], gap: "   " });
  return lines.replace(/^/gm, "  ").replace(/ +$/gm, "");
}
