import { spawnSync } from "node:child_process";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { Access, type User } from "../../fleet/access/access.ts";
import type { Refusal } from "../../fleet/access/refusal.ts";
import { newToken, passwordHash, tokenHash } from "../../fleet/access/secrets.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { refusesHere, runHere } from "../cli/program.ts";
import { become } from "../tools/awaited.ts";
import { ended, test } from "../tools/contained.ts";
import { inFolder, killStation, startStation } from "../tools/stations.ts";
import { PATIENT } from "../tools/taught-node.ts";
import { fleet, startGateway } from "./fleets.ts";

const JSON_TYPE = { "content-type": "application/json" };
const PASSWORD = "right horse";
const TOKENS = { look: newToken(), label: newToken(), operate: newToken() };
const USERS: readonly User[] = [
  { name: "prometheus", role: "look", token: tokenHash(TOKENS.look) },
  { name: "camera", role: "label", token: tokenHash(TOKENS.label) },
  { name: "plc", role: "operate", token: tokenHash(TOKENS.operate) },
  { name: "anna", role: "operate", password: await passwordHash(PASSWORD) },
];

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: object;
}

// biome-ignore lint/suspicious/noExplicitAny: each request's answer has a form of its own, which the test states.
type Answer = { status: number; headers: Headers; body: any };

/** Asks a gateway for something. */
async function ask(url: string, { method = "GET", headers = {}, body }: Asked = {}): Promise<Answer> {
  const options = { method, headers: { ...(body && JSON_TYPE), ...headers } };
  const response = await fetch(url, { ...options, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith("{") ? JSON.parse(text) : text,
  };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A gateway with users and one node that samples. */
async function usersGateway(name: string, rest: object = {}) {
  const listen = inFolder(name);
  const station = await startStation({ listen, node: nameLearner(PATIENT), sampleMs: 50 });
  const file = fleet(name, [{ name: "n1", port: `unix:${listen}` }], { users: USERS, ...rest });
  const { child, url } = await startGateway(file);
  const close = async () => {
    assert.is(await ended(child, "SIGTERM"), 0);
    await killStation(station);
  };
  return { url, close };
}

/** Waits for five samples; returns the newest one's number. */
async function sampled(url: string): Promise<number> {
  let said: { readonly seq?: number } = {};
  const done = async () => {
    said = (await ask(`${url}/api/nodes/n1`, { headers: bearer(TOKENS.look) })).body;
    return (said.seq ?? 0) >= 5;
  };
  await become("five samples", done, () => JSON.stringify(said));
  return said.seq as number;
}

test("each role may do what it says, and no more; the trail says who did what", async () => {
  const { url, close } = await usersGateway("roles");
  const seq = await sampled(url);
  const label = (at: number, by = "somebody else") => ({
    method: "POST",
    body: { seq: at, label: 1, by },
  });
  const checkpoint = { method: "POST", body: { do: "configure", checkpointEvery: 7, by: "somebody else" } };
  const expected: [path: string, asked: Asked, nobody: number, look: number, labels: number, all: number][] =
    [
      ["/", {}, 200, 200, 200, 200],
      ["/healthz", {}, 200, 200, 200, 200],
      ["/api/session", {}, 200, 200, 200, 200],
      ["/metrics", {}, 401, 200, 200, 200],
      ["/api/nodes", {}, 401, 200, 200, 200],
      ["/api/nodes/n1/history", {}, 401, 200, 200, 200],
      ["/api/nodes/n1/questions", {}, 401, 200, 200, 200],
      ["/api/nodes/n1/labels", label(seq), 401, 403, 202, 202],
      ["/api/nodes/n1/commands", checkpoint, 401, 403, 403, 200],
      ["/api/audit", {}, 401, 403, 403, 200],
    ];
  for (const [path, asked, ...statuses] of expected) {
    for (const [i, role] of [undefined, "look", "label", "operate"].entries()) {
      const headers = role ? bearer(TOKENS[role as keyof typeof TOKENS]) : {};
      const { status, body } = await ask(`${url}${path}`, { ...asked, headers });
      assert.is(status, statuses[i], `${path} as ${role}: ${JSON.stringify(body)}`);
    }
  }
  assert.is((await ask(`${url}/api/nodes`, { headers: bearer(newToken()) })).status, 401);
  const { body } = await ask(`${url}/api/audit`, { headers: bearer(TOKENS.operate) });
  const trail = body.entries.map(({ who, what, node }: Record<string, string>) => [who, what, node]);
  assert.equal(trail, [
    ["", "refused", ""], // the token of nobody
    ["camera", "refused", ""], // the trail itself
    ["prometheus", "refused", ""],
    ["plc", "configure", "n1"],
    ["camera", "refused", ""],
    ["prometheus", "refused", ""],
    ["", "refused", ""], // a POST of nobody
    ["camera", "label", "n1"],
    ["prometheus", "refused", ""],
    ["", "refused", ""],
  ]);
  assert.match(body.entries[7].text, new RegExp(`sample ${seq}: 1$`));
  const { body: labellers } = await ask(`${url}/api/labellers`, { headers: bearer(TOKENS.look) });
  assert.equal(
    labellers.labellers.map(({ by }: { by: string }) => by),
    ["camera"],
  );
  await close();
});

test("a page logs in, changes nothing without its session's token, and another page never", async () => {
  const { url, close } = await usersGateway("sessions");
  const logIn = (password: string, headers = {}) =>
    ask(`${url}/api/session`, { method: "POST", headers, body: { name: "anna", password } });
  assert.is((await logIn("wrong horse")).status, 401);
  assert.is((await logIn(PASSWORD, { origin: "http://evil.example" })).status, 403);
  const { status, headers, body } = await logIn(PASSWORD);
  assert.is(status, 200);
  const cookieText = headers.get("set-cookie")!;
  assert.match(cookieText, /^motelearn=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
  const cookie = cookieText.split(";")[0];
  assert.is((await ask(`${url}/api/nodes`, { headers: { cookie } })).status, 200);
  const seq = await sampled(url);
  const label = (options: Record<string, string>) =>
    ask(`${url}/api/nodes/n1/labels`, { method: "POST", headers: options, body: { seq, label: 1 } });
  assert.is((await label({ cookie })).status, 403);
  assert.is((await label({ cookie, "x-csrf-token": newToken() })).status, 403);
  const good = { cookie, "x-csrf-token": body.csrf };
  assert.is((await label({ ...good, origin: "http://evil.example" })).status, 403);
  assert.is((await label({ ...good, "sec-fetch-site": "cross-site" })).status, 403);
  assert.is((await label({ ...good, "sec-fetch-site": "same-site" })).status, 403);
  assert.is((await label({ ...good, origin: url })).status, 202);
  const again = await ask(`${url}/api/session`, { headers: { cookie } });
  assert.equal([again.body.name, again.body.role, again.body.csrf], ["anna", "operate", body.csrf]);
  assert.is((await ask(`${url}/api/session`, { method: "DELETE", headers: { cookie } })).status, 403);
  assert.is((await ask(`${url}/api/session`, { method: "DELETE", headers: good })).status, 200);
  assert.is((await ask(`${url}/api/nodes`, { headers: { cookie } })).status, 401);
  const program = bearer(TOKENS.operate);
  assert.is((await ask(`${url}/api/session`, { method: "DELETE", headers: program })).status, 200);
  const { body: trail } = await ask(`${url}/api/audit`, { headers: program });
  const logouts = trail.entries.filter(({ what }: { what: string }) => what === "logout");
  assert.equal(
    logouts.map(({ who }: { who: string }) => who),
    ["anna"],
    "a program's token has no session that ends: it can't fill the trail",
  );
  await close();
});

test("who guesses passwords or labels without end waits", async () => {
  const { url, close } = await usersGateway("limits", { labelsPerMinute: 3 });
  const seq = await sampled(url);
  const label = () =>
    ask(`${url}/api/nodes/n1/labels`, {
      method: "POST",
      headers: bearer(TOKENS.label),
      body: { seq, label: 1 },
    });
  for (let i = 0; i < 3; i++) assert.is((await label()).status, 202);
  const refused = await label();
  assert.is(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  const logIn = (password: string) =>
    ask(`${url}/api/session`, { method: "POST", body: { name: "anna", password } });
  for (let i = 0; i < 10; i++) assert.is((await logIn(`guess ${i}`)).status, 401);
  assert.is((await logIn(PASSWORD)).status, 429);
  assert.is((await ask(`${url}/api/nodes`, { headers: bearer("wrong") })).status, 429);
  const right = await ask(`${url}/api/nodes`, { headers: bearer(TOKENS.look) });
  assert.is(right.status, 200, "programs behind the same address aren't kept out");
  await close();
});

/** A request as it arrives. */
function request(remoteAddress: string, headers: Record<string, string> = {}): IncomingMessage {
  return { socket: { remoteAddress }, headers, method: "GET" } as unknown as IncomingMessage;
}

async function requestStatus(act: () => unknown): Promise<number> {
  try {
    await act();
    return 200;
  } catch (error) {
    return (error as Refusal).status;
  }
}

test("a session ends when its hours are over; guesses from many addresses are limited by name", async () => {
  let now = 0;
  const options = { users: USERS, tls: true, sessionHours: 2, labelsPerMinute: 1, now: () => now };
  const access = new Access(options);
  const { cookie } = await access.logIn(request("10.0.0.1"), "anna", PASSWORD);
  assert.match(cookie, /^__Host-motelearn=.*; Secure$/);
  const asks = request("10.0.0.1", { cookie: cookie.split(";")[0] });
  const caller = access.caller(asks);
  now = 2 * 3_600_000 - 1;
  assert.is(access.caller(asks).name, "anna");
  assert.is(caller.valid(), true);
  now++;
  assert.is(await requestStatus(() => access.caller(asks)), 401);
  assert.is(caller.valid(), false);
  for (let i = 0; i < 50; i++)
    assert.is(await requestStatus(() => access.logIn(request(`10.0.1.${i}`), "anna", "guess")), 401);
  assert.is(await requestStatus(() => access.logIn(request("10.0.2.1"), "anna", PASSWORD)), 429);
  now += 300_000;
  assert.is(await requestStatus(() => access.logIn(request("10.0.2.1"), "anna", PASSWORD)), 200);
  // One who has many addresses of a network is one; guesses that come at once count as those that come in turn.
  const many = Array.from({ length: 12 }, (_, i) =>
    requestStatus(() => access.logIn(request(`2001:db8:1:2::${i}`), "nobody", "guess")),
  );
  assert.is((await Promise.all(many)).filter((status) => status === 429).length, 12 - 4);
});

test("a fleet file says who may do what, and listens elsewhere with users and TLS alone", async () => {
  const nodes = [{ name: "n1", port: "unix:/tmp/x" }];
  const wrong = (rest: object, ...parts: string[]) =>
    refusesHere(["gateway", fleet("wrong", nodes, rest)], "wrong.json", ...parts);
  const [user] = USERS;
  await wrong({ listen: { host: "0.0.0.0" } }, "listen.host", "listen.tls");
  await wrong({ listen: { host: "0.0.0.0" }, users: USERS }, "listen.host", "listen.tls");
  await wrong({ listen: { tls: { cert: "no.pem", key: "no.pem" } } }, "listen.tls.cert", "no.pem", "ENOENT");
  await wrong({ listen: { tls: { cert: "wrong.json", key: "wrong.json" } } }, "listen.tls", "PEM");
  const atBroker = { name: "n2", port: "mqtt://localhost:1883/n2" };
  const token = tokenHash(newToken());
  const both = (...its: object[]) => ["gateway", fleet("wrong", its, { broker: 1883 })];
  const other = { ...atBroker, name: "n3", port: "mqtt://localhost:1883/n3" };
  await refusesHere(both(atBroker, { ...other, token }), "nodes.0", "n2 needs a token");
  await refusesHere(both({ ...nodes[0], token }), "nodes.0.token", "built-in broker");
  await wrong({ users: [user, user] }, "users.1.name", "another user's");
  await wrong({ users: [{ name: "bob", role: "look" }] }, "users.0", "neither password nor token");
  await wrong({ users: [{ name: "bob", role: "boss" }] }, "users", "role");
  await wrong({ users: [{ name: "bob", role: "look", password: "hunter2" }] }, "users", "password");
});

test("the program makes hashes and tokens", async () => {
  const program = join(process.cwd(), "dist/motelearn.js");
  const hash = (input: string) =>
    spawnSync(process.execPath, [program, "gateway", "--hash-password"], { input, encoding: "utf8" });
  const { stdout, status } = hash(`${PASSWORD}\n`);
  assert.is(status, 0);
  assert.match(stdout, /^scrypt\$15\$8\$1\$[\w-]{22}\$[\w-]{43}\n$/);
  assert.is.not(hash(`${PASSWORD}\n`).stdout, stdout);
  assert.match(hash("short\n").stderr, /^motelearn: --hash-password: [^\n]+\n$/);
  const [, token, made] = /^token {2}([\w-]{43})\nhash {3}(\S+)\n$/.exec(
    (await runHere(["gateway", "--new-token"])).stdout,
  )!;
  assert.is(tokenHash(token), made);
});

test.run();
