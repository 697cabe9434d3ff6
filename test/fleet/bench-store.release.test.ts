import { test } from "uvu";
import * as assert from "uvu/assert";
import { runJson } from "../cli/program.ts";

test("a commit writes few pages: samples go to their tables node by node", () => {
  const { stores } = runJson(
    "motelearn.bench-store/1",
    ...["bench", "--store", "--nodes", "500", "--seconds", "45"],
  );
  const [direct, swept] = stores;
  assert.equal([direct.sweepSeconds, swept.sweepSeconds], [0, 20]);
  for (const { samples, labels, commits } of stores)
    assert.equal([samples, labels], [640 * commits, 128 * commits]);
  assert.ok(6 * swept.pages.p50 < direct.pages.p50, `${swept.pages.p50} of ${direct.pages.p50} pages`);
  assert.ok(5 * swept.bytesWritten < direct.bytesWritten);
});

test.run();
