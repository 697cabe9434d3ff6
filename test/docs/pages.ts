import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A file of the clone as text. */
export function readPage(path: string): string {
  return readFileSync(join(process.cwd(), path), "utf8");
}

/** The paths of the README, the guides, and the other pages beside them. */
export const PAGES = [".", "docs"].flatMap((folder) =>
  readdirSync(join(process.cwd(), folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name)),
);

/** The commands in a Markdown text, in their order: the lines of its blocks that name no language. */
export function commandsIn(text: string): string[] {
  return [...text.matchAll(/^```\n([\s\S]+?)^```$/gm)].flatMap(([, block]) => block.trim().split("\n"));
}
