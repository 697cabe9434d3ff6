const END = "<!-- to here -->";

/** A page with the text between its line `begin` and the next `<!-- to here -->` written anew. Throws where the page has no such part. */
export function withMarkedPart(page: string, begin: string, text: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(END, from);
  if (from < 0 || to < from) throw new Error(`the page has no part between ${begin} and ${END}`);
  return `${page.slice(0, from)}${begin}\n\n${text}\n\n${page.slice(to)}`;
}

/** A table in Markdown, which a terminal shows as well; columns of numbers are aligned at the right. Default: none is. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  isNumber: (column: number) => boolean = () => false,
): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => `${cell}`.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map((_, i) => (isNumber(i) ? "---:" : "---"))), ...rows.map(line)].join("\n");
}
