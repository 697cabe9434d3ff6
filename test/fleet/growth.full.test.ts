import fs, { statSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { inFolder } from "../tools/stations.ts";

const NODES = 30;
const SAMPLES = 12_000;
const ROWS = 4000;

/** Bytes that a file of samples and predictions has for each of them, with so many readings. */
function bytesPerSample(readings: number): number {
  const path = inFolder(`samples-${readings}.db`);
  let now = 0;
  const store = new FleetStore(
    path,
    () => now,
    () => now,
  );
  const before = store.bytes;
  for (let i = 0; i < SAMPLES; i++) {
    now = (1000 * i) / NODES;
    const seq = 1 + Math.floor(i / NODES);
    store.sample(`press-${i % NODES}`, 7, seq, new Float32Array(readings).fill(i));
    store.prediction(`press-${i % NODES}`, 7, seq, 0.5, 0);
    if (i % 6 === 0) store.commit();
  }
  store.moveArrivals();
  store.commit();
  const bytes = store.bytes - before;
  store.close();
  return bytes / SAMPLES;
}

/** Bytes that the file grows by for each row that `add` adds. */
function bytesPerRow(store: FleetStore, add: (i: number) => void): number {
  const before = store.bytes;
  for (let i = 0; i < ROWS; i++) add(i);
  store.commit();
  return (store.bytes - before) / ROWS;
}

test("a sample, a label and an entry of the trail take the bytes that docs/fleet.md says", () => {
  const [two, ten] = [bytesPerSample(2), bytesPerSample(10)];
  assert.ok(two > 120 && two < 180, `${two} bytes`);
  assert.ok(ten > two && ten < two + 8 * 8, `${ten} bytes, ${two} with two readings`);
  const path = inFolder("rows.db");
  const store = new FleetStore(path);
  const node = (i: number) => `press-${i % NODES}`;
  const label = bytesPerRow(store, (i) => {
    store.labels.add(node(i), { sid: 2 ** 31, seq: i, y: 1, source: 0, confidence: 255, by: "anna" });
  });
  assert.ok(label < 120, `${label} bytes`);
  const entry = bytesPerRow(store, (i) => {
    store.audit("anna", "192.168.1.20", "label", node(i), `session ${2 ** 31}, sample ${i}: worn`);
  });
  assert.ok(entry < 110, `${entry} bytes`);
  store.close();
  assert.ok(statSync(path).size < 1.2 * ROWS * (label + entry) + 200_000);
});

test("ten nodes with a sample a second write the bytes that docs/fleet.md says, as memory cards wear out", () => {
  const { writeSync } = fs;
  let written = 0;
  fs.writeSync = ((...given: Parameters<typeof writeSync>) => {
    const bytes = writeSync(...given);
    written += bytes;
    return bytes;
  }) as typeof writeSync;
  const seconds = 200;
  let now = 0;
  const store = new FleetStore(
    inFolder("wear.db"),
    () => now,
    () => now,
  );
  for (let i = 0; i < 10 * seconds; i++) {
    now = 100 * i;
    const [name, seq] = [`press-${i % 10}`, 1 + Math.floor(i / 10)];
    store.sample(name, 7, seq, Float32Array.of(i, -i));
    store.prediction(name, 7, seq, 0.5, 0);
    if (i % 2 === 1) store.commit(); // each 200 ms
  }
  store.close();
  fs.writeSync = writeSync;
  const perSecond = written / seconds;
  assert.ok(perSecond > 30e3 && perSecond < 110e3, `${perSecond} bytes a second`);
});

test.run();
