// npm run build:papers [-- RESULT.json]: writes the verdicts in docs/papers.md, and the table of published figures in docs/results.md.
// RESULT.json is what `motelearn papers --json` printed; without it the figures stay those of lab/experiments/measured.json.
import { readFileSync, writeFileSync } from "node:fs";
import { keepMeasured, MEASURED_FILE, measuredText, readMeasured } from "./papers/measured.ts";
import { withExperiments, withPublishedFigures } from "./papers/write.ts";

const [result] = process.argv.slice(2);
if (result) {
  // Experiments that the result doesn't have stay.
  const kept = { ...readMeasured(), ...keepMeasured(JSON.parse(readFileSync(result, "utf8"))) };
  writeFileSync(MEASURED_FILE, measuredText(kept));
}
for (const [page, renew] of [
  ["docs/papers.md", withExperiments],
  ["docs/results.md", withPublishedFigures],
] as const)
  writeFileSync(page, renew(readFileSync(page, "utf8"), readMeasured()));
