import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { Random } from "../../host/random.ts";
import { awaited, become } from "../tools/awaited.ts";
import { childOfTest, test } from "../tools/contained.ts";
import { freePort } from "../tools/ports.ts";
import { inFolder } from "../tools/stations.ts";
import { fleet, kill, startGateway } from "./fleets.ts";
import { CHECKPOINT_EVERY, give, hasLearned, Watched } from "./watched.ts";

/**
 * Nodes, labels of each, times that gateway and broker are killed each, nodes whose power is cut, milliseconds between two samples of
 * a node. MOTELEARN_STORM=1000,4,10,50,5000 runs a larger storm.
 */
const [NODES, LABELS, KILLS, CUTS, PERIOD_MS] = (process.env.MOTELEARN_STORM ?? "24,10,4,10,500")
  .split(",")
  .map(Number);
/** Labels between two kills, and between two cuts. */
const KILL_EVERY = (NODES * LABELS) / (3 * KILLS);
const CUT_EVERY = (NODES * LABELS) / (1.5 * CUTS);
async function startBroker(port: number): Promise<ChildProcess> {
  const program = join(process.cwd(), "dist/test/tools/broker.program.js");
  const child = childOfTest(
    spawn(process.execPath, [program, `${port}`], { stdio: ["ignore", "pipe", "inherit"] }),
  );
  const listening = new Promise<ChildProcess>((resolve, reject) => {
    child.stdout?.once("data", () => resolve(child));
    child.once("exit", (code) => reject(new Error(`the broker ended with ${code}`)));
  });
  return awaited(`a broker at port ${port}`, listening, () => "nothing");
}

test("gateway and broker killed, power cut: no label is lost, none applied twice, each hash is its replay's", async () => {
  const random = new Random(11);
  const port = await freePort();
  let broker = await startBroker(port);
  const names = Array.from({ length: NODES }, (_, i) => `n${i + 1}`);
  const file = fleet(
    "storm",
    names.map((name) => ({ name, port: `mqtt://127.0.0.1:${port}/${name}` })),
    { labelsPerMinute: 1_000_000 },
  );
  const watched = names.map((name) => new Watched(name, `mqtt://127.0.0.1:${port}/${name}`, PERIOD_MS));
  let { child, url } = await startGateway(file);
  const done = { gateway: 0, broker: 0, cuts: 0 };
  const stormed = async () => {
    const options = Promise.all(watched.map((each) => give(url, LABELS + 10, each)));
    const enough = watched.reduce((sum, { taken }) => sum + taken.size, 0);
    if (enough > KILL_EVERY * (done.gateway + done.broker) && done.gateway + done.broker < 2 * KILLS) {
      if (done.gateway <= done.broker) {
        await kill(child);
        done.gateway++;
        ({ child, url } = await startGateway(file));
      } else {
        await kill(broker);
        done.broker++;
        broker = await startBroker(port);
      }
    }
    if (enough > CUT_EVERY * done.cuts && done.cuts < CUTS) {
      const { node } = watched[Math.floor(random.uniform() * NODES)];
      await node.cutPower();
      node.start();
      done.cuts++;
    }
    await options;
    const { gateway, broker: brokers, cuts } = done;
    const all = gateway === KILLS && brokers === KILLS && cuts === CUTS;
    return all && watched.every(({ taken }) => taken.size >= LABELS);
  };
  const sizes = () => `${JSON.stringify(done)}, labels ${watched.map(({ taken }) => taken.size).join(" ")}`;
  await become(`${LABELS} labels taken of each node, and all kills`, stormed, sizes, 100);
  const waiting = async () => {
    const { nodes } = (await (await fetch(`${url}/api/nodes`)).json()) as { nodes: { waiting: number }[] };
    return Math.max(...nodes.map((each) => each.waiting));
  };
  let most = await waiting();
  const few = async () => {
    most = await waiting();
    return most < CHECKPOINT_EVERY;
  };
  await become("checkpoints with the labels", few, () => `${most} labels wait at a node`);
  await kill(child);
  const store = new FleetStore(inFolder("storm.db"));
  for (const each of watched) {
    const rows = [...store.rows("label", each.name)].sort((a, b) => Number(a.number) - Number(b.number));
    assert.equal(
      rows.map(({ number }) => number),
      rows.map((_, k) => k + 1),
      each.name,
    );
    const kept = new Set(rows.map(({ sid, seq }) => `${sid} ${seq}`));
    for (const label of each.taken) assert.ok(kept.has(label), `${each.name}: ${label} was taken`);
    hasLearned(each, rows);
  }
  store.close();
  await Promise.all(watched.map(({ node }) => node.cutPower()));
  await kill(broker);
});

test.run();
