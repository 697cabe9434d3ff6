import { readFileSync, writeFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { run } from "../cli/program.ts";
import { become } from "../tools/awaited.ts";
import { ended, test } from "../tools/contained.ts";
import { inFolder, killStation, startStation, takeSamples } from "../tools/stations.ts";
import { NODE, readState, replayed, stateBecomes } from "../tools/taught-node.ts";
import { fleet, startGateway } from "./fleets.ts";

const YEAR_MS = 365 * 86_400_000;
/** Samples between two settings of the clock. */
const SAMPLES = 4;

/** Has the clock of a process that loads it go ahead by what its file says, which it reads at SIGUSR2. */
const CLOCK = `
import { readFileSync } from "node:fs";
const now = Date.now;
let ahead = 0;
const read = () => { ahead = Number(readFileSync(process.env.CLOCK_FILE, "utf8")); };
read();
Date.now = () => now() + ahead;
process.on("SIGUSR2", read);
`;

/** A gateway whose clock is `ahead` of this machine's. */
async function gatewayAt(file: string, ahead: number) {
  const put = (ms: number) => writeFileSync(inFolder("ahead"), String(ms));
  put(ahead);
  writeFileSync(inFolder("clock.mjs"), CLOCK);
  const env = { NODE_OPTIONS: `--import ${inFolder("clock.mjs")}`, CLOCK_FILE: inFolder("ahead") };
  const { child, url, says } = await startGateway(file, env);
  return {
    url,
    says,
    set: (ms: number) => {
      put(ms);
      child.kill("SIGUSR2");
    },
    close: async () => {
      assert.is(await ended(child, "SIGTERM"), 0);
    },
  };
}

/** Resolves once the node sends its readings, which the gateway has it do when they meet. */
async function sendsReadings(url: string): Promise<void> {
  let said: unknown;
  const sends = async () => {
    const response = await fetch(`${url}/api/nodes/n1/configuration`);
    said = await response.json();
    return (said as { samples?: number }).samples === 1;
  };
  await become("a node that sends its readings", sends, () => JSON.stringify(said));
}

test("a clock set forward and back: nothing is removed, the export has the order of receipt, labels teach as ever", async () => {
  const listen = inFolder("station");
  const station = await startStation({ listen, node: nameLearner(NODE), checkpoint: inFolder("flash") });
  const file = fleet("clock", [{ name: "n1", port: `unix:${listen}` }], { keepDays: 1 });
  let seq = 0;
  const sampleAndLabel = async (url: string) => {
    await sendsReadings(url);
    takeSamples(station, SAMPLES);
    seq += SAMPLES;
    await stateBecomes(url, `sample ${seq}`, (said) => said.seq === seq);
    for (let of = seq - SAMPLES + 1; of <= seq; of++) {
      const body = JSON.stringify({ seq: of, label: of % 2 ? 1 : -1, by: "anna" });
      const headers = { "content-type": "application/json" };
      const { status } = await fetch(`${url}/api/nodes/n1/labels`, { method: "POST", headers, body });
      assert.is(status, 202);
    }
    await stateBecomes(url, `a checkpoint with label ${seq}`, ({ durable }) => durable === seq);
  };

  const first = await gatewayAt(file, 0);
  await sampleAndLabel(first.url);
  first.set(10 * YEAR_MS);
  assert.match(await first.says("clock"), /^the clock was set forward by 3650 d/);
  await sampleAndLabel(first.url);
  await first.close();
  const second = await gatewayAt(file, 20 * YEAR_MS); // forgets as it starts
  await sampleAndLabel(second.url);
  second.set(-YEAR_MS);
  assert.match(await second.says("clock"), /^the clock was set back by 7665 d/);
  await sampleAndLabel(second.url);
  await second.close();
  const third = await gatewayAt(file, -2 * YEAR_MS);
  assert.match(await third.says("clock"), /^the clock is 365 d behind the newest record/);
  await sampleAndLabel(third.url);
  await third.close();

  const exported = inFolder("clock.csv");
  assert.is(run("gateway", file, "--export", exported).code, 0);
  const rows = readFileSync(exported, "utf8").trim().split("\n").slice(1);
  const kept = rows.map((row) => row.split(",")).map((cells) => [Number(cells[2]), Number(cells.pop())]);
  const expected = Array.from({ length: seq }, (_, i) => [i + 1, i % 2 ? -1 : 1]);
  assert.equal(kept, expected);
  const taught = kept.map(([of, y]) => ({ seq: of, y }));
  assert.equal(await readState(`unix:${listen}`), { hash: replayed(taught), labelled: seq });
  await killStation(station);
});

test.run();
