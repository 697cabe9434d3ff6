import { test } from "uvu";
import * as assert from "uvu/assert";
import { CompiledFrames } from "../../dev/fuzz-frame-bytes.ts";
import { Random } from "../../host/random.ts";

test("frame.c leaves the bytes that TypeScript leaves, and touches none beyond those that it is given", () => {
  const random = new Random(1, "frame.c");
  const compiled = new CompiledFrames();
  assert.not.throws(() => compiled.compare(20_000, () => random.uint32()));
  compiled.close();
});

test.run();
