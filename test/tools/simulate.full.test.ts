import { test } from "uvu";
import * as assert from "uvu/assert";
import { run } from "./program.ts";
import { inFolder } from "./stations.ts";

/** What a run of the recorded network prints as JSON. */
function told(...args: string[]): string {
  const { code, stdout, stderr } = run("simulate", ...args, "--json", "--report", inFolder("reports"));
  assert.is(code, 0, stderr);
  return stdout;
}

test("the recorded network: twice the same bytes, on one thread and on two", () => {
  const first = told("--threads", "1");
  assert.is(told("--threads", "1"), first);
  assert.is(told("--threads", "2"), first);
  assert.is.not(told("--seed", "2"), first);
});

test.run();
