import { test } from "uvu";
import * as assert from "uvu/assert";
import { Credit } from "../../src/peer/credit.ts";

/** Credit to which a window of 100 bytes was granted at millisecond 0. */
function granted(): Credit {
  const credit = new Credit();
  credit.grant(0, 100, 0);
  return credit;
}

/** Bytes of the largest frame that may be sent now. */
function free(credit: Credit): number {
  let bytes = 0;
  while (credit.allows(bytes + 1)) bytes++;
  return bytes;
}

test("nothing may be sent before a grant, and then no more than its window at once", () => {
  const credit = new Credit();
  assert.equal([credit.largest, credit.allows(1), credit.allows(0)], [0, false, true]);
  credit.grant(0, 100, 0);
  assert.equal([credit.largest, free(credit)], [100, 100]);
  credit.spend(60, 1);
  assert.is(free(credit), 40);
  credit.spend(40, 2);
  assert.is(free(credit), 0);
  credit.grant(60, 100, 3);
  assert.is(free(credit), 60, "40 are on their way");
  credit.grant(100, 80, 4);
  assert.equal([credit.largest, free(credit)], [80, 80]);
  assert.is(credit.lost, 0);
});

test("bytes are counted mod 2^32, as the node counts them", () => {
  const credit = new Credit();
  credit.sent = 0xfffffff0;
  credit.grant(0xfffffff0, 100, 0);
  credit.spend(32, 1);
  assert.equal([credit.sent, free(credit)], [16, 68]);
  credit.grant(0xfffffffe, 100, 2);
  assert.is(free(credit), 82);
  credit.grant(16, 100, 3);
  assert.is(free(credit), 100);
});

test("a grant that has less than the peer knows, or the same, is late and ignored", () => {
  const credit = granted();
  credit.spend(50, 1);
  credit.grant(50, 100, 2);
  credit.spend(70, 3);
  credit.grant(20, 300, 4);
  assert.equal([credit.largest, free(credit)], [100, 30]);
  credit.grant(50, 300, 5);
  assert.equal([credit.largest, free(credit)], [100, 30]);
});

test("a single byte more than is known is news", () => {
  const credit = granted();
  credit.spend(100, 1);
  credit.grant(1, 100, 2);
  assert.is(free(credit), 1);
});

test("after more than 500 ms of silence, the second equal grant shows what was lost", () => {
  const credit = granted();
  credit.spend(70, 1000);
  for (const now of [1400, 1500, 1501]) {
    credit.grant(40, 100, now);
    assert.is(free(credit), 70, `30 of 70 on their way at ${now}`);
  }
  assert.is(credit.lost, 0);
  credit.grant(40, 100, 1600);
  assert.equal([free(credit), credit.lost, credit.sent], [100, 30, 40]);
  credit.grant(40, 100, 1700);
  assert.is(credit.lost, 30, "lost once");
});

test("two grants in silence that differ settle nothing, nor do two with a frame between them", () => {
  const credit = granted();
  credit.spend(70, 0);
  credit.grant(20, 100, 600);
  credit.grant(40, 100, 700);
  assert.equal([credit.lost, free(credit)], [0, 70]);
  credit.spend(1, 701);
  credit.grant(40, 100, 1300);
  assert.equal([credit.lost, free(credit)], [0, 69]);
  credit.grant(40, 100, 1400);
  assert.equal([credit.lost, free(credit)], [31, 100]);
});

test("a node that received more than was sent, by another peer before, is believed", () => {
  const credit = granted();
  credit.spend(10, 1);
  credit.grant(11, 100, 2);
  assert.equal([credit.sent, credit.lost, free(credit)], [11, 0, 100]);
  credit.grant(500, 100, 3);
  assert.equal([credit.sent, credit.lost, free(credit)], [500, 0, 100]);
});

test("what surely isn't on its way any longer needs no credit, though the node hasn't reported it", () => {
  const credit = granted();
  const first = credit.spend(40, 1);
  const second = credit.spend(50, 2);
  assert.equal([first, second, free(credit)], [40, 90, 10]);
  credit.pass(first);
  assert.is(free(credit), 50);
  credit.pass(second);
  assert.is(free(credit), 100);
  credit.pass(first);
  assert.is(free(credit), 100, "an answer that comes late takes nothing back");
  credit.spend(30, 3);
  assert.is(free(credit), 70);
  credit.grant(120, 100, 4);
  assert.is(free(credit), 100);
});

test("a node that restarted has granted nothing, and frames sent before don't count against it", () => {
  const credit = granted();
  credit.spend(70, 1);
  credit.grant(30, 100, 600);
  credit.revoke();
  assert.equal([credit.largest, free(credit)], [0, 0]);
  credit.spend(24, 700);
  credit.grant(94, 50, 701);
  assert.equal([credit.largest, free(credit), credit.lost], [50, 50, 0]);
});

test("grants from before a node's start don't count after it", () => {
  const credit = granted();
  credit.spend(70, 1);
  credit.grant(30, 100, 600);
  credit.revoke();
  credit.grant(30, 100, 700);
  assert.equal([credit.lost, credit.sent], [0, 70]);
});

test("the first grant after a start is taken, whatever its value", () => {
  const credit = granted();
  credit.spend(70, 1);
  credit.revoke();
  credit.grant(10, 100, 2);
  assert.is(free(credit), 100);
  credit.spend(30, 3);
  assert.is(free(credit), 70);
});

test.run();
