import { copyFileSync, existsSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { inFolder } from "../tools/stations.ts";
import { openedDatabase } from "./store-database.ts";

const SWEEP_MS = 10_000;
const NODES = ["n1", "n2", "n3", "n4"];
const COUNT = "SELECT count(*) AS count FROM sample WHERE node = ?";

/** A store whose clock the test sets, and what it has of SQLite. */
function storeAt(name: string) {
  const clock = { ms: 0 };
  const store = new FleetStore(
    inFolder(name),
    () => 1.7e12 + clock.ms,
    () => clock.ms,
    SWEEP_MS,
  );
  const database = openedDatabase(store);
  const rowsIn = (table: string) => Number(database.get(`SELECT count(*) AS count FROM ${table}`)?.count);
  return { store, clock, database, rowsIn };
}

/** A sample of each node, with a prediction. */
function sampleAll(store: FleetStore, seq: number): void {
  for (const node of NODES) {
    store.sample(node, 1, seq, Float32Array.of(seq, -seq));
    store.prediction(node, 1, seq, seq === 2 ? Number.NaN : 0.5, 3);
  }
}

/** What a store made of the files has that a gateway leaves when it is killed now. */
function killed(name: string): FleetStore {
  const copy = `killed-${name}`;
  for (const rest of ["", "-wal"])
    if (existsSync(inFolder(name + rest))) copyFileSync(inFolder(name + rest), inFolder(copy + rest));
  return new FleetStore(inFolder(copy));
}

const exported = (store: FleetStore) => [...store.samples()].map(({ node, seq }) => `${node} ${seq}`);
const all = (seqs: readonly number[]) => seqs.flatMap((seq) => NODES.map((node) => `${node} ${seq}`));

test("committed samples and predictions outlive a kill before, within and after a sweep", () => {
  const { store, clock, rowsIn } = storeAt("swept.db");
  const seqs: number[] = [];
  for (let seq = 1; seq <= 12; seq++) {
    clock.ms += 2000;
    sampleAll(store, seq);
    store.commit();
    seqs.push(seq);
    clock.ms += 1;
    sampleAll(store, 100 + seq); // not committed
    const left = killed("swept.db");
    assert.equal(exported(left), all(seqs));
    left.close();
    store.commit();
    seqs.push(100 + seq);
  }
  assert.ok(rowsIn("sample") > 0, "a sweep has moved some");
  assert.ok(rowsIn("arrived") < 24, "and removed what it moved");
  store.close();
  const again = storeAt("swept.db");
  assert.equal([again.rowsIn("sample"), again.rowsIn("prediction")], [96, 96]);
  assert.is(again.rowsIn("arrived"), 0);
  const [first, second] = [...again.store.samples("n3")].filter(({ seq }) => seq < 3);
  assert.equal([...first.x], [1, -1]);
  assert.is(first.decision, 0.5);
  assert.is(second.decision, undefined);
  again.store.close();
});

test("a sweep moves each node once, and nothing is left where nothing comes", () => {
  const { store, clock, rowsIn } = storeAt("once.db");
  sampleAll(store, 1);
  store.commit();
  assert.equal([rowsIn("arrived"), rowsIn("sample")], [1, 0]);
  const moved: number[] = [];
  for (let step = 0; step < 10; step++) {
    clock.ms += SWEEP_MS / 4;
    store.commit();
    moved.push(rowsIn("sample"));
  }
  assert.equal(moved, [0, 0, 0, 0, 1, 2, 3, 4, 4, 4]);
  assert.is(rowsIn("arrived"), 0);
  store.close();
});

test("a query finds samples that aren't in their table yet, and so do labels", () => {
  const { store } = storeAt("asked.db");
  sampleAll(store, 5);
  assert.ok(store.knows("n1", 1, 5));
  assert.not.ok(store.knows("n1", 2, 5));
  assert.is(store.lastSeq("n1", 1), 5);
  assert.is(store.lastSeq("n1", 2), 0);
  assert.is(store.read(COUNT, ["n1"], "n1")[0].count, 1);
  assert.ok(store.knows("n1", 1, 5));
  store.close();
});

test("the first of two samples with one number stays", () => {
  const { store, clock } = storeAt("twice.db");
  store.sample("n1", 1, 1, Float32Array.of(1));
  store.sample("n1", 1, 1, Float32Array.of(2));
  store.commit();
  clock.ms += 3 * SWEEP_MS;
  store.commit();
  store.commit();
  store.sample("n1", 1, 1, Float32Array.of(3));
  assert.equal(
    [...store.samples()].map(({ x }) => [...x]),
    [[1]],
  );
  store.close();
});

test("a full disk loses what was new, and nothing that was committed", () => {
  const { store, clock, database, rowsIn } = storeAt("swept-full.db");
  for (let seq = 1; seq <= 50; seq++) {
    clock.ms += 1;
    sampleAll(store, seq);
  }
  store.commit();
  const room = (pages: number) => {
    const used = Number(database.get("PRAGMA page_count")?.page_count);
    database.exec(`PRAGMA max_page_count = ${used + pages}`);
  };
  room(0);
  clock.ms += SWEEP_MS;
  store.commit(); // the next sweep begins
  store.event("n1", "note", "x".repeat(100_000));
  clock.ms += SWEEP_MS;
  assert.throws(() => store.commit(), /can't be written: .*full/);
  assert.match(store.takeLoss() ?? "", /full/);
  const left = killed("swept-full.db");
  assert.is(exported(left).length, 200);
  left.close();
  room(1000);
  for (let sweep = 0; sweep < 2; sweep++) {
    clock.ms += SWEEP_MS;
    store.commit();
  }
  assert.equal([rowsIn("arrived"), rowsIn("sample"), rowsIn("event")], [0, 200, 0]);
  sampleAll(store, 52);
  store.commit();
  assert.equal(exported(store), all([...Array.from({ length: 50 }, (_, i) => i + 1), 52]));
  store.close();
});

test("all nodes' samples come in the order of receipt, however far apart they came", () => {
  const { store, clock } = storeAt("far.db");
  const expected: string[] = [];
  const steps = [0, 1, 9_999, 1, 5_000, 10_000_000, 3, 86_400_000];
  steps.forEach((ms, i) => {
    clock.ms += ms;
    const node = NODES[(7 * i) % 4];
    store.sample(node, 1, i + 1, Float32Array.of(i));
    expected.push(`${node} ${i + 1}`);
    store.commit();
  });
  assert.equal(exported(store), expected);
  store.close();
});

test.run();
