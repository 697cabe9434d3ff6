import { test } from "uvu";
import * as assert from "uvu/assert";
import { FrameInTransit } from "../../host-sim/network/frame-in-transit.ts";
import { Line } from "../../host-sim/network/line.ts";
import { MessageRecords } from "../../host-sim/network/records.ts";
import { parseScenario } from "../../host-sim/scenario/scenario.ts";
import { SCENE } from "./small-scene.ts";

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

test("frames come in the order of their times, and those that came are given up though some are always on their way", () => {
  const { link } = parseScenario(JSON.stringify({ ...SCENE, link: { reorder: 60 } }), "test.json");
  const line = new Line(link, 100, [], 1, "up");
  const [sent, came] = [20_000, [] as number[]];
  for (let k = 0; k < sent; k++) {
    line.send(100 * k, new FrameInTransit(10, undefined, undefined, undefined));
    while (line.nextAt <= 100 * k) came.push(line.take().at);
  }
  assert.equal(
    came,
    [...came].sort((a, b) => a - b),
  );
  assert.ok(came.length > sent - 62, `${came.length}`);
  const { queue } = line as unknown as { readonly queue: readonly unknown[] };
  assert.ok(queue.length < 2100, `${queue.length} places`);
});

test.run();
