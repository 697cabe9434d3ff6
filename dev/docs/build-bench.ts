// npm run build:bench [-- RESULT.json...]: writes the tables of methods by memory, and of forecasts, in docs/results.md.
// A RESULT.json is what `motelearn bench-learning --memory LIST --json` or `bench-learning --forecasts --json` printed; without one the figures stay
// those of lab/bench/measured.json.
import { readFileSync, writeFileSync } from "node:fs";
import { BENCH_FILE, benchText, keptBench, readBenches, withBenches } from "./bench-tables.ts";

const RESULTS = "docs/results.md";
const files = process.argv.slice(2);
const kept = files.map((file) => keptBench(JSON.parse(readFileSync(file, "utf8"))));
writeFileSync(BENCH_FILE, benchText(Object.assign({ ...readBenches() }, ...kept)));
writeFileSync(RESULTS, withBenches(readFileSync(RESULTS, "utf8"), readBenches()));
