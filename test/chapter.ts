import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The commands in a Markdown text, in their order: the lines of its blocks that name no language. */
export function commandsIn(text: string): string[] {
  return [...text.matchAll(/^```\n([\s\S]+?)^```$/gm)].flatMap(([, block]) => block.trim().split("\n"));
}

/** The commands of a README chapter, in their order: the lines of its blocks that name no language. */
export function chapterCommands(title: string): string[] {
  const text = readFileSync(join(process.cwd(), "README.md"), "utf8");
  const chapter = text.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
  if (!chapter) throw new Error(`README.md has no chapter "${title}"`);
  return commandsIn(chapter);
}
