import { test } from "uvu";
import * as assert from "uvu/assert";
import { MessageRecords } from "../../host-sim/network/records.ts";

test("a parcel that comes twice keeps its message when the first was handled and the sender's copy has changed", () => {
  const label = new MessageRecords<"label">().of("label");
  Object.assign(label.message, { number: 7, y: 0.1, length: 0 });
  const first = label.parcel();
  first.damaged = true;
  const again = first.retry();
  label.message.number = 8;
  label.parcel();
  assert.is(again.damaged, false);
  assert.is(again.message?.number, 7);
  assert.is(again.message?.y, Math.fround(0.1));
});

test.run();
