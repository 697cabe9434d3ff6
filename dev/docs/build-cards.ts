// npm run build:cards: writes the guide to the learners, docs/learners.md and its pictures.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { guideFiles } from "./guide.ts";

const files = guideFiles();
rmSync("docs/learners", { recursive: true, force: true });
mkdirSync("docs/learners", { recursive: true });
for (const [path, text] of Object.entries(files)) writeFileSync(`docs/${path}`, text);
