import { groupBy } from "../../host/group-by.ts";
import type { Verdict } from "../../host/report/page.ts";
import { majorityName } from "../scoring/baselines.ts";
import type { Figure, LearnerResult, Scores } from "../scoring/result.ts";
import { errorUnit, type NodeResults, type TaskResults, taskError } from "./tasks.ts";
import { byLearner, type JudgingScore, judgedBy, meanFigure, NODES_SHOWN } from "./totals.ts";

/** A learner with its mean figure over the nodes. */
interface RankedLearner {
  readonly name: string;
  readonly figure: number;
  readonly results: readonly LearnerResult[];
}

/** A figure that is defined. */
function isKnown(figure: Figure): figure is number {
  return typeof figure === "number" && Number.isFinite(figure);
}

/** The known figures, the best first. */
function bestFirst<T extends { readonly figure: Figure }>(all: readonly T[], { moreIsWorse }: JudgingScore) {
  const known = all.filter((each): each is T & { readonly figure: number } => isKnown(each.figure));
  return known.sort((a, b) => (moreIsWorse ? 1 : -1) * (a.figure - b.figure));
}

function rankedBy(task: TaskResults, judged: JudgingScore): RankedLearner[] {
  const all = byLearner(task).map((results) => ({
    name: results[0].name,
    figure: meanFigure(results.map(({ metrics }) => judged.of(metrics))),
    results,
  }));
  return bestFirst(all, judged);
}

/** The better of the trivial predictors that know the labels which that learner received. */
function baseline({ trivial: { majority, last }, kind }: LearnerResult, judged: JudgingScore) {
  const all = [
    { name: "the last label", scores: last },
    { name: `the labels' ${majorityName(kind)}`, scores: majority },
  ];
  return bestFirst(
    all.map((each) => ({ ...each, figure: judged.of(each.scores) })),
    judged,
  )[0];
}

/** A learner at a node that isn't better there than a trivial predictor. */
interface Below {
  readonly learner: LearnerResult;
  readonly node: string;
  readonly own: number;
  readonly trivial: { readonly name: string; readonly figure: number; readonly scores: Scores };
}

/** What to take on one node, or why nothing; `below` are those that aren't worth their bytes there. */
interface NodeVerdict {
  readonly node: string;
  readonly take?: string;
  readonly nothing?: string;
  readonly below: readonly Below[];
}

function nodeVerdict({ node, learners }: NodeResults, judged: JudgingScore): NodeVerdict {
  const ranked = bestFirst(
    learners.map((learner) => ({ learner, figure: judged.of(learner.metrics) })),
    judged,
  );
  if (ranked.length === 0) return { node, nothing: `no ${judged.head} is defined`, below: [] };
  const isAbove = (figure: number, other: number) => (judged.moreIsWorse ? figure < other : figure > other);
  const below = ranked.flatMap(({ learner, figure }): Below[] => {
    const trivial = baseline(learner, judged);
    return !trivial || isAbove(figure, trivial.figure) ? [] : [{ learner, node, own: figure, trivial }];
  });
  const [{ learner: best }] = ranked;
  const beaten = below.find(({ learner }) => learner === best);
  if (beaten) return { node, nothing: `nothing beats ${beaten.trivial.name}`, below };
  return { node, take: best.name, below };
}

/** "lol on mote 1, mote 3; olk-c on mote 2"; of many nodes their number, unless it is one. */
function placesText(nodes: readonly NodeVerdict[], of: (node: NodeVerdict) => string | undefined): string {
  const places = groupBy(
    nodes.filter((node) => of(node) !== undefined),
    of,
  );
  const whereText = (where: readonly NodeVerdict[]) =>
    nodes.length > NODES_SHOWN && where.length > 1
      ? `${where.length} nodes`
      : where.map(({ node }) => node).join(", ");
  const parts = [...places].sort(([, a], [, b]) => b.length - a.length);
  return parts.map(([what, where]) => `${what} on ${whereText(where)}`).join("; ");
}

function writeHeadline(nodes: readonly NodeVerdict[]): string {
  const take = placesText(nodes, (node) => node.take);
  const nothing = placesText(nodes, (node) => node.nothing);
  return `On this seed, ${[take && `take ${take}`, nothing].filter(Boolean).join("; ")}.`;
}

/** Where a learner errs less than the trivial predictor and yet is judged worse, since it finds fewer of the rare events. */
function belowText({ learner, node, own, trivial }: Below, { head, form }: JudgingScore): string {
  const { error, eventsFound, events } = learner.metrics;
  const other = trivial.scores;
  const text = `${learner.name} isn't better than ${trivial.name} on ${node} (${head} ${form(own)}, ${form(trivial.figure)})`;
  const errsLess = isKnown(error) && isKnown(other.error) && error < other.error;
  if (!errsLess || eventsFound >= other.eventsFound) return `${text}.`;
  const found = `it finds ${eventsFound} of ${events} events, ${trivial.name} ${other.eventsFound}`;
  return `${text}: its error is less (${error.toFixed(3)}, ${(other.error as number).toFixed(3)}), but ${found}.`;
}

/** Each cell below a baseline; of more than a few, their number. */
const BELOW_SHOWN = 4;

function belowTexts(nodes: readonly NodeVerdict[], judged: JudgingScore, cells: number): string[] {
  const all = nodes.flatMap(({ below }) => below);
  if (all.length <= BELOW_SHOWN) return all.map((each) => belowText(each, judged));
  const counts = [...groupBy(all, ({ learner }) => learner.name)];
  const each = counts.map(([name, { length }]) => `${name} ${length}`).join(", ");
  return [
    `In ${all.length} of ${cells} cells of a learner and a node a baseline is as good or better: ${each}.`,
  ];
}

/** The learners by the score that judges their task, beside what a node could say without one. */
export function judgeTask(task: TaskResults): Verdict {
  const judged = judgedBy(task);
  const { head, form } = judged;
  const [best, next] = rankedBy(task, judged);
  if (!best) return { headline: `No learner has a ${head} here.`, sentences: [] };
  const nodes = task.nodes.map((node) => nodeVerdict(node, judged));
  const cells = task.nodes.reduce((sum, { learners }) => sum + learners.length, 0);
  const over = task.nodes.length > 1 ? " in the mean over the nodes" : "";
  const ahead = `${best.name} has ${head} ${form(best.figure)} in ${best.results[0].bytes} bytes`;
  const second = next ? `, ${next.name} ${form(next.figure)} in ${next.results[0].bytes}` : "";
  return {
    headline: writeHeadline(nodes),
    sentences: [
      `${ahead}${second}${over}; ${trivialText(best, task.kind, judged)}.`,
      ...belowTexts(nodes, judged, cells),
      ...eventsText(best),
      ...labelsText(task, best),
    ],
  };
}

/** The mean figures of the trivial predictors beside a learner. */
function trivialText(
  { results }: RankedLearner,
  kind: TaskResults["kind"],
  { of, form }: JudgingScore,
): string {
  const [majority, last] = (["majority", "last"] as const).map((name) => {
    const figure = meanFigure(results.map(({ trivial }) => of(trivial[name])));
    return typeof figure === "number" ? form(figure) : "n/a";
  });
  return `the ${majorityName(kind)} of the labels received ${majority}, the last of them ${last}`;
}

function eventsText({ name, results }: RankedLearner): string[] {
  const sum = (of: (result: LearnerResult) => number) => results.reduce((total, each) => total + of(each), 0);
  const events = sum(({ metrics }) => metrics.events);
  if (events === 0) return [];
  const found = sum(({ metrics }) => metrics.eventsFound);
  return [
    `${name} found ${found} of ${events} events, with ${sum(({ metrics }) => metrics.falseAlarms)} false alarms.`,
  ];
}

/** The error with the labels as they came beside that with ideal ones. */
function labelsText({ kind }: TaskResults, { name, results }: RankedLearner): string[] {
  const [came, ideal] = [
    meanFigure(results.map(({ metrics }) => taskError(kind, metrics))),
    meanFigure(results.map((each) => taskError(kind, each.ideal))),
  ];
  if (typeof came !== "number" || typeof ideal !== "number") return [];
  const [as, right] = [came, ideal].map((each) => Number(each.toPrecision(3)));
  return [
    `${errorUnit(kind)} of ${name}: ${as} with these labels, ${right} with all of them, right and at once.`.replace(
      /^s/,
      "S",
    ),
  ];
}
