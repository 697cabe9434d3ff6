import type { ClockUnit } from "../../host/streams/time-text.ts";

/** The name of the first column of a table without names. */
export const FIRST_UNNAMED = "column 1";
/** Where one of the first columns without a name may be a clock. */
export const UNNAMED_CLOCK = /^column [1-4]$/;
/** Names of columns that rise as time does; so does the first one of a table without names. */
export const COUNTER_NAME =
  /time|zeit|tempo$|tiempo|date|epoch|milli|micros|elapsed|uptime|^column 1$|^ts?$|f_?cnt$|(^|\.)(id|uid|no|nr|number|index|idx|row|rec|record|datensatz|messung|lfd|sample|scan|packet|pkt|frame|step|count|entry)\b|(^|[. _-])(seq|counter)\b|^[bhm]?jd\b|julian|#$/i;
/** Names of a clock, which may stand still for some rows, and begin anew. */
export const CLOCK_NAME =
  /^(time|timestamp|date_?time|zeit|tempo|tiempo|t|ts|elapsed|uptime|minutes|seconds|ms|millis|milliseconds|us|micros|clock)(\b|_([mun]?s|sec(ond)?s?|min(ute)?s|hours|millis|micros)$)|^t_?rel|time ?_?stamp|^local_?time/i;
/** The unit at the end of a clock's name: "Time (s)", "time/s", "t_ms", "millis". */
const CLOCK_UNIT =
  /(?:^|[_ ([/])(s|sec|secs|second|seconds|ms|msec|millis|milliseconds|us|micros|microseconds|ns|nanos|nanoseconds)[)\]]?$/i;
/** Longer ones, in brackets or behind the word for a time, as t_min may be the least t, and l/h a flow: "Time [min]", "Zeit / h", "hours". */
const LONG_UNIT =
  /(?:[([]|^(?:time|zeit|elapsed|duration|dauer) ?[ /] ?|^t ?\/ ?)(min|mins|minutes|minuten|h|hr|hrs|hours|stunden|std|d|days?|tage?)[)\]]?$|^(minutes|minuten|hours|stunden)$/i;

/** The unit of a clock with which its name ends. */
export function clockUnitIn(name: string): ClockUnit | undefined {
  const [, behind, alone = behind] = LONG_UNIT.exec(name) ?? [];
  if (alone !== undefined) return /^m/i.test(alone) ? "min" : /^[dt]/i.test(alone) ? "d" : "h";
  const unit = CLOCK_UNIT.exec(name)?.[1].toLowerCase();
  if (unit === undefined) return undefined;
  if (unit.startsWith("s")) return "s";
  if (unit.startsWith("n")) return "ns";
  return /^(us|mic)/.test(unit) ? "us" : "ms";
}
