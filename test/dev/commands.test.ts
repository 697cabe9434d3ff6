import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";

const { endAll, start } = await import(
  pathToFileURL(join(process.cwd(), "dev/device/test/commands.mjs")).href
);

test("what a failed part left running ends", async () => {
  const { ended } = start(["-e", "setInterval(() => {}, 1e9)"], () => {});
  endAll();
  const { code } = await ended;
  assert.is(code, null);
});

test.run();
