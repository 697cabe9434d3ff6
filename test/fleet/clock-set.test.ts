import { test } from "uvu";
import * as assert from "uvu/assert";
import { ClockWatch } from "../../fleet/gateway/clock-watch.ts";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { inFolder } from "../tools/stations.ts";

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const LABEL = { y: 1, source: 1, confidence: 255, by: "anna" };

/** A store with the machine's clock and a monotonic clock, both set by the test. */
function storeWithClocks(name: string, wall: number) {
  const clocks = { wall, elapsed: 0 };
  const store = new FleetStore(
    inFolder(name),
    () => clocks.wall,
    () => clocks.elapsed,
  );
  return {
    store,
    set: (ms: number) => {
      clocks.wall += ms;
    },
    pass: (ms: number) => {
      clocks.wall += ms;
      clocks.elapsed += ms;
    },
  };
}

const readSeqs = (store: FleetStore) => [...store.samples()].map(({ seq }) => seq);

/** Keeps a sample with its prediction and label, an event and an entry of the trail. */
function keep(store: FleetStore, seq: number): void {
  store.sample("n1", 1, seq, Float32Array.of(seq));
  store.prediction("n1", 1, seq, 1, 0);
  store.labels.add("n1", { ...LABEL, sid: 1, seq });
  store.labels.number("n1", 0);
  store.labels.durable("n1", seq);
  store.event("n1", "note", "");
  store.audit("anna", "", "label", "n1", "");
}

const countRows = (store: FleetStore) => {
  store.moveArrivals();
  return ["sample", "prediction", "label", "event", "audit"].map((table) =>
    Number(store.read(`SELECT count(*) AS count FROM ${table}`, [])[0].count),
  );
};

test("a clock set forward has nothing removed, neither while the gateway runs nor at its next start", () => {
  const { store, set, pass } = storeWithClocks("forward.db", 1.7e12);
  keep(store, 1);
  set(10 * YEAR_MS);
  store.forget(30);
  assert.equal(countRows(store), [1, 1, 1, 1, 1]);
  pass(29 * DAY_MS);
  keep(store, 2);
  store.close();
  const later = storeWithClocks("forward.db", 1.7e12 + 20 * YEAR_MS);
  later.store.forget(30);
  assert.equal(countRows(later.store), [2, 2, 2, 2, 2]);
  later.pass(1.5 * DAY_MS);
  later.store.forget(30);
  assert.equal(countRows(later.store), [1, 1, 1, 1, 1]);
  assert.equal(readSeqs(later.store), [2]);
  later.store.close();
});

test("samples keep the order in which they came when the clock is set back; the oldest go first", () => {
  const { store, set, pass } = storeWithClocks("back.db", 1.7e12);
  for (let seq = 1; seq <= 3000; seq++) {
    keep(store, seq);
    pass(10);
    if (seq === 1000) set(-YEAR_MS);
    if (seq === 2000) set(3 * YEAR_MS);
  }
  store.commit();
  assert.equal(
    readSeqs(store),
    Array.from({ length: 3000 }, (_, i) => i + 1),
  );
  store.shrink(store.bytes - 1);
  const left = readSeqs(store);
  assert.ok(left.length < 3000 && left.length > 0, `${left.length} left`);
  assert.is(left[left.length - 1], 3000);
  assert.is(left[0], 3001 - left.length);
  store.close();
  const again = storeWithClocks("back.db", 1.6e12);
  keep(again.store, 3001);
  assert.is(readSeqs(again.store).pop(), 3001);
  again.store.close();
});

test("a line says that the clock was set, once", () => {
  let [wall, elapsed] = [1e12, 0];
  const watch = new ClockWatch(
    () => wall,
    () => elapsed,
  );
  const pass = (ms: number, by = ms) => {
    wall += by;
    elapsed += ms;
    return watch.look();
  };
  assert.is(pass(YEAR_MS), undefined);
  assert.is(pass(1000, 2000), undefined);
  assert.match(pass(1000, 3 * DAY_MS) ?? "", /^the clock was set forward by 3 d, or the machine slept; /);
  assert.is(pass(1000), undefined);
  assert.match(pass(1000, -2 * 3_600_000) ?? "", /^the clock was set back by 2 h; /);
  assert.is(watch.since(wall), undefined);
  assert.is(watch.since(undefined), undefined);
  assert.match(watch.since(wall + 5 * DAY_MS) ?? "", /^the clock is 5 d behind the newest record; /);
});

test.run();
