import { makeAxis } from "../../host/report/axis.ts";
import { type Html, html } from "../../host/report/html.ts";
import { plotStyle, swatch } from "../../host/report/look.ts";
import { type TrackMark, tracks } from "../../host/report/tracks.ts";
import type { Estimate } from "./statistics/statistics.ts";
import type { TaskSummary } from "./statistics/summary.ts";
import type { Unit } from "./unit.ts";

function marks({ mean, low, high }: Estimate, { times }: Unit, colour: string): TrackMark[] {
  const dot = { as: "full" as const, at: times * mean, colour };
  if (low === null || high === null) return [dot];
  return [{ as: "reach", from: times * low, to: times * high, colour }, dot];
}

/** The learners' errors under one another, each with its interval: a line a learner, which a narrow page breaks in three. */
export function forest({ learners }: TaskSummary, unit: Unit, placeOf: (learner: string) => number): Html {
  const ends = learners.flatMap(({ error: { mean, low, high } }) => [mean, low ?? mean, high ?? mean]);
  const axis = makeAxis(ends.map((each) => unit.times * each));
  const rows = learners.map(({ learner, error, behind }) => {
    const look = plotStyle(placeOf(learner));
    return {
      name: html`${swatch(look)}${learner}`,
      figure: unit.estimate(error),
      marks: marks(error, unit, look.colour),
      remark: behind === null ? "the least" : unit.behind(behind),
    };
  });
  const heads = {
    name: "learner",
    figure: `${unit.heading} [95 %]`,
    remark: "more than the least, paired by seed",
  };
  return tracks(rows, axis, "", heads);
}
