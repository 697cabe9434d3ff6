import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { NetworkRows } from "../../host-sim/runs/rows.ts";
import { RunStore } from "../../lab/sweep/store.ts";
import { refusesHere, runHere, runJsonHere } from "../cli/program.ts";
import { makeFolder, writerTo } from "../folder.ts";
import { words } from "../words.ts";
import { parsedCsv, TINY } from "./sweeps.ts";

const folder = makeFolder();
const write = writerTo(folder);

const scenario = write("tiny.json", TINY);

test("each row of the table is what simulate says of that run", async () => {
  const out = join(folder, "rows");
  const vary = ["--vary", "labels.delayMean=0,20", "--seeds", "2..3", "--threads", "2"];
  const { code, stderr } = await runHere(["sweep", "--scenario", scenario, ...vary, "--report", out]);
  assert.is(code, 0, stderr);
  assert.is(stderr, "");
  const rows = parsedCsv(readFileSync(join(out, "tiny.csv"), "utf8"));
  assert.is(rows.length, 2 * 2 * 2);
  for (const delayMean of [0, 20]) {
    const file = write(`delay-${delayMean}.json`, { ...TINY, labels: { ...TINY.labels, delayMean } });
    const alone = ["simulate", file, "--seed", "3", "--threads", "1", "--report", out];
    const { nodes } = await runJsonHere("motelearn.simulate/1", ...alone);
    for (const result of nodes[0].learners) {
      const row = rows.find(
        (each) =>
          each["labels.delayMean"] === String(delayMean) && each.learner === result.name && each.seed === "3",
      );
      assert.is(row?.nodeHash, result.nodeHash);
      assert.is(row?.stateHash, result.stateHash);
      assert.is(row?.error, String(result.metrics.error));
      assert.is(row?.["labels.lagMax"], String(result.labels.lagMax));
    }
  }
});

test("random and Sobol points, in every format: the same table", async () => {
  const vary = [...words`--vary labels.loss=0..0.5 --vary options.C=0.01..1:log --vary node.pending=16..64`];
  for (const sample of ["random", "sobol"]) {
    const out = join(folder, sample);
    const sweep = [
      "sweep",
      "--scenario",
      scenario,
      ...vary,
      ...words`--sample ${sample} --points 5 --seeds 1`,
    ];
    for (const format of ["csv", "ndjson", "parquet"]) {
      const { code, stderr } = await runHere([...sweep, "--format", format, "--report", out]);
      assert.is(code, 0, stderr);
    }
    const rows = parsedCsv(readFileSync(join(out, "tiny.csv"), "utf8"));
    assert.is(rows.length, 5 * 2);
    assert.is(new Set(rows.map((row) => row["options.C"])).size, 5);
    const lines = readFileSync(join(out, "tiny.ndjson"), "utf8").trimEnd().split("\n");
    const texts = (row: object) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, value === null ? "" : String(value)]),
      );
    assert.equal(
      lines.map((line) => texts(JSON.parse(line))),
      rows,
    );
    const file = readFileSync(join(out, "tiny.parquet"));
    const stored = await parquetReadObjects({ file: new Uint8Array(file).buffer });
    assert.equal(stored.map(texts), rows);
  }
});

test("parts merge to the bytes of the whole, in whatever order; one that is missing or of another sweep is named", async () => {
  const sweep = ["sweep", "--scenario", scenario, "--vary", "labels.loss=0,0.1", "--seeds", "5"];
  const whole = join(folder, "whole");
  assert.is((await runHere([...sweep, "--report", whole])).code, 0);
  const parts = join(folder, "parts");
  for (const part of [3, 1, 2]) {
    const { code } = await runHere([...sweep, "--shard", `${part}/3`, "--threads", "1", "--report", parts]);
    assert.is(code, 0);
  }
  const stores = [2, 3, 1].map((part) => join(parts, `tiny.shard-${part}-of-3.runs`));
  const { code, stderr } = await runHere(["sweep", "merge", ...stores, "--report", join(folder, "merged")]);
  assert.is(code, 0, stderr);
  assert.is(
    readFileSync(join(folder, "merged/tiny.csv"), "utf8"),
    readFileSync(join(whole, "tiny.csv"), "utf8"),
  );
  const counts = stores.map((path) => new RunStore<NetworkRows>(path).size);
  assert.equal(counts, [7, 6, 7]);
  await refusesHere(["sweep", "merge", ...stores.slice(1)], "7 of 20 runs are missing");
  const other = join(folder, "other");
  assert.is((await runHere([...sweep, "--shard", "1/9", "--seeds", "6", "--report", other])).code, 0);
  const wrong = [...stores, join(other, "tiny.shard-1-of-9.runs")];
  await refusesHere(
    ["sweep", "merge", ...wrong],
    "tiny.shard-1-of-9.runs",
    "another sweep",
    "with other seeds",
  );
  await refusesHere(["sweep", "merge", scenario], "tiny.json", "holds no runs");
  await refusesHere([...sweep, "--shard", "4/3"], "--shard", "PART/OF");
});

test.run();
