import type { IncomingMessage } from "node:http";
import { Refusal } from "../access/refusal.ts";

const BODY_MAX = 1 << 12;
/** Milliseconds within which a body must have come. */
const BODY_MS = 10_000;

/** Calls `act` after so many milliseconds; returns a function that prevents it. */
export type After = (ms: number, act: () => void) => () => void;

export const afterTime: After = (ms, act) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

/** After such a refusal the rest of the body isn't read. */
const CLOSE = { connection: "close" };

/**
 * A request's body, JSON of at most 4 KB that comes within 10 s. Rejects with a Refusal.
 * @param what names it in messages: "a label".
 */
export async function readJsonText(request: IncomingMessage, what: string, after: After): Promise<string> {
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? ""))
    throw new Refusal(415, `${what} is sent as application/json`);
  const text = await readText(request, what, after);
  const twice = repeatedKey(text);
  if (twice !== undefined)
    throw new Refusal(400, `${twice}: is there more than once; ${what} has each key once`);
  return text;
}

function readText(request: IncomingMessage, what: string, after: After): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const fail = (refusal: Refusal) => {
      cancel();
      request.removeAllListeners("data").resume();
      reject(refusal);
    };
    const late = `${what} comes whole within ${BODY_MS / 1000} s; send it again`;
    const cancel = after(BODY_MS, () => fail(new Refusal(408, late, CLOSE)));
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > BODY_MAX) fail(new Refusal(413, `${what} has at most ${BODY_MAX} bytes`, CLOSE));
      else chunks.push(chunk);
    });
    request.once("end", () => {
      cancel();
      resolve(Buffer.concat(chunks).toString());
    });
    const cut = () => fail(new Refusal(400, `the connection ended within ${what}`));
    request.once("error", cut).once("close", cut);
  });
}

/** A bracket; or a string, with the colon after a key. */
const TOKENS = /[[\]{}]|("(?:[^"\\]|\\.)*")(\s*:)?/g;

/** A key that the outermost object of the JSON has more than once: JSON.parse would take the last. */
function repeatedKey(text: string): string | undefined {
  const keys = new Set<string>();
  let depth = 0;
  for (const [token, string, colon] of text.matchAll(TOKENS)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    if (depth !== 1 || colon === undefined) continue;
    const key = unescapeJson(string);
    if (keys.has(key)) return key;
    keys.add(key);
  }
  return undefined;
}

function unescapeJson(string: string): string {
  try {
    return JSON.parse(string);
  } catch {
    return string; // whoever reads the body says that it isn't JSON
  }
}
