import cliProgress, { type TimeFormatter } from "cli-progress";

/** Characters of a progress bar: with its text it fits in 80 columns. */
export const BAR_SIZE = 20;

/** A time as a progress bar shows it; "?" where the bar has no estimate, as before the first run is done. */
export const timeText: TimeFormatter = (time, options, roundTo) => {
  const isEstimate = typeof time === "number" && Number.isFinite(time);
  return isEstimate ? cliProgress.Format.TimeFormat(time, options, roundTo) : "?";
};
