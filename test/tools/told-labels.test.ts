import { test } from "uvu";
import * as assert from "uvu/assert";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { ToldLabels } from "../../tools/record/told-labels.ts";

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
  const told = new ToldLabels();
  const { applied, duplicate, held, expired, ahead } = LABEL_STATUS;
  told.restart(1);
  for (const number of [1, 2, 3, 4]) told.tell(label(number));
  assert.equal(told.answer({ number: 3, status: held, labelled: 1 }), []);
  assert.equal(told.answer({ number: 4, status: ahead, labelled: 1 }), []);
  const [second] = told.answer({ number: 2, status: expired, labelled: 2 });
  assert.equal(second, { number: 2, sid: 5, seq: 20, y: -1, source: 3, confidence: 200, status: "expired" });
  const [third] = told.answer({ number: 3, status: applied, labelled: 3 });
  assert.equal([third.number, third.status], [3, "applied"]);
  told.tell(label(3));
  assert.equal(told.answer({ number: 3, status: duplicate, labelled: 3 }), []);
});

test("where an acknowledgement is lost, the label comes without a status; after a restart it may come again", () => {
  const told = new ToldLabels();
  told.tell(label(2));
  told.tell(label(1));
  assert.equal(
    told.answer({ labelled: 2 }).map(({ number, status }) => [number, status]),
    [
      [1, undefined],
      [2, undefined],
    ],
  );
  told.restart(1);
  told.tell(label(2));
  assert.is(told.answer({ number: 2, status: LABEL_STATUS.applied, labelled: 2 })[0].status, "applied");
});

test.run();
