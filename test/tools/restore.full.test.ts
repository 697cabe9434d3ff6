import type { ChildProcess } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { newToken, tokenHash } from "../../fleet/access/secrets.ts";
import type { AuditEntry, KeptCopy } from "../../fleet/api/api.ts";
import { easyStream, type Sample } from "../../host-sim/conformance/easy-streams.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { Session } from "../../tools/session/session.ts";
import { refusesHere, runHere, runJsonHere } from "../cli/program.ts";
import { fleet, kill, startGateway } from "../fleet/fleets.ts";
import { words } from "../words.ts";
import { become, LIMIT_MS } from "./awaited.ts";
import { test } from "./contained.ts";
import { inFolder, killStation, startStation, takeSamples } from "./stations.ts";
import { NODE, readState } from "./taught-node.ts";

const TOKENS = { boss: newToken(), guest: newToken() };
const USERS = [
  { name: "boss", role: "operate", token: tokenHash(TOKENS.boss) },
  { name: "guest", role: "look", token: tokenHash(TOKENS.guest) },
];
interface State {
  readonly seq: number;
  readonly labelled: number;
  readonly waiting: number;
  readonly connected: boolean;
  readonly node?: { readonly sid: number };
}

/** A gateway with one node, whose samples and labels a test gives. */
class Fleet {
  station!: ChildProcess;
  private child!: ChildProcess;
  private at = "";

  constructor(
    readonly name: string,
    private readonly node: object = nameLearner(NODE),
  ) {}

  get listen(): string {
    return inFolder(`${this.name}.s`);
  }

  get flash(): string {
    return inFolder(`${this.name}.flash`);
  }

  async start(): Promise<this> {
    await this.startNode();
    const file = fleet(this.name, [{ name: "n1", port: `unix:${this.listen}` }], { users: USERS });
    const { child, url } = await startGateway(file);
    this.child = child;
    this.at = url;
    await this.until("a connection", ({ connected }) => connected);
    return this;
  }

  async startNode(node = this.node, checkpointMs = 0): Promise<void> {
    rmSync(this.listen, { force: true });
    const options = { listen: this.listen, node: node as never, checkpoint: this.flash, checkpointMs };
    this.station = await startStation(options);
  }

  async end(): Promise<void> {
    await kill(this.child);
    await killStation(this.station);
  }

  ask(path: string, user: keyof typeof TOKENS = "boss", init: RequestInit = {}): Promise<Response> {
    const headers = { ...init.headers, authorization: `Bearer ${TOKENS[user]}` };
    return fetch(`${this.at}/api/${path}`, { ...init, headers });
  }

  async post(path: string, body: object, user: keyof typeof TOKENS = "boss") {
    const headers = { "content-type": "application/json" };
    const response = await this.ask(path, user, { method: "POST", headers, body: JSON.stringify(body) });
    const { text, error } = (await response.json()) as { text?: string; error?: string };
    return [response.status, text ?? error ?? ""] as const;
  }

  command(body: object, user: keyof typeof TOKENS = "boss") {
    return this.post("nodes/n1/commands", body, user);
  }

  async state(): Promise<State> {
    return (await (await this.ask("nodes/n1")).json()) as State;
  }

  async until(what: string, done: (state: State) => boolean): Promise<State> {
    let state = await this.state();
    await become(
      what,
      async () => {
        state = await this.state();
        return done(state);
      },
      () => JSON.stringify(state),
    );
    return state;
  }

  /** Has it take so many samples, and labels each. */
  async teach(samples: number): Promise<void> {
    const { seq, labelled, node } = await this.state();
    takeSamples(this.station, samples);
    await this.until("samples", (state) => state.seq === seq + samples);
    for (let k = 1; k <= samples; k++) {
      const label = { sid: node?.sid, seq: seq + k, label: (seq + k) % 3 ? 1 : -1 };
      const [status, text] = await this.post("nodes/n1/labels", label);
      assert.is(status, 202, text);
    }
    await this.until("labels", (state) => state.labelled === labelled + samples);
  }

  /** Keeps a copy; returns it. */
  async copy(): Promise<KeptCopy> {
    const [status, text] = await this.command({ do: "copy" });
    assert.is(status, 200, text);
    const { copies } = (await (await this.ask("nodes/n1/copies")).json()) as { copies: KeptCopy[] };
    return copies[0];
  }
}

test("who may operate has a node resume from a kept copy; the trail has it, and labels go on", async () => {
  const fleet = await new Fleet("restored").start();
  await fleet.teach(6);
  const copy = await fleet.copy();
  assert.is(copy.labelled, 6);
  await fleet.teach(6);
  const { node: before } = await fleet.state();
  assert.is((await fleet.command({ do: "restore", copy: copy.id }, "guest"))[0], 403);
  assert.is((await fleet.command({ do: "restore" }))[0], 400);
  assert.equal(await fleet.command({ do: "restore", copy: 99_999 }), [409, "there is no such copy any more"]);
  const [status, text] = await fleet.command({ do: "restore", copy: copy.id });
  assert.is(status, 200, text);
  assert.match(text, /^resumes from the copy of \S+: after sample 6 and label 6, in session \d+$/);
  const { node } = await fleet.until("the copy", ({ labelled, seq }) => labelled === 6 && seq === 6);
  assert.is.not(node?.sid, before?.sid);
  await fleet.teach(5);
  const { entries } = (await (await fleet.ask("audit")).json()) as { entries: AuditEntry[] };
  const entry = entries.find(({ what, text: said }) => what === "restore" && said.startsWith("resumes"));
  assert.equal([entry?.who, entry?.node, entry?.text], ["boss", "n1", text]);
  await fleet.end();
});

test("a node whose flash was erased gets its memory back, and the labels that wait get numbers after the copy's", async () => {
  const fleet = await new Fleet("erased").start();
  await fleet.teach(8); // all in a checkpoint: none comes again to the fresh node
  const copy = await fleet.copy();
  await killStation(fleet.station);
  rmSync(fleet.flash);
  await fleet.startNode(undefined, 3_600_000);
  await fleet.until("a fresh start", ({ connected, labelled }) => connected && labelled === 0);
  await fleet.teach(3); // none in a checkpoint
  const [status, text] = await fleet.command({ do: "restore", copy: copy.id });
  assert.is(status, 200, text);
  // The three labels taught since are of samples that the copy doesn't have: the node refuses them by name.
  await fleet.until("their answers", ({ labelled }) => labelled === 11);
  await fleet.teach(4);
  await fleet.end();
});

test("a copy of other options is refused by the node, and named", async () => {
  const fleet = await new Fleet("changed").start();
  await fleet.teach(4);
  const copy = await fleet.copy();
  await killStation(fleet.station);
  rmSync(fleet.flash);
  await fleet.startNode({ ...nameLearner(NODE), options: { budget: 8, C: 0.125 } });
  await fleet.until("a fresh start", ({ connected, labelled }) => connected && labelled === 0);
  const [status, text] = await fleet.command({ do: "restore", copy: copy.id });
  assert.is(status, 409);
  assert.match(
    text,
    /the copy is of another learner, other options or other firmware: .*; nothing was changed$/,
  );
  await fleet.teach(2);
  await fleet.end();
});

test("rollback --copy sends a node the file of a copy", async () => {
  const fleet = await new Fleet("by-hand").start();
  await fleet.teach(6);
  const { id, hash } = await fleet.copy();
  const file = inFolder("copy.json");
  writeFileSync(file, await (await fleet.ask(`nodes/n1/copies?id=${id}`)).text());
  await fleet.teach(5);
  const { station, listen } = fleet;
  await kill((fleet as unknown as { child: ChildProcess }).child);
  const port = `unix:${listen}`;
  const { code, stdout, stderr } = await runHere(["rollback", "--port", port, "--copy", file, "--json"]);
  assert.is(code, 0, stderr);
  const { restore, before, after } = JSON.parse(stdout);
  assert.equal([restore, before.labelled, after.labelled, after.durable], ["copy", 11, 6, 6]);
  assert.is((await readState(port)).hash, hash);
  const { stdout: text } = await runHere(["rollback", "--port", port, "--copy", file]);
  assert.match(
    text,
    /^the node resumes from the copy: after sample 6 and label 6, in session \d+\nabandoned: 0 samples/,
  );
  const copy = JSON.parse(readFileSync(file, "utf8"));
  const wrong: [object | string, string][] = [
    ["{", "copy.json: not JSON"],
    [{ ...copy, schema: "motelearn.fleet/1" }, "takes one of schema motelearn.copy/1"],
    [{ ...copy, whole: false }, "samples changed the copy while it was read"],
    [{ ...copy, checkpoint: null }, 'lacks "checkpoint"'],
    [{ ...copy, words: copy.words.slice(0, 6) }, "words has 4 bytes; takes a multiple of 4, at least 16"],
    [{ ...copy, seq: -1 }, "takes seq, labelled, hash and words"],
  ];
  for (const [content, said] of wrong) {
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    await refusesHere(["rollback", "--port", port, "--copy", file], said);
  }
  const words = Buffer.from(copy.words, "base64").subarray(0, -4).toString("base64");
  writeFileSync(file, JSON.stringify({ ...copy, words }));
  const short = await runHere(["rollback", "--port", port, "--copy", file]);
  assert.is(short.code, 4);
  assert.match(short.stderr, /other options or other firmware: .*; nothing was changed\n$/);
  await killStation(station);
});

/** Feeds the node the rows after the last one that it has, and has it learn the label of each. */
async function teachRows(port: string, rows: readonly Sample[]): Promise<void> {
  const rowAt = (number: number) => rows[number - 1];
  const label = (number: number) => ({ number, sid: session.peer.node.sid, seq: number, y: rowAt(number).y });
  const session = await Session.open({
    ...{ port, giveUp: LIMIT_MS / 1000 },
    samples: { at: (seq) => (rowAt(seq) ? { x: rowAt(seq).x } : undefined) },
    labels: { at: (number) => (number <= session.peer.node.seq ? label(number) : undefined), durable() {} },
  });
  await session.until(() => session.peer.node.labelled === rows.length);
  await session.close();
}

test("rollback --copy sends a node what evaluate learned of a file; the node learns on to the bits of one run", async () => {
  const rows = easyStream("classification", 2, 90, 1);
  const csv = (name: string, count: number) => {
    writeFileSync(
      inFolder(name),
      rows
        .slice(0, count)
        .map(({ x, y }) => `${[...x]},${y}\n`)
        .join(""),
    );
    return ["--train", inFolder(name), "--learner", "olk-c", "--budget", "8"];
  };
  const node = { ...nameLearner(NODE), pending: 64, features: { standardise: true } };
  const [listen, checkpoint, copy] = ["learned.s", "learned.flash", "learned.json"].map(inFolder);
  const station = await startStation({ listen, node, fed: true, checkpoint, checkpointMs: 0 } as never);
  const evaluate = (...args: string[]) => runJsonHere("motelearn.evaluate/1", "evaluate", ...args);
  const { stateHash } = await evaluate(...csv("learned.csv", 50), "--save", copy);
  const port = `unix:${listen}`;
  const { code, stdout, stderr } = await runHere(["rollback", "--port", port, "--copy", copy]);
  assert.is(code, 0, stderr);
  assert.match(stdout, /^the node resumes from the copy: after sample 50 and label 50, in session \d+\n/);
  assert.equal(await readState(port), { hash: stateHash, labelled: 50 });
  await teachRows(port, rows);
  assert.is((await readState(port)).hash, (await evaluate(...csv("whole.csv", 90))).stateHash);
  await killStation(station);
});

test("rollback --copy tags a state by the node's label key; without it, or by another, the node refuses it on one line", async () => {
  const rows = easyStream("classification", 2, 30, 1);
  const train = inFolder("tagged.csv");
  writeFileSync(train, rows.map(({ x, y }) => `${[...x]},${y}\n`).join(""));
  const [listen, checkpoint, copy, key, other] = [
    "tagged.s",
    "tagged.flash",
    "tagged.json",
    "tagged.key",
    "other.key",
  ].map(inFolder);
  const hex = "00112233445566778899aabbccddeeff";
  writeFileSync(key, hex, { mode: 0o600 });
  writeFileSync(other, hex.replace("f", "e"), { mode: 0o600 });
  const node = { ...nameLearner(NODE), pending: 64, features: { standardise: true } };
  const options = { listen, node, fed: true, checkpoint, checkpointMs: 0, labelKey: hex };
  const station = await startStation(options as never);
  const learner = ["--learner", "olk-c", "--budget", "8"];
  const saved = ["evaluate", "--train", train, ...learner, "--save", copy];
  const { stateHash } = await runJsonHere("motelearn.evaluate/1", ...saved);
  const port = `unix:${listen}`;
  const before = await readState(port);
  const refuses = async (said: RegExp, ...args: string[]) => {
    const { code, stderr } = await runHere(["rollback", "--port", port, ...args]);
    assert.is(code, 4);
    assert.match(stderr, said);
    assert.equal(await readState(port), before);
  };
  await refuses(
    /^motelearn: \S+: the node takes no copy without a tag: give its label key; [^\n]+\n$/,
    "--copy",
    copy,
  );
  await refuses(
    /^motelearn: \S+: the label key isn't the node's, so it takes no copy; nothing was changed\n$/,
    ...["--copy", copy, "--label-key", other],
  );
  await refusesHere(
    ["rollback", "--port", port, "--label-key", key],
    "--label-key: tags a copy; give --copy",
  );
  const { code, stdout, stderr } = await runHere([
    ...words`rollback --port ${port} --copy ${copy} --label-key ${key}`,
  ]);
  assert.is(code, 0, stderr);
  assert.match(stdout, /^the node resumes from the copy: after sample 30 and label 30, in session \d+\n/);
  assert.equal(await readState(port), { hash: stateHash, labelled: 30 });
  await killStation(station);
});

test.run();
