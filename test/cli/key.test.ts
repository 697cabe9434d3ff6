import { readFileSync, statSync } from "node:fs";
import * as assert from "uvu/assert";
import { test } from "../tools/contained.ts";
import { KEY, keyFile, NODE, stream } from "../tools/keyed-node.ts";
import { inFolder, killStation, startStation } from "../tools/stations.ts";
import { refusesHere, run } from "./program.ts";

test("key makes a file of 32 hex digits that only its user can read, another each time, and keeps one that is there", async () => {
  const made = ["one", "two"].map((name) => {
    const file = inFolder(name);
    assert.is(run("key", file).code, 0);
    assert.is(statSync(file).mode & 0o777, 0o600);
    return readFileSync(file, "utf8");
  });
  assert.match(made[0], /^[0-9a-f]{32}\n$/);
  assert.is.not(made[0], made[1]);
  await refusesHere(["key", inFolder("one")], "exists, and was not changed");
  assert.is(readFileSync(inFolder("one"), "utf8"), made[0]);
  await refusesHere(["key", inFolder("nowhere/one")], "there is no folder");
});

test("a node's label key follows from its centre's key and its name, as docs/spec/wire.md has it", async () => {
  const file = inFolder("label");
  const centre = keyFile("centre", `${KEY}\n`);
  assert.is(run("key", file, "--of", centre, "--node", "mote-1").code, 0);
  const told = /label key of node `mote-1`[^:]*: `(\w+)`/.exec(
    readFileSync("docs/spec/wire.md", "utf8"),
  )?.[1];
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

test("labels go over a keyed line, tagged by the label key; without that, the program says so", async () => {
  const at = `unix:${inFolder("labelled")}`;
  const options = { node: { ...NODE, checkpointEvery: 1 }, fed: true, key: KEY, labelKey: KEY };
  const checkpoint = inFolder("labelled.flash");
  const station = await startStation({ listen: at.slice(5), checkpoint, ...options });
  const from = stream();
  const key = keyFile("line", KEY);
  const labels = (...more: string[]) =>
    run("labels", "--port", at, "--from", from, "--give-up", "60", "--key", key, ...more);
  const none = labels();
  assert.is(none.code, 2, none.stderr);
  assert.match(none.stderr, /give --label-key/);
  const { code, stdout, stderr } = labels("--label-key", key);
  assert.is(code, 0, stderr);
  assert.match(stdout, /up to label 20; up to 20 in a checkpoint/);
  await killStation(station);
});

test.run();
