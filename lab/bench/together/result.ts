import { average } from "../../../host/statistics.ts";
import { type Estimate, estimateMean } from "../../sweep/statistics/statistics.ts";
import type { Case, Part } from "./cases.ts";
import type { Errors, Moment } from "./life.ts";

/** What holds of a case's fleets after so many own labels: estimates in per cent, and of differences in points. */
export interface CaseMoment {
  readonly labels: number;
  readonly alone: Estimate;
  readonly together: Estimate;
  /** The second less the first. */
  readonly difference: Estimate;
  /** The largest difference of a fleet. */
  readonly most: number;
  /** Of a newcomer that begins with the group's labels, and alone then. */
  readonly started?: Estimate;
  /** Of a newcomer whose first labels are asked for, and less that of one whose labels are drawn. */
  readonly asked?: Estimate;
  readonly gained?: Estimate;
}

export interface CaseResult {
  readonly part: Part;
  readonly name: string;
  readonly moments: readonly CaseMoment[];
  /** The odd machine itself. */
  readonly odd?: readonly CaseMoment[];
  /** How much more the like nodes err together than in the same fleets without an odd machine. */
  readonly harm?: readonly { readonly labels: number; readonly difference: Estimate }[];
  /** Shares of the odd machines and of the others that are left out, by labels. */
  readonly leftOut: readonly { readonly labels: number; readonly odd: number; readonly others: number }[];
}

const percent = (share: number) => 100 * share;

function summariseMoment(labels: number, fleets: readonly Errors[]): CaseMoment {
  const alone = fleets.map((each) => percent(each.alone));
  const together = fleets.map((each) => percent(each.together));
  const differences = together.map((error, i) => error - alone[i]);
  const started = fleets.flatMap((each) => (each.started === undefined ? [] : percent(each.started)));
  const asked = fleets.flatMap((each) => (each.asked === undefined ? [] : percent(each.asked)));
  return {
    labels,
    alone: estimateMean(alone),
    together: estimateMean(together),
    difference: estimateMean(differences),
    most: Math.max(...differences),
    ...(started.length > 0 && { started: estimateMean(started) }),
    ...(asked.length > 0 && {
      asked: estimateMean(asked),
      gained: estimateMean(asked.map((error, i) => error - together[i])),
    }),
  };
}

/** A case's result from its fleets' lives. @param without the lives of the same fleets without the odd machine */
export function caseResult(
  { part, name }: Case,
  lives: readonly (readonly Moment[])[],
  without?: readonly (readonly Moment[])[],
): CaseResult {
  const each = lives[0].map(({ labels }, i) => ({ labels, fleets: lives.map((life) => life[i]) }));
  const summarise = (of: (moment: Moment) => Errors | undefined) =>
    each.map(({ labels, fleets }) =>
      summariseMoment(
        labels,
        fleets.flatMap((moment) => of(moment) ?? []),
      ),
    );
  return {
    part,
    name,
    moments: summarise(({ errors }) => errors),
    ...(lives[0][0].odd && { odd: summarise(({ odd }) => odd) }),
    ...(without && {
      harm: each.map(({ labels, fleets }, i) => {
        const harms = fleets.map(({ errors }, f) => percent(errors.together - without[f][i].errors.together));
        return { labels, difference: estimateMean(harms) };
      }),
    }),
    leftOut: each.map(({ labels, fleets }) => {
      const meanShare = (who: "odd" | "others") => average(fleets.map(({ leftOut }) => leftOut[who]));
      return { labels, odd: meanShare("odd"), others: meanShare("others") };
    }),
  };
}
