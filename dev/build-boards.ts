// npm run build:boards: writes the folder of each board of targets/boards.ts, and their list in docs/flash.md.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { boardFiles, withBoards } from "./boards-text.ts";

const files = boardFiles();
for (const [path, content] of Object.entries(files)) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
}
writeFileSync("docs/flash.md", withBoards(readFileSync("docs/flash.md", "utf8")));
execFileSync("npx", ["biome", "format", "--write", ...Object.keys(files)], { stdio: "inherit" });
