import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { test } from "../tools/contained.ts";
import { KEY, keyFile, NODE, stream } from "../tools/keyed-node.ts";
import { RunningMonitor } from "../tools/monitors.ts";
import { inFolder, killStation, startStation } from "../tools/stations.ts";
import { run, start } from "./program.ts";

test("a keyed node answers who has its key; without it or with another, the program says so and ends with 4", async () => {
  const at = `unix:${inFolder("keyed")}`;
  const station = await startStation({ listen: at.slice(5), node: NODE, key: KEY });
  const inspect = (...more: string[]) => run("inspect", "--port", at, "--give-up", "10", ...more);
  assert.is(inspect("--key", keyFile("right", KEY)).code, 0);
  const [none, other] = [inspect(), inspect("--key", keyFile("other", KEY.replace("00", "01")))];
  assert.equal([none.code, other.code], [4, 4]);
  assert.match(none.stderr, /: the node is keyed: give --key FILE \(for 10 s\)\n$/);
  assert.match(
    other.stderr,
    /: every frame comes with another key, or none: is --key the node's\? \(for 10 s\)\n$/,
  );
  const labels = start("labels", "--port", at, "--from", stream(), "--give-up", "30");
  await labels.says("the node is keyed: give --key FILE");
  labels.child.kill("SIGINT");
  await labels.ended;
  await killStation(station);
});

test("a monitor that shares a keyed line lends its node to who has no key, and sees what that one does", async () => {
  const [listen, share] = [inFolder("lent"), `unix:${inFolder("lent-share")}`];
  const options = { node: { ...NODE, checkpointEvery: 1 }, fed: true, key: KEY, labelKey: KEY };
  const station = await startStation({ listen, checkpoint: inFolder("lent.flash"), ...options });
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
