import { copyFileSync, existsSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { inFolder } from "../tools/stations.ts";

const NODE = "n1";

/** The states of the node's labels in what a gateway that is killed now leaves. */
function statusesLeft(copy: string): unknown[] {
  for (const rest of ["", "-wal"])
    if (existsSync(inFolder(`kept.db${rest}`)))
      copyFileSync(inFolder(`kept.db${rest}`), inFolder(`${copy}.db${rest}`));
  const store = new FleetStore(inFolder(`${copy}.db`));
  const rows = [...store.rows("label", NODE)];
  store.close();
  return rows.sort((a, b) => Number(a.number) - Number(b.number)).map(({ status }) => status);
}

test("answers that a node's new start takes back are off the disk before it is taught again", () => {
  const store = new FleetStore(inFolder("kept.db"));
  for (const seq of [1, 2, 3]) {
    store.prediction(NODE, 7, seq, 1, 0);
    store.labels.add(NODE, { sid: 7, seq, y: 1, source: 0, confidence: 255, by: "anna" });
  }
  store.labels.number(NODE, 0);
  for (const number of [1, 2, 3]) store.labels.storeAnswer(NODE, number, LABEL_STATUS.applied);
  store.commit();
  store.labels.unanswer(NODE, 1);
  store.commitLabels();
  assert.equal(statusesLeft("killed"), [0, null, null]);
  store.labels.storeAnswer(NODE, 2, LABEL_STATUS.session);
  store.labels.unanswer(NODE, 3);
  store.commitLabels();
  assert.equal(
    statusesLeft("nothing"),
    [0, null, null],
    "nothing was taken back, and nothing waited for the disk",
  );
  store.close();
});

test.run();
