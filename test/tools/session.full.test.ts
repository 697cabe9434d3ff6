import { rmSync } from "node:fs";
import * as assert from "uvu/assert";
import { Session } from "../../tools/session/session.ts";
import { LabelQueue } from "../peer/label-queue.ts";
import { test } from "./contained.ts";
import { inFolder, killStation, SMALL_NODE as NODE, startStation } from "./stations.ts";

test("a node whose power is cut is welcomed again: the lost link is counted, its labels continue from the checkpoint", async () => {
  const listen = inFolder("again");
  const options = { listen, node: NODE, fed: true, checkpoint: inFolder("again.checkpoint") };
  let station = await startStation(options);
  const events: string[] = [];
  const queue = new LabelQueue();
  const session = await Session.open({
    port: `unix:${listen}`,
    labels: queue,
    samples: { at: (seq) => ({ x: [seq % 3, 1], after: seq - 4 }) },
    events: {
      started: ({ restore }) => {
        events.push(restore);
        if (restore !== "fresh") return;
        for (let seq = 1; seq <= 40; seq++) queue.add({ sid: 5, seq, y: seq % 2 ? 1 : -1 });
      },
      lost: () => events.push("lost"),
      reopened: () => events.push("reopened"),
    },
  });
  await session.until(() => session.peer.node.labelled >= 20);
  assert.ok(await session.checkpoint(20));
  await killStation(station);
  rmSync(listen);
  await session.until(() => !session.port.open);
  station = await startStation(options);
  await session.until(() => session.peer.counts.starts === 2 && session.peer.node.labelled === 40);
  assert.equal(events, ["fresh", "lost", "reopened", "restored"]);
  assert.is(session.port.losses, 1);
  assert.is((await session.ask("statistics")).applied, 40);
  await session.close();
  await killStation(station);
});

test.run();
