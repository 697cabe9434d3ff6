/** Nodes that learn together at the real gateway, in a process of its own with its broker: who gets models, and who doesn't. */
import * as assert from "uvu/assert";
import type { ExplainedDecision } from "../../fleet/api/api.ts";
import type { NodeState } from "../../fleet/api/node-state.ts";
import { become } from "../tools/awaited.ts";
import { test } from "../tools/contained.ts";
import { statesAt } from "./at-gateway.ts";
import { kill } from "./fleets.ts";
import { statesBecome, together } from "./together-fleet.ts";
import { give, NODE, Watched } from "./watched.ts";

const ALIKE = { ...NODE, fleetBudget: 8 };
const PLAIN = NODE;
const PERIOD_MS = 100;

const readCandidate = ({ together }: NodeState) => together?.candidate;

async function ask(url: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}${path}`, {
    ...(body && { method: "POST", body: JSON.stringify(body) }),
    headers: { "content-type": "application/json" },
  });
  return { status: response.status, body: await response.json() };
}

test("a node without a label gets a model from the labels of the others; one that takes none, and one in no group, do not", async () => {
  const nodes = { n1: ALIKE, n2: ALIKE, n3: ALIKE, old: PLAIN, alone: ALIKE };
  const group = { vectors: 8, groups: [["n1", "n2", "n3", "old"]] };
  const { gateway, at } = await together("alike", Object.keys(nodes), group);
  const watched = Object.entries(nodes).map(
    ([name, options]) => new Watched(name, at(name), PERIOD_MS, options),
  );
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
    [n1, n2, n3].every((state) => readCandidate(state) !== undefined),
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
  const judged = await statesBecome(url, "its model judges", (all) => all[2].together?.judges === true);
  const { node, seq } = judged[2];
  const explanation = await ask(url, `/api/nodes/n3/explanation?sid=${node?.sid}&seq=${seq}`);
  assert.is(explanation.status, 200, JSON.stringify(explanation.body));
  const { vote, parts } = explanation.body as ExplainedDecision;
  assert.is(vote?.judge, "fleet");
  assert.is(vote?.own.errors, 0, "it has no label of its own");
  const from = parts.flatMap((part) => part.from?.node ?? []);
  assert.ok(from.length > 0 && from.every((name) => ["n1", "n2"].includes(name)), `vectors of ${from}`);

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

test.run();
