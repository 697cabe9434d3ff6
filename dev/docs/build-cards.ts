// npm run build:cards: writes the guide to the learners, docs/learners.md and its pictures, the goals of a node in
// docs/results.md, and the number of learners in README.md.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { FAMILIES } from "../../src/learn/registry.ts";
import { guideFiles } from "./guide.ts";
import { withNodeGoals } from "./node-goals.ts";

const files = guideFiles();
rmSync("docs/learners", { recursive: true, force: true });
mkdirSync("docs/learners", { recursive: true });
for (const [path, text] of Object.entries(files)) writeFileSync(`docs/${path}`, text);

const README = "README.md";
writeFileSync(
  README,
  readFileSync(README, "utf8").replace(/\b\d+ learners\b/, `${FAMILIES.length} learners`),
);

const RESULTS = "docs/results.md";
writeFileSync(RESULTS, withNodeGoals(readFileSync(RESULTS, "utf8")));
