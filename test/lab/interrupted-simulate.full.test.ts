import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import type { DonePiece } from "../../host-sim/runs/pieces.ts";
import { fileMark } from "../../host-sim/scenario/scenario-file.ts";
import { KeptPieces, piecesKey } from "../../lab/simulation/kept-pieces.ts";
import { type Running, run } from "../cli/program.ts";
import { makeFolder } from "../folder.ts";
import { test } from "../tools/contained.ts";
import { countBytes, grows } from "../tools/growing.ts";
import { haltingPlugin, startHalting } from "../tools/halting.ts";

const folder = makeFolder();

/** As far as keeping goes, an outcome is any value. */
const piece = (part: number) =>
  ({ network: 1, part, outcome: { n: [Number.NaN, -0, part] } }) as unknown as DonePiece;
const partsIn = (path: string, key = "key") => new KeptPieces(path, key).pieces.map(({ part }) => part);

test("what is kept comes back bit for bit, up to a torn record; another key finds nothing", () => {
  const path = join(folder, "kept");
  const first = new KeptPieces(path, "key");
  first.add(piece(4));
  first.add(piece(2));
  const again = new KeptPieces(path, "key");
  assert.equal(partsIn(path), [4, 2]);
  const { n } = again.pieces[0].outcome as unknown as { n: number[] };
  assert.ok(Number.isNaN(n[0]) && Object.is(n[1], -0) && n[2] === 4);
  again.add(piece(0));
  appendFileSync(path, Buffer.from([200, 0, 0, 0, 1, 2, 3]));
  assert.equal(partsIn(path), [4, 2, 0]);
  new KeptPieces(path, "key").add(piece(7));
  assert.equal(partsIn(path), [4, 2, 0, 7], "a record after a torn one");
  assert.equal(partsIn(path, "other"), []);
  writeFileSync(path, "not a file of this program's");
  assert.equal(partsIn(path), []);
  again.remove();
  assert.not.ok(existsSync(path));
});

test("what a run keeps takes the place of another run's", () => {
  const path = join(folder, "others");
  new KeptPieces(path, "other").add(piece(1));
  new KeptPieces(path, "key").add(piece(2));
  assert.equal(partsIn(path), [2]);
});

test("a full disk costs what is kept, not the run", () => {
  const kept = new KeptPieces("/dev/full", "key");
  kept.add(piece(0));
  assert.match(kept.fault ?? "", /^the disk is full/);
});

test("a key changes with what was given, and with each file that is read", () => {
  const file = join(folder, "stream.csv");
  writeFileSync(file, "1,2\n");
  const key = piecesKey({ seed: 1 }, [file]);
  assert.is(piecesKey({ seed: 1 }, [file]), key);
  assert.is.not(piecesKey({ seed: 2 }, [file]), key);
  writeFileSync(file, "1,2\n3,4\n");
  assert.is.not(piecesKey({ seed: 1 }, [file]), key);
});

const plugin = haltingPlugin(folder);

test("Ctrl-C ends with the networks that are done, code 130; the same command continues to the same bytes", async () => {
  const learners = ["pa", "lol", "perceptron", "halting"];
  const scenario = {
    ...JSON.parse(readFileSync("host-sim/scenarios/four-motes.json", "utf8")),
    name: "interrupted",
    tasks: [{ name: "events", task: "classification", learners: learners.map((learner) => ({ learner })) }],
  };
  const file = join(folder, "scenario.json");
  writeFileSync(file, JSON.stringify(scenario));
  const reports = join(folder, "reports");
  const args = ["simulate", file, "--plugin", plugin, "--threads", "2", "--json", "--report"];
  const whole = run(...args, join(folder, "whole"));
  assert.is(whole.code, 0, whole.stderr);
  const keptFile = join(reports, `scenario-seed-1.${fileMark(file, reports)}.networks`);
  const first = startHalting(100, ...args, reports);
  await growsBeyond(keptFile, 0, first);
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

/** Bytes that the key and the fused labels of a network stay below, and some nodes' results don't. */
const MORE_THAN_FUSION = 2000;

test("a network of many nodes that was killed continues, on other threads, to the same bytes", async () => {
  const file = join(folder, "large.json");
  const scene = {
    schema: "motelearn.scenario/1",
    stream: { type: "scene", nodes: 40, samples: 50, channels: 2 },
    fusion: { rule: "majority" },
    tasks: [{ name: "presence", task: "classification", learners: [{ learner: "halting" }] }],
  };
  writeFileSync(file, JSON.stringify(scene));
  const reports = join(folder, "large");
  const args = ["simulate", file, "--plugin", plugin, "--json", "--report"];
  const whole = run(...args, join(folder, "large-whole"));
  assert.is(whole.code, 0, whole.stderr);
  const keptFile = join(reports, `large-seed-1.${fileMark(file, reports)}.networks`);
  const interrupt = async (threads: number, signal: "SIGKILL" | "SIGINT") => {
    const bytes = countBytes(keptFile);
    const halted = startHalting(500, ...args, reports, "--threads", String(threads)); // of a network's 2000
    await growsBeyond(keptFile, bytes + MORE_THAN_FUSION, halted);
    halted.child.kill(signal);
    return halted.ended;
  };
  assert.is((await interrupt(1, "SIGKILL")).code, null);
  const { code, stdout, stderr } = await interrupt(2, "SIGINT");
  assert.equal([code, stdout], [130, ""]);
  assert.match(stderr, /interrupted: 0 of 1 networks and [1-9]\d* nodes of others are done; \S+ keeps them/);
  const last = run(...args, reports, "--threads", "2");
  assert.is(last.code, 0, last.stderr);
  assert.ok(last.stdout === whole.stdout, "the same bytes");
  assert.not.ok(existsSync(keptFile));
});

/** Resolves once the file has more bytes. Throws an Error if the program ended before. */
async function growsBeyond(file: string, bytes: number, running: Running): Promise<void> {
  await grows(file, bytes + 1, running);
  if (countBytes(file) <= bytes) throw new Error(`it ended, and ${file} has no more than ${bytes} bytes`);
}

test.run();
