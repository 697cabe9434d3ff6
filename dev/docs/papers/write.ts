import { markdownTable, withMarkedPart } from "../../../host/files/marked-part.ts";
import { OUTCOMES } from "../../../lab/experiments/lib/wording.ts";
import { EXPERIMENTS, experimentNamed } from "../../../lab/experiments/registry.ts";
import { FORGETTING } from "./forgetting.ts";
import { LOL } from "./lol.ts";
import type { Figure, MeasuredExperiments } from "./measured.ts";
import { OLK } from "./olk.ts";
import { OSKM } from "./oskm.ts";
import type { Erratum, Item, Paper, TestName } from "./page.ts";
import { QKRLS } from "./qkrls.ts";

/** The five papers, in the order of the experiments. */
export const PAPERS: readonly Paper[] = [OLK, QKRLS, LOL, OSKM, FORGETTING];

const HEAD = `# The papers

Five papers are implemented here. This page has a row for each of their numbered equations, tables and figures: where it is computed, the test that
holds it to the paper, and the experiment that reruns it, with its verdict. \`npm run build:papers\` writes the page, and \`papers-page.test.ts\` checks
that every file, test, experiment and option is there, and that no number is left out.

Verdicts are those of \`npx motelearn papers --data DIR --threads 2\`; its \`--help\` says what they mean, and which data files it takes. A test is named
by its file in \`test/\` and by how its title begins.
`;

const code = (text: string) => `\`${text}\``;

function testText({ file, title }: TestName): string {
  return `${code(file)}: ${title}`;
}

/** "`lol-table-3-usps`: behind": of several with one verdict, the verdict once. */
function experimentsText(ids: readonly string[], measured: MeasuredExperiments): string {
  const words = ids.map((id) => OUTCOMES[measured[id]?.outcome ?? "not-run"]);
  return [...new Set(words)]
    .map(
      (word) =>
        `${ids
          .filter((_, i) => words[i] === word)
          .map(code)
          .join(", ")}: ${word}`,
    )
    .join("; ");
}

function itemRow(
  { item, what, file, test, experiments = [] }: Item,
  measured: MeasuredExperiments,
): string[] {
  return [
    item,
    what,
    file ? code(file) : "",
    test ? testText(test) : "",
    experiments.length > 0 ? experimentsText(experiments, measured) : "",
  ];
}

function erratumRow({ item, right, test }: Erratum): string[] {
  return [item, right, testText(test)];
}

/** A mean and its interval, if it has one. */
function figureText({ mean, low, high }: Figure, digits: number): string {
  const interval = low === null || high === null ? "" : ` [${low.toFixed(digits)}, ${high.toFixed(digits)}]`;
  return `${mean.toFixed(digits)}${interval}`;
}

/** An experiment of this project's own with all its figures. */
function openText(id: string, measured: MeasuredExperiments): string {
  const { title, rows } = experimentNamed(id);
  const { runs, outcome, figures } = measured[id];
  const shown = rows.flatMap(({ name, label, digits = 4 }) =>
    figures[name] ? [[label, figureText(figures[name], digits)]] : [],
  );
  const lead = `Left open, and measured here: ${title} (${code(`npx motelearn papers --only ${id}`)}, ${runs} runs: ${OUTCOMES[outcome]}).`;
  return `${lead}\n\n${markdownTable(["figure", "ours"], shown)}`;
}

function paperText(
  { title, citation, items, errata, data, symbols, open = [] }: Paper,
  measured: MeasuredExperiments,
): string {
  return [
    `## ${title}`,
    `${citation}.`,
    markdownTable(
      ["item", "what", "file", "test", "experiment, verdict"],
      items.map((item) => itemRow(item, measured)),
    ),
    "What the paper prints wrongly, or leaves open, and what is right:",
    markdownTable(["where", "right", "test"], errata.map(erratumRow)),
    ...open.map((id) => openText(id, measured)),
    markdownTable(
      ["the paper's data", "here"],
      data.map((each) => [each.data, each.here]),
    ),
    markdownTable(
      ["symbol", "option", "of"],
      symbols.map(({ symbol, option, learners }) => [symbol, code(option), learners.map(code).join(", ")]),
    ),
  ].join("\n\n");
}

const WHY = `## What doesn't come out, and why

The verdicts in words, as the command prints them. Differences have 95 % intervals, paired by seed; z is a figure's distance from the published one
in standard errors of both sides.
`;

/** The verdicts in words of what doesn't hold in every part, and of what is measured without a verdict. */
function whyText(measured: MeasuredExperiments): string {
  const told = EXPERIMENTS.flatMap(({ id }) => {
    const { outcome, text } = measured[id] ?? {};
    return outcome && text ? [`**${code(id)}: ${OUTCOMES[outcome]}.** ${text}`] : [];
  });
  return [WHY.trimEnd(), ...told].join("\n\n");
}

/** docs/papers.md. */
export function papersPage(measured: MeasuredExperiments): string {
  const parts = [HEAD.trimEnd(), ...PAPERS.map((paper) => paperText(paper, measured)), whyText(measured)];
  return `${parts.join("\n\n")}\n`;
}

/** Where a page's part begins and ends that is written by the command. */
const BEGIN = "<!-- npm run build:papers writes from here -->";

/** "16 hold, 13 hold in part": the verdicts of these experiments. */
function countOutcomes(ids: readonly string[], measured: MeasuredExperiments): string {
  const found = Object.entries(OUTCOMES).flatMap(([outcome, word]) => {
    const { length } = ids.filter((id) => (measured[id]?.outcome ?? "not-run") === outcome);
    return length > 0 ? [`${word}: ${length}`] : [];
  });
  return found.join("; ");
}

/** The experiment's place in a table: a row each of its figures with a published number, the verdict in the first. */
function resultRows(id: string, measured: MeasuredExperiments): string[][] {
  const experiment = EXPERIMENTS.find((each) => each.id === id);
  const { runs, outcome, figures } = measured[id];
  const shown = (experiment?.rows ?? []).flatMap(({ name, label, published, own, digits = 4 }) => {
    const ours = figures[name];
    if (!ours || !own || published === undefined || typeof published === "string") return [];
    const told =
      typeof published === "number"
        ? published.toFixed(digits)
        : `${published.mean.toFixed(digits)} ± ${published.deviation.toFixed(digits)}`;
    return [[label, told, figureText(ours, digits)]];
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
    `Of ${published.length} published experiments: ${countOutcomes(published, measured)}. Of ${own.length} of this project's own, counted apart: ${countOutcomes(own, measured)}.`,
    markdownTable(
      ["experiment", "figure of the paper's own method", "published", "ours", "verdict"],
      run.flatMap((id) => resultRows(id, measured)),
    ),
  ].join("\n\n");
}

/** A page with its part written anew. Throws where the page has no such part. */
export function withPublishedFigures(page: string, measured: MeasuredExperiments): string {
  return withMarkedPart(page, BEGIN, publishedFigures(measured));
}
