import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { LabelTag } from "../../src/wire/label-tag.ts";
import { byDefinition } from "./by-definition.ts";

test("a label's tag is the hash of block (0, 3) and its fields, in two unsigned words", () => {
  const random = new Random(5, "tags");
  for (let n = 0; n < 40; n++) {
    const key = Uint8Array.from({ length: 16 }, () => random.below(256));
    const label = {
      sid: random.uint32(),
      seq: random.uint32(),
      y: n % 3 === 0 ? -1 : Math.fround(random.normal()),
      source: random.below(256),
      confidence: random.below(256),
    };
    const tag = new LabelTag(key);
    tag.compute(label);
    const input = new DataView(new ArrayBuffer(22));
    for (const [at, word] of [0, 3, label.sid, label.seq].entries()) input.setUint32(4 * at, word, true);
    input.setFloat32(16, label.y, true);
    input.setUint8(20, label.source);
    input.setUint8(21, label.confidence);
    const hash = Buffer.from(byDefinition(key, new Uint8Array(input.buffer)), "hex");
    assert.equal([tag.low, tag.high], [hash.readUInt32LE(0), hash.readUInt32LE(4)]);
  }
});

test.run();
