import { table } from "../../../host/terminal/table.ts";
import { type Regret, SHORTLIST } from "./regret.ts";
import { CHOICE_SETS, DIMENSION } from "./sets.ts";

/** Largest regret in points, and CPU time in seconds, of a choice. */
const REGRET_MOST = 0.3;
const CPU_MOST = 60;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function summary(name: string, values: readonly number[], most: number, unit: string): string {
  const largest = Math.max(...values);
  const beyond = values.filter((value) => value > most).length;
  const met = beyond === 0 ? "met" : `not met by ${beyond} of ${values.length}`;
  return `${name}: mean ${mean(values).toFixed(2)}, largest ${largest.toFixed(2)} ${unit}; at most ${most}: ${met}`;
}

/** The bench for people. */
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
