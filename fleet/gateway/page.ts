import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";

/** The page loads only files of this gateway, runs no inline script, and can't be framed by another page. */
const POLICY = [
  "default-src 'none'",
  ...["script-src", "style-src", "connect-src"].map((what) => `${what} 'self'`),
  "img-src 'self' data:",
  ...["base-uri", "form-action", "frame-ancestors"].map((what) => `${what} 'none'`),
].join("; ");

/** The page for one board is one file with an inline script; its own policy names the script's hash. */
const BOARD_POLICY = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const FILES: ReadonlyMap<string, readonly [file: string, type: string, policy?: string]> = new Map([
  ["/", ["index.html", "text/html; charset=utf-8"]],
  ["/page.js", ["page.js", "text/javascript; charset=utf-8"]],
  ["/page.css", ["styles.css", "text/css; charset=utf-8"]],
  ["/icon.svg", ["icon.svg", "image/svg+xml"]],
  ["/serial.html", ["serial.html", "text/html; charset=utf-8", BOARD_POLICY]],
]);

/** Serves a file of the page from the build; false if there is no such file. */
export function sendPage(path: string, response: ServerResponse): boolean {
  const [file, type, policy = POLICY] = FILES.get(path) ?? [];
  if (file === undefined) return false;
  response.writeHead(200, {
    "content-type": type,
    "content-security-policy": policy,
    "cache-control": "no-cache",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  });
  response.end(readFileSync(join(import.meta.dirname, "page", file)));
  return true;
}
