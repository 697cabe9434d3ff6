import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import * as assert from "uvu/assert";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { Random } from "../../host/random.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { Session } from "../../tools/session/session.ts";
import { stateFields } from "../../tools/session/state-fields.ts";
import { refusesHere, runHere } from "../cli/program.ts";
import { become, LIMIT_MS, pause } from "../tools/awaited.ts";
import { childOfTest, ended, test } from "../tools/contained.ts";
import { freePort } from "../tools/ports.ts";
import { inFolder, killStation, startStation } from "../tools/stations.ts";
import { fetchNodes, NODE, PATIENT, replayed } from "../tools/taught-node.ts";
import { fleet, kill, startGateway } from "./fleets.ts";

/** Gives the label of sample `seq`; false if the gateway isn't there, or doesn't know the sample yet. */
async function give(url: string, node: string, seq: number): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/nodes/${node}/labels`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ seq, label: seq % 3 === 0 ? 1 : -1, by: "anna" }),
    });
    return response.status === 202;
  } catch {
    return false;
  }
}

type Said = Awaited<ReturnType<typeof fetchNodes>>[0];

/** Waits until the gateway's report of each node is right. */
async function becomes(url: string, what: string, right: (said: Said) => boolean): Promise<void> {
  let all = await fetchNodes(url);
  const done = async () => {
    all = await fetchNodes(url);
    return all.every(right);
  };
  await become(what, done, () => JSON.stringify(all));
}

/** Such a node soon drops a sample whose label comes late: on a busy machine labels expire while a gateway starts. */
const SHORT: NodeOptions = { ...NODE, pending: 32 };

test("a gateway killed again and again loses no label that it took, and teaches none twice", async () => {
  const random = new Random(3);
  const names = ["n1", "n2"];
  const listens = names.map((name) => inFolder(name));
  const file = fleet(
    "killed",
    names.map((name, i) => ({ name, port: `unix:${listens[i]}` })),
  );
  const stations = await Promise.all(
    listens.map((listen) =>
      startStation({ listen, node: nameLearner(SHORT), sampleMs: 100, checkpoint: `${listen}.ck` }),
    ),
  );
  const [LABELS, KILLS] = [24, 6];
  const taken = new Map(names.map((name) => [name, new Set<number>()]));
  let { child, url } = await startGateway(file);
  let kills = 0;
  const labelled = async () => {
    for (const { name, seq } of await fetchNodes(url)) {
      const before = taken.get(name)!;
      if (before.has(seq)) continue;
      const answer = give(url, name, seq);
      if (kills < KILLS && before.size > 3 * kills && random.uniform() < 0.3) {
        await pause(300 * random.uniform());
        await kill(child);
        kills++;
        ({ child, url } = await startGateway(file));
      }
      if (await answer) before.add(seq);
    }
    return kills === KILLS && [...taken.values()].every(({ size }) => size >= LABELS);
  };
  const sizes = () => `${kills} kills, labels ${[...taken.values()].map(({ size }) => size)}`;
  await become(`${KILLS} kills, and ${LABELS} labels of each node`, labelled, sizes);
  // An answer that came shortly before a kill isn't on disk: the next gateway asks the node for it.
  const answered = async () => {
    await becomes(url, "checkpoints with the labels", ({ connected, waiting }) => connected && waiting <= 3);
    await pause(500);
    assert.is(await ended(child, "SIGTERM"), 0);
    const stored = new FleetStore(inFolder("killed.db"));
    const lacks = names.filter((name) => stored.labels.lacksAnswer(name, 0, Number.MAX_SAFE_INTEGER));
    stored.close();
    if (lacks.length > 0) ({ child, url } = await startGateway(file));
    return lacks.length === 0;
  };
  await become("an answer to each label in the database", answered, () => "some lack");

  const store = new FleetStore(inFolder("killed.db"));
  for (const [i, name] of names.entries()) {
    const rows = [...store.rows("label", name)].sort((a, b) => Number(a.number) - Number(b.number));
    assert.equal(
      rows.map(({ number }) => number),
      rows.map((_, k) => k + 1),
    );
    for (const seq of taken.get(name)!) assert.ok(rows.some((row) => row.seq === seq));
    const session = await Session.open({ port: `unix:${listens[i]}`, giveUp: LIMIT_MS / 1000 });
    const { stateHash: hash, labelled } = stateFields(await session.ask("state"));
    assert.is(labelled, rows.length);
    const [applied, expired] = [LABEL_STATUS.applied, LABEL_STATUS.expired].map((status) =>
      rows.filter((row) => row.status === status),
    );
    assert.is(applied.length + expired.length, labelled, JSON.stringify(rows));
    assert.is(hash, replayed(applied, PATIENT));
    await session.close();
  }
  store.close();
  await Promise.all(stations.map(killStation));
});

test("a node over the built-in broker, and one over TCP: figures, health, and who may ask", async () => {
  const [port, other] = [await freePort(), await freePort()];
  const file = fleet(
    "figures",
    [
      { name: "plant/n1", port: `mqtt://127.0.0.1:${port}/n1` },
      { name: "n2", port: `tcp://127.0.0.1:${other}` },
    ],
    { broker: port },
  );
  const { child, url } = await startGateway(file);
  const options = { node: nameLearner(PATIENT), sampleMs: 50 };
  const stations = await Promise.all([
    startStation({ ...options, listen: `mqtt://127.0.0.1:${port}/n1` }),
    startStation({ ...options, listen: other }),
  ]);
  await becomes(url, "five samples of each", ({ seq = 0 }) => seq >= 5);
  const { seq } = (await fetchNodes(url))[0];
  assert.is(await give(url, "plant%2Fn1", seq), true);
  assert.is(await give(url, "plant%2Fn1", seq), true); // the same again changes nothing
  const health = await (await fetch(`${url}/healthz`)).json();
  assert.equal(health, { ok: true, nodes: 2, connected: 2 });
  const metrics = await (await fetch(`${url}/metrics`)).text();
  assert.match(metrics, /motelearn_node_connected\{node="plant\/n1"\} 1/);
  const post = (headers: Record<string, string>, body: string, name = "n2") =>
    fetch(`${url}/api/nodes/${name}/labels`, { method: "POST", headers, body });
  const json = { "content-type": "application/json" };
  const good = JSON.stringify({ seq: 1, label: 1 });
  assert.is((await post({ "content-type": "text/plain" }, good)).status, 415);
  assert.is((await post({ ...json, origin: "http://evil.example" }, good)).status, 403);
  assert.is((await post(json, good, "n3")).status, 404);
  assert.is((await post(json, "{")).status, 400);
  assert.is((await post(json, JSON.stringify({ seq: 1, label: "one" }))).status, 400);
  const early = await post(json, JSON.stringify({ seq: 9999, label: 1 }));
  assert.equal([early.status, early.headers.get("retry-after")], [503, "1"]);
  assert.is((await post(json, JSON.stringify({ seq: 99_999_999, label: 1 }))).status, 409);
  assert.is((await post(json, " ".repeat(1 << 13))).status, 413);
  const second = await runHere(["gateway", file]);
  assert.is(second.code, 4, second.stderr);
  assert.match(second.stderr, /^motelearn: .*figures\.db: process \d+ uses it[^\n]*\n$/);
  assert.is(await ended(child, "SIGTERM"), 0);
  await Promise.all(stations.map(killStation));
});

test("a node that lost its checkpoint is taught what isn't durable, under new numbers", () => {
  const store = new FleetStore(inFolder("lost.db"));
  const label = (seq: number) => ({ sid: 1, seq, y: 1, source: 0, confidence: 255, by: "" });
  for (let seq = 1; seq <= 4; seq++) store.labels.add("n", label(seq));
  store.labels.number("n", 0);
  store.labels.durable("n", 2);
  assert.is(store.labels.readDurable("n"), 2);
  store.labels.renumber("n", 0);
  store.labels.confirm("n", 0);
  store.labels.add("n", label(5));
  store.labels.number("n", 0);
  assert.equal(
    store.labels.waiting("n").map(({ number, seq }) => [number, seq]),
    [
      [1, 3],
      [2, 4],
      [3, 5],
    ],
  );
  store.close();
});

test("a database that is too large loses its oldest samples and predictions, and no label", () => {
  let time = 1;
  const store = new FleetStore(
    inFolder("large.db"),
    () => time++,
    () => time,
  );
  for (let seq = 1; seq <= 12_000; seq++) {
    store.sample("n", 5, seq, new Float32Array(32));
    store.prediction("n", 5, seq, 1, 0);
    if (seq <= 50) store.labels.add("n", { sid: 5, seq, y: 1, source: 0, confidence: 255, by: "" });
  }
  store.moveArrivals();
  store.commit();
  const before = store.bytes;
  store.shrink(before / 2);
  assert.ok(store.bytes <= before / 2, `${store.bytes} of ${before}`);
  const [{ count, first, last }] = store.read(
    "SELECT count(*) AS count, min(seq) AS first, max(seq) AS last FROM sample",
    [],
  );
  assert.is(last, 12_000);
  assert.ok(
    Number(first) > 1 && Number(count) === 12_001 - Number(first) && Number(count) > 3000,
    `${count} left`,
  );
  store.shrink(1);
  assert.is(store.read("SELECT 1 FROM sample", []).length, 0);
  assert.is([...store.rows("label")].length, 50);
  store.close();
});

test("what was kept becomes a stream, a table, or Parquet, with predictions and labels", async () => {
  const file = fleet("kept", [
    { name: "n1", port: "unix:/tmp/1" },
    { name: "n2", port: "unix:/tmp/2" },
  ]);
  await refusesHere(
    ["gateway", file, "--export", inFolder("none.csv")],
    "kept.json: store",
    "kept.db",
    "a gateway makes it",
  );
  new FleetStore(inFolder("kept.db")).close();
  await refusesHere(["gateway", file, "--export", inFolder("none.csv")], "no sample");
  let time = 1_700_000_000_000;
  const store = new FleetStore(inFolder("kept.db"), () => time++);
  for (let seq = 1; seq <= 12; seq++) {
    for (const node of ["n1", "n2"]) {
      store.sample(node, 5, seq, Float32Array.of(seq, 0.1));
      store.prediction(node, 5, seq, seq === 3 ? Number.NaN : -0.5, 0);
      const by = 'anna, "a"';
      if (seq % 2)
        store.labels.add(node, { sid: 5, seq, y: seq % 4 === 1 ? 1 : -1, source: 2, confidence: 200, by });
    }
  }
  store.close();
  const written = async (name: string, ...rest: string[]) => {
    const path = inFolder(name);
    const { code, stderr } = await runHere(["gateway", file, "--export", path, ...rest]);
    assert.is(code, 0, stderr);
    return path;
  };
  const lines = readFileSync(await written("all.ndjson"), "utf8")
    .trim()
    .split("\n");
  assert.is(lines.length, 24 + 24 + 12);
  const of = { time: 1_700_000_000_000, node: "n1", sid: 5, seq: 1 };
  assert.equal(
    lines.slice(0, 3).map((line) => JSON.parse(line)),
    [
      { ...of, x: [1, Math.fround(0.1)] },
      { type: "prediction", ...of, decision: -0.5 },
      { type: "label", ...of, label: 1, source: 2, confidence: 200 },
    ],
  );
  const evaluated = await runHere([
    "evaluate",
    "--learner",
    "olk-c",
    "--train",
    inFolder("all.ndjson"),
    "--json",
  ]);
  assert.is(evaluated.code, 0, evaluated.stderr);
  const { count, unlabelled } = JSON.parse(evaluated.stdout).train;
  assert.equal([count, unlabelled], [24, 12], "samples without a label are predicted, and not scored");
  const table = readFileSync(await written("n1.csv", "--node", "n1"), "utf8").split("\n");
  assert.is(table[0], "node,sid,seq,time,decision,by,x1,x2,label");
  assert.is(table[1], `n1,5,1,1700000000000,-0.5,"anna, ""a""",1,${Math.fround(0.1)},1`);
  assert.is(table.length, 14);
  const parquet = readFileSync(await written("all.parquet"));
  const buffer = parquet.buffer.slice(parquet.byteOffset, parquet.byteOffset + parquet.length);
  const rows = await parquetReadObjects({ file: buffer as ArrayBuffer });
  assert.is(rows.length, 24);
  const [{ x2, label, by, time: at }] = rows;
  assert.equal([x2, label, by, at], [Math.fround(0.1), 1, 'anna, "a"', new Date(1_700_000_000_000)]);
  await refusesHere(["gateway", file, "--export", "x.txt"], "x.txt", ".parquet");
  await refusesHere(["gateway", file, "--export", "x.csv", "--node", "n3"], "--node n3", "n1, n2");
  await refusesHere(["gateway", file, "--export", inFolder("missing/x.csv")], "there is no folder");
});

test("a fleet file that can't be is refused in one line that names file and key", async () => {
  const node = { name: "n1", port: "unix:/tmp/x" };
  const wrong = (nodes: readonly object[], rest: object, ...parts: string[]) =>
    refusesHere(["gateway", fleet("wrong", nodes, rest)], "wrong.json", ...parts);
  await wrong([], {}, "nodes", "takes at least 1");
  await wrong([node, node], {}, "nodes.1.name", "another node's");
  await wrong([node, { ...node, name: "n2" }], {}, "nodes.1.port", "leads to n1, too");
  const ports = [
    ["unix:/tmp/x", "unix:/tmp/../tmp/x"],
    ["tcp://localhost:7000", "tcp://127.0.0.1:7000"],
    ["mqtt://LOCALHOST/a", "mqtt://[::1]:1883/a"],
    ["mqtt://hub,spare/a", "mqtt://u@spare:1883/a"],
  ];
  for (const [first, second] of ports) {
    const others = [first, "mqtt://hub/A", second].map((port, i) => ({ name: `n${i}`, port }));
    await wrong(others, {}, "nodes.2.port", "leads to n0, too");
  }
  await wrong([{ ...node, classes: ["ok", " worn"] }], {}, "nodes.0.classes.1", "blanks");
  await wrong([{ ...node, port: "nowhere" }], {}, "nodes.0.port", "not the address of a port");
  await wrong([{ ...node, key: "missing" }], {}, "nodes.0.key", "can't be read");
  await wrong([node], { prot: 1 }, "no key prot", "port");
  await wrong([node], { schema: "motelearn.fleet/2" }, "schema", "motelearn.fleet/1");
  await wrong([node], { port: 70000 }, "port", "65535");
  for (const name of ["..", ".", "pump 1", "p#", "a//b"])
    await wrong([{ ...node, name }], {}, "nodes.0.name", name, "letters, digits");
  await wrong([node], { users: [{ name: "a b", role: "look" }] }, "users.0.name", "letters, digits");
  const secret = { name: "anna", role: "look", password: "correct horse" };
  const { stderr } = await runHere(["gateway", fleet("wrong", [node], { users: [secret] })]);
  assert.match(stderr, /users\.0\.password: takes the hash of a password; gateway --hash-password/);
  assert.not.match(stderr, /horse/);
  const cluster = { servers: ["nats://a:4222"] };
  await wrong([node], { cluster: {} }, "cluster", "servers");
  await wrong([node], { cluster: { servers: ["a:4222"] } }, "cluster.servers.0", "nats://HOST:PORT");
  await wrong([node], { cluster, broker: 1883 }, "broker", "remove it");
  await wrong([{ ...node, labels: "labels.csv" }], { cluster }, "nodes.0.labels", "one gateway's machine");
  const text = inFolder("not.json");
  writeFileSync(text, "{");
  await refusesHere(["gateway", text], "not.json", "not JSON");
  await refusesHere(["gateway", inFolder("missing.json")], "missing.json", "ENOENT");
});

test("a store or a port that can't be used ends the gateway with one line and exit code 4", async () => {
  const nodes = [{ name: "n1", port: "unix:/tmp/x" }];
  const fails = async (rest: object, ...parts: string[]) => {
    const { code, stderr } = await runHere(["gateway", fleet("unusable", nodes, rest)]);
    assert.is(code, 4, stderr);
    for (const part of parts) assert.ok(stderr.includes(part), stderr);
    assert.match(stderr, /^motelearn: [^\n]*\n$/);
  };
  writeFileSync(inFolder("plain"), "");
  await fails(
    { store: "plain/below/fleet.db" },
    "plain/below",
    "not a folder, but a file",
    "give another place",
  );
  await fails(
    { store: "/proc/motelearn/fleet.db" },
    "/proc/motelearn",
    "can't be written",
    "give another place",
  );
  mkdirSync(inFolder("folder.db"));
  await fails({ store: "folder.db" }, "folder.db", "can't be used as a database", "is a folder");
  mkdirSync(inFolder("held.db.pid"));
  await fails({ store: "held.db" }, "held.db.pid", "EISDIR", "remove it");
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  await fails({ port }, `127.0.0.1, port ${port}`, "EADDRINUSE", "give another");
  await fails({ broker: port }, `broker: can't listen at port ${port}`, "EADDRINUSE", "give another");
  taken.close();
});

test("a gateway whose log meets a full disk runs on, and says so in one line", async () => {
  const full = openSync("/dev/full", "w");
  const port = await freePort();
  const file = fleet("unsaid", [{ name: "n1", port: "unix:/tmp/x" }], { port });
  const program = join(process.cwd(), "dist/motelearn.js");
  const child = childOfTest(
    spawn(process.execPath, [program, "gateway", file], { stdio: ["ignore", full, "pipe"] }),
  );
  closeSync(full);
  let said = "";
  child.stderr?.on("data", (text) => {
    said += text;
  });
  let health = 0;
  const asking = setInterval(() => {
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ status }) => {
        health = status;
      },
      () => {},
    );
  }, 100);
  const isWell = () => health === 200 && said !== "";
  await become("a gateway that answers", isWell, () => `${health}: ${said}`).finally(() =>
    clearInterval(asking),
  );
  assert.is(await ended(child, "SIGTERM"), 0);
  assert.is(said, "motelearn: the log can't be written (ENOSPC); the gateway continues without a log\n");
});

test.run();
