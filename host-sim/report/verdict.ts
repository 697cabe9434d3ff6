import type { LearnerResult } from "../scoring/result.ts";
import { errorOf, errorUnit, type TaskResults } from "./tasks.ts";
import { byLearner, type Judged, judgedBy, longestTrivial, meanFigure } from "./totals.ts";

/** What a task's run says: which learner is best on this seed, and what that rests on. */
export interface RunVerdict {
  readonly headline: string;
  readonly sentences: readonly string[];
}

/** A learner with its mean figure over the nodes. */
interface Ranked {
  readonly name: string;
  readonly figure: number;
  readonly results: readonly LearnerResult[];
}

function rankedBy(task: TaskResults, { of, moreIsWorse }: Judged): Ranked[] {
  const known = byLearner(task).flatMap((results) => {
    const figure = meanFigure(results.map(({ metrics }) => of(metrics)));
    return typeof figure === "number" ? [{ name: results[0].name, figure, results }] : [];
  });
  return known.sort((a, b) => (moreIsWorse ? 1 : -1) * (a.figure - b.figure));
}

/** The learners by the score that judges their task, beside what a node could say without one. */
export function verdictOf(task: TaskResults): RunVerdict {
  const judged = judgedBy(task);
  const { head, of, moreIsWorse, form } = judged;
  const [best, ...others] = rankedBy(task, judged);
  if (!best) return { headline: `No learner has a ${head} here.`, sentences: [] };
  const plain = (["majority", "last"] as const).map((name) =>
    meanFigure(task.nodes.map((node) => of(longestTrivial(node)[name]))),
  );
  const isAhead = plain.every(
    (each) => typeof each !== "number" || (moreIsWorse ? best.figure < each : best.figure > each),
  );
  const over = task.nodes.length > 1 ? `, in the mean of ${task.nodes.length} nodes` : "";
  const [majority, last] = plain.map((each) => (typeof each === "number" ? form(each) : "n/a"));
  return {
    headline: `${isAhead ? "Best on this seed" : "No learner pays on this seed. The best"}: ${best.name}, ${head} ${form(best.figure)}${over}.`,
    sentences: [
      `Without a learner: the ${task.kind === "regression" ? "mean" : "majority"} of the labels received ${majority}, the last of them ${last}.`,
      ...others
        .slice(0, 1)
        .map(
          (next) =>
            `Next: ${next.name}, ${form(next.figure)}, in ${next.results[0].bytes} bytes; ${best.name} takes ${best.results[0].bytes}.`,
        ),
      ...eventsText(best),
      ...labelsText(task, best),
    ],
  };
}

function eventsText({ name, results }: Ranked): string[] {
  const sum = (of: (result: LearnerResult) => number) => results.reduce((total, each) => total + of(each), 0);
  const events = sum(({ metrics }) => metrics.events);
  if (events === 0) return [];
  const found = sum(({ metrics }) => metrics.eventsFound);
  return [
    `${name} found ${found} of ${events} events, with ${sum(({ metrics }) => metrics.falseAlarms)} false alarms.`,
  ];
}

/** The error with the labels as they came beside that with ideal ones. */
function labelsText({ kind }: TaskResults, { name, results }: Ranked): string[] {
  const [came, ideal] = [
    meanFigure(results.map(({ metrics }) => errorOf(kind, metrics))),
    meanFigure(results.map((each) => errorOf(kind, each.ideal))),
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
