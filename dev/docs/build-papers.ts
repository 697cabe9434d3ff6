// npm run build:papers [-- RESULT.json]: writes docs/papers.md and the table of published figures in docs/results.md.
// RESULT.json is what `motelearn papers --json` printed; without it the figures stay those of lab/experiments/measured.json.
import { readFileSync, writeFileSync } from "node:fs";
import { keepMeasured, MEASURED_FILE, measuredText, readMeasured } from "./papers/measured.ts";
import { papersPage, withPublishedFigures } from "./papers/write.ts";

const RESULTS = "docs/results.md";
const [result] = process.argv.slice(2);
if (result) {
  // Experiments that the result doesn't have stay.
  const kept = { ...readMeasured(), ...keepMeasured(JSON.parse(readFileSync(result, "utf8"))) };
  writeFileSync(MEASURED_FILE, measuredText(kept));
}
const measured = readMeasured();
writeFileSync("docs/papers.md", papersPage(measured));
writeFileSync(RESULTS, withPublishedFigures(readFileSync(RESULTS, "utf8"), measured));
