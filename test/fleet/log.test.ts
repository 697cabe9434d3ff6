import type { Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Log } from "../../fleet/gateway/log.ts";

/** Where a log is written to: a disk that may be full, and a reader that may read nothing. */
class Output {
  fault: string | undefined;
  reads = true;
  text = "";
  writableLength = 0;
  readonly write = ((text: string, done: (error?: Error) => void) => {
    if (this.reads && this.fault === undefined) this.text += text;
    else if (!this.reads) this.writableLength += text.length;
    if (this.reads)
      setImmediate(done, this.fault ? Object.assign(new Error("no"), { code: this.fault }) : undefined);
    return true;
  }) as Writable["write"];
}

/** What is printed on stderr meanwhile. */
async function notes(act: () => Promise<void>): Promise<string> {
  const { write } = process.stderr;
  let text = "";
  process.stderr.write = (part: string | Uint8Array) => {
    text += part;
    return true;
  };
  try {
    await act();
  } finally {
    process.stderr.write = write;
  }
  return text;
}

test("a log on a full disk ends no gateway; once there is room, it says how many lines it lacks", async () => {
  const out = new Output();
  const log = new Log("info", false, out);
  const said = await notes(async () => {
    for (const [fault, text] of [
      [undefined, "a"],
      ["ENOSPC", "b"],
      ["ENOSPC", "c"],
      ["ENOSPC", "d"],
      [undefined, "e"],
      [undefined, "f"],
    ]) {
      out.fault = fault;
      log.write("info", "n1", "said", text as string);
      await turn();
    }
  });
  const lines = out.text
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/^\S+ /, ""));
  assert.equal(lines, [
    "info  n1: a",
    "warn  lines of this log that couldn't be written (ENOSPC): 3",
    "info  n1: e",
    "info  n1: f",
  ]);
  assert.is(said, "motelearn: the log can't be written (ENOSPC); the gateway continues without a log\n");
});

test("a log whose reader reads nothing takes a bounded memory", async () => {
  const out = new Output();
  out.reads = false;
  const log = new Log("info", true, out);
  const said = await notes(async () => {
    for (let i = 0; i < 3000; i++) log.write("info", "n1", "said", "x".repeat(1000));
  });
  assert.ok(out.writableLength < 1.1 * 2 ** 20, `${out.writableLength}`);
  assert.match(said, /^motelearn: the log can't be written \(its reader is too slow\);[^\n]*\n$/);
});

test.run();
