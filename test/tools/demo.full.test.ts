import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { refusesHere, start } from "./program.ts";

interface Shown {
  readonly name: string;
  readonly durable?: number;
  readonly toLabel?: number;
}

test("the demo has eight nodes that learn from their labellers, serves the page, and leaves nothing behind", async () => {
  const demo = start("gateway", "--demo", "--log-level", "debug");
  await demo.says("Ctrl-C ends it");
  const [, url] = /(http:\S+)/.exec(demo.printed().split("worn from sound")[1]) as string[];
  for (const name of ["pump-1", "pump-4", "fan-2", "press"])
    await demo.says(`${name}: checkpoint up to label 5`);
  const response = await fetch(`${url}api/nodes`);
  const { nodes } = (await response.json()) as { nodes: Shown[] };
  assert.is(nodes.length, 8);
  assert.ok(nodes.every(({ durable }) => durable !== undefined));
  assert.match(await (await fetch(url)).text(), /<title>/);
  const [, store] = /, (\/\S+fleet\.db)/.exec(demo.printed()) as string[];
  assert.ok(existsSync(store));
  demo.child.kill("SIGINT");
  assert.is((await demo.ended).code, 130);
  assert.not.ok(existsSync(dirname(store)));
});

test("a demo takes no fleet file", async () => {
  await refusesHere(["gateway", "fleet.json", "--demo"], "--demo", "give no fleet file");
});

test.run();
