import { test } from "uvu";
import * as assert from "uvu/assert";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { SentLabels } from "../../tools/record/sent-labels.ts";

const label = (number: number) => ({
  start: 0,
  number,
  sid: 5,
  seq: 10 * number,
  y: number % 2 ? 1 : -1,
  source: 3,
  confidence: 200,
  length: 0,
  tag: new Uint32Array(2),
});

test("each label comes once, with what became of it, when its turn is over", () => {
  const sent = new SentLabels();
  const { applied, duplicate, held, expired, ahead } = LABEL_STATUS;
  sent.restart(1, 1);
  for (const number of [1, 2, 3, 4]) sent.add(label(number));
  assert.equal(sent.answer({ number: 3, status: held, labelled: 1 }), []);
  assert.equal(sent.answer({ number: 4, status: ahead, labelled: 1 }), []);
  const [second] = sent.answer({ number: 2, status: expired, labelled: 2 });
  assert.equal(second, { number: 2, sid: 5, seq: 20, y: -1, source: 3, confidence: 200, status: "expired" });
  const [third] = sent.answer({ number: 3, status: applied, labelled: 3 });
  assert.equal([third.number, third.status], [3, "applied"]);
  sent.add(label(3));
  assert.equal(sent.answer({ number: 3, status: duplicate, labelled: 3 }), []);
});

test("where an acknowledgement is lost, the label comes without a status; after a restart it may come again", () => {
  const sent = new SentLabels();
  sent.add(label(2));
  sent.add(label(1));
  assert.equal(
    sent.answer({ labelled: 2 }).map(({ number, status }) => [number, status]),
    [
      [1, undefined],
      [2, undefined],
    ],
  );
  sent.restart(1, 1);
  sent.add(label(2));
  assert.is(sent.answer({ number: 2, status: LABEL_STATUS.applied, labelled: 2 })[0].status, "applied");
});

test.run();
