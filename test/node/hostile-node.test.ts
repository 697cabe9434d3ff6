import { test } from "uvu";
import * as assert from "uvu/assert";
import { besiegeNode, NODES } from "./hostile-node.ts";

for (const [name, options] of Object.entries(NODES))
  test(`a node ${name} refuses a hostile state and starts fresh, or goes on in states that it could have saved`, () => {
    const { faults, refused } = besiegeNode(options, 300);
    assert.equal(faults.slice(0, 5), []);
    assert.ok(refused > 0 && refused < 300);
  });

test.run();
