import { escapeHtml } from "./html.ts";

/** A page in one file, which loads nothing. */
export interface HtmlPage {
  readonly title: string;
  /** The style sheet. */
  readonly style: string;
  /** The scripts that its policy lets run, as `script-src` has them; default: none. */
  readonly scripts?: string;
  /** More of the head, before the title: lines that end with "\n". */
  readonly head?: string;
  /** HTML that is safe already. */
  readonly body: string;
}

/** The element that has a page's mark, by which a later run knows its own page. */
export function markTag(of: "scenario" | "sweep" | "data", mark: string): string {
  return `<meta name="motelearn-${of}" content="${escapeHtml(mark)}">`;
}

/** The page's text. Its policy loads nothing from outside the file. */
export function htmlPage({ title, style, scripts, head = "", body }: HtmlPage): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'${scripts ? `; script-src ${scripts}` : ""}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
${head}<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
