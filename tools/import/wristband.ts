import { parseNumber } from "../../host/streams/numbers.ts";
import { guessUnit } from "../../host/streams/time-text.ts";
import type { Dialect } from "./dialect.ts";

/** Rows a second, at most, of a line that says them. */
const RATE_MAX = 100_000;

/** The number that stands in each field of a line; NaN where there are others. */
function commonNumber(line = ""): number {
  const numbers = new Set(line.split(",").map(parseNumber));
  return numbers.size === 1 ? [...numbers][0] : Number.NaN;
}

/** The table of Empatica's wristbands, below a line with the seconds since 1970 at its start and one with its rows a second; undefined for another file. */
export function wristbandDialect(lines: readonly string[]): Dialect | undefined {
  const [start, rate, first] = lines.slice(0, 3).map(commonNumber);
  const width = (line = "") => line.split(",").length;
  const isWristband =
    guessUnit(start) === "s" && rate > 0 && rate <= RATE_MAX && guessUnit(first) === undefined;
  if (!isWristband || width(lines[0]) !== width(lines[2])) return undefined;
  return { skipLines: 2, separator: ",", header: false, rate };
}
