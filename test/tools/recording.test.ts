import { readFileSync, statSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ClassNames } from "../../host/streams/class-names.ts";
import { readTable } from "../../host/streams/index.ts";
import { Recording } from "../../tools/record/recording.ts";
import { STAYS_SCHEMA } from "../../tools/record/recording-sessions.ts";
import type { Hello } from "../../tools/session/hello.ts";
import { readJsonLines } from "./growing.ts";
import { inFolder } from "./stations.ts";

const HELLO = { learner: "pa", labelled: 0 } as unknown as Hello;
const ABOUT = { port: "unix:/x", node: "room" };

function sample(seq: number, ...readings: number[]) {
  const x = Float32Array.from(readings);
  return { start: 1, sid: 1, seq, ts: seq, dr: 0, first: 0, total: x.length, x, length: x.length };
}

test("each start of the node adds a line to what lies beside the stream, however many there were", () => {
  const file = inFolder("starts.ndjson");
  const recording = new Recording(file, false, ABOUT);
  const sizes: number[] = [];
  for (let start = 0; start < 2000; start++) {
    recording.started(HELLO);
    sizes.push(statSync(`${file}.stays`).size);
  }
  recording.mark({ number: 1, seq: 7 });
  recording.close();
  const steps = new Set(sizes.slice(1).map((size, i) => size - sizes[i]));
  assert.is(steps.size, 1, `a start adds ${[...steps]} bytes`);
  const lines = readJsonLines(`${file}.stays`);
  assert.equal([lines.length, lines[0].schema, lines[0].node], [2003, STAYS_SCHEMA, "room"]);
  assert.equal([lines[2001].type, lines[2001].seq, lines[2002].type], ["mark", 7, "end"]);
});

test("a sample without readings, or with others than the first had, is counted, and the stream can be read", async () => {
  const file = inFolder("empty-samples.ndjson");
  const recording = new Recording(file, false, ABOUT);
  recording.started(HELLO);
  for (const each of [
    sample(1),
    sample(2, 1, 2),
    sample(3),
    sample(4, 1),
    sample(5, 1, Number.NaN),
    sample(6, 3, 4),
  ])
    recording.take(each);
  recording.close();
  assert.equal([recording.stay.samples, recording.stay.unreadable], [2, 4]);
  const { count, dimension } = await readTable(file, { unlabelled: true, provenance: true });
  assert.equal([count, dimension], [2, 2]);
});

test("a log has the set of classes, or a regression's interval, that a prediction was issued with", () => {
  const file = inFolder("issued.ndjson");
  const recording = new Recording(file, false, ABOUT);
  recording.started(HELLO);
  const about = { sid: 1, ts: 1, dr: 0, decision: 20 };
  const remarks = [
    [2 + 4],
    [2 + 4 + 8],
    [2, 128 + 8], // 2^(8/4)
    [],
  ];
  remarks.forEach((said, i) => {
    recording.predicted({ ...about, seq: i + 1, remarks: Uint8Array.from(said), length: said.length });
  });
  recording.close();
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const issued = lines.map((line) => JSON.parse(line)).map(({ set, interval }) => set ?? interval);
  assert.equal(issued, [[-1], [-1, 1], [16, 24], undefined]);
});

test("a recording's label is one of the node's classes, by its name, however it was written", () => {
  for (const [label, name] of [
    ["fault", "fault"],
    [1, "fault"],
    [-1, "ok"],
    [undefined, undefined],
  ] as const) {
    const file = inFolder(`named-${label}.ndjson`);
    const recording = new Recording(file, false, { ...ABOUT, label });
    recording.started(HELLO);
    recording.described(new ClassNames(["ok", "fault"]));
    recording.take(sample(1, 1, 2));
    recording.close();
    assert.is(JSON.parse(readFileSync(file, "utf8")).label, name);
  }
  const recording = new Recording(inFolder("no-class.ndjson"), false, { ...ABOUT, label: 0 });
  assert.throws(
    () => recording.described(new ClassNames(["ok", "fault"])),
    "--label 0: the node's classes are ok -1, fault +1",
  );
  recording.described(ClassNames.forCount(2));
  assert.is(recording.stay.label, 0);
  recording.close();
});

test.run();
