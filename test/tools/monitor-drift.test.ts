import { test } from "uvu";
import * as assert from "uvu/assert";
import { ClassNames } from "../../host/streams/class-names.ts";
import { LABEL_STATUS, REMARK } from "../../src/node/ports.ts";
import { NodeView } from "../../tools/monitor/node-view.ts";
import type { NodeEvent } from "../../tools/monitor/status.ts";
import { happeningText, statusRows } from "../../tools/monitor/status-text.ts";
import type { Hello } from "../../tools/session/hello.ts";

const LINK = { open: true, losses: 0, bytes: 0, damaged: 0, damagedBytes: 0, forged: 0 };
const { set, minus, plus, drift, shift } = REMARK;

/** A view that saw predictions with these remarks, and a row of its status. */
function seen(...remarks: readonly (readonly number[])[]) {
  const happenings: NodeEvent[] = [];
  const view = new NodeView((happening) => happenings.push(happening));
  remarks.forEach((said, i) => {
    view.take("prediction", {
      ...{ sid: 1, seq: i + 1, ts: 0, dr: 0, decision: 1 },
      ...{ remarks: Uint8Array.from([...said, 0, 0]), length: said.length },
    });
  });
  const row = (name: string) => statusRows(view.status(LINK)).find((each) => each.name === name)?.parts;
  return { view, row, texts: happenings.map(happeningText) };
}

test("the monitor shows how often a node abstains, and how wide its intervals are; nothing of a node without", () => {
  assert.equal(seen([], [1]).row("sets"), undefined);
  const classes = seen([set + minus], [set + minus + plus], [set], [set + plus]);
  assert.equal(classes.row("sets"), ["both classes in 1 of 4", "none in 1"]);
  const intervals = seen([set, 128], [set, 128 + 4]);
  assert.equal(intervals.row("interval"), ["last ±2", "mean ±1.5 of 2"]);
});

test("the monitor prints a drift alarm as it comes, and shows how many there were", () => {
  const { view, row, texts } = seen([drift], [], [set + minus + shift]);
  assert.equal(texts, [
    "drift, by labels, at sample 1: what was learned holds no longer",
    "drift, by margins, at sample 3: what was learned holds no longer",
  ]);
  assert.is(row("drift"), undefined);
  view.take("learning", { drifts: 3, shifts: 0 } as never);
  assert.equal(row("drift"), ["alarms by labels 3", "by margins 0"]);
});

const HELLO = { learner: "pa", boot: 5, selfTest: 1, seq: 0, labelled: 0, durable: 0 } as unknown as Hello;

test("the monitor names the class of the last prediction, where the node names its classes", () => {
  for (const [names, decision, said] of [
    [["ok", "fault"], -0.25, "last said ok (-0.25)"],
    [["ok", "fault"], 3, "last said fault (3)"],
    [["a", "b", "c"], 2, "last said c (2)"],
    [["-1", "1"], 3, "last said 3"],
  ] as const) {
    const { view, row } = seen();
    view.start(HELLO);
    view.describe(new ClassNames(names));
    view.take("prediction", { seq: 1, decision, remarks: new Uint8Array(2), length: 0 } as never);
    assert.equal(row("samples"), ["1", "waiting 0", said]);
  }
});

test("the monitor warns of the first label that the node doesn't learn, by each reason, in each of its starts", () => {
  const happenings: NodeEvent[] = [];
  const view = new NodeView((happening) => happenings.push(happening));
  for (const start of [1, 2]) {
    view.start(HELLO);
    const { applied, refused, expired } = LABEL_STATUS;
    [applied, refused, refused, expired, applied, expired].forEach((status, i) => {
      view.take("acknowledgement", { boot: 5, number: i + 1, status, labelled: i + 1, durable: 0 } as never);
    });
    assert.equal(
      happenings
        .filter(({ type }) => type === "unlearned")
        .map(happeningText)
        .slice(2 * start - 2),
      [
        "label 2 wasn't learned: refused, the first of these",
        "label 4 wasn't learned: expired, the first of these",
      ],
    );
  }
});

test.run();
