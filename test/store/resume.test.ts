import { test } from "uvu";
import * as assert from "uvu/assert";
import { familyNamed } from "../../src/learn/registry.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { nodeSchema } from "../../src/node/schema.ts";
import { checkpointBytes } from "../../src/store/checkpoint-store.ts";
import { EmulatedFlash } from "./emulated-flash.ts";
import { start } from "./node-at-work.ts";
import { checkResumed } from "./resumed.ts";

checkResumed(33, [16]);

const BASE: NodeOptions = {
  sid: 3,
  channels: 3,
  pending: 8,
  learner: familyNamed("olk-c")!,
  options: { budget: 8, C: 0.5 },
};

test("the schema of given options never changes: with another one a node would start fresh", () => {
  assert.is(nodeSchema(BASE), "a157d676d22910c1");
});

test("a schema is that of what the bytes mean: not of the session, nor of how often they are saved", () => {
  const schema = nodeSchema(BASE);
  assert.match(schema, /^[0-9a-f]{16}$/);
  const table = BASE.learner.options;
  const same: Partial<NodeOptions>[] = [
    { sid: 4 },
    { checkpointEvery: 9 },
    { features: {} },
    { options: { C: 0.5, budget: 8, regularization: table.regularization.default } },
  ];
  for (const change of same) assert.is(nodeSchema({ ...BASE, ...change }), schema, JSON.stringify(change));
  const different: Partial<NodeOptions>[] = [
    { channels: 4 },
    { pending: 9 },
    { labelWindow: 17 },
    { features: { standardise: true } },
    { features: { window: 4 } },
    { features: { window: 4, wavelet: "haar" } },
    { features: { window: 4, wavelet: "rbio1.3" } },
    { features: { window: 64, bands: 4 } },
    { features: { window: 64, bands: 4, lines: [0.1] } },
    { features: { window: 64, bands: 4, lines: [0.2] } },
    { options: { budget: 8, C: 0.25 } },
    { options: { budget: 8, C: 0.5, kernel: { type: "gaussian", gamma: 0.7 } } },
    { options: { budget: 9, C: 0.5 } },
    { learner: familyNamed("kernel-perceptron")!, options: { budget: 8 } },
  ];
  const schemas = different.map((change) => nodeSchema({ ...BASE, ...change }));
  assert.is(new Set([schema, ...schemas]).size, different.length + 1);
});

test("a checkpoint of equal length, of a learner with another option, isn't taken", () => {
  const flash = EmulatedFlash.ofSectors(2);
  const { node } = start(BASE, flash);
  assert.ok(node.checkpoint());
  const other: NodeOptions = { ...BASE, options: { budget: 8, C: 0.25 } };
  assert.is(checkpointBytes(nodeLayout(other)), checkpointBytes(nodeLayout(BASE)));
  const before = start(other, EmulatedFlash.ofSectors(2)).node.stateHash();
  const resumed = start(other, flash);
  assert.is(resumed.status, "fresh");
  assert.is(resumed.node.stateHash(), before, "and nothing was changed");
  assert.is(start({ ...BASE, sid: 77 }, flash).node.sid, 3, "the session continues");
});

test.run();
