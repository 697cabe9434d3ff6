import { markdownTable, withMarkedPart } from "../../../host/files/marked-part.ts";
import { countOutcomes, OUTCOMES, publishedText } from "../../../lab/experiments/lib/result.ts";
import { withInterval } from "../../../lab/experiments/lib/summary.ts";
import { EXPERIMENTS, experimentNamed } from "../../../lab/experiments/registry.ts";
import type { MeasuredExperiments } from "./measured.ts";

/** Where a part of a page begins that the command writes. */
const marker = (part: string) => `<!-- npm run build:papers writes ${part} from here -->`;

const code = (text: string) => `\`${text}\``;

/** "`lol-table-3-usps`: behind": of several with one verdict, the verdict once. */
function experimentsText(ids: readonly string[], measured: MeasuredExperiments): string {
  const words = ids.map((id) => OUTCOMES[measured[id]?.outcome ?? "not-run"]);
  const withWord = (word: string) => ids.filter((_, i) => words[i] === word).map(code);
  return [...new Set(words)].map((word) => `${withWord(word).join(", ")}: ${word}`).join("; ");
}

/** The cells of a row of a table in Markdown. */
export function rowCells(line: string): string[] {
  return line.slice(2, -2).split(/(?<!\\) \| /);
}

/** The experiments that a cell of the page names, in the order of the report. */
export function namedExperiments(cell: string): string[] {
  const named = [...cell.matchAll(/`([^`]+)`/g)].map(([, id]) => id);
  const known = EXPERIMENTS.map(({ id }) => id).filter((id) => named.includes(id));
  return [...known, ...named.filter((id) => !known.includes(id))];
}

const RERUN = "experiment, verdict";

/** The page with the verdict of each experiment that a table's last column names. */
function withVerdicts(page: string, measured: MeasuredExperiments): string {
  let isRerun = false;
  const lines = page.split("\n").map((line) => {
    if (!line.startsWith("| ")) isRerun = false;
    if (line.endsWith(` ${RERUN} |`)) isRerun = true;
    const cells = rowCells(line);
    const ids = namedExperiments(cells[cells.length - 1]);
    if (!isRerun || ids.length === 0) return line;
    return `| ${[...cells.slice(0, -1), experimentsText(ids, measured)].join(" | ")} |`;
  });
  return lines.join("\n");
}

/** This project's own experiment on what a paper leaves open, with all its figures. */
const OPEN = "olk-rates";

function openText({ [OPEN]: { runs, outcome, figures } }: MeasuredExperiments): string {
  const { title, rows } = experimentNamed(OPEN);
  const shown = rows.flatMap(({ name, label, digits = 4 }) =>
    figures[name] ? [[label, withInterval(figures[name], digits)]] : [],
  );
  const lead = `Left open, and measured here: ${title} (${code(`npx motelearn papers --only ${OPEN}`)}, ${runs} runs: ${OUTCOMES[outcome]}).`;
  return `${lead}\n\n${markdownTable(["figure", "ours"], shown)}`;
}

/** The verdicts in words of what doesn't hold in every part, and of what is measured without a verdict. */
function whyText(measured: MeasuredExperiments): string {
  const told = EXPERIMENTS.flatMap(({ id }) => {
    const { outcome, text } = measured[id] ?? {};
    return outcome && text ? [`**${code(id)}: ${OUTCOMES[outcome]}.** ${text}`] : [];
  });
  return told.join("\n\n");
}

/** docs/papers.md with its verdicts and figures written anew. Throws where it has no place for them. */
export function withExperiments(page: string, measured: MeasuredExperiments): string {
  const open = withMarkedPart(withVerdicts(page, measured), marker(OPEN), openText(measured));
  return withMarkedPart(open, marker("the verdicts in words"), whyText(measured));
}

/** "holds: 16; holds in part: 13": the verdicts of these experiments. */
function outcomesText(ids: readonly string[], measured: MeasuredExperiments): string {
  const counts = countOutcomes(ids.map((id) => measured[id]?.outcome ?? "not-run"));
  return counts.map(([word, count]) => `${word}: ${count}`).join("; ");
}

/** The experiment's place in a table: a row each of its figures with a published number, the verdict in the first. */
function resultRows(id: string, measured: MeasuredExperiments): string[][] {
  const { runs, outcome, figures } = measured[id];
  const shown = experimentNamed(id).rows.flatMap(({ name, label, published, own, digits = 4 }) => {
    const ours = figures[name];
    if (!ours || !own || published === undefined || typeof published === "string") return [];
    return [[label, publishedText(published, digits), withInterval(ours, digits)]];
  });
  const rows = shown.length > 0 ? shown : [["", "drawn", ""]];
  return rows.map((row, i) => [
    ...(i === 0 ? [`${code(id)}, ${runs} ${runs === 1 ? "run" : "runs"}`] : [""]),
    ...row,
    i === 0 ? OUTCOMES[outcome] : "",
  ]);
}

/** The part of docs/results.md on published figures, with its marks. */
function publishedFigures(measured: MeasuredExperiments): string {
  const published = EXPERIMENTS.filter(({ ours }) => !ours).map(({ id }) => id);
  const own = EXPERIMENTS.filter(({ ours }) => ours).map(({ id }) => id);
  const run = published.filter((id) => measured[id] && measured[id].runs > 0);
  return [
    `Of ${published.length} published experiments: ${outcomesText(published, measured)}. Of ${own.length} of this project's own, counted apart: ${outcomesText(own, measured)}.`,
    markdownTable(
      ["experiment", "figure of the paper's own method", "published", "ours", "verdict"],
      run.flatMap((id) => resultRows(id, measured)),
    ),
  ].join("\n\n");
}

/** A page with its part written anew. Throws where the page has no such part. */
export function withPublishedFigures(page: string, measured: MeasuredExperiments): string {
  return withMarkedPart(page, "<!-- npm run build:papers writes from here -->", publishedFigures(measured));
}
