import { parseNumber } from "../../host/streams/numbers.ts";

/** Names of the time between two rows, as oscilloscopes and loggers write them, and of its reciprocal. */
const INTERVAL =
  /^(sampl(e|ing)[ _]?(interval|period|time|step)|(x|t|time)?[ _]?incr?(ement)?|time[ _]?(interval|step|increment|per sample)|d[tx]|delta[ _]?[tx])$/i;
const RATE =
  /^((sampl(e|ing)|data|update)[ _]?(rate|frequency|freq)|fs|sps|samples ?(per|\/) ?s(ec(ond)?)?)$/i;
/** A name that is of the time between two rows if the value has a unit of time. */
const WITH_UNIT = /^((logging|recording|measurement)?[ _]?interval|(sample )?clock)$/i;

const SECONDS: Readonly<Record<string, number>> = {
  ...{
    ps: 1e-12,
    ns: 1e-9,
    us: 1e-6,
    µs: 1e-6,
    μs: 1e-6,
    ms: 1e-3,
    msec: 1e-3,
    s: 1,
    sec: 1,
    second: 1,
    seconds: 1,
  },
  ...{ min: 60, minute: 60, minutes: 60, h: 3600, hour: 3600, hours: 3600 },
};
const HERTZ: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9 };
const HERTZ_UNIT = /^([kmg]?)(hz|sa\/s|s\/s|sps|samples ?(?:per|\/) ?s(?:ec(?:ond)?)?)$/i;
/** A channel before the value, the value, and its unit. */
const VALUE = /^(?:[a-z]+\d*:)?\s*([-+]?[\d.]+(?:e[-+]?\d+)?)\s*([a-zµμ/ ]*)$/i;
/** A name, and the unit in brackets or at its end; min may mean the least. */
const NAME_UNIT = /^(.*?)\s*(?:[[(](.*)[\])]|_([kmg]?hz|[mun]?s|m?sec|seconds))?$/i;
/** Characters of a name, at most: a longer one is none of those above. */
const NAME_MAX = 60;
/** Digits of a rate that is the reciprocal of a written interval. */
const DIGITS = 9;
/** Rows a second at most, and at least: one a day. */
const MOST = 1e12;
const LEAST = 1 / 86_400;

/** The rows a second that a fact such as "Sample Interval" and "1e-6" says; undefined for another fact. The name may have the unit: "Interval [ms]", "rate_hz". An interval without one is in seconds. */
export function parseRate(name: string, value: string): number | undefined {
  if (name.length > NAME_MAX) return undefined;
  const [, digits, behind = ""] = VALUE.exec(value.trim()) ?? [];
  const number = parseNumber(digits ?? "");
  const [, plain, brackets = "", suffix = ""] = NAME_UNIT.exec(name.trim()) ?? [];
  const unit = behind.trim() || brackets.trim() || suffix;
  const seconds = SECONDS[unit.toLowerCase()];
  const isInterval = INTERVAL.test(plain) ? unit === "" || seconds : WITH_UNIT.test(plain) && seconds;
  const [, prefix] = HERTZ_UNIT.exec(unit) ?? [];
  const hertz = unit === "" ? 1 : HERTZ[prefix?.toLowerCase() ?? "none"];
  const rate = isInterval
    ? 1 / (number * (seconds ?? 1))
    : RATE.test(plain) && hertz
      ? number * hertz
      : Number.NaN;
  return rate >= LEAST && rate <= MOST ? Number(rate.toPrecision(DIGITS)) : undefined;
}

/** A line such as "1 msec/sample". */
const PER_SAMPLE = /^\s*([\d.]+ *[a-zµμ]+) *\/ *sample\s*$/i;

/** Lines that may have facts: Tektronix writes them before the first samples. */
const LINES_MAX = 64;
/**
 * A fact that begins a line, also with a decimal comma behind a tab or a semicolon; and those that stand within one. Names and blanks have a
 * limit, as a search without one takes the square of a line's length.
 */
const FACTS = [
  /^[#%;/*"\s]*([a-z][\w ./()[\]]{0,60}?)"?\s{0,60}[:=,]+\s*"?([^",;\t]+)/i,
  /^[#%;/*"\s]*([a-z][\w ./()[\]]{0,60}?)"?\s{0,60}:?[;\t]+\s*"?([^";\t]+)/i,
];
const WITHIN = /([a-z][\w ]{0,30}?)\s{0,9}=\s*([-+\d.][^\s,;]*)/gi;

/**
 * The rows a second that a file's head says: in a line of its own, within one, or in a column whose value stands below its name once.
 *
 * @param rows the fields of the same lines.
 */
export function saidRate(lines: readonly string[], rows: readonly (readonly string[])[]): number | undefined {
  const facts = lines.slice(0, LINES_MAX).flatMap((line) => {
    const begun = FACTS.flatMap((form) => [form.exec(line) ?? []]);
    const [, interval] = PER_SAMPLE.exec(line) ?? [];
    const each = interval === undefined ? [] : [["", "sample interval", interval]];
    const found = [...begun, ...each, ...line.matchAll(WITHIN)];
    return found.flatMap(([, name, value]) =>
      name === undefined ? [] : [[name, value.replace(",", ".")] as const],
    );
  });
  const columns = rows.slice(0, LINES_MAX).flatMap((names, at) => {
    const isOnce = (i: number) => (rows[at + 2]?.[i] ?? "").trim() === "";
    return names.flatMap((name, i) => (isOnce(i) ? [[name, rows[at + 1]?.[i] ?? ""] as const] : []));
  });
  for (const [name, value] of [...facts, ...columns]) {
    const rate = parseRate(name, value);
    if (rate !== undefined) return rate;
  }
  return undefined;
}
