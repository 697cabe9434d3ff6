import { markdownTable } from "../../../host/files/marked-part.ts";
import { average } from "../../../host/statistics.ts";
import { table } from "../../../host/terminal/table.ts";
import { type Regret, type RegretSetup, SHORTLIST } from "./regret.ts";
import { CHOICE_SETS, DIMENSION } from "./sets.ts";

/** Largest regret in points, and CPU time in seconds, of a choice. */
const REGRET_MOST = 0.3;
const CPU_MOST = 60;

function summary(name: string, values: readonly number[], most: number, unit: string): string {
  const largest = Math.max(...values);
  const beyond = values.filter((value) => value > most).length;
  const met = beyond === 0 ? "met" : `not met by ${beyond} of ${values.length}`;
  return `${name}: mean ${average(values).toFixed(2)}, largest ${largest.toFixed(2)} ${unit}; at most ${most}: ${met}`;
}

function markdownCaption(results: readonly Regret[], { samples, draws, budgets }: RegretSetup): string {
  const wrong = [...new Set(results.map((each) => `${100 * each.wrong} %`))].join(", ");
  const met = results.filter(({ regret }) => regret <= REGRET_MOST).length;
  return `Files and draws of ${samples.toLocaleString("en-US")} samples, draws: ${draws}; budgets ${budgets.join(", ")}; ${wrong} of the labels of classes wrong. The goal, a regret of at most ${REGRET_MOST} points, is met by ${met} of ${results.length}.`;
}

/** A row a learner: its error in each case with that delay. */
function learnersMarkdown(results: readonly Regret[], delay: number): string {
  const cases = results.filter((each) => each.delay === delay);
  const names = [...new Set(cases.flatMap(({ learners }) => learners.map(({ learner }) => learner)))];
  const errorText = ({ learners }: Regret, name: string) =>
    learners.find(({ learner }) => learner === name)?.error.toFixed(2) ?? "";
  const rows = [
    ["**`choose`**", ...cases.map(({ amongLearners }) => `**${amongLearners.toFixed(2)}**`)],
    ...names.sort().map((name) => [`\`${name}\``, ...cases.map((each) => errorText(each, name))]),
  ];
  const head = [`delay ${delay}`, ...cases.map(({ set, seed }) => `\`${set}\` ${seed}`)];
  return markdownTable(head, rows, (column) => column > 0);
}

/** The bench as a page's part: what was chosen, then each learner's own error. */
export function regretMarkdown(results: readonly Regret[], setup: RegretSetup): string {
  const rows = results.map((each) => [
    ...[`\`${each.set}\``, each.seed, each.delay, `\`${each.taken.split(" ")[0]}\``].map(String),
    ...[each.fresh, each.best, each.regret].map((value) => value.toFixed(2)),
    String(each.learners.filter(({ error }) => error < each.amongLearners - REGRET_MOST).length),
  ]);
  const head = [
    ...["set", "seed", "delay", "choice", "its error, %", "best, %", "regret, points"],
    `learners ${REGRET_MOST} points ahead`,
  ];
  const delays = [...new Set(results.map(({ delay }) => delay))];
  return [
    markdownCaption(results, setup),
    markdownTable(head, rows, (column) => column > 0 && column !== 3),
    "Each learner with its best options, in fewer passes:",
    ...delays.map((delay) => learnersMarkdown(results, delay)),
  ].join("\n\n");
}

export function regretText(results: readonly Regret[], samples: number): string {
  const rows = results.map((each) => [
    ...[each.set, each.delay, `${100 * each.wrong} %`, each.seed],
    ...[each.fresh, each.best, each.regret].map((value) => value.toFixed(2)),
    each.standardError === null ? "" : each.standardError.toFixed(2),
    each.regretOfDraws.map((value) => value.toFixed(2)).join(" "),
    each.cpuSeconds.toFixed(1),
    each.taken,
  ]);
  const head = [
    "set",
    "delay",
    "wrong",
    "seed",
    "taken, %",
    "best, %",
    "regret",
    "+-",
    "of each draw",
    "CPU, s",
    "taken",
  ];
  const aligns = head.map(
    (_, c) => (c === 0 || c === head.length - 1 ? "left" : "right") as "left" | "right",
  );
  const legend = CHOICE_SETS.map(({ name, doc }) => `  ${name}: ${doc}`).join("\n");
  return [
    `What choose takes on a file of ${samples} samples of ${DIMENSION} features, on fresh samples of the same source, ${samples} a draw, against the best of all candidates there; another draw shortlists ${SHORTLIST} of them`,
    `(error in %, or squared error in % of the labels' variance; each learner from nothing):\n${legend}`,
    "",
    table(rows, { head, aligns }),
    "",
    summary(
      "regret",
      results.map(({ regret }) => regret),
      REGRET_MOST,
      "points",
    ),
    summary(
      "CPU",
      results.map(({ cpuSeconds }) => cpuSeconds),
      CPU_MOST,
      "s",
    ),
  ].join("\n");
}
