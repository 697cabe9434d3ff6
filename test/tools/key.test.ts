import { chmodSync, readFileSync, statSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { RunningMonitor } from "./monitors.ts";
import { refusesHere, run, start, temporaryFolder } from "./program.ts";
import { inFolder, killStation, startStation } from "./stations.ts";

const put = temporaryFolder();
const KEY = "000102030405060708090a0b0c0d0e0f";
const NODE = { sid: 7, channels: 2, learner: "olk-c", options: { budget: 8 } };

function keyFile(name: string, text: string, mode = 0o600): string {
  const file = put(name, text);
  chmodSync(file, mode);
  return file;
}

test("key makes a file of 32 hex digits that only its user can read, another each time, and keeps one that is there", async () => {
  const made = ["one", "two"].map((name) => {
    const file = inFolder(name);
    assert.is(run("key", file).code, 0);
    assert.is(statSync(file).mode & 0o777, 0o600);
    return readFileSync(file, "utf8");
  });
  assert.match(made[0], /^[0-9a-f]{32}\n$/);
  assert.is.not(made[0], made[1]);
  await refusesHere(["key", inFolder("one")], "is there already");
  assert.is(readFileSync(inFolder("one"), "utf8"), made[0]);
  await refusesHere(["key", inFolder("nowhere/one")], "ENOENT");
});

test("a node's label key follows from its centre's key and its name, as SPEC.md has it", async () => {
  const file = inFolder("label");
  const centre = keyFile("centre", `${KEY}\n`);
  assert.is(run("key", file, "--of", centre, "--node", "mote-1").code, 0);
  const told = /label key of node `mote-1`[^:]*: `(\w+)`/.exec(readFileSync("SPEC.md", "utf8"))?.[1];
  assert.is(readFileSync(file, "utf8"), `${told}\n`);
  await refusesHere(["key", inFolder("another"), "--of", centre], "--node");
});

test("a key file that others can read, that isn't there or holds no key is refused in one line", async () => {
  const rollback = (file: string) => ["rollback", "--port", "unix:/nowhere", "--key", file];
  await refusesHere(rollback(keyFile("open", KEY, 0o640)), "chmod 600");
  await refusesHere(rollback(keyFile("short", KEY.slice(1))), "32 hex digits");
  await refusesHere(rollback(keyFile("long", `${KEY}\n\n`)), "32 hex digits");
  await refusesHere(rollback(inFolder("missing")), "ENOENT", "motelearn key");
  await refusesHere(rollback(process.cwd()), "32 hex digits");
  const labels = ["labels", "--port", "unix:/nowhere", "--label-key"];
  await refusesHere([...labels, keyFile("open-labels", KEY, 0o640)], "--label-key", "chmod 600");
  await refusesHere([...labels, inFolder("missing")], "--label-key", "ENOENT");
  await refusesHere(
    ["key", inFolder("new"), "--of", keyFile("bad", "key"), "--node", "a"],
    "--of",
    "32 hex digits",
  );
});

test("a keyed node answers who has its key; without it or with another, the program says so and ends with 4", async () => {
  const at = `unix:${inFolder("keyed")}`;
  const station = await startStation({ listen: at.slice(5), node: NODE, key: KEY });
  const inspect = (...more: string[]) => run("inspect", "--port", at, "--give-up", "2", ...more);
  assert.is(inspect("--key", keyFile("right", KEY)).code, 0);
  const [none, other] = [inspect(), inspect("--key", keyFile("other", KEY.replace("00", "01")))];
  assert.equal([none.code, other.code], [4, 4]);
  assert.match(none.stderr, /: the node is keyed: give --key FILE \(for 2 s\)\n$/);
  assert.match(
    other.stderr,
    /: every frame comes with another key, or none: is --key the node's\? \(for 2 s\)\n$/,
  );
  const labels = start("labels", "--port", at, "--from", stream(), "--give-up", "30");
  await labels.says("the node is keyed: give --key FILE");
  labels.child.kill("SIGINT");
  await labels.ended;
  await killStation(station);
});

/** 20 samples with labels. */
function stream(): string {
  const lines = Array.from({ length: 20 }, (_, i) =>
    JSON.stringify({ x: [i % 3, i % 5], label: i % 2 ? 1 : -1 }),
  );
  return put("stream.ndjson", `${lines.join("\n")}\n`);
}

test("labels go over a keyed line, tagged by the label key; without that, the program says so", async () => {
  const at = `unix:${inFolder("labelled")}`;
  const given = { node: { ...NODE, checkpointEvery: 1 }, fed: true, key: KEY, labelKey: KEY };
  const checkpoint = inFolder("labelled.flash");
  const station = await startStation({ listen: at.slice(5), checkpoint, ...given });
  const from = stream();
  const key = keyFile("line", KEY);
  const labels = (...more: string[]) =>
    run("labels", "--port", at, "--from", from, "--give-up", "3", "--key", key, ...more);
  const none = labels();
  assert.is(none.code, 2, none.stderr);
  assert.match(none.stderr, /give --label-key/);
  const { code, stdout, stderr } = labels("--label-key", key);
  assert.is(code, 0, stderr);
  assert.match(stdout, /up to label 20; up to 20 in a checkpoint/);
  await killStation(station);
});

test("a monitor that shares a keyed line lends its node to who has no key, and sees what that one does", async () => {
  const [listen, share] = [inFolder("lent"), `unix:${inFolder("lent-share")}`];
  const given = { node: { ...NODE, checkpointEvery: 1 }, fed: true, key: KEY, labelKey: KEY };
  const station = await startStation({ listen, checkpoint: inFolder("lent.flash"), ...given });
  const key = keyFile("lent.key", KEY);
  const log = inFolder("lent.ndjson");
  const port = ["--port", `unix:${listen}`];
  const monitor = new RunningMonitor(...port, "--share", share, "--key", key, "--log", log);
  await monitor.record("start");
  const labels = await start("labels", "--port", share, "--from", stream(), "--label-key", key).ended;
  assert.is(labels.code, 0, labels.stderr);
  assert.match(labels.stdout, /up to label 20; up to 20 in a checkpoint/);
  const { link } = await monitor.record("status", ({ statistics }) => statistics?.applied === 20);
  assert.is(link.forged, 0);
  monitor.press("q");
  assert.is(await monitor.ended(), 0);
  assert.is(readFileSync(log, "utf8").split('"type":"label"').length - 1, 20);
  await killStation(station);
});

test.run();
