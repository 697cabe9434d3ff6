import { connect } from "@nats-io/transport-node";
import * as assert from "uvu/assert";
import { openStream } from "../../fleet/cluster/cluster.ts";
import { NodeGone, NodeLog } from "../../fleet/cluster/node-log.ts";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import type { LoggedLabel } from "../../fleet/store/label-log.ts";
import { become } from "../tools/awaited.ts";
import { ended, test } from "../tools/contained.ts";
import { NatsServers } from "../tools/nats.ts";
import { inFolder } from "../tools/stations.ts";
import { fleet, kill, startGateway } from "./fleets.ts";
import { describeState, give, replayed, Watched } from "./watched.ts";

/**
 * Nodes, labels a node, milliseconds from sample to sample.
 * MOTELEARN_CLUSTER=1000,8,10000 runs a larger fleet.
 */
const [NODES, LABELS, PERIOD_MS] = (process.env.MOTELEARN_CLUSTER ?? "24,24,500").split(",").map(Number);
/** Labels of each node by the end of stage k of five. */
const share = (stage: number) => Math.ceil((stage * LABELS) / 5);

type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** Gives each node labels, at these gateways in turn, until it has so many. */
async function label(
  gateways: readonly Gateway[],
  watched: readonly Watched[],
  least: number,
): Promise<void> {
  let turn = 0;
  const options = async () => {
    const { url } = gateways[turn++ % gateways.length];
    await Promise.all(watched.map((each) => give(url, least, each)));
    return watched.every(({ taken }) => taken.size >= least);
  };
  const sizes = () => watched.map(({ taken }) => taken.size).join(" ");
  await become(`${least} labels taken of each node`, options, sizes, 100);
}

const labelled = (seq: number): LoggedLabel => {
  return { number: seq, sid: 7, seq, y: 1, source: 0, confidence: 255, by: "anna" };
};

/** What a write rejects with; undefined: nothing. */
function refusal(written: Promise<unknown>): Promise<unknown> {
  return written.then(
    () => undefined,
    (error) => error,
  );
}

test("two gateways that start at once both open the logs' stream, though a server leaves a request without an answer", async () => {
  const servers = await NatsServers.start("at-once", 3);
  const connections = await Promise.all([0, 1].map(() => connect({ servers: servers.addresses })));
  for (let i = 0; i < 12; i++) {
    const streams = await Promise.all(connections.map((each) => openStream(each, `fleet-${i}`, 3)));
    for (const { name } of streams) assert.is(name, `MOTELEARN_fleet-${i}`);
  }
  await Promise.all(connections.map((each) => each.close()));
  await servers.close();
});

test("a gateway that another took a node from, and doesn't know it, can't write the node's log", async () => {
  const servers = await NatsServers.start("fenced", 3);
  const connection = await connect({ servers: servers.addresses });
  const stream = await openStream(connection, "fenced", 3);
  const lost: string[] = [];
  const take = (by: string) =>
    NodeLog.take(stream, "motelearn.fenced.log.n1", by, { lost: () => lost.push(by), isWanted: () => true });
  const first = await take("first");
  for (let seq = 1; seq <= 100; seq++)
    await first.keep(() => ({ durable: seq - 3, labels: [labelled(seq)] }));
  const second = await take("second");
  assert.equal(second.log.labels, [labelled(100)], "what the first wrote, shortened three times");
  assert.is(second.log.durable, 97);
  const late = first.keep(() => ({ durable: 97, labels: [labelled(100), labelled(101)] }));
  assert.instance(await refusal(late), NodeGone);
  assert.equal(lost, ["first"]);
  await second.keep(() => ({ durable: 97, labels: [labelled(100), { ...labelled(102), number: 101 }] }));
  await servers.kill(1);
  const third = await take("third");
  assert.equal(
    third.log.labels.map(({ seq, number }) => [seq, number]),
    [
      [100, 100],
      [102, 101],
    ],
  );
  await connection.close();
  await servers.close();
});

/** Two gateways share the nodes: one sleeps and is killed, then a server. */
async function shareAndDie(servers: NatsServers, watched: readonly Watched[]): Promise<void> {
  const nodes = watched.map(({ name }) => ({ name, port: servers.address(name, 0) }));
  const cluster = { servers: servers.addresses };
  const file = (name: string) => fleet(name, nodes, { cluster, labelsPerMinute: 1_000_000 });
  const [first, second] = await Promise.all([startGateway(file("first")), startGateway(file("second"))]);
  await label([first, second], watched, share(1));

  first.child.kill("SIGSTOP");
  await label([second], watched, share(2));
  first.child.kill("SIGCONT");
  await label([first, second], watched, share(3));

  await kill(first.child);
  await label([second], watched, share(4));

  await servers.kill(0);
  await label([second], watched, share(5));

  const answered = () => watched.map(({ node }) => node.node!.labelled);
  await become(
    "the nodes' answers to all labels",
    () => watched.every(({ taken }, i) => answered()[i] >= taken.size),
    () => JSON.stringify(answered()),
  );
  // Its last numbers may be in the log alone until it ends.
  assert.is(await ended(second.child, "SIGTERM"), 0);
  const store = new FleetStore(inFolder("second.db"));
  for (const each of watched) isTaught(each, store);
  store.close();
}

/** The node learned each label that was taken, once, under the next number. */
function isTaught(watched: Watched, store: FleetStore): void {
  const { name, taken, node } = watched;
  const rows = [...store.rows("label", name)].sort((a, b) => Number(a.number) - Number(b.number));
  assert.equal(
    rows.map(({ number }) => number),
    rows.map((_, i) => i + 1),
    name,
  );
  const kept = new Set(rows.map(({ sid, seq }) => `${sid} ${seq}`));
  for (const each of taken) assert.ok(kept.has(each), `${name}: ${each} was taken`);
  assert.is(node.node!.labelled, rows.length, name);
  assert.is(describeState(node.node!), replayed(watched, rows), name);
}

test("gateways of a cluster: one sleeps, one of each is killed, and each node learns each label once", async () => {
  const servers = await NatsServers.start("killed", 3);
  const names = Array.from({ length: NODES }, (_, i) => `plant/n-${i + 1}`);
  const watched = names.map((name, i) => new Watched(name, servers.address(name, i % 3), PERIOD_MS));
  await shareAndDie(servers, watched);
});

test.run();
