import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { className, WITH_CLASS } from "../dev/options-text.ts";
import * as motelearn from "../src/index.ts";

interface Example {
  readonly file: string;
  readonly code: string;
  readonly printed: string;
}

/** The examples in the docstrings of a source file; each ends with a comment that has its output. */
function findExamples(file: string): Example[] {
  const blocks = readFileSync(file, "utf8").matchAll(/ \* @example\n \* ```ts\n([\s\S]*?)\n \* ```/g);
  return [...blocks].map(([, block]) => {
    const lines = block.split("\n").map((line) => line.replace(/^ \* ?/, ""));
    const printed = lines.filter((line) => line.startsWith("// ")).map((line) => line.slice(3));
    return { file, code: lines.join("\n"), printed: printed.join("\n") };
  });
}

const FILES = readdirSync("src", { recursive: true })
  .map((name) => join("src", String(name)))
  .filter((name) => name.endsWith(".ts"));
const EXAMPLES = FILES.flatMap(findExamples);

/** The example's output, run with the exports that `import { ... } from "motelearn"` names. */
function printedBy({ code }: Example): string {
  const lines: string[] = [];
  const console = { log: (...values: unknown[]) => lines.push(values.join(" ")) };
  const body = code.replace(/^import (\{[^}]*\}) from "motelearn";$/m, "const $1 = motelearn;");
  new Function("motelearn", "console", body)(motelearn, console);
  return lines.join("\n");
}

for (const example of EXAMPLES) {
  test(`${example.file}: ${/const learner = new (\w+)/.exec(example.code)?.[1] ?? "an example"} prints what its docstring says`, () => {
    assert.ok(example.printed.length > 0);
    assert.is(printedBy(example), example.printed);
  });
}

test("every learner's class has an example", () => {
  for (const family of WITH_CLASS) {
    assert.ok(
      EXAMPLES.some(({ code }) => code.includes(`new ${className(family)}(`)),
      family.name,
    );
  }
});

test.run();
