import { connectAsync, type MqttClient } from "mqtt";
import * as assert from "uvu/assert";
import type { NodeHistory } from "../../fleet/api/api.ts";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { type MqttAddress, parseAddress } from "../../tools/ports/address.ts";
import { refusesHere } from "../cli/program.ts";
import { become } from "../tools/awaited.ts";
import { ended, endsWithTest, test } from "../tools/contained.ts";
import { NatsServers } from "../tools/nats.ts";
import { inFolder } from "../tools/stations.ts";
import { fleet, kill, startGateway } from "./fleets.ts";
import { hasLearned, Watched } from "./watched.ts";

const NODES = 6;
const LABELS = 12;
const labelTopic = (name: string) => `inspections/${name}`;

/** Publishes a label for the node's newest sample; it is given once the broker answers. */
async function publish(client: MqttClient, { name, newest, taken }: Watched): Promise<void> {
  if (!newest) return;
  const { sid, seq } = newest;
  const label = JSON.stringify({ sid, seq, label: seq % 3 === 0 ? 1 : -1, by: "camera" });
  await client.publishAsync(labelTopic(name), label, { qos: 1 });
  taken.add(`${sid} ${seq}`);
}

/** Publishes labels for all until each was given so many. */
async function publishUntil(client: MqttClient, watched: readonly Watched[], least: number): Promise<void> {
  const options = async () => {
    const short = watched.filter(({ taken }) => taken.size < least);
    await Promise.all(short.map((each) => publish(client, each)));
    return short.length === 0;
  };
  const sizes = () => watched.map(({ taken }) => taken.size).join(" ");
  await become(`${least} labels published of each node`, options, sizes, 300);
}

const countLabelled = ({ node }: Watched) => node.node?.labelled ?? 0;

test("a cluster takes labels of topics: a gateway is killed, nodes lose their power, and each label counts once", async () => {
  const servers = await NatsServers.start("topics", 3);
  const names = Array.from({ length: NODES }, (_, i) => `n-${i + 1}`);
  const watched = names.map((name, i) => new Watched(name, servers.address(name, i % 3)));
  const nodes = names.map((name) => ({
    name,
    port: servers.address(name, 0),
    labels: servers.address(labelTopic(name), 0),
  }));
  const file = (name: string) => fleet(name, nodes, { cluster: { servers: servers.addresses } });
  const [first, second] = await Promise.all([startGateway(file("topics-1")), startGateway(file("topics-2"))]);
  const [{ host, port }] = (parseAddress(servers.address("x", 1)) as MqttAddress).servers;
  const client = await connectAsync({ host, port, protocol: "mqtt" });
  endsWithTest(() => client.end(true));

  // Only what comes once a gateway is at the topic is kept for it: until then a label is published that doesn't count.
  const heard = async () => {
    const unheard = watched.filter((each) => countLabelled(each) === 0);
    await Promise.all(unheard.map((each) => publish(client, each)));
    return unheard.length === 0;
  };
  await become("a label at each node", heard, () => watched.map(countLabelled).join(" "), 500);
  // A sample that has a label counts no second one, so what follows is for later samples.
  const areNewer = () =>
    watched.every(({ newest, taken }) => newest && !taken.has(`${newest.sid} ${newest.seq}`));
  await become("samples without a label", areNewer, () =>
    JSON.stringify(watched.map(({ newest }) => newest)),
  );
  const early = new Map(watched.map((each) => [each, countLabelled(each)]));
  for (const { taken } of watched) taken.clear();
  await publishUntil(client, watched, 4);
  await kill(first.child);
  await publishUntil(client, watched, 8);
  for (const { node } of watched.slice(0, 2)) {
    await node.cutPower();
    node.start();
  }
  await publishUntil(client, watched, LABELS);

  const kept = async () => {
    const response = await fetch(`${second.url}/api/nodes`);
    return (await response.json()) as { nodes: { name: string; waiting: number; connected: boolean }[] };
  };
  const all = () => watched.every((each) => countLabelled(each) >= (early.get(each) ?? 0) + each.taken.size);
  await become("all labels at the nodes", all, () => JSON.stringify(watched.map(countLabelled)));
  const answeredAt = async ({ name }: Watched) => {
    const response = await fetch(`${second.url}/api/nodes/${name}/history?from=0&points=1`);
    const { labels } = (await response.json()) as NodeHistory;
    return labels.every(({ status }) => status !== null);
  };
  const answered = async () => (await Promise.all(watched.map(answeredAt))).every(Boolean);
  await become("answers to all labels", answered, () => JSON.stringify(watched.map(countLabelled)), 300);
  // The last labels, not in a checkpoint yet, are with the surviving gateway.
  let state = await kept();
  const few = async () => {
    state = await kept();
    return state.nodes.every(({ connected, waiting }) => connected && waiting < 4);
  };
  await become("checkpoints with the labels", few, () => JSON.stringify(state));
  assert.is(await ended(second.child, "SIGTERM"), 0);

  const store = new FleetStore(inFolder("topics-2.db"));
  for (const each of watched) {
    const rows = [...store.rows("label", each.name)].sort((a, b) => Number(a.number) - Number(b.number));
    assert.equal(
      rows.map(({ number }) => number),
      rows.map((_, i) => i + 1),
      each.name,
    );
    const there = new Set(rows.map(({ sid, seq }) => `${sid} ${seq}`));
    for (const label of each.taken) assert.ok(there.has(label), `${each.name}: ${label} was published`);
    assert.ok(rows.every(({ by }) => by === "camera"));
    hasLearned(each, rows);
  }
  store.close();
});

test("a cluster's labels don't come from a file", async () => {
  const nodes = [{ name: "n", port: "mqtt://localhost/n", labels: "labels.csv" }];
  const cluster = { servers: ["nats://localhost:4222"] };
  await refusesHere(
    ["gateway", fleet("filed", nodes, { cluster })],
    "nodes.0.labels",
    "one gateway's machine",
  );
});

test.run();
