import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { LiveRow } from "../../fleet/api/api.ts";
import { downsample } from "../../fleet/api/downsample.ts";
import type { NodeState } from "../../fleet/api/node-state.ts";
import { PendingRequests } from "../../fleet/api/pending-requests.ts";
import { rankedQuestions } from "../../fleet/api/ranked-questions.ts";
import { usualRanges } from "../../fleet/api/usual-range.ts";
import { accuracyLine } from "../../fleet/page/accuracy.ts";
import { Answers } from "../../fleet/page/answers.ts";
import { listChoices } from "../../fleet/page/choices.ts";
import { classColour } from "../../fleet/page/class-look.ts";
import { Columns, DECISION, LOWER, SET_SIZE, UPPER } from "../../fleet/page/columns.ts";
import { findConditions, worstFirst } from "../../fleet/page/condition.ts";
import { writeCsv } from "../../fleet/page/csv.ts";
import { Grid } from "../../fleet/page/grid.ts";
import { LabelQueue } from "../../fleet/page/label-queue.ts";
import { inTurn, QuestionQueue } from "../../fleet/page/question-queue.ts";
import { Timeline } from "../../fleet/page/timeline.ts";
import { Trace } from "../../fleet/page/trace.ts";
import { placeText, shownReadings } from "../../fleet/page/usual.ts";
import { className, dealtText } from "../../fleet/page/wording.ts";
import { Random } from "../../host/random.ts";
import { REMARK } from "../../src/node/ports.ts";

const row = (time: number, seq: number, x: number[] | null, decision: number | null = null): LiveRow => [
  ...([time, 1, seq, decision, decision === null ? -1 : 0, x] as const),
];

test("columns keep the last rows, join what comes in two parts, and know sets and intervals", () => {
  const columns = new Columns(4);
  for (let seq = 1; seq <= 6; seq++) columns.push(row(10 * seq, seq, [seq, -seq]));
  assert.equal(
    [0, 1, 2, 3].map((i) => [columns.time(i), columns.seq(i), columns.value(i, 1)]),
    [3, 4, 5, 6].map((seq) => [10 * seq, seq, -seq]),
  );
  assert.ok(Number.isNaN(columns.value(3, DECISION)));
  columns.push([75, 1, 6, 2.5, REMARK.set | REMARK.plus | REMARK.minus, null, 0.5]);
  assert.is(columns.count, 4);
  assert.equal(
    [DECISION, SET_SIZE, UPPER, LOWER, 0].map((k) => columns.value(3, k)),
    [2.5, 2, 3, 2, 6],
  );
  assert.is(columns.time(3), 60);
  assert.is(columns.firstAt(41), 2);
  assert.is(columns.find(1, 4), 1);
  assert.is(columns.find(2, 4), -1);
  columns.push(row(80, 7, [1, 2, 3]));
  assert.is(columns.channels, 3);
  assert.is(columns.value(2, DECISION), 2.5);
});

test("the share that is right compares classes by their numbers where there are several; a regression has none", () => {
  const times = Array.from({ length: 48 }, (_, i) => 10 * i);
  const shares = (task: string, y: number, right: number, wrong: number) => {
    const labels = Array.from({ length: 40 }, (_, i) => ({
      ...{ node: "n", time: i, sid: 1, seq: i, by: "", sampled: 10 * i },
      ...{ y, decision: i % 4 === 0 ? right : wrong },
    }));
    return accuracyLine(labels, times, task);
  };
  const many = shares("multiclass", 2, 2, 1);
  assert.is(many[39], 25);
  assert.is(many[8], undefined, "too few labels");
  assert.is(shares("classification", 1, 0.3, -0.3)[39], 25);
  assert.ok(shares("regression", 2, 2, 1).every((share) => share === undefined));
});

test("a grid has the least and the largest of each stretch in their order, at the same times wherever it begins", () => {
  const columns = Columns.of([1, 9, 4, 5, -3, 6].map((value, i) => row(1000 + 10 * i, i + 1, [value])));
  const grid = new Grid(1000, 1100, 2); // stretches of 50 ms
  assert.equal(grid.times.slice(0, 4), [1000, 1025, 1050, 1075]);
  const line = grid.line([columns], 0);
  assert.equal(line.slice(0, 4), [9, -3, 6, undefined]);
  const moved = new Grid(1020, 1120, 2);
  assert.is(moved.times[0], 1000);
});

test("a line is interrupted where a node was silent, and a peak is never lost", () => {
  const random = new Random(4);
  const rows: LiveRow[] = [];
  for (let i = 0; i < 5000; i++) rows.push(row(i * 20, i + 1, [random.uniform()]));
  rows[1234] = row(1234 * 20, 1235, [77]);
  for (let i = 0; i < 500; i++) rows.push(row(130_000 + i * 20, 6000 + i, [random.uniform()]));
  const line = new Grid(0, 140_000, 300).line([Columns.of(rows)], 0);
  const [from, to] = [line.indexOf(null), line.lastIndexOf(null)];
  const stretch = 140_000 / 300;
  assert.ok(Math.abs((from / 2) * stretch - 100_000) < 2 * stretch, `${from}`);
  assert.ok(Math.abs((to / 2) * stretch - 130_000) < 2 * stretch, `${to}`);
  assert.ok(line.slice(from, to).every((value) => value === null));
  assert.is(Math.max(...line.map((value) => value ?? 0)), 77);
  const kept = downsample(rows, 400);
  assert.ok(kept.length <= 800, `${kept.length}`);
  assert.ok(kept.some(([, , , , , x]) => x?.[0] === 77));
  for (const each of kept) assert.ok(rows.includes(each));
  assert.is(downsample(rows, rows.length), rows);
});

test("a trace puts history before what came live, and labels at their samples", () => {
  const trace = new Trace(16);
  trace.rows([row(1000, 5, [5], 0.5), row(1010, 6, [6], -1)]);
  const label = { node: "n", time: 1020, sid: 1, seq: 6, y: 1, by: "anna" };
  trace.label(label);
  trace.history({
    ...({ schema: "motelearn.history/1", node: "n", from: 0, to: 2000, every: 1, events: [] } as const),
    rows: [row(900, 4, [4], 1), row(1000, 5, [5], 0.5)],
    labels: [{ ...label, time: 950, seq: 4, sampled: 900, decision: 1, status: 0 }],
  });
  trace.answer({ node: "n", sid: 1, seq: 6, status: 3 });
  assert.equal(
    trace.between(0, 2000).map(([, , seq]) => seq),
    [4, 5, 6],
  );
  assert.equal(
    trace.labels.map(({ seq, sampled, decision, status }) => [seq, sampled, decision, status]),
    [
      [4, 900, 1, 0],
      [6, 1010, -1, 3],
    ],
  );
});

test("a sample of the history that then comes live is there once, with what it lacked", () => {
  const trace = new Trace(16);
  const span = { schema: "motelearn.history/1", node: "n", from: 0, to: 2000, every: 1 } as const;
  trace.history({ ...span, events: [], labels: [], rows: [row(900, 4, [4], 1), row(1000, 5, [5], null)] });
  trace.rows([row(1001, 5, null, 0.5), row(1010, 6, [6], -1)]);
  assert.equal(
    trace.between(0, 2000).map(([, , seq, decision, , x]) => [seq, decision, x?.[0]]),
    [
      [4, 1, 4],
      [5, 0.5, 5],
      [6, -1, 6],
    ],
  );
});

test("what is shown moves on, stands, is zoomed about a time, and follows again", () => {
  const timeline = new Timeline(1000);
  assert.equal(timeline.range(5000), { from: 4000, to: 5000 });
  timeline.zoomBy(2, 5000);
  assert.equal(timeline.range(6000), { from: 4000, to: 6000 });
  timeline.pause(6000);
  assert.equal(timeline.range(9000), { from: 4000, to: 6000 });
  timeline.zoomBy(0.5, 9000, 4500);
  assert.equal(timeline.range(9000), { from: 4250, to: 5250 });
  timeline.pan(1, 9000);
  assert.equal(timeline.range(9000), { from: 5250, to: 6250 });
  timeline.zoom(7000, 6000);
  assert.equal(timeline.range(9000), { from: 6000, to: 7000 });
  timeline.follow();
  assert.equal(timeline.range(9000), { from: 7000, to: 9000 });
});

const state = (name: string, more: object = {}): NodeState =>
  ({
    ...{ name, port: "p", connected: true, waiting: 0, asking: 0, when: { heard: 100_000 } },
    ...more,
  }) as NodeState;

test("the node that needs somebody most comes first, and says why", () => {
  const now = 100_500;
  const accuracy = (value: number) => ({ prequential: { kind: "accuracy", recent: { labels: 100, value } } });
  const states = [
    state("n10", accuracy(0.9)),
    state("n9", accuracy(0.9)),
    state("good", accuracy(0.99)),
    state("asks", { asking: 1 }),
    state("restarted", { when: { heard: now, started: now - 1000 } }),
    state("drifts", { when: { heard: now, drifted: now } }),
    state("loses", { when: { heard: now, lost: now } }),
    state("silent", { when: { heard: now - 61_000 } }),
    state("gone", { connected: false, trouble: "no such device" }),
    state("alarm", { alarms: [{ name: "worn", on: true }] }),
    state("long ago", { when: { heard: now, lost: now - 3_600_000 } }),
  ];
  assert.equal(
    worstFirst(states, now).map(({ name }) => name),
    [
      ...["alarm", "gone", "silent", "loses", "drifts", "restarted", "asks"],
      ...["n9", "n10", "good", "long ago"],
    ],
  );
  const [{ text }] = findConditions(states[7], now);
  assert.is(text, "silent for 1 min");
  assert.is(findConditions(states[3], now)[0].text, "asks 1 question");
});

test("an answer that waits for a checkpoint alone isn't on its way any more", () => {
  assert.is(dealtText({ labelled: 15, durable: 12, waiting: 4 }), "15 (12 saved); 1 more on their way");
  assert.is(dealtText({ waiting: 2 }), "0 (0 saved); 2 more on their way");
});

test("a class has its name, and a colour that it shares with no other of the first seven", () => {
  assert.is(className(1, { task: "classification", classes: ["sound", "worn"] }), "worn");
  assert.is(className(-1, { task: "novelty", classes: ["-1", "1"] }), "unusual");
  const colours = Array.from({ length: 7 }, (_, target) => classColour(target, { task: "multiclass" }));
  assert.is(new Set(colours).size, 7);
  // The fault of two classes, and what is unusual, have the warm colour.
  const warm = classColour(1, { task: "classification" });
  assert.is(classColour(-1, { task: "novelty" }), warm);
  assert.is(classColour(1, { task: "multiclass" }), warm);
});

test("what is asked for counts as long as the node keeps the sample and has no label for it", () => {
  const asked = new PendingRequests();
  for (const seq of [3, 5, 8]) asked.add(7, seq, 4);
  assert.is(asked.count, 2);
  asked.labelled(7, 5);
  assert.is(asked.count, 1);
  asked.labelled(6, 8);
  asked.prune(11, 4);
  assert.is(asked.count, 1);
  asked.prune(12, 4);
  assert.is(asked.count, 0);
  asked.add(7, 20, 4);
  asked.add(8, 1, 4);
  assert.is(asked.count, 1);
});

test("a table of what is seen has labels and marks at their samples, and no formula", () => {
  const label = { node: "n", time: 5, sid: 1, seq: 2, y: -1, by: "=cmd()", sampled: 20, decision: 1 };
  const rows = [row(10, 1, [0.5], 1), row(20, 2, [1.5], 1)];
  const text = writeCsv([{ node: "n", rows, labels: [label], channels: ['a "b"'] }], (from, to) =>
    from < 15 && to >= 15 ? "here" : "",
  );
  assert.equal(text.split("\n"), [
    'node,sid,seq,time,decision,label,by,mark,"a ""b"""',
    "n,1,1,1970-01-01T00:00:00.010Z,1,,,,0.5",
    "n,1,2,1970-01-01T00:00:00.020Z,1,-1,'=cmd(),here,1.5",
    "",
  ]);
});

test("an answer goes out after a while, or at once when the page is left; until then it can be taken back", async () => {
  const sent: number[] = [];
  const label = async (_: string, { seq }: { seq: number }) => {
    sent.push(seq);
    return seq === 3 ? "too late" : undefined;
  };
  const answers = new Answers({ label }, () => {}, 1 << 30);
  for (const seq of [1, 2, 3])
    answers.give("n", { row: row(0, seq, [0]), asked: true, sure: false, unlike: false }, 1, "anna");
  assert.is(answers.undo()?.question.row[2], 3);
  assert.is(answers.undo()?.question.row[2], 2);
  answers.give("n", { row: row(0, 3, [0]), asked: true, sure: false, unlike: false }, 1, "anna");
  answers.flush();
  await Promise.resolve();
  await new Promise((done) => setImmediate(done));
  assert.equal(sent, [1, 3]);
  assert.equal(
    answers.given.map(({ question, state, why }) => [question.row[2], state, why]),
    [
      [3, "failed", "too late"],
      [3, "undone", undefined],
      [2, "undone", undefined],
      [1, "taken", undefined],
    ],
  );
  assert.is(answers.undo(), undefined);
});

test("unsure samples and those unlike all labelled ones come first, and not two that are alike", () => {
  const sample = (seq: number, x: number, decision: number, asked = false) => ({
    row: row(seq, seq, [x], decision),
    asked,
  });
  const labelled = [[0], [0.1]];
  const order = (samples: Parameters<typeof rankedQuestions>[0], scored = true) =>
    rankedQuestions(samples, labelled, scored).map(({ row, unlike }) => [row[2], unlike]);
  const sure = [1, 2, 3, 4].map((seq) => sample(seq, 0.01 * seq, 5 + seq));
  assert.equal(order([...sure, sample(8, 0.05, 0.1), sample(9, 7, 9)]).slice(0, 2), [
    [8, false],
    [9, true],
  ]);
  // Of three far away that are alike, one; an asked one before all.
  const alike = [sample(5, 7, 6), sample(6, 7.01, 6), sample(7, 7.02, 6)];
  const first = order([...sure, ...alike, sample(8, 0.05, 0.1), sample(9, 0, 8, true)]).map(([seq]) => seq);
  assert.is(first[0], 9);
  assert.is(first.slice(0, 3).filter((seq) => [5, 6, 7].includes(Number(seq))).length, 1, `${first}`);
  assert.ok(first.indexOf(8) < 3, `${first}`);
  // A class's number isn't its sureness.
  assert.equal(order([sample(1, 0, 0), sample(2, 9, 3)], false)[0], [2, true]);
  assert.is(order(Array.from({ length: 50 }, (_, seq) => sample(seq, Number.NaN, 1))).length, 20);
});

test("the first two labels of a node are asked for where its group's model is surest, and no third", () => {
  const sample = (seq: number, decision: number, remarks: number = REMARK.fleet) => ({
    row: [seq, 1, seq, decision, remarks, [seq]] as LiveRow,
    asked: seq === 1,
  });
  const samples = [sample(1, 0.1), sample(2, 5), sample(3, -9), sample(4, 7), sample(5, 20, 0)];
  const order = (list: typeof samples, labelled: readonly number[][] = []) =>
    rankedQuestions(list, labelled, true).map(({ row, sure }) => [row[2], sure]);
  assert.equal(order(samples).slice(0, 3), [
    [3, true],
    [4, true],
    [1, false],
  ]);
  assert.equal(order(samples, [[8]]).slice(0, 2), [
    [3, true],
    [1, false],
  ]);
  assert.ok(order(samples, [[8], [9]]).every(([, sure]) => !sure));
  // A model of few labels is sure of nothing.
  assert.equal(order([sample(1, 0.1), sample(2, 2.9)])[0], [1, false]);
});

test("nodes take turns with their questions, and one that was taken back is next", () => {
  assert.equal(inTurn(["n10", "n9", "a"], ""), ["a", "n9", "n10"]);
  assert.equal(inTurn(["n10", "n9", "a"], "n9"), ["n10", "a", "n9"]);
  const queue = new QuestionQueue();
  const item = (node: string, seq: number) => ({
    node,
    question: { row: row(0, seq, [0]), asked: true, sure: false, unlike: false },
  });
  queue.fill([[item("b", 1), item("b", 2)], [item("a", 3), item("a", 4), item("a", 5)], []]);
  const shown: string[] = [];
  for (;;) {
    const next = queue.next(({ question }) => question.row[2] !== 4);
    if (!next) break;
    shown.push(`${next.node}${next.question.row[2]}`);
    queue.done(next);
  }
  assert.equal(shown, ["a3", "b1", "a5", "b2"]);
  queue.back(item("a", 3));
  assert.equal(queue.next(() => true)?.question.row[2], 3);
});

test("digits answer by a class's place, unless its name is the digit", () => {
  const keys = (state: object) => listChoices(state as NodeState).map(({ label, key }) => `${key}:${label}`);
  assert.equal(keys({ task: "classification" }), ["1:-1", "2:1"]);
  assert.equal(keys({ task: "novelty" }), ["1:1", "2:-1"]);
  assert.equal(keys({ task: "multiclass", classes: ["idle", "run", "off"] }), ["1:0", "2:1", "3:2"]);
  assert.equal(keys({ task: "multiclass", classes: ["0", "1", "2"] }), ["0:0", "1:1", "2:2"]);
  const many = keys({ task: "multiclass", classes: Array.from({ length: 12 }, (_, i) => `c${i}`) });
  assert.equal(many.slice(8), ["9:8", "0:9", "undefined:10", "undefined:11"]);
  assert.equal(keys({ task: "regression" }), []);
});

test("readings are usual within nine tenths of them; of many the most unusual are shown", () => {
  const samples = Array.from({ length: 101 }, (_, i) => [i, i === 7 ? Number.NaN : -i]);
  assert.equal(usualRanges(samples), [
    [5, 95],
    [-95, -5],
  ]);
  assert.equal(usualRanges([]), []);
  assert.is(placeText(120, [5, 95]), "above the usual 5 to 95");
  assert.is(placeText(-1, [5, 95]), "below the usual 5 to 95");
  assert.is(placeText(50, [5, 95]), "usual 5 to 95");
  const usual = Array.from({ length: 9 }, () => [0, 1] as const);
  assert.equal(shownReadings([0, 0, 5, 0, 0, 0, 0, 9, 3], usual), [0, 1, 2, 3, 7, 8]);
});

test("labels given in a page keep their numbers through a restart, and get new ones if the node lost its checkpoint", () => {
  const taught = new LabelQueue();
  taught.restart(4);
  for (const seq of [1, 2, 3]) taught.give({ sid: 1, seq, y: 1 });
  const numbers = () => [5, 6, 7, 8].map((number) => taught.at(number)?.seq);
  assert.equal(numbers(), [1, 2, 3, undefined]);
  taught.durable(5);
  taught.restart(6);
  taught.give({ sid: 1, seq: 4, y: 1 });
  assert.equal(numbers(), [undefined, undefined, 3, 4]);
  taught.restart(0);
  assert.equal(
    [1, 2, 3].map((number) => taught.at(number)?.seq),
    [3, 4, undefined],
  );
  assert.is(taught.waiting, 2);
});

/** Contrast of two colours as WCAG 2 defines it. */
function contrast(a: string, b: string): number {
  const [light, dark] = [a, b].map(luminance).sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test("texts contrast with what lies behind them by 4.5, lines by 3, in the light and in the dark", () => {
  const sheets = ["fleet/page/style/base.css", "host/report/palette.css"];
  const style = sheets.map((sheet) => readFileSync(sheet, "utf8")).join("\n");
  const pairs = [...style.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)];
  assert.ok(pairs.length >= 17, `${pairs.length} colours`);
  for (const [at, scheme] of ["light", "dark"].entries()) {
    const colours = Object.fromEntries(pairs.map((pair) => [pair[1], pair[2 + at]]));
    const holds = (front: string, behind: string, least: number) => {
      const ratio = contrast(colours[front], colours[behind]);
      assert.ok(ratio >= least, `${scheme}: ${front} on ${behind}: ${ratio.toFixed(2)}`);
    };
    for (const front of ["ink", "muted", "accent", "bad", "warn", "good"]) holds(front, "paper", 4.5);
    for (const [front, behind] of ["bad", "warn"].map((name) => [name, `${name}-soft`]))
      holds(front, behind, 4.5);
    for (const [front, behind] of [
      ["accent", "ask-soft"],
      ["ink", "soft"],
    ])
      holds(front, behind, 4.5);
    holds("paper", "bad", 4.5); // an alarm
    for (let i = 0; i < 7; i++) holds(`c${i}`, "paper", 3);
  }
});

test.run();
