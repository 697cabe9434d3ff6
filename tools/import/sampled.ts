import type { Description } from "../../host/streams/description.ts";
import type { Survey } from "./survey.ts";

/** Rows that come faster are a signal's: the user says how many of them a node takes for a sample. */
const PERIOD_MIN_SECONDS = 0.1;
/** A rate this near to a whole number, by its size, is that number. */
const WHOLE = 1e-3;

/**
 * Where the file's rows came steadily: the period of a node that samples as often, or how many rows a second a signal has, by a clock of its
 * own.
 */
export function sampledIn({ time, columns }: Survey): Pick<Description, "period" | "rate"> {
  const { periodSeconds, isSteady } = time?.found ?? {};
  const clock = columns.find(({ stepSeconds }) => stepSeconds !== undefined)?.stepSeconds;
  const seconds = time ? isSteady && periodSeconds : clock;
  if (!seconds) return {};
  if (seconds >= PERIOD_MIN_SECONDS) return { period: time ? seconds * 1000 : roundWhole(seconds * 1000) };
  return time ? {} : { rate: roundWhole(1 / seconds) };
}

/** A whole number, where the digits that a file has of it suffice. */
function roundWhole(exact: number): number {
  const whole = Math.round(exact);
  return Math.abs(exact - whole) < WHOLE * exact ? whole : exact;
}
