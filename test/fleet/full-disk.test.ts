import { test } from "uvu";
import * as assert from "uvu/assert";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { inFolder } from "../tools/stations.ts";
import { openedDatabase } from "./store-database.ts";

const LABEL = { y: 1, source: 1, confidence: 255, by: "anna" };

/** A store whose file has room for `pages` more pages: SQLite then answers as for a disk that is full. */
function storeWithRoom(name: string, pages: number): FleetStore {
  const store = new FleetStore(inFolder(name));
  const database = openedDatabase(store);
  const used = Number(database.get("PRAGMA page_count")?.page_count);
  database.exec(`PRAGMA max_page_count = ${used + pages}`);
  return store;
}

/** Gives samples until the disk is full. */
function fill(store: FleetStore): void {
  for (let seq = 1; seq <= 2000; seq++) store.sample("n1", 1, seq, new Float32Array(64));
}

test("a label in a transaction that the disk refuses is reported lost, whoever commits, and may be given again", () => {
  const store = storeWithRoom("full.db", 20);
  store.labels.add("n1", { ...LABEL, sid: 1, seq: 1 });
  fill(store);
  assert.throws(() => store.commit(), /full\.db: can't be written: .*full/);
  store.commit(); // nothing waits: that takes the loss from nobody
  assert.match(store.takeLoss() ?? "", /can't be written/);
  assert.is(store.takeLoss(), undefined);
  assert.is(store.labels.of("n1", 1, 1), undefined);
  store.labels.add("n1", { ...LABEL, sid: 1, seq: 1 });
  store.commit();
  assert.is(store.takeLoss(), undefined);
  assert.is(store.labels.of("n1", 1, 1)?.y, 1);
  store.close();
});

test("what is on disk stays there when the disk is full", () => {
  const store = storeWithRoom("kept.db", 20);
  store.labels.add("n1", { ...LABEL, sid: 1, seq: 7 });
  store.commit();
  fill(store);
  assert.throws(() => store.commit());
  store.close();
  const again = new FleetStore(inFolder("kept.db"));
  assert.is(again.labels.of("n1", 1, 7)?.y, 1);
  again.close();
});

test.run();
