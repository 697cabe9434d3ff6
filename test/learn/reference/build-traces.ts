// npm run build:traces: where a file of test/traces isn't what its model in double precision makes of its inputs, labels and options, writes what that
// makes of them. Numbers that agree stay as they are: the order of a sum's terms moves last digits.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { differences } from "./differences.ts";
import { FOLDER, modelled, readFileOf, traceNames } from "./models.ts";

for (const name of traceNames()) {
  const found = differences(name);
  if (found.length === 0) continue;
  writeFileSync(join(FOLDER, `${name}.json`), JSON.stringify({ ...readFileOf(name), ...modelled(name) }));
  console.log(`${name}, written anew: ${found[0]}`);
}
