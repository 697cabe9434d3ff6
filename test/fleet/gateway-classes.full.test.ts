import * as assert from "uvu/assert";
import type { NodeState } from "../../fleet/api/node-state.ts";
import { become } from "../tools/awaited.ts";
import { endsWithTest, test } from "../tools/contained.ts";
import { inFolder, startStation, takeSamples } from "../tools/stations.ts";
import { NODE } from "../tools/taught-node.ts";
import { statesAt } from "./at-gateway.ts";
import { fleet, kill, type StartedGateway, startGateway } from "./fleets.ts";

/** A gateway with one node that has taken so many samples; `post` labels one. */
async function taught(name: string, its: object, rest: object, samples: number) {
  const listen = inFolder(`${name}.s`);
  const node = { ...NODE, learner: "pa", options: {}, pending: 16, ...rest };
  const station = await startStation({ listen, node, fed: false } as never);
  const gateway: StartedGateway = await startGateway(fleet(name, [{ name, port: `unix:${listen}`, ...its }]));
  endsWithTest(() => kill(gateway.child));
  let state!: NodeState;
  const reached = (what: string, so: (state: NodeState) => boolean) =>
    become(
      what,
      async () => {
        [state] = await statesAt(gateway.url);
        return state.node !== undefined && so(state);
      },
      () => JSON.stringify(state),
    );
  await reached("the node", () => true);
  takeSamples(station, samples);
  await reached("its samples", ({ seq }) => seq === samples);
  const post = async (seq: number, label: unknown) => {
    const response = await fetch(`${gateway.url}/api/nodes/${name}/labels`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ seq, label }),
    });
    return [response.status, ((await response.json()) as { error?: string }).error ?? ""] as const;
  };
  return { gateway, post, reached, state: () => state };
}

test("a label that two classes don't have is refused before the node gets it; the right one is taken", async () => {
  const { post, reached } = await taught("two", {}, {}, 20);
  for (const label of [0, 2, 0.5, "ok", "", 1e300]) {
    const [status, why] = await post(20, label);
    assert.is(status, 400, `${label}`);
    assert.match(why, /label/);
  }
  assert.match((await post(20, 0))[1], /label 0: takes -1, 1/);
  assert.is((await post(20, -1))[0], 202);
  assert.is((await post(19, "1"))[0], 202);
  assert.is((await post(20, 1))[0], 409, "a learned label stays");
  const [status, why] = await post(4, 1);
  assert.is(status, 410);
  assert.match(why, /sample 4 was discarded: the node keeps the last 16 samples/);
  await reached("both labels", ({ statistics }) => statistics?.applied === 2 && statistics.refused === 0);
});

test("classes have the names that the node says, and any number of them", async () => {
  const { post, reached, state } = await taught("three", {}, { classes: ["idle", "läuft", "停止"] }, 20);
  await reached("its description", ({ task }) => task === "multiclass");
  assert.equal(state().classes, ["idle", "läuft", "停止"]);
  assert.is(state().task, "multiclass");
  assert.match((await post(20, 3))[1], /label 3: takes idle 0, läuft 1, 停止 2/);
  assert.is((await post(20, "停止"))[0], 202);
  assert.is((await post(19, 0))[0], 202);
  await reached("both labels", ({ statistics }) => statistics?.applied === 2);
});

test("classes have the fleet file's names, at the page's interface, in labels and in refusals", async () => {
  const { post, reached, state } = await taught("named", { classes: ["ok", "fault"] }, {}, 20);
  assert.equal(state().classes, ["ok", "fault"]);
  assert.match((await post(20, "worn"))[1], /label "worn": takes ok -1, fault \+1/);
  assert.is((await post(20, "fault"))[0], 202);
  assert.is((await post(19, -1))[0], 202);
  assert.match((await post(20, "ok"))[1], /sample 20 was labelled fault/);
  await reached("both labels", ({ statistics }) => statistics?.applied === 2);
});

test("a class's name waits for a node that this gateway hasn't met: its labeller sends it again", async () => {
  const gateway = await startGateway(fleet("away", [{ name: "away", port: `unix:${inFolder("away.s")}` }]));
  endsWithTest(() => kill(gateway.child));
  const post = async (label: unknown) => {
    const response = await fetch(`${gateway.url}/api/nodes/away/labels`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ sid: 5, seq: 1, label }),
    });
    const { error } = (await response.json()) as { error: string };
    return [response.status, response.headers.get("retry-after"), error] as const;
  };
  const [status, again, why] = await post("worn");
  assert.equal([status, again], [503, "1"]);
  assert.match(
    why,
    /away wasn't met since the gateway started: it isn't known whether worn is a class of it/,
  );
  assert.is((await post(1))[0], 409, "a number needs no names");
  assert.is((await post("-1"))[0], 409);
});

test("a node's refusal is logged and counted, and its sample can be labelled again", async () => {
  // A regression takes any number, but this one a range that the gateway isn't told of.
  const { gateway, post, reached } = await taught(
    "ranged",
    {},
    { learner: "qklms", options: { budget: 8 }, labelRange: [-1, 1] },
    20,
  );
  assert.is((await post(20, 2))[0], 202);
  await reached("the refusal", ({ statistics, labelled }) => statistics?.range === 1 && labelled === 1);
  assert.match(
    await gateway.says("label-refused"),
    /label 1, sample 20, range: the node takes no such label/,
  );
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  assert.match(metrics, /motelearn_node_labels_range\{node="ranged"\} 1/);
  assert.is((await post(20, 1))[0], 202, "it can be corrected");
  await reached("the correction", ({ statistics }) => statistics?.applied === 1);
});

test.run();
