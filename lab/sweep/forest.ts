import { escapeHtml } from "../../host-sim/report/html.ts";
import { lookOf, swatch } from "../../host-sim/report/legend.ts";
import { axisOf } from "../choice/axis.ts";
import type { TaskSummary } from "./statistics/summary.ts";
import type { Unit } from "./unit.ts";

/** The learners' errors under one another, each with its interval: a line a learner, which a narrow page breaks in three. */
export function forest({ learners }: TaskSummary, unit: Unit, placeOf: (learner: string) => number): string {
  const ends = learners.flatMap(({ error: { mean, low, high } }) => [mean, low ?? mean, high ?? mean]);
  const axis = axisOf(
    ends.map((each) => unit.times * each),
    false,
  );
  const at = (value: number) => `${(100 * axis.place(unit.times * value)).toFixed(2)}%`;
  const rows = learners.map(({ learner, error, behind }) => {
    const look = lookOf(placeOf(learner));
    const { mean, low, high } = error;
    const reach =
      low === null || high === null
        ? ""
        : `<i class="reach" style="left:${at(low)};right:calc(100% - ${at(high)});background:var(${look.colour})"></i>`;
    const against = behind === null ? "the least" : unit.behind(behind);
    return `<div class="row"><b>${swatch(look)}${escapeHtml(learner)}</b><span class="figure">${unit.estimate(error)}</span><span class="track">${reach}<i class="mean" style="left:${at(mean)};background:var(${look.colour})"></i></span><span class="against">${escapeHtml(against)}</span></div>`;
  });
  const ticks = axis.ticks.map(
    (tick) => `<span style="left:${(100 * axis.place(tick)).toFixed(2)}%">${tick}</span>`,
  );
  return `<div class="forest"><div class="row heads"><span>learner</span><span class="figure">${escapeHtml(unit.heading)} [95 %]</span><span></span><span class="against">more than the least, paired by seed</span></div>
${rows.join("\n")}
<div class="row ticks"><span></span><span></span><span class="track">${ticks.join("")}</span><span></span></div></div>`;
}
