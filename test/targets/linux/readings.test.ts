import { test } from "uvu";
import * as assert from "uvu/assert";
import { TASK } from "../../../src/learn/learner.ts";
import {
  GeneratedReadings,
  makeSensor,
  type Readings,
  RecordedReadings,
} from "../../../targets/linux/readings.ts";
import { generated } from "../../fleet/at-gateway.ts";

/** The readings of sample n as a sensor behind another sees them. */
function readingsAt(readings: Readings, n: number): number[] {
  const to = new Float32Array(1 + readings.channels);
  makeSensor(readings, () => n).read(to, 1);
  return [...to.subarray(1)];
}

test("a recorded stream gives each sample by its number, and begins again after its last", () => {
  const text = '{"node":"a","x":[1,2]}\n{"seq":1,"label":1}\n\n{"x":[3,null]}\r\n{"x":[5,6]}';
  const readings = new RecordedReadings(text, "room.ndjson");
  assert.is(readings.channels, 2);
  const expected = [
    [1, 2],
    [3, Number.NaN],
    [5, 6],
    [1, 2],
    [3, Number.NaN],
  ];
  assert.equal(
    [0, 1, 2, 3, 4].map((n) => readingsAt(readings, n)),
    expected,
  );
  assert.equal(readingsAt(readings, 0), [1, 2]);
});

test("a recording's samples have its session at each start, so that a late label finds them; another's don't", () => {
  const findSession = (text: string) => makeSensor(new RecordedReadings(text, "f"), () => 0).session;
  const session = findSession('{"x":[1,2]}\n{"x":[3,4]}\n');
  assert.ok(Number.isInteger(session) && session! >= 1 && session! < 2 ** 32, `${session}`);
  assert.is(findSession('{"x":[1,2]}\n{"x":[3,4]}\n{"seq":1,"label":1}\n'), session);
  for (const other of [
    '{"x":[1,2]}\n{"x":[3,5]}\n',
    '{"x":[1]}\n{"x":[2]}\n{"x":[3]}\n{"x":[4]}\n',
    '{"x":[1,2]}\n',
  ])
    assert.is.not(findSession(other), session, other);
  assert.is(makeSensor(new GeneratedReadings(2, TASK.classification), () => 0).session, undefined);
});

test("a file that holds no stream is refused with its line", () => {
  for (const [text, message] of [
    ["", "readings: f: no sample in it"],
    ['{"label":1}\n', "readings: f: no sample in it"],
    ['{"x":[1]}\n{"x":[1,2]}\n', "readings: f:2: x: got 2 readings; takes 1, as before"],
    ['{"x":[1]}\na,b\n', 'readings: f:2: no JSON; takes lines as "motelearn record" writes them'],
    ['{"x":[]}\n', "readings: f:1: x: takes a list of readings"],
    ['{"x":"1"}\n', "readings: f:1: x: takes a list of readings"],
  ] as const)
    assert.throws(
      () => new RecordedReadings(text, "f"),
      (error: Error) => error instanceof RangeError && error.message === message,
      text,
    );
});

test("the generated stream's samples are the same after a restart, from any number on", () => {
  const readings = new GeneratedReadings(2, TASK.classification);
  for (const n of [0, 1, 5, 5, 2]) assert.equal(readingsAt(readings, n), generated(n + 1));
});

test.run();
