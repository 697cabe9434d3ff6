import { test } from "uvu";
import * as assert from "uvu/assert";
import { Credit } from "../../src/peer/credit.ts";
import { LabelQueue } from "./label-queue.ts";

const label = (seq: number) => ({ sid: 1, seq, y: 1 });

test("a label is kept until it is durable, under its number", () => {
  const queue = new LabelQueue();
  assert.equal([queue.add(label(10)), queue.add(label(20)), queue.add(label(30))], [1, 2, 3]);
  queue.durable(2);
  assert.is(queue.kept, 1);
  assert.is(queue.at(2), undefined);
  assert.is(queue.at(3)?.seq, 30);
  assert.is(queue.add(label(40)), 4);
  queue.durable(1);
  assert.is(queue.at(3)?.seq, 30, "a late one has less");
});

test("labels that a restarted node lacks and nobody has are counted; the others follow without a gap", () => {
  const queue = new LabelQueue();
  for (let seq = 1; seq <= 5; seq++) queue.add(label(seq));
  queue.durable(3);
  queue.restart(3);
  assert.is(queue.lost, 0);
  assert.is(queue.at(4)?.seq, 4);
  queue.restart(1);
  assert.is(queue.lost, 2, "labels 2 and 3");
  assert.is(queue.at(2)?.seq, 4);
  assert.is(queue.add(label(6)), 4);
});

test("bytes lost on the way are counted and granted again, once two credits after a silence have the same count", () => {
  const credit = new Credit();
  assert.not.ok(credit.allows(1), "nothing is granted yet");
  credit.grant(0, 88, 0);
  assert.ok(credit.allows(88));
  assert.not.ok(credit.allows(89));
  credit.spend(80, 0);
  credit.grant(30, 88, 100);
  assert.ok(credit.allows(38));
  assert.not.ok(credit.allows(39));
  credit.grant(30, 88, 400);
  credit.grant(30, 88, 600);
  assert.is(credit.lost, 0, "the first after the silence");
  credit.grant(30, 88, 900);
  assert.is(credit.lost, 50);
  assert.ok(credit.allows(88));
});

test("what was sent before a frame that came isn't on its way any longer, though its bytes were lost", () => {
  const credit = new Credit();
  credit.grant(0, 88, 0);
  const places = [29, 29, 29].map((bytes) => credit.spend(bytes, 0));
  assert.not.ok(credit.allows(29));
  credit.pass(places[1]);
  assert.ok(credit.allows(59), "only the third may be on its way");
  assert.not.ok(credit.allows(60));
  credit.pass(places[0]);
  assert.ok(credit.allows(59), "a late one has less");
  credit.grant(29, 88, 20);
  assert.not.ok(credit.allows(60), "a credit of what came counts, too");
  credit.grant(29, 88, 600);
  credit.grant(29, 88, 900);
  assert.ok(credit.allows(88), "a silence settles it all");
  assert.not.ok(credit.allows(89));
  credit.spend(60, 900);
  credit.pass(places[2]);
  assert.not.ok(credit.allows(29), "what was settled doesn't count again");
});

test("a credit that comes late takes nothing back, and bytes that the line doubled don't stop the peer", () => {
  const credit = new Credit();
  credit.grant(0, 88, 0);
  credit.spend(60, 0);
  credit.grant(60, 88, 10);
  credit.grant(20, 88, 20);
  assert.ok(credit.allows(88));
  credit.grant(100, 88, 30);
  assert.ok(credit.allows(88));
  assert.not.ok(credit.allows(89));
});

test("counts continue over 2^32", () => {
  const credit = new Credit();
  credit.sent = 2 ** 32 - 10;
  credit.grant(2 ** 32 - 10, 88, 0);
  credit.spend(20, 0);
  assert.is(credit.sent, 10);
  assert.ok(credit.allows(68));
  credit.grant(10, 88, 5);
  assert.ok(credit.allows(88));
});

test.run();
