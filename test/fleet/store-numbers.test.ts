import { test } from "uvu";
import * as assert from "uvu/assert";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { NEWEST_OF_NUMBER } from "../../fleet/store/label-rows.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { inFolder } from "../tools/stations.ts";

const label = (seq: number) => ({ sid: 1, seq, y: 1, source: 0, confidence: 255, by: "" });

/** A store in which a node lost its checkpoint: number 1 stands for sample 1, which was durable, and for sample 3. */
function restartedStore(name: string): FleetStore {
  const store = new FleetStore(inFolder(name));
  for (const seq of [1, 2, 3]) store.labels.add("n", label(seq));
  store.labels.number("n", 0);
  store.labels.durable("n", 2);
  store.labels.renumber("n", 0);
  store.labels.confirm("n", 0);
  return store;
}

test("of two labels with one number the newer one gets the answer, and explanations take it", () => {
  const store = restartedStore("numbers.db");
  const newest = `SELECT l.seq FROM label l WHERE l.node = ?1 AND l.id = ${NEWEST_OF_NUMBER} ORDER BY l.number`;
  assert.equal(
    store.read(newest, ["n"]).map(({ seq }) => seq),
    [3, 2],
  );
  assert.ok(store.labels.lacksAnswer("n", 0, 1));
  assert.equal(store.labels.answeredAgain("n", 1, LABEL_STATUS.applied), { sid: 1, seq: 3 });
  assert.is(store.labels.answeredAgain("n", 1, LABEL_STATUS.applied), undefined, "it has its answer");
  assert.equal(store.labels.answeredAgain("n", 2, LABEL_STATUS.expired), { sid: 1, seq: 2 });
  store.close();
});

test("a label's number is found by an index, not by a look at all of a node's labels", () => {
  const store = restartedStore("plan.db");
  const query = `SELECT l.seq FROM label l WHERE l.node = ?1 AND l.id = ${NEWEST_OF_NUMBER}`;
  const plan = store.read(`EXPLAIN QUERY PLAN ${query}`, ["n"]).map(({ detail }) => String(detail));
  for (const index of ["label_waiting", "label_settled"])
    assert.ok(
      plan.some((step) => step.includes(`${index} (node=? AND number=?)`)),
      plan.join("; "),
    );
  store.close();
});

test.run();
