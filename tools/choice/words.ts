import type { Mean } from "../evaluation/mean.ts";
import type { Plot } from "./plot.ts";
import type { Choice, ChoiceResult, Cost } from "./result.ts";

/** A loss as it is printed: per cent of wrong classes, or a mean squared error. */
export function lossText(measure: ChoiceResult["measure"], value: number): string {
  return measure === "error" ? (100 * value).toFixed(2) : String(Number(value.toPrecision(4)));
}

/** A loss that is a tick of an axis: without the digits that a result has. */
export function lossTick(measure: ChoiceResult["measure"], tick: number): string {
  return String(Number((measure === "error" ? 100 * tick : tick).toPrecision(9)));
}

/** A cost that is a tick of an axis: 12500 as "12.5k". */
export function costTick(tick: number): string {
  const [size, unit] = tick >= 1e6 ? [1e6, "M"] : tick >= 1e3 ? [1e3, "k"] : [1, ""];
  return `${Number((tick / size).toPrecision(9))}${unit}`;
}

/** Mean, with the deviation where there are several passes. */
export function meanText(loss: Mean | null, repeat: number, form: (value: number) => string): string {
  if (!loss) return "n/a";
  return repeat > 1 ? `${form(loss.mean)} ± ${form(loss.sd)}` : form(loss.mean);
}

/** What the losses are. */
export function lossName({ measure }: ChoiceResult): string {
  return measure === "error" ? "error, %" : "MSE";
}

/** What predicts without a learner, but for the last label. */
function majorityName({ measure }: ChoiceResult): string {
  return `the ${measure === "error" ? "majority" : "mean"} of the labels so far`;
}

/** How many points a plot leaves out, and why; "" where it has all. */
export function hiddenText({ hidden }: Plot, result: ChoiceResult): string {
  if (hidden === 0) return "";
  return `${hidden} worse than ${majorityName(result)} ${hidden === 1 ? "isn't" : "aren't"} drawn`;
}

export function costName(cost: Cost, { costsOf }: ChoiceResult): string {
  return cost === "bytes" ? "bytes" : `instructions, ${costsOf}`;
}

/** What a plot shows. */
export function plotTitle({ cost, losses }: Plot, result: ChoiceResult): string {
  const axes = losses.logarithmic ? "both logarithmic" : "the latter logarithmic";
  return `${lossName(result)} against ${costName(cost, result)}, ${axes}`;
}

export function named({ learner, budget }: Pick<Choice, "learner" | "budget">): string {
  return budget === null ? learner : `${learner} ${budget}`;
}

/** Instructions of a sample, with a tilde where they are reckoned beyond what was measured. */
export function instructionsText({ instructions, beyond }: Choice): string {
  if (instructions === null) return "n/a";
  return `${beyond.length > 0 ? "~" : ""}${instructions}`;
}

const SORTED =
  "no learner errs less than repeating the last label does: labels come in long runs, or the file is sorted by them (--shuffle <seed>)";

/** Whether repeating the last label, which takes no learner, is as good as the best. */
function noneAhead({ choices, trivial, shuffle }: ChoiceResult): boolean {
  const { last } = trivial;
  return shuffle === null && choices.every(({ loss }) => !loss || loss.mean >= last);
}

/** What was tried, on what. */
export function setupLines(result: ChoiceResult): string[] {
  const { train, task, scale, shuffle, repeat, kernel, target, trivial, measure } = result;
  const order = shuffle === null ? "in the order of the file" : `shuffled, seed ${shuffle}`;
  const passes = repeat === 1 ? "one pass" : `${repeat} passes`;
  return [
    `${train.file}: ${train.count} samples of ${train.dimension} features, ${task}, scale ${scale}; ${passes}, ${order}`,
    `each sample predicted, then learned. ${lossName(result)} of ${majorityName(result)} ${lossText(measure, trivial.majority)}; of repeating the last label ${lossText(measure, trivial.last)}`,
    ...(noneAhead(result) ? [SORTED] : []),
    ...(kernel ? [`kernels that are Gaussian unless told otherwise: ${JSON.stringify(kernel)}`] : []),
    target ? `learners whose node fits ${target}` : "no board named: every learner",
  ];
}

/** What the figures leave open. */
export function noteLines({ choices, unmeasured, leftOut, target }: ChoiceResult): string[] {
  const beyond = [...new Set(choices.flatMap((each) => each.beyond.map((part) => part.split(" ")[0])))];
  const unknown = target ? "nor is it known whether they fit" : "they lie on no front against instructions";
  return [
    ...(beyond.length > 0 ? [`~ reckoned beyond the sizes that were measured (${beyond.join(", ")})`] : []),
    ...(unmeasured.length > 0 ? [`instructions not measured, ${unknown}: ${unmeasured.join(", ")}`] : []),
    ...leftOut.map((each) => `left out: ${named(each)}: ${each.why}`),
  ];
}
