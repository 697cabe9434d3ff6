import { test } from "uvu";
import * as assert from "uvu/assert";
import { renderReport } from "../../host-sim/report/page.ts";
import { renderTable } from "../../host-sim/report/terminal.ts";
import { average, readSets, run, SCENARIO, VALUES } from "./sets-scene.ts";

test("a scenario's nodes issue sets that hold the true class as promised, from labels late and wrong at the configured rates", async () => {
  const result = await run({});
  const sets = readSets(result);
  assert.equal(sets[0].promised, 0.9);
  const reached = average(sets.map((each) => each.reached));
  assert.ok(Math.abs(reached - 0.9) <= 0.025, `${reached}`);
  for (const { size, abstentions, empty } of sets)
    assert.is(Math.round(2000 * (size as number)), 2000 + abstentions - empty);
  const table = renderTable(result, { columns: 200 });
  assert.match(table, /sets/);
  assert.match(table, /hold truth +size +of both/);
  assert.match(renderReport(result), /sets of both classes: abstentions/);
  assert.not.match(renderTable(await run({ node: {} }), { columns: 200 }), /hold truth/);
});

test("sets are the same on a line of bytes, and of nodes that are fed", async () => {
  for (const scenario of [SCENARIO, VALUES]) {
    const stream = { ...SCENARIO.stream, samples: 300 };
    const records = await run({ ...scenario, stream });
    const bytes = await run({ ...scenario, stream, link: { framing: "bytes" } });
    assert.equal(readSets(bytes), readSets(records));
    const fed = await run({ ...scenario, stream, node: { ...scenario.node, fed: true } });
    const [sets] = readSets(fed);
    assert.ok((sets.reached as number) > 0.8, `${sets.reached}`);
  }
});

test.run();
