import { appendFileSync, writeFileSync } from "node:fs";
import { connectAsync } from "mqtt";
import * as assert from "uvu/assert";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { Random } from "../../host/random.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { refusesHere, start } from "../cli/program.ts";
import { replays, SCENARIO } from "../lab/short-network.ts";
import { become, pause } from "../tools/awaited.ts";
import { TestBroker } from "../tools/broker.ts";
import { ended, endsWithTest, test } from "../tools/contained.ts";
import { inFolder, killStation, startStation } from "../tools/stations.ts";
import { fetchNodes, PATIENT, readState, replayed } from "../tools/taught-node.ts";
import { fleet, kill, startGateway } from "./fleets.ts";

/** Waits until it is so. */
const becomes = (what: string, so: () => Promise<boolean>) => become(what, so, () => "no more");
const labelFor = (seq: number) => (seq % 3 === 0 ? 1 : -1);

test("labels of files, topics and a centre: a gateway killed again and again loses and doubles none", async () => {
  const random = new Random(5);
  const broker = await TestBroker.start();
  const centre = start(
    "fusion",
    "--listen",
    `unix:${inFolder("centre")}`,
    "--scenario",
    SCENARIO,
    "--seed",
    "5",
    "--json",
  );
  await centre.says("listening");
  const from: { [name: string]: object } = {
    lines: { labels: "labels.ndjson" },
    rows: { labels: "labels.csv" },
    topic: { labels: broker.address("shop/labels") },
    centre: { labels: `unix:${inFolder("centre")}`, labelsOf: 1 },
  };
  const names = Object.keys(from);
  const nodes = names.map((name) => ({ name, port: `unix:${inFolder(`${name}.s`)}`, ...from[name] }));
  const file = fleet("pulled", nodes);
  writeFileSync(inFolder("labels.ndjson"), "not a label\n");
  writeFileSync(inFolder("labels.csv"), "sid,seq,label,by\n");
  const stations = await Promise.all(
    names.map((name) =>
      startStation({
        listen: inFolder(`${name}.s`),
        node: nameLearner(PATIENT),
        sampleMs: 100,
        checkpoint: inFolder(`${name}.ck`),
      }),
    ),
  );
  const publisher = await connectAsync(`mqtt://127.0.0.1:${broker.port}`);
  endsWithTest(() => publisher.endAsync(true));
  const give = {
    lines: (seq: number, sid: number) =>
      appendFileSync(
        inFolder("labels.ndjson"),
        `${JSON.stringify({ sid: sid, seq, label: labelFor(seq), by: "anna" })}\n`,
      ),
    rows: (seq: number, sid: number) =>
      appendFileSync(inFolder("labels.csv"), `${sid},${seq},${labelFor(seq)},"b, c"\n`),
    topic: (seq: number, sid: number) =>
      publisher.publish("shop/labels", JSON.stringify({ sid: sid, seq, label: labelFor(seq) }), {
        qos: 1,
      }),
  };
  const options = new Map(Object.keys(give).map((name) => [name, new Set<number>()]));
  const sids = new Map<string, number>();
  let { child, url } = await startGateway(file);
  // After a restart the gateway knows the last sample from its store before it hears who the node is.
  const met = async () => (await fetchNodes(url)).every(({ node, seq }) => node && seq !== undefined);
  await becomes("the nodes", met);
  // A topic keeps what comes for a client that was there once.
  await becomes("the gateway at its topic", async () => broker.subscribed.has("shop/labels"));
  const KILLS = 5;
  let kills = 0;
  const killed = async () => {
    for (const { name, seq, node } of await fetchNodes(url)) {
      const before = options.get(name);
      if (!before || before.has(seq)) continue;
      before.add(seq);
      give[name as keyof typeof give](seq, node.sid);
      sids.set(name, node.sid);
    }
    if (random.uniform() < 0.1) {
      await pause(300 * random.uniform());
      await kill(child);
      for (const [name, before] of options) {
        const next = Math.max(...before) + 1; // its sample comes while no gateway runs
        before.add(next);
        give[name as keyof typeof give](next, sids.get(name)!);
      }
      await pause(200);
      ({ child, url } = await startGateway(file));
      await becomes("the nodes", met);
      kills++;
    }
    return kills === KILLS;
  };
  await become(`${KILLS} kills of the gateway`, killed, () => `${kills}`, 30);
  let heard: unknown;
  await become(
    "the labels",
    async () => {
      const each = await fetchNodes(url);
      heard = each.map(({ name, labelled, waiting }) => [name, labelled, options.get(name)?.size, waiting]);
      return each.every(
        ({ name, labelled, waiting }) => labelled >= (options.get(name)?.size ?? 0) && waiting <= 3,
      );
    },
    () => JSON.stringify(heard),
  );
  await kill(child);

  const store = new FleetStore(inFolder("pulled.db"));
  const by: { [name: string]: string } = {
    lines: "anna",
    rows: "b, c",
    topic: `mqtt://127.0.0.1:${broker.port}/shop/labels`,
    centre: `unix:${inFolder("centre")}`.slice(0, 64),
  };
  for (const name of names) {
    const rows = [...store.rows("label", name)].sort((a, b) => Number(a.number) - Number(b.number));
    assert.equal(
      rows.map(({ number }) => number),
      rows.map((_, k) => k + 1),
      name,
    );
    assert.ok(
      rows.every((row) => row.by === by[name]),
      name,
    );
    const wanted = options.get(name);
    if (wanted)
      assert.equal(
        rows.map(({ seq }) => Number(seq)).sort((a, b) => a - b),
        [...wanted].sort((a, b) => a - b),
        name,
      );
    else {
      assert.ok(rows.length > 20, `${rows.length} of the centre's labels`);
      const told = replays[0].labels.slice(0, rows.length).map(({ seq, y }) => [seq, y]);
      assert.equal(
        rows.map(({ seq, y }) => [Number(seq), Number(y)]),
        told,
        name,
      );
    }
    const { hash, labelled } = await readState(`unix:${inFolder(`${name}.s`)}`);
    // The centre's last ones were on their way to the node when the gateway was killed.
    assert.ok(wanted ? labelled === rows.length : labelled > 20, `${name}: ${labelled} of ${rows.length}`);
    assert.is(hash, replayed(rows.slice(0, labelled), PATIENT), name);
  }
  const events = store.read("SELECT text FROM event WHERE node = 'lines' AND kind = 'labels'", []);
  assert.is(events.length, 1);
  assert.match(String(events[0].text), /labels\.ndjson: not JSON.*"not a label"/);
  store.close();
  centre.child.kill("SIGINT");
  await centre.ended;
  await Promise.all(stations.map(killStation));
});

test("bad labels of a file are said, a few of them, and those after them are taken", async () => {
  writeFileSync(inFolder("bad.ndjson"), "");
  const listen = inFolder("bad.s");
  const station = await startStation({ listen, node: nameLearner(PATIENT), sampleMs: 50 });
  const file = fleet("bad", [{ name: "n", port: `unix:${listen}`, labels: "bad.ndjson" }]);
  const { child, url } = await startGateway(file);
  let sid: number | undefined;
  await becomes("its hello, and samples", async () => {
    const [{ node, seq }] = await fetchNodes(url);
    sid = node?.sid;
    return sid !== undefined && seq > 5;
  });
  const good = (seq: number, rest: object = {}) => JSON.stringify({ sid, seq, label: 1, ...rest });
  const bad = [
    JSON.stringify({ seq: 1, label: 1 }),
    good(0),
    good(3, { label: "one" }),
    good(4, { sid: 77 }),
    good(5, { colour: 1 }),
    ...Array.from({ length: 30 }, () => "{"),
  ];
  appendFileSync(
    inFolder("bad.ndjson"),
    [good(1), ...bad, good(2, { confidence: 128, source: 7 }), ""].join("\n"),
  );
  await becomes("labels", async () => (await fetchNodes(url))[0].waiting === 2);
  assert.is(await ended(child, "SIGTERM"), 0);
  const store = new FleetStore(inFolder("bad.db"));
  const rows = store.read("SELECT seq, source, confidence, by FROM label ORDER BY id", []);
  assert.equal(
    rows.map((row) => ({ ...row })),
    [
      { seq: 1, source: 0, confidence: 255, by: "bad.ndjson" },
      { seq: 2, source: 7, confidence: 128, by: "bad.ndjson" },
    ],
  );
  const said = store
    .read("SELECT text FROM event WHERE kind = 'labels' ORDER BY id", [])
    .map(({ text }) => String(text));
  assert.is(said.length, 10);
  const parts = ["without its sample's session", "seq", "label", "session 77", "colour", "not JSON"];
  for (const [i, part] of parts.entries()) assert.ok(said[i].includes(part), said[i]);
  store.close();
  await killStation(station);
});

test("labels that come from nowhere are refused in one line", async () => {
  const wrong = (labels: string, ...parts: string[]) =>
    refusesHere(
      ["gateway", fleet("nowhere", [{ name: "n", port: "unix:/tmp/x", labels }])],
      "nodes.0.labels",
      ...parts,
    );
  await wrong("tcp://nowhere", "PORT");
  await wrong("mqtt://host", "mqtt://");
  await wrong("mqtt://host/shop/#", "not a node's name");
});

test.run();
