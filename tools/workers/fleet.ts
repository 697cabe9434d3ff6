// A process of `bench --fleet`: the broker, the gateway, or nodes.
import { familyNamed } from "../../src/learn/registry.ts";
import type { NodeOptions } from "../../src/node/node.ts";
import type { Part, Sampled, Told } from "../bench/fleet/parts.ts";
import { startBroker } from "../gateway/broker.ts";
import { Machine } from "../gateway/demo/machine.ts";
import { NodeAtBroker } from "../gateway/demo/node-at-broker.ts";
import { readFleet } from "../gateway/fleet-file.ts";
import { Gateway } from "../gateway/gateway.ts";
import { Log } from "../gateway/log.ts";
import { type MqttAddress, parseAddress } from "../ports/address.ts";

const NODE: Omit<NodeOptions, "sid" | "channels"> = {
  learner: familyNamed("olk-c")!,
  options: { budget: 16 },
  features: { standardise: true },
  pending: 128,
  labelWindow: 16,
  checkpointEvery: 16,
};
/** A node looks at its clock so often; what comes for it is dealt with at once. */
const POLL_MS = 100;
const TELL_MS = 50;

function tell(told: Told): void {
  process.send?.(told);
}

/** Starts them one after the other over a period, so that their samples don't all come at once. */
async function startNodes({ broker, names, periodMs }: Extract<Part, { part: "nodes" }>): Promise<void> {
  let taken: Sampled[] = [];
  setInterval(() => {
    if (taken.length > 0) tell({ told: "sampled", samples: taken });
    taken = [];
  }, TELL_MS);
  for (const name of names) {
    const machine = new Machine(name);
    const sampled = (sid: number, seq: number) =>
      void taken.push({ name, sid, seq, label: machine.worn ? 1 : -1 });
    const address = parseAddress(`${broker}/${name}`) as MqttAddress;
    new NodeAtBroker({ address, node: NODE, sensor: machine, periodMs, pollMs: POLL_MS, sampled }).start();
    await new Promise((done) => setTimeout(done, periodMs / names.length));
  }
}

async function run(part: Part): Promise<number> {
  if (part.part === "broker") return (await startBroker(0)).port;
  if (part.part === "nodes") {
    await startNodes(part);
    return 0;
  }
  const gateway = new Gateway(readFleet(part.fleet), new Log("error", false));
  await gateway.start();
  return gateway.port;
}

process.on("disconnect", () => process.exit());
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  tell({ told: "usage", cpuMs: (user + system) / 1000, rssBytes: process.memoryUsage.rss() });
});
tell({ told: "ready", port: await run(JSON.parse(process.argv[2])) });
