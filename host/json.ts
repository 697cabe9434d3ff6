/** Levels of arrays and objects that JSON from outside may have. */
const DEPTH_MAX = 32;

/** A text is no valid JSON: `kind` says why in a few words, the message also where the parser stopped. */
export class JsonError extends Error {
  constructor(
    readonly kind: string,
    detail = "",
  ) {
    super(`${kind}${detail}`);
  }
}

const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}');

/** True if arrays and objects lie deeper in one another than that, by their brackets alone. */
function isDeeper(text: string, depthMax: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) inString = !inString;
    else if (inString) i += code === BACKSLASH ? 1 : 0;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (++depth > depthMax) return true;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth--;
  }
  return false;
}

/** A kind of fault; messages put its place first. */
export const TOO_LARGE = "number too large";

/** True if a number of the text may be one that JSON.parse takes for infinite: 1e309, or 400 digits. */
const LARGE = /[eE]\+?\d{3}|\d{209}/;

/** The keys of the first number in a value that is infinite; undefined: there is none. */
function placeOfInfinite(value: unknown): readonly string[] | undefined {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return [];
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, each] of Object.entries(value)) {
    const place = placeOfInfinite(each);
    if (place) return [key, ...place];
  }
  return undefined;
}

/**
 * Reads JSON from outside: a file, an option, a line of a socket. It refuses more than 32 levels, which could
 * overflow the stack of code that walks them. Throws a JsonError.
 */
export function parseJson(text: string): unknown {
  if (isDeeper(text, DEPTH_MAX)) throw new JsonError(`nested deeper than ${DEPTH_MAX} levels`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new JsonError("not JSON", `: ${(error as Error).message}`);
  }
}

/** True if it is an object of JSON: neither null nor a list. */
export function isJsonObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A bracket, a colon or a string of JSON. */
const TOKEN = /[{}[\]:]|"[^"\\]*(?:\\.[^"\\]*)*"/g;

/** The first key that an object of valid JSON has twice; undefined: none has. */
export function keyTwice(text: string): string | undefined {
  const open: Set<string>[] = [];
  let last = "";
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (token !== ":") last = token;
    else {
      const keys = open[open.length - 1];
      const key = JSON.parse(last) as string;
      if (keys.has(key)) return key;
      keys.add(key);
    }
  }
  return undefined;
}

/**
 * Reads JSON that a person has written, such as a scenario, as `parseJson` does. It also refuses a key that an object has twice: JSON.parse
 * would take the last. It refuses a number too large for a double, and names its key.
 */
export function parseFiniteJson(text: string): unknown {
  const value = parseJson(text);
  const twice = keyTwice(text);
  if (twice !== undefined) throw new JsonError(`key ${twice} is there twice`, "; give it once");
  const place = LARGE.test(text) ? placeOfInfinite(value) : undefined;
  if (!place) return value;
  const where = place.length > 0 ? `${place.join(".")}: ` : "";
  throw new JsonError(`${where}${TOO_LARGE}`, `; takes numbers up to ${Number.MAX_VALUE}`);
}
