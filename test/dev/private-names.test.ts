import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";

import { memberNames } from "../../dev/firmware/private-names.ts";

test("a name is private if no property is called so that another module, a file or an engine can know", () => {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  mkdirSync(join(folder, "deep"));
  writeFileSync(
    join(folder, "one.ts"),
    `export class One {
      private only = 1;
      private push = 2;
      private shown = 3;
      private written = 4;
      private quoted = 5;
      private dotted = 6;
      private typed = 7;
      constructor(private readonly given: number, readonly open: number) {}
      protected method({ only }: One) { return { written: only }; }
      private get found() { return "quoted" + "a.dotted"; }
    }`,
  );
  writeFileSync(
    join(folder, "deep/two.ts"),
    "export class Two { shown = 1; } interface T { readonly typed: number }",
  );
  const { others, methods, inner } = memberNames(folder, ["."]);
  assert.equal(
    ["found", "given", "method", "only"].filter((name) => others.has(name)),
    [],
  );
  assert.equal(
    ["shown", "written", "quoted", "dotted", "typed", "open"].filter((name) => !others.has(name)),
    [],
  );
  assert.equal([...methods], ["method", "found"]);
  assert.ok(inner.includes("open"), "what nobody outside knows");
  rmSync(folder, { recursive: true });
});

test.run();
