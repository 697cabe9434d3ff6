// npm run build:cards: writes the guide to the learners, docs/learners.md, its pictures, and the table of learners in docs/choose.md.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { guideFiles, withLearners } from "./guide.ts";

const files = guideFiles();
rmSync("docs/learners", { recursive: true, force: true });
mkdirSync("docs/learners", { recursive: true });
for (const [path, text] of Object.entries(files)) writeFileSync(`docs/${path}`, text);
writeFileSync("docs/choose.md", withLearners(readFileSync("docs/choose.md", "utf8")));
