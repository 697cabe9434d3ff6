import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { printableJson } from "../../host-sim/printable.ts";
import { DeviceError } from "../cli/exit.ts";
import { readCommand } from "./command.ts";
import type { Gateway } from "./gateway.ts";
import { readLabelRequest } from "./label-request.ts";
import { metricsText } from "./metrics.ts";
import type { NodeState } from "./node-keeper.ts";
import { sendPage } from "./page.ts";

const BODY_MAX = 1 << 12;
const CONNECTIONS_MAX = 256;
const TIMEOUT_MS = 10_000;
/** Hosts by which this machine calls itself: another name in a request means that a page elsewhere was made to point here. */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** What is answered with a status that isn't 200, in one line. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Serves figures and takes labels, for programs and pages of this machine alone: GET /healthz, /metrics, /api/nodes, /api/nodes/NAME, and
 * POST /api/nodes/NAME/labels.
 */
export async function serve(gateway: Gateway, port: number): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    answer(gateway, request, response).catch((error) => {
      if (!response.headersSent) refuse(response, error);
      else response.destroy();
    });
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.requestTimeout = TIMEOUT_MS;
  server.headersTimeout = TIMEOUT_MS;
  await new Promise<void>((done, fail) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) =>
      fail(new DeviceError(`port ${port} can't be listened at (${code}); give another in the fleet file`)),
    );
    server.listen(port, "127.0.0.1", done);
  });
  return { server, port: (server.address() as AddressInfo).port };
}

function refuse(response: ServerResponse, error: unknown): void {
  const known = error instanceof Refusal;
  const message = known ? error.message : "the gateway failed; its log says more";
  send(response, known ? error.status : 500, { error: message });
  if (!known) throw error;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(`${printableJson(body)}\n`);
}

async function answer(gateway: Gateway, request: IncomingMessage, response: ServerResponse): Promise<void> {
  checkOrigin(request);
  const [path, query = ""] = (request.url ?? "/").split("?");
  const asked = new URLSearchParams(query);
  const route = `${request.method} ${path}`;
  if (request.method === "GET" && sendPage(path, response)) return;
  if (route === "GET /healthz") return health(gateway, response);
  if (route === "GET /metrics") {
    const { type, text } = await metricsText(gateway.states);
    response.writeHead(200, { "content-type": type }).end(text);
    return;
  }
  if (route === "GET /api/nodes")
    return send(response, 200, { schema: "motelearn.nodes/1", nodes: gateway.states });
  if (route === "GET /api/live") return live(gateway, asked, response);
  if (route === "GET /api/labellers")
    return send(response, 200, { schema: "motelearn.labellers/1", labellers: gateway.labellers });
  const [, given, what = ""] = /^\/api\/nodes\/([^/]+)(?:\/([a-z]+))?$/.exec(path) ?? [];
  if (given === undefined || !(WHAT as readonly string[]).includes(what))
    throw new Refusal(404, "no such page; see GET /api/nodes");
  const state = stateOf(gateway, nameOf(given));
  if (request.method === "GET" && what in VIEWS)
    return send(response, 200, await VIEWS[what](gateway, state, asked));
  if (request.method === "POST" && what === "labels")
    return takeLabel(gateway, state.name, request, response);
  if (request.method === "POST" && what === "commands")
    return command(gateway, state.name, request, response);
  throw new Refusal(405, "takes GET, or POST at /labels and /commands");
}

/** A page of another origin, or one whose name was bent to this machine, has no business here. */
function checkOrigin({ headers }: IncomingMessage): void {
  const { host = "", origin } = headers;
  if (!OWN_HOST.test(host)) throw new Refusal(403, "takes requests of this machine alone, by its own name");
  if (origin !== undefined && origin !== `http://${host}`)
    throw new Refusal(403, "takes no request of another page");
}

function nameOf(given: string): string {
  try {
    return decodeURIComponent(given);
  } catch {
    throw new Refusal(400, "the node's name isn't encoded as a URL takes it");
  }
}

function health(gateway: Gateway, response: ServerResponse): void {
  const { states, fault } = gateway;
  const connected = states.filter((state) => state.connected).length;
  send(response, fault ? 503 : 200, { ok: !fault, ...(fault && { fault }), nodes: states.length, connected });
}

function stateOf(gateway: Gateway, name: string) {
  const state = gateway.states.find((each) => each.name === name);
  if (!state) throw new Refusal(404, "no node of that name; see GET /api/nodes");
  return state;
}

const LIVE_NODES_MAX = 100;

function live(gateway: Gateway, asked: URLSearchParams, response: ServerResponse): void {
  const nodes = new Set(asked.getAll("node"));
  if (nodes.size > LIVE_NODES_MAX) throw new Refusal(400, `node: at most ${LIVE_NODES_MAX} at once`);
  for (const name of nodes) stateOf(gateway, name);
  if (!gateway.live.join(response, nodes)) throw new Refusal(503, "too many pages look already");
}

const POINTS_MAX = 20_000;

const WORD_MAX = 0xffffffff;

/** A number of the query, from 0. */
function numberIn(asked: URLSearchParams, key: string, most: number, otherwise: number): number {
  const given = asked.get(key);
  const value = given === null ? otherwise : Number(given);
  if (!(value >= 0 && value <= most)) throw new Refusal(400, `${key}: takes a number from 0 to ${most}`);
  return value;
}

/** What may be read of a node. */
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
  configuration: async (gateway, { name }) => ({
    schema: "motelearn.configuration/1",
    node: name,
    ...(await refusing(gateway.configuration(name))),
  }),
};
const WHAT = [...Object.keys(VIEWS), "labels", "commands"] as const;

/** What a node doesn't do is the request's fault, not the gateway's. */
function refusing<T>(done: Promise<T>): Promise<T> {
  return done.catch((error) => {
    throw new Refusal(409, (error as Error).message);
  });
}

async function command(
  gateway: Gateway,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const given = readCommand(await jsonOf(request, "a command"));
  if (typeof given === "string") throw new Refusal(400, given);
  const text = await refusing(gateway.command(name, given));
  send(response, 200, { schema: "motelearn.done/1", node: name, text });
}

async function jsonOf(request: IncomingMessage, what: string): Promise<string> {
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? ""))
    throw new Refusal(415, `${what} is sent as application/json`);
  return bodyOf(request);
}

async function takeLabel(
  gateway: Gateway,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const label = readLabelRequest(await jsonOf(request, "a label"));
  if (typeof label === "string") throw new Refusal(400, label);
  const why = await gateway.teach(name, label);
  if (why !== undefined) throw new Refusal(409, why);
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
