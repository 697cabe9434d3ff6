import { test } from "uvu";
import * as assert from "uvu/assert";
import { WireFuzz } from "../../dev/fuzz-wire-frames.ts";

test("100,000 mutated frames: no crash, no write out of range, state unchanged, the next good frame is understood", () => {
  const fuzz = new WireFuzz(1);
  fuzz.run(100_000); // throws at the first fault
  assert.is(fuzz.sent, 100_000);
});

test.run();
