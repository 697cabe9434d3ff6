import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { NetworkOutcome } from "../../host-sim/network/network.ts";
import { scenarioMark } from "../../tools/cli/scenario-file.ts";
import { KeptNetworks, keyOf } from "../../tools/simulation/kept-networks.ts";
import { run, start } from "./program.ts";

const folder = mkdtempSync(join(tmpdir(), "motelearn-interrupted-"));
test.after(() => rmSync(folder, { recursive: true }));

/** As far as keeping goes, an outcome is any value. */
const outcome = (n: number) => ({ nodes: [], n: [Number.NaN, -0, n] }) as unknown as NetworkOutcome;

test("what is kept comes back bit for bit, up to a torn record; another key finds nothing", () => {
  const path = join(folder, "kept");
  const first = new KeptNetworks(path, "key");
  first.add(4, outcome(4));
  first.add(2, outcome(2));
  const again = new KeptNetworks(path, "key");
  assert.equal([...again.outcomes.keys()], [4, 2]);
  const { n } = again.outcomes.get(4) as unknown as { n: number[] };
  assert.ok(Number.isNaN(n[0]) && Object.is(n[1], -0) && n[2] === 4);
  again.add(0, outcome(0));
  appendFileSync(path, Buffer.from([200, 0, 0, 0, 1, 2, 3]));
  assert.equal([...new KeptNetworks(path, "key").outcomes.keys()], [4, 2, 0]);
  assert.is(new KeptNetworks(path, "other").outcomes.size, 0);
  writeFileSync(path, "not a file of this program's");
  assert.is(new KeptNetworks(path, "key").outcomes.size, 0);
  again.remove();
  assert.not.ok(existsSync(path));
});

test("a full disk costs what is kept, not the run", () => {
  const kept = new KeptNetworks("/dev/full", "key");
  kept.add(0, outcome(0));
  assert.is(kept.fault, "ENOSPC");
  assert.is(kept.outcomes.size, 1);
});

test("a key changes with what was given, and with each file that is read", () => {
  const file = join(folder, "stream.csv");
  writeFileSync(file, "1,2\n");
  const key = keyOf({ seed: 1 }, [file]);
  assert.is(keyOf({ seed: 1 }, [file]), key);
  assert.is.not(keyOf({ seed: 2 }, [file]), key);
  writeFileSync(file, "1,2\n3,4\n");
  assert.is.not(keyOf({ seed: 1 }, [file]), key);
});

test("Ctrl-C ends with the networks that are done, code 130; the same command goes on to the same bytes", async () => {
  const learners = ["olk-c", "projectron", "bsgd", "dual-greedy", "dual-aga", "dual-rho", "norma-c", "nogd"];
  const scenario = {
    ...JSON.parse(readFileSync("host-sim/scenarios/four-motes.json", "utf8")),
    name: "interrupted",
    tasks: [{ name: "events", task: "classification", learners: learners.map((learner) => ({ learner })) }],
  };
  const file = join(folder, "scenario.json");
  writeFileSync(file, JSON.stringify(scenario));
  const reports = join(folder, "reports");
  const args = ["simulate", file, "--threads", "1", "--json", "--report"];
  const whole = run(...args, join(folder, "whole"));
  assert.is(whole.code, 0, whole.stderr);
  const keptFile = join(reports, `scenario-seed-1.${scenarioMark(file, reports)}.networks`);
  const first = start(...args, reports);
  await appears(keptFile);
  first.child.kill("SIGINT");
  const stopped = await first.ended;
  assert.is(stopped.code, 130, stopped.stderr);
  assert.match(
    stopped.stderr,
    /^motelearn: interrupted: \d+ of \d+ networks are done; .*scenario-seed-1\.[0-9a-f]{16}\.networks keeps/,
  );
  const done = new Set<string>();
  if (stopped.stdout !== "")
    for (const { name } of JSON.parse(stopped.stdout).nodes[0].learners) done.add(name);
  assert.ok(done.size < learners.length);
  assert.ok(existsSync(keptFile));
  const kept = readFileSync(keptFile).length;
  assert.ok(kept > 1000, `${kept} bytes`);
  const second = run(...args, reports);
  assert.is(second.code, 0, second.stderr);
  assert.is(second.stdout, whole.stdout);
  assert.not.ok(existsSync(keptFile), "nothing is kept of a run that is over");
});

/** Resolves once there is such a file. */
function appears(file: string): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (!existsSync(file)) return;
      clearInterval(timer);
      resolve();
    }, 5);
  });
}

test.run();
