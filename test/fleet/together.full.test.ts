/** Nodes that learn together at the real gateway, in a process of its own with its broker: kills, cuts, and what becomes of models. */
import * as assert from "uvu/assert";
import type { NodeState } from "../../fleet/api/node-state.ts";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { MODELS } from "../../fleet/store/label-rows.ts";
import { Random } from "../../host/random.ts";
import { become } from "../tools/awaited.ts";
import { test } from "../tools/contained.ts";
import { freePort } from "../tools/ports.ts";
import { inFolder } from "../tools/stations.ts";
import { statesAt } from "./at-gateway.ts";
import { fleet, kill, startGateway } from "./fleets.ts";
import { give, hasLearned, NODE, Watched } from "./watched.ts";

const ALIKE = { ...NODE, fleetBudget: 8 };
const PLAIN = NODE;
const PERIOD_MS = 100;

/** A fleet of these nodes at the gateway's own broker. */
async function together(name: string, nodes: Readonly<Record<string, object>>, group: object) {
  const port = await freePort();
  const at = (node: string) => `mqtt://127.0.0.1:${port}/${node}`;
  const names = Object.keys(nodes);
  const file = fleet(
    name,
    names.map((node) => ({ name: node, port: at(node) })),
    { broker: port, labelsPerMinute: 1_000_000, together: group },
  );
  const gateway = await startGateway(file);
  const watched = names.map((node) => new Watched(node, at(node), PERIOD_MS, nodes[node] as typeof ALIKE));
  return { file, gateway, watched };
}

const candidateOf = ({ together }: NodeState) => together?.candidate;

async function statesBecome(url: string, what: string, are: (states: NodeState[]) => boolean) {
  let states: NodeState[] = [];
  const done = async () => {
    states = await statesAt(url);
    return are(states);
  };
  await become(
    what,
    done,
    () => JSON.stringify(states.map(({ name, together }) => ({ name, ...together }))),
    100,
  );
  return states;
}

async function ask(url: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}${path}`, {
    ...(body && { method: "POST", body: JSON.stringify(body) }),
    headers: { "content-type": "application/json" },
  });
  return { status: response.status, body: await response.json() };
}

test("a node without a label gets a model from the labels of the others; one that takes none, and one in no group, do not", async () => {
  const nodes = { n1: ALIKE, n2: ALIKE, n3: ALIKE, old: PLAIN, alone: ALIKE };
  const { gateway, watched } = await together("alike", nodes, {
    vectors: 8,
    groups: [["n1", "n2", "n3", "old"]],
  });
  const { url } = gateway;
  const has = async (count: number) => {
    await Promise.all([0, 1, 3, 4].map((i) => give(url, count, watched[i])));
    return [0, 1, 3, 4].every((i) => watched[i].taken.size >= count);
  };
  await become(
    "eight labels of four nodes",
    () => has(8),
    () => "labels",
    50,
  );
  const states = await statesBecome(url, "a model of each node that takes one", ([n1, n2, n3]) =>
    [n1, n2, n3].every((state) => candidateOf(state) !== undefined),
  );
  await become(
    "the nodes have them",
    () => watched.slice(0, 3).every(({ node }) => node.node!.fleet!.model.size >= 0),
    () => JSON.stringify(states),
  );
  assert.is(watched[2].node.node!.learner.counted(0), 0, "its own learner learned nothing");
  assert.match(states[3].together?.why ?? "", /takes no models; flash it with the option fleetBudget/);
  assert.is(states[4].together, undefined);
  assert.is(watched[4].node.node!.fleet!.model.size, -1);
  assert.match(await gateway.says("together"), /takes no models/);
  await statesBecome(url, "its model judges", (all) => all[2].together?.judges === true);

  const listed = await ask(url, "/api/together");
  assert.equal(
    (listed.body as { groups: { nodes: string[]; on: boolean }[] }).groups.map(({ on }) => on),
    [true],
  );
  const retrain = (name: string) => ask(url, `/api/nodes/${name}/commands`, { do: "retrain" });
  const { labelled = 0 } = (await statesAt(url))[2];
  assert.is((await retrain("n3")).status, 200);
  await statesBecome(url, "another model", (all) => (all[2].labelled ?? 0) > labelled);
  assert.match(JSON.stringify((await retrain("old")).body), /gets no models: it takes no models/);
  assert.match(JSON.stringify((await retrain("alone")).body), /in no group/);
  assert.is((await ask(url, "/api/together", { group: 1, on: false })).status, 409);
  assert.is((await ask(url, "/api/together", { group: 0, on: false })).status, 200);
  assert.match(JSON.stringify((await retrain("n3")).body), /its group is off/);
  await kill(gateway.child);
  await Promise.all(watched.map(({ node }) => node.cutPower()));
});

test("gateway and broker killed, power cut: no model is half installed, none twice, each state is its replay's, each lesson is there once", async () => {
  const LABELS = 16;
  const KILLS = 3;
  const CUTS = 6;
  const names = ["n1", "n2", "n3", "n4"];
  const nodes = Object.fromEntries(names.map((name) => [name, ALIKE]));
  const { file, gateway, watched } = await together("cut", nodes, { vectors: 8 });
  const random = new Random(3, "cuts");
  let { child, url } = gateway;
  const done = { kills: 0, cuts: 0 };
  const stormed = async () => {
    const given = Promise.all(watched.map((each) => give(url, LABELS, each)));
    const all = watched.reduce((sum, { taken }) => sum + taken.size, 0);
    const share = all / (LABELS * names.length);
    if (share > (done.kills + 0.5) / (KILLS + 0.5) && done.kills < KILLS) {
      await kill(child);
      done.kills++;
      ({ child, url } = await startGateway(file));
    }
    if (share > (done.cuts + 0.5) / (CUTS + 0.5) && done.cuts < CUTS) {
      const { node } = watched[random.below(names.length)];
      await node.cutPower();
      node.start();
      done.cuts++;
    }
    await given;
    return watched.every(({ taken }) => taken.size >= LABELS) && done.kills === KILLS && done.cuts === CUTS;
  };
  await become(`${LABELS} labels of each node`, stormed, () => JSON.stringify(done), 50);
  await statesBecome(url, "all labels and models taken", (states) =>
    states.every(({ waiting, together }) => waiting < 4 && together?.candidate !== undefined),
  );
  await kill(child);
  const store = new FleetStore(inFolder("cut.db"));
  const modelOf = (name: string, seq: number) => store.lessons.modelOf(name, seq).bytes;
  for (const each of watched) {
    const { name } = each;
    const rows = [...store.rows("label", name)].sort((a, b) => Number(a.number) - Number(b.number));
    assert.equal(
      rows.map(({ number }) => number),
      rows.map((_, k) => k + 1),
      name,
    );
    assert.ok(rows.filter(({ sid }) => sid === MODELS).length >= 3, `${name} had models`);
    hasLearned(each, rows, modelOf);
    const applied = rows.filter(({ sid, status }) => sid !== MODELS && status === 0);
    const lessons = store.read("SELECT sid, seq FROM lesson WHERE node = ? ORDER BY id", [name]);
    const told = new Set(lessons.map(({ sid, seq }) => `${sid} ${seq}`));
    assert.is(told.size, lessons.length, "none twice");
    for (const { sid, seq } of applied) assert.ok(told.has(`${sid} ${seq}`), `${name}: lesson ${sid} ${seq}`);
  }
  store.close();
  await Promise.all(watched.map(({ node }) => node.cutPower()));
});

test.run();
