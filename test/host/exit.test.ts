import { test } from "uvu";
import * as assert from "uvu/assert";
import { UserError } from "../../host/errors.ts";
import { isUsersFault } from "../../host/terminal/exit.ts";
import { Layout, OlkC, OptionError, OutOfMemoryError } from "../../src/index.ts";

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test("the user is to blame for an option, and never for what the engine itself throws", () => {
  assert.ok(isUsersFault(new UserError("no such file")));
  assert.ok(isUsersFault(thrownBy(() => new OlkC({ dimension: 2, C: -1 }))));
  assert.ok(isUsersFault(new OptionError("x", "C", -1, "a number > 0")));
  const overflow = (): number => 1 + overflow();
  for (const engine of [
    overflow,
    () => new Array(-1),
    () => new Float32Array(2 ** 60),
    () => (1.5).toFixed(200),
  ]) {
    const error = thrownBy(engine);
    assert.instance(error, RangeError);
    assert.not(isUsersFault(error), String(error));
  }
});

test("a memory that the engine has no room for is named as that, with its bytes", () => {
  const huge = new Layout([{ name: "huge", kind: "scratch", words: 2 ** 51 }]);
  const error = thrownBy(() => huge.ownRange()) as OutOfMemoryError;
  assert.instance(error, OutOfMemoryError);
  assert.is(error.bytes, 2 ** 53);
  assert.not(isUsersFault(error));
});

test.run();
