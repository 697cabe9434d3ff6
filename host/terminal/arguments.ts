import { InvalidArgumentError } from "commander";
import { UserError } from "../errors.ts";
import { isJsonObject, parseFiniteJson } from "../json.ts";

/** For commander: reads a whole number in min..max. */
export function wholeNumber(
  min: number,
  max = Number.MAX_SAFE_INTEGER,
  what = "a whole number",
): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^[+-]?\d+$/.test(text.trim()) && value >= min && value <= max) return value;
    const range = max === Number.MAX_SAFE_INTEGER ? `>= ${min}` : `${min}..${max}`;
    throw new InvalidArgumentError(`Takes ${what} ${range}.`);
  };
}

/** For commander: reads names with commas between. */
export function namesIn(text: string): string[] {
  return text.split(",").map((name) => name.trim());
}

/** For commander: reads values with commas between, each once. */
export function listOf<Value>(read: (text: string) => Value): (text: string) => Value[] {
  return (text) => [...new Set(namesIn(text).map((part) => read(part)))];
}

/** For commander: reads whole numbers in min..max with commas between, each once, the least first. */
export function wholeNumbers(min: number, max: number): (text: string) => number[] {
  return (text) => listOf(wholeNumber(min, max, "whole numbers"))(text).sort((a, b) => a - b);
}

/** For commander: reads a number of classes, or their names with commas between. */
export function parseClasses(text: string): number | readonly string[] {
  return /^\d+$/.test(text.trim()) ? wholeNumber(2)(text) : namesIn(text);
}

/** For commander: reads a share, 0 to 1. */
export function share(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError("Takes a number 0..1.");
}

/** For commander: reads a number > 0. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError("Takes a number > 0.");
}

export const NATS_SERVER = "^(nats|tls)://[^/@,\\s]+$";
const SERVERS_MAX = 16;

/** For commander: reads addresses of NATS servers, with commas between. */
export function natsServers(text: string): readonly string[] {
  const servers = namesIn(text);
  if (servers.length <= SERVERS_MAX && servers.every((server) => new RegExp(NATS_SERVER).test(server)))
    return servers;
  throw new InvalidArgumentError(
    `Takes nats://HOST:PORT or tls://HOST:PORT, up to ${SERVERS_MAX} with commas between.`,
  );
}

const SHOWN_MAX = 80;

/** An option's text, shortened for a message of one line. */
export function shorten(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text;
}

/** Reads --options: one JSON object. */
export function optionsObject(text: string): { [name: string]: unknown } {
  return jsonObject("--options", text, '{"budget":32}');
}

/** Reads an option that is one JSON object. */
export function jsonObject(
  flag: string,
  text: string,
  example = '{"coverage":0.9}',
): { [name: string]: unknown } {
  let value: unknown;
  try {
    value = parseFiniteJson(text);
  } catch (error) {
    throw new UserError(`${flag}: ${(error as Error).message}; got ${shorten(text)}`);
  }
  if (isJsonObject(value)) return value;
  throw new UserError(`${flag}: got ${shorten(text)}; takes a JSON object such as ${example}`);
}

/** Adds an option that has a flag of its own (--budget) to the ones of --options. Throws if the two differ. */
export function withFlag(
  options: { [name: string]: unknown },
  name: string,
  value: unknown,
): { [name: string]: unknown } {
  if (value === undefined) return options;
  if (options[name] !== undefined && options[name] !== value) {
    throw new UserError(`--${name} ${value}: --options says ${name} is ${JSON.stringify(options[name])}`);
  }
  return { ...options, [name]: value };
}
