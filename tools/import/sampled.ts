import type { Description } from "../../host/streams/description.ts";
import { plainNumber } from "../../host/streams/numbers.ts";
import type { Survey } from "./survey.ts";
import type { Stepping } from "./times.ts";

/** Rows that come faster are a signal's: the user says how many of them a node takes for a sample. */
const PERIOD_MIN_SECONDS = 0.1;
/** A rate this near to a whole number, by its size, is that number. */
const WHOLE = 1e-3;
/** Digits of another rate or period. */
const DIGITS = 6;
/** A clock's steps are as near to what the file's head says, but for their digits. */
const ALIKE = 0.1;

/**
 * Where the file's rows came steadily: the period of a node that samples as often, or how many rows a second a signal has, by its times, a clock of its
 * own, or its head.
 *
 * @param said rows a second, by the file's head.
 * @param stepping of each device, where the rows are of several.
 */
export function sampledIn(
  survey: Survey,
  said: number | undefined,
  stepping?: Stepping,
): Pick<Description, "period" | "rate"> {
  const { time } = survey;
  const { periodSeconds, isSteady } = stepping ?? {};
  const stepped = stepping ? (isSteady && periodSeconds) || undefined : stepSeconds(survey);
  if (said !== undefined && (stepped === undefined || !isOtherRate(survey, said)))
    return 1 / said >= PERIOD_MIN_SECONDS ? { period: roundWhole(1000 / said) } : { rate: roundWhole(said) };
  if (!stepped) return {};
  if (stepped >= PERIOD_MIN_SECONDS)
    return { period: time ? plainNumber(stepped * 1000) : roundWhole(stepped * 1000) };
  return time ? {} : { rate: roundWhole(1 / stepped) };
}

/** True if the rows' times or their clock say another rate than the file's head. */
export function isOtherRate(survey: Survey, said: number): boolean {
  const stepped = stepSeconds(survey);
  return stepped !== undefined && Math.abs(stepped * said - 1) > ALIKE;
}

/** The seconds from one row to the next, by steady times or a clock. */
function stepSeconds({ time, spoiltTime, clock }: Survey): number | undefined {
  const { periodSeconds, isSteady } = (time ?? spoiltTime)?.found ?? {};
  const stepped = (isSteady && periodSeconds) || undefined;
  return time ? stepped : (stepped ?? clock?.stepSeconds);
}

/** A whole number, where the digits that a file has of it suffice; else one of few digits. */
function roundWhole(exact: number): number {
  const whole = Math.round(exact);
  return Math.abs(exact - whole) < WHOLE * exact ? whole : Number(exact.toPrecision(DIGITS));
}
