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
  return readText(request, what, after);
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
