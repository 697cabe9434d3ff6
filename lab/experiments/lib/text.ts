import { table } from "../../../host/terminal/table.ts";
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

/** The result as plain text, at most `columns` wide; what wasn't run comes last, in a line each. */
export function renderPapers(result: PapersResult, columns: number): string {
  const run = result.experiments.filter(({ runs }) => runs > 0);
  return [
    ...run.map((each) => section(each, result, columns)),
    ...notRun(result)
      .filter(({ lines }) => lines.length > 0)
      .map(({ heading, lines }) => [heading, ...lines.map((line) => `  ${line}`)].join("\n")),
    `${totalsText(result)}\ntook ${timeText(result)}`,
  ].join("\n\n");
}

function section(experiment: ExperimentResult, result: PapersResult, columns: number): string {
  const { id, paper, title, setup, rows, verdict } = experiment;
  const facts = [
    ["set-up", setup],
    ["runs", runsText(experiment)],
    ["verdict", `${OUTCOMES[verdict.outcome]}. ${verdict.text}`],
  ];
  const parts = [`${paper}, ${title}  [${id}]`, wrapTable(facts, columns)];
  return [...parts, ...(rows.length > 0 ? [figures(figureRows(experiment, result))] : [])].join("\n");
}

function wrapTable(rows: readonly (readonly string[])[], columns: number): string {
  return table(
    rows.map(([name, text]) => [`  ${name}`, text]),
    { widths: [9, Math.max(40, columns) - 11] },
  );
}

function figures(rows: readonly (readonly string[])[]): string {
  const lines = table([FIGURE_HEADS, ...rows], { aligns: ["left", "right", "right", "left"], gap: "   " });
  return lines.replace(/^/gm, "  ").replace(/ +$/gm, "");
}
