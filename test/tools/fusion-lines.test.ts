import { test } from "uvu";
import * as assert from "uvu/assert";
import { LineSplitter } from "../../tools/fusion/line-splitter.ts";
import { FUSION_SCHEMA } from "../../tools/fusion/lines.ts";
import { readCentreLine, readRequest } from "../../tools/fusion/read-line.ts";

const SUBSCRIPTION = { schema: FUSION_SCHEMA, ask: 1, node: 1, label: 1, sample: null };
const LABEL = { node: "a", seq: 1, number: 1, label: 1 };
const HASH = "0123456789abcdef";
const TAG = { sid: 1, seq: 1, hash: HASH };
const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

test("a line costs the same however its bytes come, and no more is kept of it than its limit", () => {
  const splitter = new LineSplitter(100);
  const text = `${"x".repeat(70)}\n\n  \nå\n`;
  const lines: string[] = [];
  for (const byte of Buffer.from(text)) lines.push(...splitter.take(Uint8Array.of(byte)));
  assert.equal(lines, ["x".repeat(70), "å"]);
  assert.equal(new LineSplitter(100).take(Buffer.from(text)), lines);
  for (let i = 0; i < 1_000_000; i++) splitter.take(Uint8Array.of(120));
  assert.ok(splitter.overlong);
  assert.is(splitter.take(Buffer.from("\n"))[0].length, 101);
});

test("what doesn't fit a line's shape is named", () => {
  assert.equal(readRequest(JSON.stringify(SUBSCRIPTION)), SUBSCRIPTION);
  for (const [line, what] of [
    [deep(33), "nested deeper than 32 levels"],
    [deep(32), "not an object"],
    ["{", "not JSON"],
    [JSON.stringify({ ...SUBSCRIPTION, node: "n".repeat(257) }), "no valid node"],
    [JSON.stringify({ ...SUBSCRIPTION, label: 0 }), "no valid label"],
    ['{"schema":"x"}', "no valid ask"],
    [JSON.stringify({ ...SUBSCRIPTION, spans: [] }), "no valid spans"],
    [JSON.stringify({ ...SUBSCRIPTION, spans: [{ sid: 0, first: 1, seq: 1 }] }), "no valid spans"],
    [
      JSON.stringify({ ...SUBSCRIPTION, spans: Array(33).fill({ sid: 1, first: 1, seq: 1 }) }),
      "no valid spans",
    ],
    [`{"durable":1,"x":"${"x".repeat(5000)}"}`, "longer than 4096 bytes"],
    ['{"durable":1e400}', "no valid durable"],
    ["{}", "none of durable, schema in it"],
  ])
    assert.is(readRequest(line), what);
  assert.is(readCentreLine('{"node":"a","seq":1,"x":[1e39]}'), "no valid x");
  assert.is(readCentreLine('{"node":"a","seq":1,"number":1,"label":1,"source":256}'), "no valid source");
  for (const tag of [
    1,
    {},
    { sid: 1, seq: 1 },
    { sid: 1, seq: 1, hash: "00" },
    { sid: -1, seq: 1, hash: HASH },
  ])
    assert.is(readCentreLine(JSON.stringify({ ...LABEL, tag })), "no valid tag");
  assert.equal(readCentreLine(JSON.stringify({ ...LABEL, tag: TAG })), { ...LABEL, tag: TAG });
});

test.run();
