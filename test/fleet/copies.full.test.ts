import * as assert from "uvu/assert";
import { newToken, tokenHash } from "../../fleet/access/secrets.ts";
import type { KeptCopy } from "../../fleet/api/api.ts";
import { hashWords } from "../../src/memory/hash.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { become } from "../tools/awaited.ts";
import { test } from "../tools/contained.ts";
import { inFolder, killStation, startStation } from "../tools/stations.ts";
import { NODE } from "../tools/taught-node.ts";
import { fleet, kill, startGateway } from "./fleets.ts";

const TOKENS = { boss: newToken(), guest: newToken() };
const USERS = [
  { name: "boss", role: "operate", token: tokenHash(TOKENS.boss) },
  { name: "guest", role: "look", token: tokenHash(TOKENS.guest) },
];
/** A gateway's state of the node. */
interface Said {
  readonly connected: boolean;
  readonly seq: number;
  readonly labelled: number;
  readonly node: { readonly sid: number };
}

test("a gateway keeps copies of a node's memory, by itself and when it is asked, and gives them to who may operate", async () => {
  const listen = inFolder("copied.s");
  // Options of a node that a gateway doesn't know: it issues prediction sets, asks for labels, and
  // standardises.
  const node = { ...nameLearner(NODE), coverage: 0.9, labelBudget: 0.2, features: { standardise: true } };
  const station = await startStation({ listen, node, sampleMs: 100 });
  const rest = { users: USERS, copyHours: 1, keepCopies: 2 };
  const file = fleet("copied", [{ name: "hall/n.1", port: `unix:${listen}` }], rest);
  const { child, url } = await startGateway(file);
  const at = `${url}/api/nodes/hall%2Fn.1`;
  const ask = (path: string, user: keyof typeof TOKENS = "boss", options: RequestInit = {}) =>
    fetch(`${at}${path}`, {
      ...options,
      headers: { ...options.headers, authorization: `Bearer ${TOKENS[user]}` },
    });
  const post = (path: string, body: object) =>
    ask(path, "boss", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const copies = async () => {
    const response = await ask("/copies");
    return ((await response.json()) as { copies: KeptCopy[] }).copies;
  };
  let kept = await copies();
  const isKept = async () => {
    kept = await copies();
    return kept.length > 0;
  };
  await become("a copy", isKept, () => "none");
  assert.is(kept[0].labelled, 0);
  const state = async () => (await (await ask("")).json()) as Said;
  const becomes = async (what: string, right: (said: Said) => boolean): Promise<Said> => {
    let said = await state();
    const done = async () => {
      said = await state();
      return right(said);
    };
    await become(what, done, () => JSON.stringify(said));
    return said;
  };

  const { seq, node: met } = await becomes("six samples", (said) => said.seq >= 6);
  for (let k = 0; k < 6; k++) {
    const { status } = await post("/labels", { sid: met.sid, seq: seq - k, label: k % 2 ? 1 : -1 });
    assert.is(status, 202);
  }
  await becomes("answers to six labels", ({ labelled }) => labelled >= 6);
  for (const _ of [1, 2]) {
    const response = await post("/commands", { do: "copy" });
    const { text, error } = (await response.json()) as { text?: string; error?: string };
    const done = text ?? error ?? "";
    assert.ok(/^kept a copy after sample \d+, label 6$/.test(done), done);
  }
  kept = await copies();
  assert.equal(
    kept.map(({ labelled, learner }) => [labelled, learner]),
    [
      [6, "olk-c"],
      [6, "olk-c"],
    ],
    "the newest two",
  );
  const [{ id, hash }] = kept;
  const response = await ask(`/copies?id=${id}`);
  assert.is(response.headers.get("content-disposition"), `attachment; filename="hall_n_1-${id}.json"`);
  const copy = (await response.json()) as KeptCopy & { words: string; from: number; schema: string };
  assert.is(copy.schema, "motelearn.copy/1");
  const bytes = Uint8Array.from(Buffer.from(copy.words, "base64"));
  const words = new Uint32Array(bytes.buffer);
  const learner = NODE.learner.create({ dimension: NODE.channels, ...NODE.options });
  assert.is(hashWords(words, copy.from, learner.layout.state), hash);
  learner.range.f32.bits.set(
    words.subarray(copy.from, copy.from + learner.layout.state),
    learner.range.state,
  );
  assert.ok(learner.size > 0 && learner.size <= 6, `${learner.size} vectors`);

  assert.is((await ask("/copies", "guest")).status, 403);
  assert.is((await ask(`/copies?id=${id}`, "guest")).status, 403);
  assert.is((await ask("/copies?id=99999")).status, 404);
  assert.is((await ask("/copies?id=-1")).status, 400);
  await killStation(station);
  await becomes("the end of the line", ({ connected }) => !connected);
  const refused = await post("/commands", { do: "copy" });
  assert.is(refused.status, 409);
  await kill(child);
});

test.run();
