const END = "<!-- to here -->";

/** A page with the text between its line `begin` and the next `<!-- to here -->` written anew. Throws where the page has no such part. */
export function withMarkedPart(page: string, begin: string, text: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(END, from);
  if (from < 0 || to < from) throw new Error(`the page has no part between ${begin} and ${END}`);
  return `${page.slice(0, from)}${begin}\n\n${text}\n\n${page.slice(to)}`;
}

/** A table in Markdown. `aligns`: for each column, whether it is of numbers. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  areNumbers: readonly boolean[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(head),
    line(areNumbers.map((isNumber) => (isNumber ? "---:" : "---"))),
    ...rows.map(line),
  ].join("\n");
}
