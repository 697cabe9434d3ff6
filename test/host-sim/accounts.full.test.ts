import { test } from "uvu";
import * as assert from "uvu/assert";
import { checkAccounts } from "./accounts.ts";

test("over any line and any power, every label has one fate, none is applied twice, and the state is theirs", async () => {
  const met = await checkAccounts(500, 1);
  for (const [what, times] of Object.entries(met)) assert.ok(times > 20, `${what}: ${times} times`);
});

test.run();
