import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import type { ExplainedDecision, NodeHistory } from "../../fleet/api/api.ts";
import type { NodeState } from "../../fleet/api/node-state.ts";
import { become } from "../tools/awaited.ts";
import { childOfTest, ended, test } from "../tools/contained.ts";
import "./fresh-connections.ts";
import { refusesHere, start } from "../cli/program.ts";
import { inFolder } from "../tools/stations.ts";
import { statesAt } from "./at-gateway.ts";

interface Shown {
  readonly name: string;
  readonly durable?: number;
  readonly toLabel?: number;
  readonly together?: object;
}

/** A decision of a node that learns alone, taken apart: of one that the gateway heard from its first sample on. */
async function explanation(url: string, nodes: readonly Shown[]): Promise<ExplainedDecision | undefined> {
  for (const { name, together } of nodes) {
    if (together) continue;
    const history = `${url}api/nodes/${name}/history?from=${Date.now() - 20_000}&to=${Date.now()}`;
    const { rows } = (await (await fetch(history)).json()) as NodeHistory;
    const [, sid, seq] = rows.at(-1) ?? [];
    const response = await fetch(`${url}api/nodes/${name}/explanation?sid=${sid}&seq=${seq}`);
    if (response.ok) return (await response.json()) as ExplainedDecision;
  }
  return undefined;
}

/** The group of the machine that joins last, once the fleet's model judges that machine. */
async function groupOfNewcomer(url: string): Promise<ReadonlyMap<string, number>> {
  let states: NodeState[] = [];
  const judged = async () => {
    states = await statesAt(url.replace(/\/$/, ""));
    return states.some(({ name, together }) => name === "pump-4" && together?.judges === true);
  };
  await become("the fleet's model judges the newcomer", judged, () => JSON.stringify(states), 100);
  return new Map(states.flatMap(({ name, together }) => (together ? [[name, together.labels ?? 0]] : [])));
}

test("the demo has eight nodes that learn from their labellers, one begins with what the others learned, and nothing is left behind", async () => {
  const demo = start("gateway", "--demo", "--log-level", "debug");
  await demo.says("Ctrl-C ends it");
  const [, url] = /(http:\S+)/.exec(demo.printed().split("worn from sound")[1]) as string[];
  const learning = groupOfNewcomer(url);
  for (const name of ["pump-1", "fan-1", "fan-2", "press"])
    await demo.says(`${name}: checkpoint up to label 5`);
  let nodes: Shown[] = [];
  const met = async () => {
    ({ nodes } = (await (await fetch(`${url}api/nodes`)).json()) as { nodes: Shown[] });
    return nodes.every(({ durable }) => durable !== undefined);
  };
  await become("all nodes", met, () => JSON.stringify(nodes));
  assert.is(nodes.length, 8);
  assert.match(await (await fetch(url)).text(), /<title>/);
  let explained: ExplainedDecision | undefined;
  const found = async () => {
    explained = await explanation(url, nodes);
    return explained !== undefined && explained.labels >= 5;
  };
  await become("an explanation", found, () => "none of a node that was heard from its first sample on");
  assert.is(explained?.learner, "auto");
  assert.is(explained?.parts.length, 11);
  assert.is(explained?.copy, undefined);
  assert.match(explained?.inputs[0].name ?? "", /^[a-z]+, standardised$/);
  const group = await learning;
  assert.equal([...group.keys()], ["pump-1", "pump-2", "pump-3", "pump-4"]);
  const [newcomer = 0, others = 0] = [group.get("pump-4"), group.get("pump-1")];
  assert.ok(newcomer <= 2, `the newcomer has ${newcomer} answers of its own`);
  assert.ok(others >= 10, `pump-1 has ${others}`);
  const [, store] = /, (\/\S+fleet\.db)/.exec(demo.printed()) as string[];
  assert.ok(existsSync(store));
  demo.child.kill("SIGINT");
  assert.is((await demo.ended).code, 130);
  assert.not.ok(existsSync(dirname(store)));
});

test("a demo that is ended while it starts leaves nothing behind, either", async () => {
  const folder = inFolder("demo");
  mkdirSync(folder);
  const child = childOfTest(
    spawn(process.execPath, [join(process.cwd(), "dist/motelearn.js"), "gateway", "--demo"], {
      stdio: "ignore",
      env: { ...process.env, TMPDIR: folder },
    }),
  );
  await become(
    "the demo's folder",
    () => readdirSync(folder).length > 0,
    () => "none",
  );
  assert.is(await ended(child, "SIGINT"), 130);
  assert.equal(readdirSync(folder), []);
});

test("a demo for which the disk is full says so in a line, and leaves nothing behind", async () => {
  const folder = inFolder("full");
  mkdirSync(folder);
  const program = `trap '' XFSZ; ulimit -f 0; exec "$0" dist/motelearn.js gateway --demo`;
  const child = childOfTest(
    spawn("sh", ["-c", program, process.execPath], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, TMPDIR: folder },
    }),
  );
  let said = "";
  child.stderr?.on("data", (text) => {
    said += text;
  });
  const [code] = await once(child, "close");
  assert.is(code, 4, said);
  assert.match(said, /^motelearn: [^\n]*fleet\.db\.pid: the file would be larger than the system allows\n$/);
  assert.equal(readdirSync(folder), []);
});

test("a demo takes no fleet file", async () => {
  await refusesHere(["gateway", "fleet.json", "--demo"], "--demo", "give no fleet file");
});

test.run();
