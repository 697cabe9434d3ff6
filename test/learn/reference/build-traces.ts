// npm run build:traces: rewrites each file of test/traces that differs from its double-precision model's
// output for its inputs, labels and options. Numbers that agree stay as they are: the order of a sum's terms
// moves last digits.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { differences } from "./differences.ts";
import { FOLDER, modelled, readModelFile, traceNames } from "./models.ts";

for (const name of traceNames()) {
  const found = differences(name);
  if (found.length === 0) continue;
  writeFileSync(join(FOLDER, `${name}.json`), JSON.stringify({ ...readModelFile(name), ...modelled(name) }));
  console.log(`${name}, written: ${found[0]}`);
}
