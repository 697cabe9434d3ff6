import { test } from "uvu";
import * as assert from "uvu/assert";
import { Log } from "../../fleet/gateway/log.ts";
import { Upkeep } from "../../fleet/gateway/upkeep.ts";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { MODELS } from "../../fleet/store/label-rows.ts";
import { inFolder } from "../tools/stations.ts";

/** What a gateway with those nodes says as it starts on that database. */
function saidAtStart(store: FleetStore, ...names: readonly string[]): string {
  const lines: string[] = [];
  const out = { writableLength: 0, write: (line: string) => lines.push(line) > 0 };
  const nodes = names.map((name) => ({ name, port: `unix:/tmp/${name}`, baud: 115200 }));
  const upkeep = new Upkeep({ keepDays: 30, nodes }, store, new Log("warn", true, out as never));
  upkeep.start();
  upkeep.close();
  return lines.join("");
}

test("labels that wait for a node which the fleet file no longer names are said at the start", () => {
  const store = new FleetStore(inFolder("renamed.db"));
  const label = { sid: 5, y: 1, source: 0, confidence: 255, by: "" };
  for (const [name, count] of [
    ["old", 3],
    ["kept", 2],
    ["gone", 1],
  ] as const)
    for (let seq = 1; seq <= count; seq++) store.labels.add(name, { ...label, seq });
  store.labels.add("trained", { ...label, sid: MODELS, seq: 1 });
  store.labels.number("gone", 0);
  store.labels.durable("gone", 1);
  store.commit();
  assert.match(
    saidAtStart(store, "kept", "new"),
    /labels wait for nodes that the fleet file doesn't name, and aren't sent: old \(3\); give a node that name again/,
  );
  assert.is(saidAtStart(store, "old", "kept"), "");
  store.close();
});

test.run();
