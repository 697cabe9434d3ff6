import { test } from "uvu";
import * as assert from "uvu/assert";
import { HeldReadings } from "../../host/streams/forms/held-readings.ts";
import type { Reading } from "../../host/streams/forms/readings.ts";

const TEXTS = ["21.50", "", "läuft", "-1e-7", "€ \u{1f321}"];
/** Readings of 500 times, in sorted parts, with several at each time. */
const reading = (at: number): Reading => ({
  line: at + 1,
  time: 1.7e12 + ((at * 7) % 500),
  name: `s${at % 3}`,
  text: TEXTS[at % TEXTS.length],
});

for (const count of [0, 1, 2, 16_384, 40_000])
  test(`held readings come in the order of their times, and those of one time as they came: ${count}`, () => {
    const readings = Array.from({ length: count }, (_, at) => reading(at));
    const held = new HeldReadings("a.csv");
    for (const each of readings) held.add(each);
    assert.equal(
      [...held.inTimeOrder(4096)].flat(),
      readings.sort((a, b) => a.time - b.time),
    );
  });

test("texts that are too long to be held are refused at the reading that is too much", () => {
  const held = new HeldReadings("a.csv");
  const text = "x".repeat(1 << 22);
  for (let at = 0; at < 64; at++) held.add({ ...reading(at), text });
  assert.throws(
    () => held.add(reading(0)),
    /a\.csv: more than 268435456 bytes of readings that aren't in the order of their times; a file sorted by time/,
  );
});

test.run();
