import { printable } from "../../host/printable.ts";
import { nameValueLines } from "../../host/terminal/table.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import type { Evaluation } from "./evaluation.ts";
import { fatesText, pathText } from "./label-options.ts";
import type { Mean } from "./mean.ts";
import { rowLines } from "./rows-read.ts";
import { boundText } from "./step-bounds.ts";
import { widthText } from "./widths.ts";

type Row = readonly [string, string | number];

const DIGITS = 6;

function percent(value: number): string {
  return `${(100 * value).toFixed(2)} %`;
}

export function number(value: number): string {
  return String(Number(value.toPrecision(DIGITS)));
}

function mean(figure: Mean | null | undefined, unit: (value: number) => string, repeats: number): string {
  if (!figure) return "n/a";
  return repeats > 1 ? `${unit(figure.mean)} +- ${unit(figure.sd)}` : unit(figure.mean);
}

function head({ learner, task, train, test, shuffle, repeats, bytes, labels }: Evaluation): string {
  const order =
    shuffle === null
      ? "in the order of the file"
      : `shuffled, seed ${shuffle}${repeats.length > 1 ? ", +1 a pass" : ""}`;
  const classes = train.classes === null ? "" : `, ${train.classes} classes`;
  const lines = [
    `${learner} (${task}), ${bytes} bytes`,
    `train ${train.file}: ${train.count} samples of ${train.dimension} features${classes}`,
    ...rowLines(train, train).map((line) => `  ${line}`),
    ...secondLabelLines(train),
    ...(test ? [`test ${test.file}: ${test.count} samples`] : []),
    ...(test ? rowLines({ ...test, columns: undefined }).map((line) => `  ${line}`) : []),
    `${repeats.length === 1 ? "one pass" : `${repeats.length} passes`}, ${order}`,
    ...(labels ? [`${pathText(labels)}; ${fatesText(labels)}`] : []),
  ];
  return lines.map(printable).join("\n");
}

function secondLabelLines({ secondLabels }: Evaluation["train"]): string[] {
  if (!secondLabels) return [];
  const { names, others } = secondLabels;
  const [go, them] = names.length === 1 ? ["goes", "it"] : ["go", "them"];
  return [
    `  ${names.join(", ")} ${go} with the label like a second one, so the errors say little; --columns ${others.join()} leaves ${them} out`,
  ];
}

type Recalls = Extract<Evaluation, { readonly testRecalls: unknown }>["cumulativeRecalls"];

/** Classes that have a line each: of more, those that were found least. */
const CLASSES_SHOWN = 8;

/** How many of each class's samples were found: where a class is rare, the error hardly shows it. */
function recallRows(recalls: Recalls, repeats: number): Row[] {
  const least = [...recalls].sort((a, b) => (a.recall?.mean ?? 0) - (b.recall?.mean ?? 0));
  const shown = recalls.length > CLASSES_SHOWN ? least.slice(0, CLASSES_SHOWN) : recalls;
  const more = recalls.length - shown.length;
  const rows = shown.map(({ label, samples, recall }): Row => {
    return [`  class ${printable(`${label}`)}`, `${mean(recall, percent, repeats)} of ${samples} samples`];
  });
  return more > 0 ? [...rows, ["  classes found more often", `${more}, in --json`]] : rows;
}

/** Which labels the trivial predictors know. */
const labelsKnown = ({ labels }: Evaluation) => (labels ? "received" : "so far");

/** The scores along the train file, or on the test file, beside the trivial predictors'. */
function scoreRows(result: Evaluation, of: "cumulative" | "test"): Row[] {
  const { trivial, repeats } = result;
  const { length: n } = repeats;
  const trivialRow = (what: string, unit: (value: number) => string): Row =>
    of === "test"
      ? [`  ${what} of the train labels`, unit(trivial.testMajority as number)]
      : [
          `  ${what} of the labels ${labelsKnown(result)} / last label`,
          `${unit(trivial.majority)} / ${unit(trivial.last)}`,
        ];
  if ("testMse" in result)
    return [[`${of} MSE`, mean(result[`${of}Mse`], number, n)], trivialRow("mean", number)];
  return [
    [`${of} error`, mean(result[`${of}Error`], percent, n)],
    trivialRow("majority", percent),
    [`${of} balanced accuracy`, mean(result[`${of}BalancedAccuracy`], percent, n)],
    ...recallRows(result[`${of}Recalls`] as Recalls, n),
  ];
}

/** A warning where the dictionary was full, and the learner learned nothing more. */
function warnings({ learner, counters }: Evaluation): Row[] {
  const { declined = 0 } = counters as { readonly declined?: number };
  if (declined === 0 || !familyNamed(learner)?.traits?.freezes) return [];
  return [
    ["warning", `full: it learned nothing from ${declined} samples; give a larger budget, or take krls-ald`],
  ];
}

export function renderEvaluation(result: Evaluation, seconds: number): string {
  const counted = Object.entries(result.counters).filter(([, count]) => count > 0);
  const width = widthText(result.widths);
  const { bounds } = result;
  return [
    head(result),
    "",
    nameValueLines([
      ...scoreRows(result, "cumulative"),
      ...(result.test ? scoreRows(result, "test") : []),
      ["support vectors", mean(result.supportVectors, number, result.repeats.length)],
      ...(width ? [["kernel width of the last pass", width] as const] : []),
      ...(bounds ? [[`${bounds.option} of the last pass, from the errors`, boundText(bounds)] as const] : []),
      ["counters of the last pass", counted.map(([name, count]) => `${name} ${count}`).join(", ")],
      ...warnings(result),
      ["state hash of the last pass", result.stateHash],
      ["time", `${seconds.toFixed(2)} s`],
    ]),
  ].join("\n");
}
