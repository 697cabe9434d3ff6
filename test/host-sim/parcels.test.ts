import { test } from "uvu";
import * as assert from "uvu/assert";
import { MessageRecords } from "../../host-sim/network/records.ts";

test("a parcel that takes a finished one's place holds nothing of it", () => {
  const sample = new MessageRecords<"sample">().of("sample");
  Object.assign(sample.message, { seq: 1, length: 3 });
  sample.message.x.set([1, 2, 3]);
  const first = sample.parcel();
  first.damaged = true;
  first.release();
  Object.assign(sample.message, { seq: 2, length: 2 });
  sample.message.x.set([4, 0.1]);
  const { message, damaged, length } = sample.parcel();
  assert.is(damaged, false);
  assert.is(length, sample.bytes);
  assert.is(message?.seq, 2);
  assert.equal([...(message?.x.subarray(0, message.length) ?? [])], [4, Math.fround(0.1)]);
});

test("a parcel that comes twice keeps its message when the first was handled and the sender's copy has changed", () => {
  const label = new MessageRecords<"label">().of("label");
  Object.assign(label.message, { number: 7, y: 0.1, length: 0 });
  const first = label.parcel();
  const again = first.retry();
  first.release();
  label.message.number = 8;
  label.parcel();
  assert.is(again.message?.number, 7);
  assert.is(again.message?.y, Math.fround(0.1));
});

test.run();
