import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { LossyLink } from "../../host-sim/network/link.ts";
import { LabelSender } from "../../host-sim/network/sender.ts";
import { Random } from "../../host-sim/random.ts";
import { LABEL_STATUS, type Label } from "../../src/node/ports.ts";

const LINK = { loss: 0, duplicates: 0, reorder: 0 };

test("a good link delivers at once and in order", () => {
  const link = new LossyLink<number>(new Random(1), LINK);
  for (let i = 0; i < 5; i++) link.send(10, i);
  assert.equal(link.receive(10), [0, 1, 2, 3, 4]);
  assert.is(link.pending, 0);
});

test("a bad link loses, doubles and holds back as often as it says, by seed", () => {
  const run = () => {
    const link = new LossyLink<number>(new Random(5), { loss: 0.3, duplicates: 0.2, reorder: 3 });
    const got: number[] = [];
    for (let t = 0; t < 10003; t++) {
      if (t < 10000) link.send(t, t);
      for (const frame of link.receive(t)) {
        assert.ok(t - frame >= 0 && t - frame <= 3);
        got.push(frame);
      }
    }
    assert.is(got.length, link.sent - link.dropped + link.doubled);
    return { got, dropped: link.dropped, doubled: link.doubled };
  };
  const { got, dropped, doubled } = run();
  assert.ok(Math.abs(dropped - 3000) < 5 * Math.sqrt(2100));
  assert.ok(Math.abs(doubled - 1400) < 5 * Math.sqrt(1120));
  assert.ok(
    got.some((frame, i) => i > 0 && frame < got[i - 1]),
    "some overtake",
  );
  assert.equal(run().got, got);
});

test("over any link every label is answered in the end, each first in the window after the last answered one", () => {
  fc.assert(
    fc.property(
      fc.record({
        loss: fc.double({ min: 0, max: 0.8, noNaN: true }),
        duplicates: fc.double({ min: 0, max: 0.5, noNaN: true }),
        reorder: fc.integer({ min: 0, max: 5 }),
      }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 1e6 }),
      (options, window, seed) => {
        const down = new LossyLink<Label>(new Random(seed, "down"), options);
        const up = new LossyLink<number>(new Random(seed, "up"), options);
        const sender = new LabelSender(1, { window, resendAfter: 3 }, (now, frame) => down.send(now, frame));
        for (let i = 1; i <= 50; i++) sender.add(i, 1);
        const seen = new Set<number>();
        let now = 0;
        for (; !sender.idle && now < 100000; now++) {
          sender.tick(now);
          for (const { number } of down.receive(now)) {
            let complete = 0;
            while (seen.has(complete + 1)) complete++;
            assert.ok(number <= complete + window);
            seen.add(number);
            up.send(now, number);
          }
          for (const number of up.receive(now)) sender.answer(number, LABEL_STATUS.applied);
        }
        assert.is(seen.size, 50);
      },
    ),
    { numRuns: 50 },
  );
});

test("a label that is too far ahead is sent again", () => {
  const sent: number[] = [];
  const sender = new LabelSender(1, { window: 4, resendAfter: 2 }, (_now, { number }) => sent.push(number));
  sender.add(1, 1);
  sender.tick(0);
  sender.answer(1, LABEL_STATUS.ahead);
  sender.tick(1);
  sender.tick(2);
  assert.equal(sent, [1, 1]);
  assert.is(sender.resent, 1);
  sender.answer(1, LABEL_STATUS.held);
  assert.ok(sender.idle);
});

test.run();
