import { createHash } from "node:crypto";
import { type Html, html, type Part, raw } from "./html.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

/** A page in one file, which loads nothing. */
export interface Page {
  readonly title: string;
  /** Its mark, of `markTag`; default: none. */
  readonly mark?: Part;
  /** True if it runs the reports' script; default: it runs nothing. */
  readonly runs?: boolean;
  readonly body: Html;
}

/** The element that has a page's mark, by which a later run knows its own page. */
export function markTag(of: "scenario" | "sweep" | "data", mark: string): Html {
  return html`<meta name="motelearn-${of}" content="${mark}">`;
}

/** What a reader looks for first: which learner to take, and what that rests on. */
export interface Verdict {
  readonly headline: string;
  readonly sentences: readonly string[];
}

export function verdict(of: Part, { headline, sentences }: Verdict): Html {
  const lines = sentences.map((each) => html`<li>${each}</li>`);
  return html`<section class="verdict"><h2>${of}</h2><p class="take">${headline}</p>${lines.length > 0 && html`<ul>${lines}</ul>`}</section>\n`;
}

/** The page's text. Its policy loads nothing from outside the file, and runs no script but the reports' own. */
export function pageText({ title, mark, runs, body }: Page): string {
  const hash = createHash("sha256").update(SCRIPT).digest("base64");
  const policy = `default-src 'none'; style-src 'unsafe-inline'${runs ? `; script-src 'sha256-${hash}'` : ""}`;
  return `<!doctype html>
${html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
${mark}<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<header><h1>${title}</h1></header>
${body}
${runs && html`<script>${raw(SCRIPT)}</script>`}</body>
</html>`}
`;
}
