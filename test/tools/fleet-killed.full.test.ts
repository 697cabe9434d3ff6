import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host-sim/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { type NodeOptions, SensorNode } from "../../src/node/node.ts";
import { LABEL_STATUS, NO_STORAGE } from "../../src/node/ports.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import { NodeAtBroker } from "../../tools/gateway/demo/node-at-broker.ts";
import { FleetStore, type Row } from "../../tools/gateway/store.ts";
import { type MqttAddress, parseAddress } from "../../tools/ports/address.ts";
import { fleet, kill, startGateway } from "./fleets.ts";
import { inFolder } from "./stations.ts";

const NODES = 40;
const LABELS = 15;
const KILLS = 8;
const CUTS = 20;
const CHECKPOINT_EVERY = 4;
/** What the store says of a label whose answer never came, or was on its way when the gateway was killed. */
const UNANSWERED: readonly unknown[] = [-1, null];

const NODE: Omit<NodeOptions, "sid" | "channels"> = {
  learner: familyNamed("olk-c")!,
  options: { budget: 8 },
  pending: 256,
  labelWindow: 16,
  checkpointEvery: CHECKPOINT_EVERY,
};

/** Readings that no other sample has. */
class Readings implements Sensor {
  readonly channels = 2;
  readonly last = new Float32Array(2);
  constructor(private readonly random: Random) {}
  read(to: Float32Array, first: number): void {
    for (let i = 0; i < 2; i++) {
      this.last[i] = this.random.normal();
      to[first + i] = this.last[i];
    }
  }
}

/** A node with all that it sampled, and the labels that the gateway took for it. */
class Watched {
  readonly samples = new Map<string, number[]>();
  readonly taken = new Set<string>();
  readonly node: NodeAtBroker;
  newest: { sid: number; seq: number } | undefined;
  constructor(
    readonly name: string,
    port: number,
  ) {
    const sensor = new Readings(new Random(5, name));
    this.node = new NodeAtBroker({
      address: parseAddress(`mqtt://127.0.0.1:${port}/${name}`) as MqttAddress,
      node: NODE,
      sensor,
      periodMs: 500,
      pollMs: 50,
      sampled: (sid, seq) => {
        this.newest = { sid, seq };
        this.samples.set(`${sid} ${seq}`, [...sensor.last]);
      },
    });
    this.node.start();
  }
}

async function startBroker(port: number): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [join(process.cwd(), "dist/test/tools/broker.program.js"), `${port}`],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  await once(child.stdout!, "data");
  return child;
}

async function give(url: string, { name, newest, taken }: Watched): Promise<void> {
  if (!newest || taken.size >= LABELS + 10) return;
  const { sid, seq } = newest;
  try {
    const response = await fetch(`${url}/api/nodes/${name}/labels`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ sid, seq, label: seq % 3 === 0 ? 1 : -1, by: "anna" }),
    });
    if (response.status === 202) taken.add(`${sid} ${seq}`);
  } catch {} // the gateway was killed: whoever labels tries again
}

/** The state of a node in this process that is taught these labels, each once, in their order. */
function replayed(watched: Watched, rows: readonly Row[]): string {
  const options: NodeOptions = { ...NODE, sid: 1, channels: 2 };
  const plain = new SensorNode(options, { now: () => 0 }, { predicted() {}, acknowledge() {} }, NO_STORAGE);
  rows.forEach(({ sid, seq, y, source, confidence }, i) => {
    plain.sample(watched.samples.get(`${sid} ${seq}`) as number[]);
    const [number, given] = [i + 1, { y: Number(y), source: Number(source), confidence: Number(confidence) }];
    assert.is(plain.label({ number, sid: 1, seq: number, ...given }), LABEL_STATUS.applied);
  });
  return plain.learner.stateHash();
}

/** All choices of those rows that were surely applied, with any of those of which only the node knows. */
function* choices(rows: readonly Row[]): Generator<Row[]> {
  const open = rows.filter(({ status }) => UNANSWERED.includes(status));
  assert.ok(open.length <= 12, `${open.length} answers never came`);
  for (let chosen = 0; chosen < 2 ** open.length; chosen++)
    yield rows.filter((row) =>
      UNANSWERED.includes(row.status)
        ? (chosen >> open.indexOf(row)) & 1
        : row.status === LABEL_STATUS.applied,
    );
}

test("gateway and broker killed, power cut: no label is lost, none applied twice, each hash is its replay's", async () => {
  const random = new Random(11);
  const port = 21000 + (process.pid % 11000);
  let broker = await startBroker(port);
  const names = Array.from({ length: NODES }, (_, i) => `n${i + 1}`);
  const file = fleet(
    "storm",
    names.map((name) => ({ name, port: `mqtt://127.0.0.1:${port}/${name}` })),
    { labelsPerMinute: 1_000_000 },
  );
  const watched = names.map((name) => new Watched(name, port));
  let { child, url } = await startGateway(file);
  const done = { gateway: 0, broker: 0, cuts: 0 };
  while (
    done.gateway < KILLS ||
    done.broker < KILLS ||
    done.cuts < CUTS ||
    watched.some(({ taken }) => taken.size < LABELS)
  ) {
    const given = Promise.all(watched.map((each) => give(url, each)));
    const enough = watched.reduce((sum, { taken }) => sum + taken.size, 0);
    if (enough > 25 * (done.gateway + done.broker) && done.gateway + done.broker < 2 * KILLS) {
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
    if (enough > 20 * done.cuts && done.cuts < CUTS) {
      const { node } = watched[Math.floor(random.uniform() * NODES)];
      await node.cutPower();
      node.start();
      done.cuts++;
    }
    await given;
    await new Promise((again) => setTimeout(again, 100));
  }
  const waiting = async () => {
    const { nodes } = (await (await fetch(`${url}/api/nodes`)).json()) as { nodes: { waiting: number }[] };
    return Math.max(...nodes.map((each) => each.waiting));
  };
  while ((await waiting()) >= CHECKPOINT_EVERY) await new Promise((again) => setTimeout(again, 200));
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
    const { labelled, learner } = each.node.node!;
    const dealt = rows.filter(({ number }) => Number(number) <= labelled);
    const hash = learner.stateHash();
    const same = [...choices(dealt)].some((some) => replayed(each, some) === hash);
    assert.ok(same, `${each.name}: ${JSON.stringify(dealt.map(({ number, status }) => [number, status]))}`);
  }
  store.close();
  await Promise.all(watched.map(({ node }) => node.cutPower()));
  await kill(broker);
});

test.run();
