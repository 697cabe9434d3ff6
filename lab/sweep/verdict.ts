import type { Verdict } from "../../host/report/page.ts";
import { majorityName } from "../../host-sim/scoring/baselines.ts";
import { isNearBest } from "../evaluation/trivial.ts";
import type { Decomposition } from "./statistics/decomposition.ts";
import { CAUSES } from "./statistics/plan.ts";
import type { LearnerSummary, TaskSummary } from "./statistics/summary.ts";
import { Unit } from "./unit.ts";

/** Learners that a sentence names at most. */
const NAMED_MAX = 6;

function listParts(parts: readonly string[]): string {
  const shown = parts.slice(0, NAMED_MAX);
  const rest = parts.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join("; ");
}

/** The others: first without a shown difference, then with larger errors. */
function othersText(others: readonly LearnerSummary[], unit: Unit): string[] {
  const known = others.flatMap(({ learner, behind }) => (behind ? [{ learner, behind }] : []));
  const unclear = known.filter(({ behind }) => !behind.shown);
  const more = known.filter(({ behind }) => behind.shown);
  const learnerText = ({ learner, behind }: (typeof known)[number]) => `${learner} ${unit.interval(behind)}`;
  return [
    ...(unclear.length > 0
      ? [`No difference shown, paired by seed: ${listParts(unclear.map(learnerText))}.`]
      : []),
    ...(more.length > 0
      ? [`Errs more: ${listParts(more.map(({ learner, behind }) => `${learner} by ${unit.size(behind)}`))}.`]
      : []),
  ];
}

/** The name of a baseline predictor. */
function trivialName(name: "majority" | "last", { kind }: TaskSummary): string {
  if (name === "last") return "the last label received";
  return `the ${majorityName(kind)} of the labels received`;
}

/** The predictors that learn nothing and that the best isn't shown to beat. */
function unbeaten(task: TaskSummary, unit: Unit): { readonly isBetter: boolean; readonly text: string }[] {
  const [{ learner }] = task.learners;
  return (["last", "majority"] as const).flatMap((name) => {
    const over = task.overTrivial[name];
    if (!over || over.low === null || (over.shown && over.mean < 0)) return [];
    const text = over.shown
      ? `Better: ${trivialName(name, task)}, by ${unit.size(over)}.`
      : `${learner} isn't shown to err less than ${trivialName(name, task)}: the difference is ${unit.signed(over)}.`;
    return [{ isBetter: over.shown, text }];
  });
}

/** Which learner costs least, of those without a shown difference; the first is the best. */
function leastCostText(learners: readonly LearnerSummary[]): string {
  const knownCost = (each: LearnerSummary, cost: "bytes" | "instructions") =>
    each[cost] ?? Number.POSITIVE_INFINITY;
  const [small, fast] = (["bytes", "instructions"] as const).map((cost) =>
    learners.reduce((a, b) => (knownCost(b, cost) < knownCost(a, cost) ? b : a)),
  );
  if (small !== fast)
    return `: ${small.learner} takes the fewest bytes, ${fast.learner} the fewest instructions`;
  return small === learners[0] ? ", and none costs less" : `, and ${small.learner} costs least`;
}

/** "104 bytes in place of 2,472" */
function savingText(cost: "bytes" | "instructions", less: number, more: number): string {
  const [own, others] = [less, more].map((value) => Math.round(value).toLocaleString("en-US"));
  return `${own} ${cost} in place of ${others}`;
}

/** The best, and those without a shown difference from it that may be named in its place. */
function asGood({ learners, trivial }: TaskSummary): LearnerSummary[] {
  const [{ error: best }] = learners;
  const beaten = [trivial.majority, trivial.last].flatMap((each) => each?.mean ?? []);
  return learners.filter(
    ({ behind, error }, place) =>
      place === 0 ||
      (behind && behind.low !== null && !behind.shown && isNearBest(error.mean, best.mean, beaten)),
  );
}

/** Those of them with the least bytes and instructions. */
function cheapestText(task: TaskSummary, best: LearnerSummary): string[] {
  const [, ...alike] = asGood(task);
  const savings = new Map<string, string[]>();
  for (const cost of ["bytes", "instructions"] as const) {
    const own = best[cost] ?? 0;
    const cheaper = alike.flatMap(({ learner, [cost]: value }) =>
      value !== null && value < own ? [{ learner, value }] : [],
    );
    if (cheaper.length === 0) continue;
    const { learner, value } = cheaper.reduce((a, b) => (b.value < a.value ? b : a));
    savings.set(learner, [...(savings.get(learner) ?? []), savingText(cost, value, own)]);
  }
  return [...savings].map(
    ([learner, parts]) => `${learner}, without a shown difference from it, takes ${parts.join(", and ")}.`,
  );
}

/** The cost of labels for a learner, cause by cause. */
function costsText({ learner, error, clean, causes }: Decomposition, unit: Unit): string {
  const there = CAUSES.flatMap((cause) => {
    const cost = causes[cause];
    return cost ? [{ cause, cost, shown: cost.low !== null && cost.low > 0 }] : [];
  });
  const shown = there.filter((each) => each.shown).sort((a, b) => b.cost.mean - a.cost.mean);
  const unclear = there.filter((each) => !each.shown).map(({ cause }) => cause);
  const own = `${learner}: ${unit.amount(error.mean)} with these labels, ${unit.amount(clean.mean)} with all of them, right and at once.`;
  const parts = shown.map(({ cause, cost }) => `${cause} ${unit.estimate(cost)}`);
  return [
    own,
    ...(parts.length > 0 ? [`Costs: ${parts.join("; ")}.`] : []),
    ...(unclear.length > 0 ? [`No cost shown: ${unclear.join(", ")}.`] : []),
  ].join(" ");
}

export function judgeTask(task: TaskSummary): Verdict {
  const [best, ...others] = task.learners;
  if (!best) return { headline: "No learner has an error here.", sentences: [] };
  const unit = new Unit(task);
  const { learner, error } = best;
  const what = task.measure === "error" ? "error" : "RMSE";
  const figure = `${what} ${unit.amount(error.mean)}`;
  const costs = task.decomposition.filter((each) => each.learner === learner);
  if (task.repeated)
    return {
      headline: `${learner} has the least ${figure}: every seed gives the same, so that nothing says how sure that is.`,
      sentences: [
        "The seeds draw nothing here: other recordings, or late, lost or wrong labels, would give intervals.",
      ],
    };
  if (error.low === null)
    return {
      headline: `${learner} has the least ${figure}, but one seed doesn't say how sure that is.`,
      sentences: ["Give more seeds, such as --seeds 20: then each figure has an interval."],
    };
  const tied = others.filter(({ behind }) => !behind?.shown).length;
  const sure = [
    ...(others.length > 0 && tied === 0 ? ["All others are shown to err more."] : []),
    ...(tied > 0 && tied < others.length
      ? [`${others.length - tied} of ${others.length} others are shown to err more.`]
      : []),
    ...(tied > 0 && tied === others.length
      ? [`No difference to any other is shown${leastCostText(asGood(task))}.`]
      : []),
  ];
  const trivial = unbeaten(task, unit);
  const none = trivial.some(({ isBetter }) => isBetter) ? "No learner pays here. Of them, take" : "Take";
  return {
    headline: [`${none} ${learner}: ${figure} ${unit.interval(error)}.`, ...sure].join(" "),
    sentences: [
      ...trivial.map(({ text }) => text),
      ...othersText(others, unit),
      ...cheapestText(task, best),
      ...costs.map((each) => costsText(each, unit)),
    ],
  };
}
