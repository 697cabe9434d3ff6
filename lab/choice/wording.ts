import { countText } from "../../host/count-text.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import { pathText } from "../evaluation/label-options.ts";
import { rowLines } from "../evaluation/rows-read.ts";
import type { Advice } from "./advice.ts";
import type { FeaturesTried } from "./feature-search.ts";
import type { Plot } from "./plot.ts";
import type { Choice, ChoiceResult, Cost, Cut } from "./result.ts";
import type { Round } from "./search.ts";
import type { Usable } from "./usable.ts";
import { NOISE } from "./verdict.ts";

type Measure = ChoiceResult["measure"];

/** The names of losses; shares are printed in per cent. */
const LOSSES: { readonly [measure in Measure]: string } = {
  error: "error, %",
  balanced: "balanced error, %",
  mse: "MSE",
};
const isShare = (measure: Measure) => measure !== "mse";

/** A loss for printing: per cent of wrong classes, or a mean squared error. */
export function lossText(measure: Measure, value: number): string {
  return isShare(measure) ? (100 * value).toFixed(2) : String(Number(value.toPrecision(4)));
}

/** A loss as a tick of an axis, with fewer digits than a result. */
export function lossTick(measure: Measure, tick: number): string {
  return String(Number((isShare(measure) ? 100 * tick : tick).toPrecision(9)));
}

/** A cost that is a tick of an axis: 12500 as "12.5k". */
export function costTick(tick: number): string {
  const [size, unit] = tick >= 1e6 ? [1e6, "M"] : tick >= 1e3 ? [1e3, "k"] : [1, ""];
  return `${Number((tick / size).toPrecision(9))}${unit}`;
}

/** A mean, n/a where it isn't defined. */
function meanText(mean: { readonly mean: number } | null, form: (value: number) => string): string {
  return mean ? form(mean.mean) : "n/a";
}

/** A loss and its standard error, as columns have them. */
function lossTexts({ measure }: ChoiceResult, choice: Choice): [string, string] {
  const { loss, standardError } = choice;
  return [
    meanText(loss, (value) => lossText(measure, value)),
    standardError === null ? "" : lossText(measure, standardError),
  ];
}

/** Features of the readings: "window 8", or "256 readings, 16 bands". */
function featuresText({ window, wavelet, bands, lines, burst }: FeaturesOption): string {
  if (!window) return "the readings";
  if (!bands) return `window ${window}${wavelet ? ` ${wavelet}` : ""}`;
  const of = burst === window ? `spectrum of ${window}` : `spectrum of ${window}, ${burst} new`;
  return `${of} in ${bands} bands${lines ? ` and lines ${lines.join(" ")}` : ""}`;
}

/** Its features, where they aren't the readings, and its searched options: everything but budget, dimension, classes and the common ranges. */
function optionsText({ options, features }: Choice): string {
  const { budget: _, dimension: __, classes: ___, ranges: ____, ...own } = options;
  const parts = Object.entries(own).map(([name, value]) => {
    if (name === "storage") return `${value}`;
    if (typeof value !== "object" || value === null) return `${name} ${value}`;
    const { type, ...of } = value as { readonly type?: string };
    const [only, ...more] = Object.entries(of);
    return type === "gaussian" && only && more.length === 0
      ? only.join(" ")
      : `${name} ${JSON.stringify(value)}`;
  });
  return [...(features.window ? [featuresText(features)] : []), ...parts].join(", ");
}

export function lossName({ measure }: ChoiceResult): string {
  return LOSSES[measure];
}

/** The baseline besides the last label. */
function majorityName({ measure, labels }: ChoiceResult): string {
  return `the ${isShare(measure) ? "majority" : "mean"} of the labels ${labels ? "received" : "so far"}`;
}

/** The other baseline. */
function lastName({ labels }: ChoiceResult): string {
  return `the last label${labels ? " received" : ""}`;
}

/** A lead over a trivial predictor: "5.60 points less than the last label received (17.90)". */
function leadText(result: ChoiceResult, ahead: number, name: string, loss: number): string {
  const { measure } = result;
  const figure = lossText(measure, loss);
  if (lossText(measure, loss - ahead) === figure) return `as much as ${name} (${figure})`;
  const much = `${lossText(measure, Math.abs(ahead))}${lossUnit(result)} ${ahead >= 0 ? "less" : "more"}`;
  return `${much} than ${name} (${figure})`;
}

/** Says by how much the best choice beats the trivial predictors, which receive the same labels, or that it doesn't. */
function verdictLines(result: ChoiceResult): string[] {
  const { verdict, trivial, measure } = result;
  if (!verdict) return [];
  const { ahead, standardError, isAhead } = verdict;
  const leads = [
    leadText(result, ahead.last, lastName(result), trivial.last),
    leadText(result, ahead.majority, majorityName(result), trivial.majority),
  ];
  const error = `+- ${lossText(measure, standardError)}`;
  const answer = isAhead ? "a learner pays" : "no learner is sure to pay";
  return [`${answer}: the best loses ${leads.join(", and ")}; ${error}`];
}

/** The best choice's losses as labels come, and how many it needs. */
function curveLines(result: ChoiceResult): string[] {
  const { learning, measure } = result;
  if (!learning) return [];
  const parts = learning.loss.map((loss, i) => `${lossText(measure, loss)} to ${learning.labels[i]}`);
  const more = learning.isFalling ? "; it still falls at the end: further labels help" : "";
  return [
    `learning curve of the best, ${lossName(result)} by labels learned: ${parts.join(", ")}; it needs about ${learning.needed}${more}`,
  ];
}

/** How many points a plot leaves out, and why; "" where it has all. */
export function hiddenText({ hidden }: Plot, result: ChoiceResult): string {
  if (hidden === 0) return "";
  return `${hidden} worse than ${majorityName(result)} ${hidden === 1 ? "isn't" : "aren't"} drawn`;
}

export function costName(cost: Cost, { costsOf }: ChoiceResult): string {
  return cost === "bytes" ? "bytes" : `instructions, ${costsOf}`;
}

export function plotTitle({ cost, losses }: Plot, result: ChoiceResult): string {
  const axes = losses.logarithmic ? "both logarithmic" : "the latter logarithmic";
  return `${lossName(result)} against ${costName(cost, result)}, ${axes}`;
}

export function choiceName({ learner, budget }: Pick<Choice, "learner" | "budget">): string {
  return budget === null ? learner : `${learner} ${budget}`;
}

/** Instructions of a sample, with a tilde where they are extrapolated beyond measured sizes. */
export function instructionsText({ instructions, beyond }: Choice): string {
  if (instructions === null) return "n/a";
  return `${beyond.length > 0 ? "~" : ""}${instructions}`;
}

const SORTED =
  "no learner errs less than repeating the last label does: labels come in long runs, or the file is sorted by them (--shuffle <seed>)";

/** True if repeating the last label, which takes no learner, is as good as the best. */
function noneAhead({ choices, trivial, shuffle }: ChoiceResult): boolean {
  const { last } = trivial;
  return shuffle === null && choices.every(({ loss }) => !loss || loss.mean >= last);
}

/** A sentence if the best may lead the majority by noise alone; none otherwise. */
function nothingLearnedLines(result: ChoiceResult): string[] {
  const { choices, trivial, measure } = result;
  const [best] = choices;
  if (!best?.loss || best.loss.mean + NOISE * (best.standardError ?? 0) < trivial.majority) return [];
  const rare =
    measure === "error"
      ? ". A class that is rare hardly counts: see bal. acc., the mean over the classes; --balanced chooses by it"
      : "";
  return [
    `no learner is ahead of ${majorityName(result)} by more than ${NOISE} standard errors: it isn't sure that any learns from these features${rare}`,
  ];
}

/** Stays so few, and so long in the mean, that the next ones may be others. */
const STAYS_FEW = 30;
const STAYS_LONG = 10;

function stayLines({ stays, train: { count } }: ChoiceResult): string[] {
  if (stays === undefined || stays >= STAYS_FEW || count < STAYS_LONG * stays) return [];
  return [
    `the labels change ${stays === 2 ? "once" : `${stays - 1} times`}: what suits so few stays may not suit the next, whatever the standard errors say; record more of them`,
  ];
}

function secondLabelLines({ secondLabels }: ChoiceResult["train"]): string[] {
  return (secondLabels?.names ?? []).map(
    (name) =>
      `${name} is left out, as it goes with the label like a second one; --columns ${secondLabels?.all.join()} takes it in`,
  );
}

/** The features that were tried, best first. */
function featureLines({ search: { features }, measure }: ChoiceResult): string[] {
  if (!features) return [];
  const of = ({ features: each, loss, kept }: FeaturesTried) =>
    `${featuresText(each)} ${lossText(measure, loss)}${kept ? " (searched)" : ""}`;
  return [`features, by learners with their defaults on the first samples: ${features.map(of).join("; ")}`];
}

/** How many candidates were tried on how many samples. */
function searchLine({ search, train, repeat }: ChoiceResult): string {
  const of = ({ rows, passes, candidates, shorter }: Round) => {
    const samples = rows === train.count ? `all ${rows} samples` : `the first ${rows}`;
    const starts =
      passes > 1 ? (repeat > 1 ? `, ${passes} passes` : `, from ${passes} places of the order`) : "";
    return `${candidates}${shorter ? " with vectors of 16 bits" : ""} on ${samples}${starts}`;
  };
  return `learners with budgets and options: ${search.rounds.map(of).join("; ")}`;
}

const CUTS: { readonly [cut in Cut]: string } = {
  seconds: "the CPU time of --seconds is over",
  interrupted: "interrupted",
};

/** The notice of a cut search, and its state; none if it wasn't cut. */
function cutLines({ search: { cut, rounds }, choices }: ChoiceResult): string[] {
  if (cut === null) return [];
  const { candidates, tried } = rounds[rounds.length - 1];
  const fewest = Math.min(...choices.map(({ rows }) => rows));
  const short =
    fewest < choices[0].rows ? `; some were tried on the first ${fewest} samples only, and come last` : "";
  return [
    `CUT SHORT: ${CUTS[cut]}, with ${tried} of ${candidates} candidates of this round tried${short}. Another run may end elsewhere`,
  ];
}

function readingsText({ dimension, readings }: ChoiceResult["train"]): string {
  if (!readings) return `${dimension} features`;
  const sensors = dimension / readings;
  return `${readings} readings of ${sensors === 1 ? "one sensor" : `${sensors} sensors`}`;
}

/** The setup: data and candidates. */
export function setupLines(result: ChoiceResult): string[] {
  const { train, task, scale, shuffle, target, trivial, measure, labels } = result;
  const order = shuffle === null ? "in the order of the file" : `shuffled, seed ${shuffle}`;
  return [
    `${train.file}: ${train.count} samples of ${readingsText(train)}, ${task}, scale ${scale}, ${order}; ${target ? `learners whose node fits ${target}` : "no board named: every learner"}`,
    ...rowLines(train, train),
    ...secondLabelLines(train),
    `${labels ? `each sample predicted before its label. ${pathText(labels)}` : "each sample predicted, then learned"}. ${lossName(result)} of ${majorityName(result)} ${lossText(measure, trivial.majority)}; of repeating ${lastName(result)} ${lossText(measure, trivial.last)}`,
    ...featureLines(result),
    searchLine(result),
    ...cutLines(result),
    ...verdictLines(result),
    ...curveLines(result),
    ...(noneAhead(result) ? [SORTED] : []),
    ...stayLines(result),
    ...nothingLearnedLines(result),
  ];
}

/** 2.5, 12, 80: times, as a person says it. */
function timesText(times: number): string {
  return times < 10 ? times.toFixed(1) : times.toFixed(0);
}

/** Its saving over the best. */
function lessText({ times }: Advice): string {
  const parts = [
    { of: times.bytes, what: "memory" },
    { of: times.instructions, what: "instructions" },
  ].flatMap(({ of, what }) => {
    if (of === null || (of > 0.95 && of < 1.05)) return [];
    return of >= 1 ? `${timesText(of)} times less ${what}` : `${timesText(1 / of)} times more ${what}`;
  });
  return parts.join(", ").replace(/less instructions/, "fewer instructions");
}

function lossUnit({ measure }: ChoiceResult): string {
  return isShare(measure) ? " points" : "";
}

/** True if the last state, no longer learning, loses more than it did while it learned, beyond noise. */
function isWorseFrozen({ heldBack }: Choice): boolean {
  if (!heldBack) return false;
  const { frozen, learning } = heldBack;
  const noise = Math.sqrt(frozen.standardError ** 2 + learning.standardError ** 2);
  return frozen.mean - learning.mean > 2 * noise;
}

function frozenText(choice: Choice, { measure }: ChoiceResult): string {
  const { heldBack } = choice;
  if (!heldBack || !isWorseFrozen(choice)) return "";
  const [frozen, learning] = [heldBack.frozen, heldBack.learning].map(({ mean }) => lossText(measure, mean));
  return `. Keep its labels coming: on the last fifth its state from before it loses ${frozen}, and ${learning} while it learns`;
}

/** Why it is named, in words. */
export function adviceText(advised: Advice, result: ChoiceResult): string {
  const { measure, choices } = result;
  const choice = choices[advised.choice];
  const [loss, error] = lossTexts(result, choice);
  const text = `${choiceName(choice)}${optionsText(choice) && `, ${optionsText(choice)}`}: ${lossName(result)} ${loss} +- ${error}`;
  const { behindBest } = choice;
  if (advised.why === "best" || !behindBest) return `best: ${text}${frozenText(choice, result)}`;
  const worse = `${lossText(measure, behindBest.mean)} +- ${lossText(measure, behindBest.standardError)}${lossUnit(result)} behind`;
  return `within noise of the best and ${lessText(advised)}: ${text}, ${worse}${frozenText(choice, result)}`;
}

/** Bytes and instructions of the node, as `plan` has them. */
export function planText({ plan: { target, bytes, instructions, milliseconds } }: Usable): string {
  const time =
    instructions === null || milliseconds === null
      ? "instructions not measured"
      : `${instructions} instructions (${milliseconds.toPrecision(3)} ms) a sample and its label on ${target}`;
  return `node of ${bytes} bytes, ${time}`;
}

/** The mark of an error that is less sure than the others. */
export const FEWER = "*";

/** True if it ran from fewer places of the file than the best. */
export function isFromFewer({ passes }: Choice, { choices: [best] }: ChoiceResult): boolean {
  return passes < best.passes;
}

export function timeText({ timing: { seconds, cpuSeconds, threads } }: ChoiceResult): string {
  return `took ${cpuSeconds.toFixed(1)} s of CPU, ${seconds.toFixed(1)} s on ${countText(threads, "thread")}`;
}

/** The heads of the table of choices, three of them in the words of a page or of a terminal; see `choiceCells`. */
export function choiceHeads(
  result: ChoiceResult,
  words: { readonly error: string; readonly heldBack: string; readonly balanced: string },
): string[] {
  return [
    ...["learner", "budget", "options", lossName(result), words.error, words.heldBack],
    ...(result.measure === "error" ? [words.balanced] : []),
    ...["bytes", "front", costName("instructions", result), "front"],
  ];
}

/** A choice's row of the table, behind its learner's name; `marks` are the letters of both fronts. */
export function choiceCells(
  result: ChoiceResult,
  choice: Choice,
  marks: readonly ReadonlyMap<Choice, string>[],
): (string | number)[] {
  const { measure } = result;
  const percent = (value: number) => (100 * value).toFixed(2);
  const [loss, error] = lossTexts(result, choice);
  return [
    choice.budget ?? "",
    optionsText(choice),
    isFromFewer(choice, result) ? `${loss} ${FEWER}` : loss,
    error,
    meanText(choice.heldBack?.frozen ?? null, (value) => lossText(measure, value)),
    ...(measure === "error" ? [meanText(choice.balancedAccuracy, percent)] : []),
    choice.bytes,
    marks[0].get(choice) ?? "",
    instructionsText(choice),
    marks[1].get(choice) ?? "",
  ];
}
