import { test } from "uvu";
import * as assert from "uvu/assert";
import { besiegeNode, NODES } from "./hostile-node.ts";

for (const [name, options] of Object.entries(NODES))
  test(`a node ${name} survives 10,000 hostile states`, () => {
    assert.equal(besiegeNode(options, 10_000).faults.slice(0, 5), []);
  });

test.run();
