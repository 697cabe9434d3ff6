import { readFileSync, writeFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { Random } from "../../host/random.ts";
import { exitCode } from "../../host/terminal/exit.ts";
import { inFolder } from "./stations.ts";

const PAGE = 4096;
const LABELS = 600;

/** A database of labels, samples and predictions, closed. */
function filled(name: string): string {
  const file = inFolder(name);
  const store = new FleetStore(file);
  for (let seq = 1; seq <= LABELS; seq++) {
    store.sample("n1", 1, seq, new Float32Array([seq, seq]));
    store.prediction("n1", 1, seq, 1, 0);
    store.labels.add("n1", { sid: 1, seq, y: 1, source: 0, confidence: 255, by: "anna" });
  }
  store.commit();
  store.close();
  return file;
}

/** The message with which that file is refused; undefined: it is opened. */
function refusal(file: string): string | undefined {
  try {
    new FleetStore(file).close();
    return undefined;
  } catch (error) {
    assert.is(exitCode(error), 4);
    return (error as Error).message;
  }
}

test("a database with a page overwritten is refused at the start, in a line that says what to do", () => {
  const file = filled("overwritten.db");
  const whole = readFileSync(file);
  const random = new Random(3);
  const noise = Uint8Array.from({ length: PAGE }, () => random.below(256));
  let refused = 0;
  for (let page = 0; page < whole.length / PAGE; page++) {
    const bytes = Buffer.from(whole);
    bytes.set(noise.subarray(0, Math.min(PAGE, whole.length - page * PAGE)), page * PAGE);
    writeFileSync(file, bytes);
    const message = refusal(file);
    if (message === undefined) continue; // a page that nothing uses
    refused++;
    assert.match(
      message,
      /^\S+overwritten\.db: the database is damaged \([^\n]+\); move it and \S+-wal away/,
    );
    assert.match(message, /or rescue what it holds: sqlite3 \S+ \.recover$/);
  }
  assert.ok(refused > whole.length / PAGE / 2, `${refused} of ${whole.length / PAGE} pages`);
  writeFileSync(file, whole);
  assert.is(refusal(file), undefined);
});

test("a database whose end is cut off, or that is a text, is refused likewise", () => {
  const file = filled("cut.db");
  const whole = readFileSync(file);
  for (const bytes of [
    whole.subarray(0, whole.length / 2),
    Buffer.from("not a database, but a text ".repeat(200)),
  ]) {
    writeFileSync(file, bytes);
    assert.match(refusal(file) ?? "", /^\S+cut\.db: the database is damaged \(/);
  }
});

test.run();
