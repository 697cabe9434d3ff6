import { readFileSync, writeFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { SimulateResult } from "../../host-sim/scoring/result.ts";
import { runHere } from "../cli/program.ts";
import { inFolder } from "../tools/stations.ts";
import { words } from "../words.ts";

/** What a run of the recorded network prints as JSON. */
async function told(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere([
    "simulate",
    ...args,
    "--json",
    "--report",
    inFolder("reports"),
  ]);
  assert.is(code, 0, stderr);
  return stdout;
}

test("the recorded network: twice the same bytes, on one thread and on two", async () => {
  const first = await told("--threads", "1");
  assert.is(await told("--threads", "1"), first);
  assert.is(await told("--threads", "2"), first);
  assert.is.not(await told("--seed", "2"), first);
});

test("the recorded network: all samples, both tasks, budgets kept, what isn't defined is said", async () => {
  const result = JSON.parse(await told()) as SimulateResult;
  assert.is(result.schema, "motelearn.simulate/1");
  assert.is(result.repeat, "npx motelearn simulate --seed 1");
  assert.equal(
    result.nodes.map(({ node, learners }) => [node, learners[0].samples]),
    [
      ["mote 1", 4417],
      ["mote 2", 4417],
      ["mote 3", 5039],
      ["mote 4", 5041],
    ],
  );
  for (const { node, learners } of result.nodes) {
    for (const {
      name,
      task,
      kind,
      size,
      budget,
      bytes,
      bytesUsed,
      metrics,
      labels,
      stateHash,
      trivial,
    } of learners) {
      const place = `${node} ${task} ${name}`;
      assert.ok(size <= budget && bytesUsed <= bytes, place);
      assert.is(
        labels.issued + labels.lost,
        node === "mote 1" || node === "mote 2" ? 4417 : node === "mote 3" ? 5039 : 5041,
      );
      assert.ok(labels.wrong > 0 && labels.lost > 0 && labels.late > 0, place);
      assert.match(stateHash, /^[0-9a-f]{16}$/);
      if (kind !== "novelty") continue;
      const eventful = node === "mote 1" || node === "mote 4";
      assert.is(metrics.events, eventful ? 1 : 0, place);
      assert.is(typeof metrics.auc === "number", eventful, place);
      assert.is(trivial.last.events, metrics.events);
    }
    for (const { task, metrics } of learners) if (task === "faults") assert.is(metrics.events, 12);
  }
});

test("a report repeats byte for byte on one thread and two, and wall-clock figures come when asked for", async () => {
  const scene = JSON.parse(readFileSync("host-sim/scenarios/one-scene.json", "utf8"));
  const short = inFolder("scene.json");
  writeFileSync(short, JSON.stringify({ ...scene, stream: { ...scene.stream, samples: 500 } }));
  const page = async (threads: string) => {
    const { stdout } = await runHere([
      ...words`simulate ${short} --threads ${threads} --report`,
      inFolder("reports"),
    ]);
    return readFileSync(/report {2}(.*)/.exec(stdout)?.[1] as string, "utf8");
  };
  assert.is(await page("2"), await page("1"));
  const { timing } = JSON.parse(await told(short, "--timing", "--threads", "2")) as SimulateResult;
  assert.is(timing?.threads, 2);
  assert.ok((timing?.seconds as number) > 0);
});

test.run();
