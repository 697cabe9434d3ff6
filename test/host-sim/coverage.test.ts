import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { renderReport } from "../../host-sim/report/page.ts";
import { renderTable } from "../../host-sim/report/terminal.ts";
import { average, CLASSES, readSets, run, SCENARIO, VALUES } from "./sets-scene.ts";

test("intervals of a regression are scored by the truth, and their size is their mean width", async () => {
  const result = await run(VALUES);
  const sets = readSets(result);
  const reached = average(sets.map((each) => each.reached));
  assert.ok(Math.abs(reached - 0.9) <= 0.025, `${reached}`);
  // A guess of 0 is 1 off each truth, -1 or +1.
  for (const { size } of sets) assert.ok((size as number) > 0.5 && (size as number) < 4, `${size}`);
  assert.match(renderTable(result, { columns: 200 }), /hold truth +size/);
});

test("nodes that watch for drift report the samples of their alarms; a stationary scene raises none", async () => {
  const drift = async (options: object) => {
    const result = await run({
      stream: { ...SCENARIO.stream, nodes: 1 },
      labels: {},
      node: { drift: "watch" },
      ...options,
    });
    return { result, drift: result.nodes[0].learners[0].drift! };
  };
  const still = await drift({});
  assert.equal(still.drift, { labels: [], margins: [] });
  assert.match(
    renderTable(still.result, { columns: 100 }),
    /drift +node 1, arow: by labels none; by margins none/,
  );
  // From the 1,000th sample on the classes have changed places.
  const path = "dist/test/drift-coverage.csv";
  const rows = Array.from({ length: 2000 }, (_, t) => {
    const y = t % 10 < 5 ? 1 : -1;
    return [2 * y + ((t * 7919) % 13) / 13, ((t * 31) % 17) / 17, t < 1000 ? y : -y].join();
  });
  writeFileSync(path, `a,b,label\n${rows.join("\n")}\n`);
  const stream = { type: "files", files: [{ node: "bed", path: resolve(path) }] };
  const turned = await drift({ stream });
  assert.ok(turned.drift.labels[0] > 1000 && turned.drift.labels[0] < 1100, `${turned.drift.labels}`);
  assert.match(renderTable(turned.result, { columns: 100 }), /by labels at sample/);
  assert.match(renderReport(turned.result), /drift alarms by labels/);
  const bytes = await drift({ stream, link: { framing: "bytes" } });
  assert.equal(bytes.drift, turned.drift);
});

test("coverage where nothing can be covered is refused by name", async () => {
  const tasks = [{ ...CLASSES, task: "novelty", learners: [{ learner: "olk-n" }] }];
  let refused = "";
  await run({ tasks }).catch(({ message }) => {
    refused = message;
  });
  assert.match(refused, /coverage.*0 with olk-n/);
});

test.run();
