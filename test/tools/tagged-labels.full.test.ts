import { chmodSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import * as assert from "uvu/assert";
import { UserError } from "../../host/errors.ts";
import { Interrupt } from "../../host/terminal/interrupt.ts";
import { labelKey } from "../../src/wire/label-tag.ts";
import { LineSplitter } from "../../tools/fusion/line-splitter.ts";
import { encodeLine, type LabelLine, type LineTag, nameLearner } from "../../tools/fusion/lines.ts";
import { CENTRE_LINE_MAX } from "../../tools/fusion/read-line.ts";
import { simulatedReplays } from "../../tools/fusion/replays.ts";
import { locateSample } from "../../tools/fusion/spans.ts";
import { LabelDelivery } from "../../tools/labels/label-delivery.ts";
import { Reporter } from "../../tools/labels/report.ts";
import { openSource } from "../../tools/labels/source.ts";
import { Session } from "../../tools/session/session.ts";
import { start, temporaryFolder } from "../cli/program.ts";
import { parseEvents } from "../lab/short-network.ts";
import { words } from "../words.ts";
import { test } from "./contained.ts";
import { inFolder, killStation, startStation, takeSamples } from "./stations.ts";

const put = temporaryFolder();
const CENTRE_KEY = "000102030405060708090a0b0c0d0e0f";
const SAMPLES = 60;
/** Each label comes two samples after its own. */
const scenario = put(
  "scene.json",
  JSON.stringify({
    schema: "motelearn.scenario/1",
    stream: { type: "scene", nodes: 1, samples: SAMPLES, channels: 2 },
    labels: { delayMean: 2, delaySpread: 0 },
    tasks: [{ name: "t", task: "classification", learners: [{ learner: "olk-c", options: { budget: 8 } }] }],
  }),
);
const centreFile = put("centre.key", CENTRE_KEY);
chmodSync(centreFile, 0o600);
const [replay] = await simulatedReplays({ scenario });
const NODE_KEY = Buffer.from(
  labelKey(Buffer.from(CENTRE_KEY, "hex"), new TextEncoder().encode(replay.node)),
).toString("hex");
const LABELS = replay.labels.length;

const centreAt = inFolder("centre");
const centre = start(
  ...words`fusion --listen unix:${centreAt} --scenario ${scenario} --label-key ${centreFile}`,
);
await centre.says("listening");

/** Passes lines between `labels` and the centre, and a label's as `relayed` has it. */
function relay(name: string, relayed: (line: LabelLine) => LabelLine): { at: string; server: Server } {
  const at = inFolder(name);
  const server = createServer((down) => {
    const up = connect(centreAt);
    const splitter = new LineSplitter(CENTRE_LINE_MAX);
    for (const socket of [up, down]) socket.on("error", () => {});
    down.on("data", (bytes) => up.write(bytes)).on("close", () => up.destroy());
    up.on("close", () => down.destroy());
    up.on("data", (bytes) => {
      for (const text of splitter.take(bytes as Uint8Array)) {
        const line = JSON.parse(text);
        down.write(encodeLine("number" in line ? relayed(line) : line));
      }
    });
  });
  return { at, server: server.listen(at).unref() };
}

function given(name: string, fed: boolean, key = NODE_KEY) {
  const node = { ...nameLearner(replay.options), checkpointEvery: 5 };
  return { listen: inFolder(name), node, fed, checkpoint: inFolder(`${name}.flash`), labelKey: key };
}

function labelsFrom(from: string, listen: string) {
  return start("labels", "--port", `unix:${listen}`, "--from", `unix:${from}`, "--json");
}

/** The node's counters. */
async function countedAt(listen: string) {
  const session = await Session.open({ port: `unix:${listen}` });
  const { applied, session: other, forged, expired } = await session.ask("statistics");
  const { learnerHigh, learnerLow } = await session.ask("state");
  await session.close();
  return { applied, session: other, forged, expired, state: [learnerHigh, learnerLow] };
}

/** Sends labels in this process, silently, and returns the error that ended it. */
async function handedOver(from: string, listen: string): Promise<Error | undefined> {
  const port = `unix:${listen}`;
  const link = { baud: 115200, giveUp: 30 };
  const reporter = new Reporter(port, true);
  reporter.started = reporter.bits = reporter.message = reporter.summary = () => {};
  const handOver = new LabelDelivery({
    ...{ port, serial: {}, ...link, window: 16, wanted: 1, follow: false, stop: new Interrupt(), reporter },
    source: await openSource({ from: `unix:${from}`, ahead: 8, ...link }),
  });
  return handOver.run().then(
    () => undefined,
    (error: Error) => error,
  );
}

test("a label that the centre tagged is learned from, relayed by a program without the key", async () => {
  const station = given("true-node", true);
  const child = await startStation(station);
  const ended = await labelsFrom(centreAt, station.listen).ended;
  assert.is(ended.code, 0, ended.stderr);
  const events = parseEvents(ended);
  const { labels, simulated } = events[events.length - 1];
  assert.equal([labels.counted.applied, labels.counted.forged, labels.durable], [LABELS, 0, LABELS]);
  assert.is(simulated.same, true);
  await killStation(child);
});

test("a node with another label key than its name's learns nothing, and labels says so in one line", async () => {
  const station = given("other-node", true, otherHash(NODE_KEY));
  const child = await startStation(station);
  const fault = await handedOver(centreAt, station.listen);
  assert.instance(fault, UserError);
  assert.match(
    fault?.message ?? "",
    /^unix:\S+: the node refuses the tags of these labels; [^\n]*--node "[^"]+" makes$/,
  );
  const { applied, forged } = await countedAt(station.listen);
  assert.ok(applied === 0 && forged > 0, `${applied} applied, ${forged} forged`);
  await killStation(child);
});

const TRUE_LABELS = 10;

/** A tag with one digit changed. */
function otherHash(hash: string): string {
  return hash.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
}

test("a relay that changes a label's value, sample, session, origin or tag teaches nothing, and is counted as forged", async () => {
  const changes: { readonly [what: string]: (line: Required<LabelLine>) => object } = {
    y: ({ label }) => ({ label: -label }),
    seq: ({ tag }) => ({ tag: { ...tag, seq: tag.seq + 1 } }),
    sid: ({ tag }) => ({ tag: { ...tag, sid: tag.sid + 1 } }),
    source: () => ({ source: 9 }),
    confidence: () => ({ confidence: 1 }),
    tag: ({ tag }) => ({ tag: { ...tag, hash: otherHash(tag.hash) } }),
    none: () => ({ tag: undefined }),
  };
  const station = given("robbed", true);
  const child = await startStation(station);
  const states = new Set<string>();
  let before = 0;
  for (const [what, change] of Object.entries(changes)) {
    const { at, server } = relay(`relay-${what}`, (line) =>
      line.number > TRUE_LABELS ? { ...line, ...change(line as Required<LabelLine>) } : line,
    );
    assert.match(
      (await handedOver(at, station.listen))?.message ?? "",
      /refuses the tags of these labels/,
      what,
    );
    const { applied, forged, state } = await countedAt(station.listen);
    assert.ok(applied === TRUE_LABELS && forged > before, `${what}: ${applied} applied, ${forged} forged`);
    before = forged;
    states.add(String(state));
    server.close();
  }
  assert.is(states.size, 1, "what was true was learned, and nothing else");
  assert.is(await handedOver(centreAt, station.listen), undefined);
  assert.is((await countedAt(station.listen)).applied, LABELS, "no label was lost by that");
  await killStation(child);
});

test("a node that starts again gets tags for its new session; a label of the one before, said again, teaches nothing", async () => {
  const REPLAYED = 41;
  const FORGED = 46;
  const station = given("restarted", false);
  const heard: LabelLine[] = [];
  const { at, server } = relay("witness", (line) => {
    if (heard.length < LABELS || line.number < REPLAYED) return heard[heard.push(line) - 1];
    const old = heard[line.number - REPLAYED];
    const sid = line.number < FORGED ? old.tag?.sid : line.tag?.sid;
    return { ...old, number: line.number, due: line.due, tag: { ...old.tag, sid } as LineTag };
  });
  let child = await startStation(station);
  const labels = labelsFrom(at, station.listen);
  await labels.says("self-test");
  const sampleOn = async (first: number, last: number) => {
    for (let seq = first; seq <= last; seq++) {
      takeSamples(child, 1);
      if (seq > 2) await labels.says(`"number":${seq - 2},`);
    }
  };
  await sampleOn(1, 24); // the last checkpoint was made at label 20, and so at sample 22
  await killStation(child);
  rmSync(station.listen);
  child = await startStation(station);
  await labels.says('"number":22,', labels.printed().length);
  await sampleOn(25, FORGED + 2);
  const { code, stderr } = await labels.ended;
  assert.is(code, 2, stderr);
  assert.is(new Set(heard.map(({ tag }) => tag?.sid)).size, 2, "labels of both sessions were tagged");
  const { applied, session, forged } = await countedAt(station.listen);
  const lost = 2;
  assert.equal([applied, session], [REPLAYED - 1 - lost, FORGED - REPLAYED + lost]);
  assert.ok(forged > 0);
  await killStation(child);
  server.close();
});

test("a centre's sample is where the newest span that began before it has it, and nowhere before the first", () => {
  const spans = [
    { sid: 7, first: 1, seq: 1 },
    { sid: 9, first: 5, seq: 4 },
  ];
  const places = [1, 4, 5, 8].map((seq) => locateSample(spans, seq));
  assert.equal(places, [
    { sid: 7, seq: 1 },
    { sid: 7, seq: 4 },
    { sid: 9, seq: 4 },
    { sid: 9, seq: 7 },
  ]);
  assert.equal(locateSample(spans.slice(1), 4), { sid: 0, seq: 4 }, "a session that no node has");
});

test("a subscription without spans is refused by a centre that tags, in one line", async () => {
  const text = await new Promise<string>((done) => {
    let heard = "";
    const socket = connect(centreAt);
    socket.setEncoding("utf8").on("data", (some: string) => {
      heard += some;
    });
    socket.on("close", () => done(heard));
    socket.write('{"schema":"motelearn.fusion/1","ask":1,"node":1,"label":1,"sample":null}\n');
    socket.on("end", () => socket.destroy());
  });
  assert.match(text, /^\{"error":"no spans[^\n]*\}\n$/);
});

test.after(() => {
  centre.child.kill();
});
test.run();
