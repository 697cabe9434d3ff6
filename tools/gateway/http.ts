import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { printableJson } from "../../host-sim/printable.ts";
import { DeviceError } from "../cli/exit.ts";
import { type Access, addressOf, type Caller } from "./access.ts";
import { type Bounded, boundedSockets } from "./bounded.ts";
import { readCommand } from "./command.ts";
import type { Listen } from "./fleet.ts";
import type { Gateway } from "./gateway.ts";
import { readLabelRequest } from "./label-request.ts";
import { readLogin } from "./login.ts";
import { metricsText } from "./metrics.ts";
import type { NodeState } from "./node-keeper.ts";
import { sendPage } from "./page.ts";
import { Refusal } from "./refusal.ts";
import type { NodeCopyRow } from "./store/fleet-store.ts";

const BODY_MAX = 1 << 12;
const PATH_MAX = 200;
const CONNECTIONS_MAX = 256;
const TIMEOUT_MS = 10_000;

/** A request with what answers it. */
interface Asked {
  readonly gateway: Gateway;
  readonly access: Access;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly sockets: Bounded;
  readonly caller: Caller;
  readonly query: URLSearchParams;
}

type Request = Omit<Asked, "caller" | "query">;

/**
 * Serves the page and its figures, and takes labels and commands from users that `access` permits: GET
 * /healthz, /metrics, /api/nodes,
 * /api/nodes/NAME, /api/audit, POST /api/nodes/NAME/labels and /commands; POST and DELETE /api/session log in and out.
 */
export async function serve(
  gateway: Gateway,
  access: Access,
  { host, tls }: Listen,
  port: number,
): Promise<{ server: Server; port: number }> {
  const answering = (request: IncomingMessage, response: ServerResponse) => {
    answer({ gateway, access, request, response, sockets }).catch((error) => {
      audit(gateway, request, error);
      if (!response.headersSent) refuse(response, error);
      else response.destroy();
    });
  };
  const times = {
    requestTimeout: TIMEOUT_MS,
    headersTimeout: TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_MS / 5,
  };
  const server = tls
    ? createTlsServer({ ...tls, ...times, handshakeTimeout: TIMEOUT_MS, minVersion: "TLSv1.2" }, answering)
    : createServer(times, answering);
  const sockets = boundedSockets(server, {
    most: CONNECTIONS_MAX,
    crowded: (from) => gateway.crowded(from, "HTTP"),
  });
  await new Promise<void>((done, fail) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) =>
      fail(
        new DeviceError(`can't listen at ${host}, port ${port} (${code}); give another in the fleet file`),
      ),
    );
    server.listen(port, host, done);
  });
  return { server, port: (server.address() as AddressInfo).port };
}

/** Records refusals for missing rights, not those for a missing login. */
function audit(gateway: Gateway, request: IncomingMessage, error: unknown): void {
  if (!(error instanceof Refusal) || ![401, 403, 429].includes(error.status)) return;
  const { authorization, cookie } = request.headers;
  if (error.status === 401 && request.method === "GET" && !authorization && !cookie) return;
  const path = (request.url ?? "").split("?")[0].slice(0, PATH_MAX);
  gateway.refused(addressOf(request), error.who, `${request.method} ${path}: ${error.message}`);
}

function refuse(response: ServerResponse, error: unknown): void {
  const known = error instanceof Refusal;
  const message = known ? error.message : "the gateway failed; its log says more";
  send(response, known ? error.status : 500, { error: message }, known ? error.headers : {});
  if (!known) throw error;
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...headers,
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(`${printableJson(body)}\n`);
}

async function answer(asked: Request): Promise<void> {
  const { gateway, access, request, response, sockets } = asked;
  access.checkOrigin(request);
  const [path, text = ""] = (request.url ?? "/").split("?");
  const route = `${request.method} ${path}`;
  if (request.method === "GET" && sendPage(path, response)) return;
  if (route === "GET /healthz") return health(gateway, response);
  if (path === "/api/session") return session(asked);
  const caller = access.caller(request);
  // The connection of a known user isn't ended for another's while it is answered.
  const { socket } = request; // a request that has ended has none
  sockets.busy(socket);
  response.once("close", () => sockets.idle(socket));
  const query = new URLSearchParams(text);
  const [, given, what = ""] = /^\/api\/nodes\/([^/]+)(?:\/([a-z]+))?$/.exec(path) ?? [];
  try {
    if (given === undefined) await answerFleet({ ...asked, caller, query }, route);
    else await answerNode({ ...asked, caller, query }, nameOf(given), what);
  } catch (error) {
    if (error instanceof Refusal) error.who = caller.name;
    throw error;
  }
}

/** Requests about the whole fleet. */
async function answerFleet(
  { gateway, access, response, caller, query }: Asked,
  route: string,
): Promise<void> {
  if (route === "GET /metrics") {
    const { type, text } = await metricsText(gateway.states);
    response.writeHead(200, { "content-type": type }).end(text);
  } else if (route === "GET /api/nodes")
    send(response, 200, { schema: "motelearn.nodes/1", nodes: gateway.states });
  else if (route === "GET /api/live") live(gateway, query, response, caller);
  else if (route === "GET /api/labellers")
    send(response, 200, { schema: "motelearn.labellers/1", labellers: gateway.labellers });
  else if (route === "GET /api/audit") {
    access.demand(caller, "operate");
    const most = numberIn(query, "most", AUDIT_MAX, AUDIT_USUAL);
    send(response, 200, { schema: "motelearn.audit/1", entries: gateway.audit(most) });
  } else throw new Refusal(404, "no such page; see GET /api/nodes");
}

async function answerNode(asked: Asked, name: string, what: string): Promise<void> {
  const { gateway, access, caller, request, response, query } = asked;
  if (!(WHAT as readonly string[]).includes(what)) throw new Refusal(404, "no such page; see GET /api/nodes");
  checkName(gateway, name);
  if (request.method === "GET" && what === "copies") {
    copies(asked, name);
    return;
  }
  if (what === "explanation") access.count(caller, "commands"); // it takes as long as many other views
  if (request.method === "GET" && what in VIEWS)
    return send(response, 200, await VIEWS[what](gateway, gateway.stateOf(name), query));
  if (request.method === "POST" && what === "labels") return takeLabel(asked, name);
  if (request.method === "POST" && what === "commands") return command(asked, name);
  throw new Refusal(405, "takes GET, or POST at /labels and /commands");
}

/** GET says who a page's user is, POST logs in, DELETE out. */
async function session({ gateway, access, request, response }: Request): Promise<void> {
  const body = (its: object) => ({ schema: "motelearn.session/1", users: access.hasUsers, ...its });
  if (request.method === "GET") return send(response, 200, body(access.sessionOf(request) ?? {}));
  if (!access.hasUsers) throw new Refusal(409, "the fleet file has no users");
  const from = addressOf(request);
  if (request.method === "POST") {
    const given = readLogin(await jsonOf(request, "a login"));
    if (typeof given === "string") throw new Refusal(400, given);
    const opened = await access.logIn(request, given.name, given.password);
    gateway.note({ who: given.name, from, what: "login", node: "", text: "" });
    return send(response, 200, body(opened.session), { "set-cookie": opened.cookie });
  }
  if (request.method !== "DELETE") throw new Refusal(405, "takes GET, POST and DELETE");
  const { name } = access.caller(request);
  gateway.note({ who: name, from, what: "logout", node: "", text: "" });
  send(response, 200, body({}), { "set-cookie": access.logOut(request) });
}

function nameOf(given: string): string {
  try {
    return decodeURIComponent(given);
  } catch {
    throw new Refusal(400, "the node's name isn't encoded as a URL takes it");
  }
}

function health(gateway: Gateway, response: ServerResponse): void {
  const { size, connected, fault } = gateway;
  send(response, fault ? 503 : 200, { ok: !fault, ...(fault && { fault }), nodes: size, connected });
}

function checkName(gateway: Gateway, name: string): string {
  if (!gateway.has(name)) throw new Refusal(404, "no node of that name; see GET /api/nodes");
  return name;
}

const LIVE_NODES_MAX = 100;

function live(gateway: Gateway, asked: URLSearchParams, response: ServerResponse, { valid }: Caller): void {
  const nodes = new Set(asked.getAll("node"));
  if (nodes.size > LIVE_NODES_MAX) throw new Refusal(400, `node: at most ${LIVE_NODES_MAX} at once`);
  for (const name of nodes) checkName(gateway, name);
  if (!gateway.live.join(response, nodes, valid)) throw new Refusal(503, "too many pages look already");
}

const POINTS_MAX = 20_000;
const AUDIT_MAX = 10_000;
const AUDIT_USUAL = 200;

const WORD_MAX = 0xffffffff;

/** A number of the query, from 0. */
function numberIn(asked: URLSearchParams, key: string, most: number, otherwise: number): number {
  const given = asked.get(key);
  const value = given === null ? otherwise : Number(given);
  if (!(value >= 0 && value <= most)) throw new Refusal(400, `${key}: takes a number from 0 to ${most}`);
  return value;
}

/** Requests about a node. */
const VIEWS: {
  readonly [what: string]: (
    gateway: Gateway,
    state: NodeState,
    asked: URLSearchParams,
  ) => object | Promise<object>;
} = {
  "": (_, state) => ({ schema: "motelearn.node/1", ...state }),
  history: (gateway, { name }, asked) => {
    const to = numberIn(asked, "to", Number.MAX_SAFE_INTEGER, Date.now());
    const from = numberIn(asked, "from", to, Math.max(0, to - 600_000));
    return gateway.history(name, { from, to, points: numberIn(asked, "points", POINTS_MAX, 1000) });
  },
  questions: (gateway, state) => ({
    schema: "motelearn.questions/1",
    node: state.name,
    questions: gateway.questions(state),
  }),
  near: (gateway, { name }, asked) => {
    const [sid, seq] = ["sid", "seq"].map((key) => numberIn(asked, key, WORD_MAX, Number.NaN));
    return { schema: "motelearn.near/1", node: name, near: gateway.near(name, sid, seq) };
  },
  explanation: async (gateway, state, asked) => {
    const [sid, seq] = ["sid", "seq"].map((key) => numberIn(asked, key, WORD_MAX, Number.NaN));
    const explained = await refusing(gateway.explain(state, sid, seq));
    return { schema: "motelearn.explanation/1", node: state.name, ...explained };
  },
  configuration: async (gateway, { name }) => ({
    schema: "motelearn.configuration/1",
    node: name,
    ...(await refusing(gateway.configuration(name))),
  }),
};
const WHAT = [...Object.keys(VIEWS), "labels", "commands", "copies"] as const;

/** The copies of a node's memory; or one, `?id=`, as a file. */
function copies({ gateway, access, caller, response, query }: Asked, name: string): void {
  access.demand(caller, "operate");
  if (query.get("id") === null)
    send(response, 200, { schema: "motelearn.copies/1", node: name, copies: gateway.copies(name) });
  else sendCopy(response, name, gateway.copyOf(name, numberIn(query, "id", Number.MAX_SAFE_INTEGER, 0)));
}

function sendCopy(response: ServerResponse, name: string, copy: NodeCopyRow | undefined): void {
  if (!copy) throw new Refusal(404, "there is no such copy any more");
  const { id, words, ...its } = copy;
  const bytes = Buffer.from(words.buffer, words.byteOffset, words.byteLength);
  const file = `${name.replace(/[^\w-]/g, "_")}-${id}.json`;
  const headers = { "content-disposition": `attachment; filename="${file}"` };
  const body = { schema: "motelearn.copy/1", node: name, ...its, words: bytes.toString("base64") };
  send(response, 200, body, headers);
}

/** A command that a node refuses is the request's fault, not the gateway's. */
function refusing<T>(done: Promise<T>): Promise<T> {
  return done.catch((error) => {
    throw new Refusal(409, (error as Error).message);
  });
}

async function command({ gateway, access, request, response, caller }: Asked, name: string): Promise<void> {
  access.demand(caller, "operate");
  access.count(caller, "commands");
  const given = readCommand(await jsonOf(request, "a command"));
  if (typeof given === "string") throw new Refusal(400, given);
  const text = await refusing(gateway.command(name, signed(given, caller), caller));
  send(response, 200, { schema: "motelearn.done/1", node: name, text });
}

/** Where there are users, `by` is always the request's user. */
function signed<T extends { readonly by: string }>(given: T, { name }: Caller): T {
  return name === "" ? given : { ...given, by: name };
}

async function jsonOf(request: IncomingMessage, what: string): Promise<string> {
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? ""))
    throw new Refusal(415, `${what} is sent as application/json`);
  return bodyOf(request);
}

async function takeLabel({ gateway, access, request, response, caller }: Asked, name: string): Promise<void> {
  access.demand(caller, "label");
  access.count(caller, "labels");
  const label = readLabelRequest(await jsonOf(request, "a label"));
  if (typeof label === "string") throw new Refusal(400, label);
  const why = await gateway.teach(name, signed(label, caller), caller);
  // While the disk refuses, nobody knows when to send it again.
  if (why !== undefined) throw new Refusal(gateway.fault === undefined ? 409 : 503, why, {});
  send(response, 202, { schema: "motelearn.taken/1", node: name, seq: label.seq, label: label.label });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > BODY_MAX) throw new Refusal(413, `a request has at most ${BODY_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
