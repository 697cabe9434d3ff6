import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Labelling } from "../../fleet/gateway/labelling.ts";
import type { Log } from "../../fleet/gateway/log.ts";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { inFolder } from "../tools/stations.ts";

const LABEL = { sid: 1, y: 1, source: 1, confidence: 255, by: "anna" };
const SUFFIXES = ["", "-wal"];

/** The samples whose labels another gateway finds that opens what lies at the path now, as after a kill. */
function labelled(path: string): number[] {
  const copy = `${path}.killed`;
  for (const suffix of SUFFIXES) {
    rmSync(copy + suffix, { force: true });
    if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
  }
  const store = new FleetStore(copy);
  const seqs = [...store.rows("label")].map(({ seq }) => Number(seq));
  store.close();
  return seqs;
}

function giveLabel(store: FleetStore, seq: number): void {
  store.labels.add("n1", { ...LABEL, seq });
  store.commit();
}

test("a program that opens the database and closes it takes no label away, although it removes the journal", () => {
  const path = inFolder("opened.db");
  const store = new FleetStore(path);
  giveLabel(store, 1);
  new FleetStore(path).close(); // as sqlite3 does: the last to close removes the journal
  assert.not(existsSync(`${path}-wal`));
  giveLabel(store, 2);
  assert.equal(labelled(path), [1, 2]);
  giveLabel(store, 3);
  assert.equal(labelled(path), [1, 2, 3]);
  new FleetStore(path).close();
  store.commit(); // nothing waits
  assert.equal(labelled(path), [1, 2, 3]);
  assert.is(store.takeLoss(), undefined);
  store.close();
});

test("while a gateway has the database open, other SQLite programs get no index of its journal, so can't write", () => {
  const path = inFolder("index.db");
  for (const leave of [
    () => {},
    () => writeFileSync(`${path}-shm`, "of a killed program"),
    () => mkdirSync(`${path}-shm`),
  ]) {
    leave();
    const store = new FleetStore(path);
    assert.throws(() => writeFileSync(`${path}-shm`, ""), /EISDIR/);
    store.close();
    assert.not(existsSync(`${path}-shm`));
  }
});

test("a database that was moved away takes no label, says so, and takes it when it is back", () => {
  const path = inFolder("moved.db");
  const store = new FleetStore(path);
  giveLabel(store, 1);
  for (const suffix of SUFFIXES) renameSync(path + suffix, `${path}.away${suffix}`);
  for (const replace of [() => {}, () => writeFileSync(path, "another")]) {
    replace();
    assert.throws(
      () => giveLabel(store, 2),
      /moved\.db: can't be written: it was moved, removed or replaced; put it back/,
    );
    assert.match(store.takeLoss() ?? "", /put it back/);
  }
  for (const suffix of SUFFIXES) renameSync(`${path}.away${suffix}`, path + suffix);
  giveLabel(store, 2);
  assert.is(store.takeLoss(), undefined);
  assert.equal(labelled(path), [1, 2]);
  store.close();
});

test("a database that can't be opened is refused in the system's words, with what would be right", () => {
  const folder = inFolder("folder.db");
  mkdirSync(folder);
  assert.throws(
    () => new FleetStore(folder),
    /folder\.db: can't be used as a database: is a folder, and a file would be written/,
  );
  const missing = inFolder("none/x.db");
  assert.throws(() => new FleetStore(missing), /x\.db: can't be used as a database: there is no folder/);
});

test("the log says once why the database takes nothing, and when it takes data again", () => {
  const path = inFolder("logged.db");
  const store = new FleetStore(path);
  const lines: string[] = [];
  const log = {
    write: (level: string, _: string, event: string, text: string) => lines.push(`${level} ${event} ${text}`),
  };
  const labelling = new Labelling(store, log as unknown as Log, { elsewhere: () => false, record: () => {} });
  const commit = () => {
    store.event("n1", "started", "");
    labelling.close(); // it commits
  };
  renameSync(path, `${path}.away`);
  commit();
  commit();
  assert.match(labelling.fault ?? "", /put it back/);
  renameSync(`${path}.away`, path);
  commit();
  commit();
  assert.is(labelling.fault, undefined);
  assert.is(lines.length, 2, lines.join("\n"));
  assert.match(lines[0], /^error store .*logged\.db: can't be written/);
  assert.is(lines[1], "info store the database takes data again");
  store.close();
});

test.run();
