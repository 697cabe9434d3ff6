import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { modelCrc } from "../../src/learn/model-bytes.ts";
import { installTag } from "../../src/peer/install.ts";
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

/** The digest of an image by its definition: a chain of hashes of 64 bytes each. */
function expectedDigest(key: Uint8Array, image: Uint8Array): Buffer {
  let before = Buffer.alloc(8);
  for (let at = 0; at < image.length; at += 64) {
    const block = Buffer.from(Uint32Array.of(0, 7).buffer);
    before = Buffer.from(
      byDefinition(key, Buffer.concat([block, before, image.subarray(at, at + 64)])),
      "hex",
    );
  }
  return before;
}

test("an image's digest is the chain of its pieces' hashes, however its bytes come; a byte, a piece or an end more changes it", () => {
  const random = new Random(6, "images");
  const key = Uint8Array.from({ length: 16 }, () => random.below(256));
  const seen = new Set<string>();
  for (const length of [1, 63, 64, 65, 128, 129, 1000]) {
    const image = Uint8Array.from({ length }, () => random.below(256));
    const tag = new LabelTag(key);
    tag.computeDigest(image);
    const whole = [tag.low, tag.high];
    const expected = expectedDigest(key, image);
    assert.equal(whole, [expected.readUInt32LE(0), expected.readUInt32LE(4)], `${length}`);
    tag.beginDigest();
    for (let at = 0; at < length; ) {
      const part = image.subarray(at, at + 1 + random.below(120));
      tag.digest(part, part.length);
      at += part.length;
      // A label's tag that is judged between two parts changes nothing.
      tag.compute({ sid: 1, seq: at, y: 1, source: 0, confidence: 255 });
    }
    tag.endDigest();
    assert.equal([tag.low, tag.high], whole);
    for (const other of [image, image.subarray(0, -1), Uint8Array.of(...image, 0)]) {
      tag.computeDigest(other);
      seen.add(`${tag.low} ${tag.high}`);
    }
  }
  assert.is(seen.size, 3 * 7, "no two are alike");
});

test("the tag of an order is the hash of its purpose's block, its four words and the digest of its image, which it begins with", () => {
  const random = new Random(7, "orders");
  for (let n = 0; n < 40; n++) {
    const key = Uint8Array.from({ length: 16 }, () => random.below(256));
    const image = Uint8Array.from({ length: 1 + random.below(200) }, () => random.below(256));
    const [first, second] = [random.uint32(), random.uint32()];
    const crc = modelCrc(image);
    const digest = expectedDigest(key, image);
    const words = [digest.readUInt32LE(0), digest.readUInt32LE(4)];
    const expected = (purpose: number) => {
      const input = Uint32Array.of(0, purpose, first, second, image.length, crc, ...words);
      const hash = Buffer.from(byDefinition(key, new Uint8Array(input.buffer)), "hex");
      return [...words, hash.readUInt32LE(0), hash.readUInt32LE(4)];
    };
    const tag = new LabelTag(key);
    assert.equal(installTag(tag, { number: second, model: image }, first), expected(6));
    tag.computeRestore({ boot: first, labelled: second, image, crc });
    assert.equal(tag.words, expected(8));
  }
});

test.run();
