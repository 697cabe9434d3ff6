import { test } from "uvu";
import * as assert from "uvu/assert";
import { checkpointImage, checkpointIn } from "../../src/store/checkpoint-image.ts";

const SCHEMA = "0123456789abcdef";
const PAYLOAD = Uint8Array.from({ length: 41 }, (_, i) => 7 * i);

test("a checkpoint's image holds its schema and payload", () => {
  const held = checkpointIn(checkpointImage(SCHEMA, PAYLOAD));
  assert.is(held?.schema, SCHEMA);
  assert.equal(held?.payload, PAYLOAD);
  assert.is(checkpointIn(checkpointImage("000000000000000a", new Uint8Array(0)))?.schema, "000000000000000a");
});

test("an image with a byte missing or wrong holds no checkpoint", () => {
  const image = checkpointImage(SCHEMA, PAYLOAD);
  for (let length = 0; length < image.length; length++)
    assert.is(checkpointIn(image.slice(0, length)), undefined, `${length} bytes`);
  const harmless: number[] = [];
  for (let i = 0; i < image.length; i++) {
    const damaged = image.slice();
    damaged[i] ^= 1;
    if (checkpointIn(damaged)) harmless.push(i);
  }
  // Bytes of the header that no field has.
  assert.ok(
    harmless.every((i) => image[i] === 0xff),
    `${harmless}`,
  );
});

test.run();
