import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { CompiledLedger } from "./compiled-ledger.ts";

test("ledger.c writes the same words as TypeScript, and none outside its range, for any arguments", () => {
  const random = new Random(1, "ledger.c");
  const compiled = new CompiledLedger();
  const seen = compiled.compare(3000, () => random.uint32());
  assert.ok(seen.held > 1000 && seen.next > 1000, JSON.stringify(seen));
  compiled.close();
});

test.run();
