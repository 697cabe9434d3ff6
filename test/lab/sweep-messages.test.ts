import { test } from "uvu";
import * as assert from "uvu/assert";
import { outcomeLine, readGreeting, readJob, readOutcome } from "../../lab/sweep/machines/messages.ts";
import { withChecksum } from "../../lab/sweep/store.ts";

const run = "a".repeat(32);
const program = "b".repeat(64);
const kept = { nodes: [{ node: "n", error: 0.25, rmse: null }], error: { at: [1, 2], value: [0.5, 0.25] } };

/** The line of an outcome in which something is another. */
const changed = (change: object) => withChecksum(JSON.stringify({ run, program, kept, ...change }));

test("an outcome comes back as it was sent", () => {
  const fault = { message: "budget: takes 1..4096", given: true };
  assert.equal(readOutcome(outcomeLine({ run, program, kept })), { run, program, kept });
  assert.equal(readOutcome(outcomeLine({ run, program, fault })), { run, program, fault });
});

test("the outcome of a piece comes back as it was sent: rows and curves of some nodes, or the fusion's error", () => {
  const { nodes, error } = kept;
  for (const piece of [{ nodes, curves: [error] }, { fusion: 0.125 }, { fusion: null }])
    assert.equal(readOutcome(outcomeLine({ run, program, kept: piece })), { run, program, kept: piece });
  for (const piece of [{ nodes, curves: [1] }, { nodes }, { fusion: "0" }, { ...kept, curves: [] }])
    assert.is(readOutcome(changed({ kept: piece })), undefined, JSON.stringify(piece));
});

test("an outcome that is torn, changed or of another form isn't one", () => {
  const line = outcomeLine({ run, program, kept });
  assert.is(readOutcome(line.slice(0, -1)), undefined);
  assert.is(readOutcome(line.replace("0.25", "0.26")), undefined);
  assert.is(readOutcome(withChecksum(line)), undefined);
  const forms = [
    { run: "../../etc/passwd" },
    { program: "c" },
    { kept: undefined },
    { fault: { message: "both", given: true } },
    { kept: { ...kept, nodes: [] } },
    { kept: { ...kept, nodes: [{ node: { deep: 1 } }] } },
    { kept: { ...kept, error: { at: ["1"], value: [] } } },
    { other: 1 },
  ];
  for (const form of forms) assert.is(readOutcome(changed(form)), undefined, JSON.stringify(form));
  const proto = JSON.stringify({ run, program, kept }).replace('"rmse"', '"__proto__"');
  assert.is(readOutcome(withChecksum(proto)), undefined);
});

test("a job names its files by their hashes, and is bounded in depth", () => {
  const file = { path: "a.csv", sha256: "c".repeat(64), bytes: 12 };
  const job = { run, program, scenario: { name: "n" }, files: [file] };
  assert.equal(readJob(JSON.stringify(job)), job);
  for (const piece of [{ fuses: true }, { part: 3, of: 500 }])
    assert.equal(readJob(JSON.stringify({ ...job, piece })), { ...job, piece });
  for (const piece of [{ part: 3 }, { part: -1, of: 2 }, { part: 0, of: 1e9 }, { fuses: false }, null])
    assert.is(readJob(JSON.stringify({ ...job, piece })), undefined);
  for (const files of [[{ ...file, sha256: "../a" }], [{ ...file, bytes: 2 ** 40 }], "none", undefined])
    assert.is(readJob(JSON.stringify({ ...job, files })), undefined);
  const deep = `${'{"a":'.repeat(40)}1${"}".repeat(40)}`;
  assert.is(readJob(JSON.stringify(job).replace('{"name":"n"}', deep)), undefined);
});

test("a greeting is short", () => {
  const greeting = { program, version: "1.0.0" };
  assert.equal(readGreeting(JSON.stringify(greeting)), greeting);
  assert.is(readGreeting(`${JSON.stringify(greeting)}${" ".repeat(300)}`), undefined);
  assert.is(readGreeting("{}"), undefined);
});

test.run();
