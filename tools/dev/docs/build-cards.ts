// npm run build:cards: writes the guide to the learners, docs/learners.md, its pictures, and README's table of learners.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { guideFiles, withLearners } from "./guide.ts";

const files = guideFiles();
rmSync("docs/learners", { recursive: true, force: true });
mkdirSync("docs/learners", { recursive: true });
for (const [path, text] of Object.entries(files)) writeFileSync(`docs/${path}`, text);
writeFileSync("README.md", withLearners(readFileSync("README.md", "utf8")));
