import { readFileSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import * as assert from "uvu/assert";
import { DeviceError } from "../../host/errors.ts";
import { Interrupt } from "../../host/terminal/interrupt.ts";
import type { Message, UpName } from "../../src/wire/messages.ts";
import { LineSplitter } from "../../tools/fusion/line-splitter.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { LabelDelivery } from "../../tools/labels/label-delivery.ts";
import { type PortSummary, Reporter } from "../../tools/labels/report.ts";
import { openSource } from "../../tools/labels/source.ts";
import { start } from "../cli/program.ts";
import { parseEvents } from "../lab/short-network.ts";
import { test } from "./contained.ts";
import { SMALL, stream } from "./small-node.ts";
import { inFolder, killStation, startStation, takeSamples } from "./stations.ts";

/** A fusion centre with 80 labels for the samples of one node, each due 10 samples after its own; it sends so many of them. */
function lateCentre(from: string, told = 80): Server {
  const server = createServer((socket) => {
    const splitter = new LineSplitter(1 << 20);
    socket.on("error", () => {});
    socket.on("data", (data) => {
      for (const line of splitter.take(data as Uint8Array)) {
        const { schema, ask, label } = JSON.parse(line);
        if (!schema) continue;
        const lines: object[] = [{ schema, ask, node: "room", label }];
        for (let number = label; number <= told; number++) {
          lines.push({ node: "room", number, seq: number, label: number % 2 ? 1 : -1, due: number + 10 });
        }
        if (told === 80) lines.push({ node: "room", end: true, labels: 80, samples: 0 });
        socket.write(lines.map((one) => `${JSON.stringify(one)}\n`).join(""));
      }
    });
  });
  return server.listen(from).unref();
}

test("a node with a sensor that starts again loses samples: their labels are refused as of another session", async () => {
  const options = {
    listen: inFolder("field"),
    node: { ...nameLearner(SMALL), checkpointEvery: 5 },
    checkpoint: inFolder("field.ck"),
  };
  let station = await startStation(options);
  const from = inFolder("late-centre");
  const server = lateCentre(from);
  const labels = start("labels", "--port", `unix:${options.listen}`, "--from", `unix:${from}`, "--json");
  await labels.says("self-test");
  /** Samples `first` to `last` of the source; each brings the label of the 10th before it. */
  const sampleOn = async (first: number, last: number) => {
    for (let seq = first; seq <= last; seq++) {
      takeSamples(station, 1);
      if (seq > 10) await labels.says(`"number":${seq - 10},`);
    }
  };
  await sampleOn(1, 34);
  const printed = labels.printed().length;
  // The last checkpoint was made at label 20, and so at sample 30.
  await killStation(station);
  rmSync(options.listen);
  station = await startStation(options);
  await labels.says('"number":24,', printed);
  await sampleOn(35, 90);
  const run = await labels.ended;
  assert.is(run.code, 7, run.stderr);
  assert.match(
    run.stderr,
    /: 4 of 80 labels weren't learned: 4 of samples that the node lost when it started again/,
  );
  const events = parseEvents(run);
  const summary = events[events.length - 1];
  assert.is(summary.starts, 2);
  assert.is(summary.samples.lost, 4, "lost samples are counted");
  const { applied, session, expired, unknown } = summary.labels.counted;
  const counted = { applied, session, expired, unknown };
  assert.equal(
    counted,
    { applied: 76, session: 4, expired: 0, unknown: 0 },
    "their labels are refused by name",
  );
  const refused = events.filter(({ status }) => status === "session").map(({ number }) => number);
  assert.equal([...new Set(refused)], [31, 32, 33, 34]);
  assert.is(summary.labels.durable, 80);
  server.close();
  await killStation(station);
});

test("a fusion centre that dies and stays dead while the node waits ends it in one line, after the summary", async () => {
  const options = {
    listen: inFolder("waiting"),
    node: nameLearner(SMALL),
    checkpoint: inFolder("waiting.ck"),
  };
  const station = await startStation(options);
  const from = inFolder("mortal-centre");
  const server = lateCentre(from, 40);
  const connections: Socket[] = [];
  server.on("connection", (socket) => connections.push(socket));
  let now = 0;
  const clock = { now: () => now };
  const summaries: PortSummary[] = [];
  class Hearing extends Reporter {
    override started(): void {}
    override bits(): void {
      takeSamples(station, 12);
    }
    override message(name: UpName, message: Message<UpName>): void {
      if (name !== "acknowledgement" || (message as Message<"acknowledgement">).number !== 2) return;
      server.close();
      for (const socket of connections) socket.destroy();
    }
    override lost(): void {
      now = 1001;
    }
    override summary(summary: PortSummary): void {
      summaries.push(summary);
    }
  }
  const port = `unix:${options.listen}`;
  const link = { baud: 115200, giveUp: 1, clock };
  const handOver = new LabelDelivery({
    ...{ port, serial: {}, ...link, window: 16, wanted: 1, follow: false, stop: new Interrupt() },
    source: await openSource({ from: `unix:${from}`, ahead: 8, ...link }),
    reporter: new Hearing(port, true),
  });
  const fault = await handOver.run().then(
    () => undefined,
    (error: Error) => error,
  );
  assert.instance(fault, DeviceError);
  assert.match(
    fault?.message ?? "",
    /^unix:[^\n]*mortal-centre: the other end closed it 1 s ago, and it doesn't open again$/,
  );
  const [{ fault: told, labels, link: counts }] = summaries;
  assert.is(told, fault?.message);
  assert.equal([labels.labelled, counts.sourceLosses], [2, 1]);
  await killStation(station);
});

test("samples of more or fewer readings than the node's are refused, with what makes a node for them", async () => {
  const options = { listen: inFolder("three"), node: { ...nameLearner(SMALL), channels: 3 }, fed: true };
  const station = await startStation(options);
  const rows = stream("two.ndjson");
  const { code, stderr } = await start("labels", "--port", `unix:${options.listen}`, "--from", rows).ended;
  assert.is(code, 2);
  assert.match(
    stderr,
    /: the node takes 3 readings a sample; the source has 2\. A node for 2 is made by board /,
  );
  assert.match(stderr, / --channels 2, or flash --dimension 2\n$/);
  await killStation(station);
});

test("a node with the firmware's own default, a checkpoint in ten minutes, is waited for", async () => {
  const HASTE = 100;
  const firmware = JSON.parse(readFileSync("targets/moddable/usual.json", "utf8")).config.node;
  assert.is(firmware.checkpointMs, 600_000);
  const { checkpointEvery, checkpointMs } = firmware;
  const options = {
    ...{
      listen: inFolder("sparing"),
      checkpoint: inFolder("sparing.ck"),
      fed: true,
      checkpointMs,
      haste: HASTE,
    },
    node: { ...nameLearner(SMALL), checkpointEvery },
  };
  const station = await startStation(options);
  const waits: number[] = [];
  class Waiting extends Reporter {
    override waits(waitMs: number): void {
      waits.push(waitMs);
    }
  }
  const port = `unix:${options.listen}`;
  const clock = { now: () => HASTE * performance.now() };
  const link = { baud: 115200, giveUp: 0, clock };
  const events: PortSummary[] = [];
  const reporter = new Waiting(port, true);
  reporter.summary = (summary) => void events.push(summary);
  reporter.message = () => {};
  reporter.started = () => {};
  reporter.bits = () => {};
  await new LabelDelivery({
    ...{ port, serial: {}, ...link, window: 16, wanted: 1, follow: false, stop: new Interrupt() },
    source: await openSource({ from: stream("sparing.ndjson"), ahead: 8, ...link }),
    reporter,
  }).run();
  assert.ok(waits.length > 0 && waits[0] > 0 && waits[0] <= checkpointMs, `${waits}`);
  assert.equal([events[0].labels.labelled, events[0].labels.durable], [48, 48]);
  await killStation(station);
});

test("a source that isn't a fusion centre is named, with the line that shows it", async () => {
  const options = { listen: inFolder("sane"), node: nameLearner(SMALL), fed: true };
  const station = await startStation(options);
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => socket.write("HTTP/1.1 400 Bad Request\n"));
  })
    .listen(inFolder("web"))
    .unref();
  const from = `unix:${inFolder("web")}`;
  const { code, stderr } = await start("labels", "--port", `unix:${options.listen}`, "--from", from).ended;
  assert.is(code, 2, stderr);
  assert.match(
    stderr,
    /web: line 3: not JSON: "HTTP.*; motelearn\.fusion\/1 is needed, see docs\/spec\/fusion\.md\n$/,
  );
  server.close();
  await killStation(station);
});

test.run();
