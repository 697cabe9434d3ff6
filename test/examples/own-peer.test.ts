import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { Session } from "../../tools/session/session.ts";
import { test } from "../tools/contained.ts";
import { inFolder, killStation, startStation } from "../tools/stations.ts";

const PROGRAM = join(process.cwd(), "examples/own-peer/own-peer.mjs");
const NODE = { sid: 5, channels: 2, learner: "olk-c", options: { budget: 8 } };

test("a peer of one's own labels what a node senses, until 40 labels lie in a checkpoint", async () => {
  const listen = inFolder("peer");
  const station = await startStation({
    listen,
    node: NODE,
    sampleMs: 10,
    checkpoint: inFolder("peer.flash"),
  });
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, listen, "40"]);
  assert.match(stdout, /^40 labels are in a checkpoint; \d+ were sent again\n$/);
  const session = await Session.open({ port: `unix:${listen}` });
  const { labelled } = await session.ask("state");
  assert.ok(labelled >= 40);
  await session.close();
  await killStation(station);
});

test("where no node is, it says so", async () => {
  const failed = await promisify(execFile)(process.execPath, [PROGRAM, inFolder("nowhere")]).catch(
    (error) => error,
  );
  assert.is(failed.code, 4);
  assert.match(failed.stderr, /^own-peer: [^\n]*ENOENT[^\n]*\n$/);
});

test.run();
