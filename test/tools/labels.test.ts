import { rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import * as assert from "uvu/assert";
import { ClassNames } from "../../host/streams/class-names.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { openSource } from "../../tools/labels/source.ts";
import { refusesHere, runHere, start } from "../cli/program.ts";
import { parseEvents, SCENARIO } from "../lab/short-network.ts";
import { test } from "./contained.ts";
import { plainStates, ROWS, SMALL, stream } from "./small-node.ts";
import { inFolder, killStation, startStation, takeSamples } from "./stations.ts";

test("a recorded stream feeds samples and labels: the same state as a node in this process", async () => {
  const options = {
    listen: inFolder("file"),
    node: nameLearner(SMALL),
    fed: true,
    checkpoint: inFolder("file.ck"),
  };
  const station = await startStation(options);
  const run = await start(
    "labels",
    "--port",
    `unix:${options.listen}`,
    "--from",
    stream("rows.ndjson"),
    "--json",
  ).ended;
  assert.is(run.code, 0, run.stderr);
  const events = parseEvents(run);
  const { labels, samples, state, bits, compared, simulated } = events[events.length - 1];
  const { stateHash, nodeHash } = plainStates();
  assert.equal([state.stateHash, state.nodeHash], [stateHash, nodeHash]);
  assert.equal([labels.sent, labels.counted.applied, labels.durable, samples.fed], [48, 48, 48, 60]);
  assert.equal([bits.verdict, bits.learner, simulated], ["same bits", true, undefined]);
  assert.equal(compared, { same: true, stateHash });
  await killStation(station);
});

/** Samples of the recording that the station's sensor plays: it repeats after eleven. */
const PLAYED = 22;
const readingAt = (sample: number, channel: number) => ((7 * (2 * sample - 1 + channel) + channel) % 11) / 4;

/** That recording as a file, its first sample shifted. */
function recording(name: string, shift = 0): string {
  const lines = Array.from({ length: PLAYED }, (_, i) => {
    const x = [0, 1].map((channel) => readingAt(i + 1, channel) + (i === 0 ? shift : 0));
    return `${JSON.stringify({ x, label: x[0] > x[1] ? "warm" : "cold" })}\n`;
  });
  const file = inFolder(`${name}.ndjson`);
  writeFileSync(file, lines.join(""));
  return file;
}

const PLAYER = nameLearner({ ...SMALL, pending: 64 });

/** Hands a recording's labels to a node that plays it unshifted; the exit code, and the comparison of states. */
async function taughtWhilePlaying(name: string, shift: number, ...more: readonly string[]) {
  const listen = inFolder(name);
  const station = await startStation({ listen, node: PLAYER, checkpoint: `${listen}.ck` });
  takeSamples(station, PLAYED + 8); // it has begun again
  const from = recording(name, shift);
  const run = await start("labels", "--port", `unix:${listen}`, "--from", from, "--json", ...more).ended;
  await killStation(station);
  return { code: run.code, compared: parseEvents(run).at(-1)?.compared };
}

test("of a node that plays the recording, --played compares the state with this machine's", async () => {
  const unsaid = await taughtWhilePlaying("unsaid", 0);
  assert.is(unsaid.code, 0);
  assert.match(unsaid.compared.why, "its own sensors, which aren't known here");
  const played = await taughtWhilePlaying("played", 0, "--played");
  assert.equal([played.code, played.compared.same], [0, true]);
  const other = await taughtWhilePlaying("other", 0.5, "--played");
  assert.equal([other.code, other.compared.same], [5, false]);
});

test("a node that plays the recording takes samples again after a power cut, and learns every label", async () => {
  const listen = inFolder("cut");
  const first = await startStation({ listen, node: PLAYER });
  takeSamples(first, 5);
  const from = recording("cut");
  const run = start("labels", "--port", `unix:${listen}`, "--from", from, "--json", "--played");
  await run.says('"number":5,');
  await killStation(first);
  rmSync(listen);
  const second = await startStation({ listen, node: PLAYER, checkpoint: `${listen}.ck` });
  takeSamples(second, PLAYED);
  const ended = await run.ended;
  await killStation(second);
  assert.is(ended.code, 0, ended.stderr);
  const { labels, compared } = parseEvents(ended).at(-1);
  assert.equal([labels.durable, labels.counted.applied, compared.same], [PLAYED, PLAYED, true]);
});

test("who gave a label, and how sure, goes from a file's line to the label, late or not; what is no byte is named", async () => {
  const file = inFolder("origin.ndjson");
  const lines = [
    { x: [1, 2], label: 1, source: 7, confidence: 99 },
    { x: [2, 3], label: 0 },
    { x: [3, 4], sid: 1, seq: 3 },
    { type: "label", sid: 1, seq: 3, label: 1, source: 9 },
  ];
  const write = (list: readonly object[]) =>
    writeFileSync(file, list.map((line) => `${JSON.stringify(line)}\n`).join(""));
  write(lines);
  const csv = inFolder("origin.csv");
  writeFileSync(csv, "a,b,label,source,confidence\n1,2,1,7,99\n2,3,0,,\n3,4,1,9,\n");
  for (const from of [file, csv]) {
    const source = await openSource({ from, ahead: 8, baud: 115200, giveUp: 1 });
    const pupil = { task: "classification", classes: ClassNames.forCount(2), pending: 64 } as const;
    const supply = await source.supply(1, pupil, {});
    const origins = [1, 2, 3].map((number) => supply.label(number)!);
    assert.equal(
      origins.map(({ y, source, confidence }) => [y, source, confidence]),
      [
        [1, 7, 99],
        [-1, 0, 255],
        [1, 9, 255],
      ],
      from,
    );
  }
  for (const [name, value] of [
    ["source", 256],
    ["confidence", "sure"],
  ]) {
    write([...lines, { x: [5, 6], label: 1, [name]: value }]);
    const options = { from: file, ahead: 8, baud: 115200, giveUp: 1 };
    const error = await openSource(options).catch((error) => error);
    assert.is(error.message, `${file}:5: ${name} is "${value}"; a whole number 0..255 is needed`);
  }
});

/** A port where nothing listens. */
function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

test("what can't be opened, read or understood is refused in one line", async () => {
  const rows = stream("good.ndjson");
  const torn = inFolder("torn.ndjson");
  writeFileSync(torn, `${JSON.stringify(ROWS[0])}\n{"x":[1,\n`);
  await refusesHere(["labels", "--from", rows], "no --port", "--list");
  await refusesHere(["labels", "--port", "unix:/x"], "no --from", "fusion:SCENARIO");
  await refusesHere(["labels", "--port", "ttyUSB0", "--from", rows], "ttyUSB0", "/dev/ttyUSB0");
  await refusesHere(["labels", "--port", "http://x", "--from", rows], "http://x", "tcp://HOST:PORT");
  await refusesHere(
    ["labels", "--port", "unix:/x", "--from", "missing.ndjson"],
    "missing.ndjson: no such file",
  );
  await refusesHere(["labels", "--port", "unix:/x", "--from", torn], `${torn}:2: not JSON`);
  const bare = inFolder("bare.ndjson");
  writeFileSync(bare, ROWS.map(({ x }) => `${JSON.stringify({ x })}\n`).join(""));
  await refusesHere(["labels", "--port", "unix:/x", "--from", bare], `${bare}: no row of it has a label`);
  const second = ["labels", "--port", "unix:/x", "unix:/y", "--from"];
  await refusesHere([...second, rows], `${rows}: no node 2; there is one without a name`);
  await refusesHere(
    [...second, `fusion:${SCENARIO}`, "--node", "mote 3", "mote 9"],
    "no node mote 9",
    "mote 1, mote 2, mote 3, mote 4",
  );
  await refusesHere(["labels", "--port", "unix:/x", "--from", "fusion:four-mote"], "four-mote");
  await refusesHere(
    ["labels", "--port", "unix:/x", "--from", "fusion:", "--task", "novel"],
    "--task novel",
    "novelty",
  );
  await refusesHere(["fusion", "--listen", "/dev/ttyUSB0"], "--listen", "tcp://HOST:PORT");
  for (const [port, what] of [
    [`unix:${inFolder("nothing")}`, "no such device or socket"],
    ["/dev/ttyNONE", "no such device or socket"],
    [`tcp://127.0.0.1:${await closedPort()}`, "nothing listens there"],
    [rows, "not a serial device; for a socket write unix:PATH"],
    ["/dev/null", "not a serial device"],
  ]) {
    const { code, stdout, stderr } = await runHere(["labels", "--port", port, "--from", rows]);
    assert.is(code, 4, stderr);
    assert.is(stdout, "");
    assert.match(stderr, /^motelearn: [^\n]+\n$/);
    assert.ok(stderr.includes(`${port}: `) && stderr.includes(what), stderr);
  }
});

test.run();
