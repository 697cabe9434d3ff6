import { test } from "uvu";
import * as assert from "uvu/assert";
import { besiegeNode, NODES } from "./hostile-node.ts";

/** Hostile states of each node; `HOSTILE_STATES=10000` makes as many. */
const COUNT = Number(process.env.HOSTILE_STATES ?? 500);

for (const [name, options] of Object.entries(NODES))
  test(`a node ${name} survives ${COUNT} hostile states`, () => {
    assert.equal(besiegeNode(options, COUNT).faults.slice(0, 5), []);
  });

test.run();
