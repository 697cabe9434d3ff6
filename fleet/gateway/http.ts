import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { DeviceError } from "../../host/errors.ts";
import { printableJson } from "../../host/printable.ts";
import { type Access, type Caller, remoteAddress } from "../access/access.ts";
import { Refusal } from "../access/refusal.ts";
import { readQuery } from "../api/query.ts";
import type { RequestBody } from "../api/request-body.ts";
import { ROUTE_LIST, type RouteEntry, type RouteName } from "../api/routes.ts";
import { ANSWERS, checkNode, type JsonAnswer, type RouteRequest } from "./answers.ts";
import { type After, afterTime, readJsonText } from "./body.ts";
import { boundedSockets, type ConnectionMarks } from "./bounded.ts";
import type { Listen } from "./fleet.ts";
import type { Gateway } from "./gateway.ts";
import { sendPage } from "./page.ts";

const PATH_MAX = 200;
const CONNECTIONS_MAX = 256;
/** Of one user that stay while they are answered, so that nobody takes the others' places. */
const CONNECTIONS_OF_USER_MAX = 64;
const TIMEOUT_MS = 10_000;
/** A connection whose reader takes nothing of an answer for so long is ended. */
const UNREAD_MS = 30_000;

/** The server's parts that each request uses. */
interface Serving {
  readonly gateway: Gateway;
  readonly access: Access;
  readonly sockets: ConnectionMarks;
  readonly after: After;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Serves the page and its figures, and takes labels and commands from users that `access` permits: the
 * addresses of `ROUTES`. Whatever a request does, it ends with an answer of its own.
 * @param after ends bodies that come too slowly; default: by this machine's time.
 */
export async function serve(
  gateway: Gateway,
  access: Access,
  { host, tls }: Listen,
  port: number,
  after: After = afterTime,
): Promise<{ server: Server; port: number }> {
  const answering = (request: IncomingMessage, response: ServerResponse) => {
    response.on("error", (error) => reportFailure(gateway, request, error));
    response.on("timeout", endIfUnread);
    answer({ gateway, access, sockets, after }, { request, response }).catch((error) =>
      refuse(gateway, { request, response }, error),
    );
  };
  const times = {
    requestTimeout: 2 * TIMEOUT_MS, // a body that comes too slowly is answered before
    headersTimeout: TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_MS / 5,
  };
  const server = tls
    ? createTlsServer({ ...tls, ...times, handshakeTimeout: TIMEOUT_MS, minVersion: "TLSv1.2" }, answering)
    : createServer(times, answering);
  server.timeout = UNREAD_MS;
  const sockets = boundedSockets(server, {
    most: CONNECTIONS_MAX,
    mostOfUser: CONNECTIONS_OF_USER_MAX,
    crowded: (from) => gateway.logCrowding(from, "HTTP"),
  });
  try {
    await once(server.listen(port, host), "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new DeviceError(`can't listen at ${host}, port ${port} (${code}); give another in the fleet file`);
  }
  server.on("error", ({ message }) => gateway.logFailure("HTTP", message)); // it couldn't accept a connection
  return { server, port: (server.address() as AddressInfo).port };
}

/** Ends a connection on which nothing moves while data of an answer wait; an answer that isn't there yet may take its time. */
function endIfUnread(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}

function requestPath({ url = "/" }: IncomingMessage): string {
  return url.split("?", 1)[0].slice(0, PATH_MAX);
}

function reportFailure(gateway: Gateway, request: IncomingMessage, error: Error): void {
  gateway.logFailure(`${request.method} ${requestPath(request)}`, error.message);
}

/** Records refusals for missing rights, not those for a missing login. */
function audit(gateway: Gateway, request: IncomingMessage, error: Refusal): void {
  if (![401, 403, 429].includes(error.status)) return;
  const { authorization, cookie } = request.headers;
  if (error.status === 401 && request.method === "GET" && !authorization && !cookie) return;
  gateway.recordRefusal(
    remoteAddress(request),
    error.who,
    `${request.method} ${requestPath(request)}: ${error.message}`,
  );
}

/** Answers a request that failed: a Refusal by its own text, any other error by 500 and a line of the log. */
function refuse(gateway: Gateway, { request, response }: Exchange, error: Error): void {
  const known = error instanceof Refusal;
  if (known) audit(gateway, request, error);
  else reportFailure(gateway, request, error);
  if (response.headersSent) response.destroy();
  else if (known) send(response, error.status, { error: error.message }, error.headers);
  else send(response, 500, { error: "the gateway failed; its log says more" });
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

async function answer(serving: Serving, exchange: Exchange): Promise<void> {
  const { access, sockets } = serving;
  const { request, response } = exchange;
  access.checkOrigin(request);
  const [path, ...rest] = (request.url ?? "/").split("?");
  if (request.method === "GET" && sendPage(path, response)) return;
  const [, node, what = ""] = /^\/api\/nodes\/([^/]+)(\/[a-z]+)?$/.exec(path) ?? [];
  const routes = ROUTES_AT.get(node === undefined ? path : `/api/nodes/{node}${what}`);
  const route = routes?.find(({ method }) => method === request.method);
  if (route && route.route.role === undefined)
    return byRoute(serving, exchange, route, nobody(request), "", rest);
  const caller = access.caller(request);
  // The connection of a known user isn't ended for another's while it is answered.
  const { socket } = request; // a request that has ended has none
  sockets.busy(socket, caller.name);
  response.once("close", () => sockets.idle(socket));
  try {
    if (!routes) throw new Refusal(404, "no such page; see GET /api/nodes");
    if (!route) throw new Refusal(405, `takes ${routes.map(({ method }) => method).join(" and ")}`);
    await byRoute(serving, exchange, route, caller, node === undefined ? "" : decodeName(node), rest);
  } catch (error) {
    if (error instanceof Refusal) error.who = caller.name;
    throw error;
  }
}

async function byRoute(
  { gateway, access, after }: Serving,
  { request, response }: Exchange,
  { name, route }: RouteEntry,
  caller: Caller,
  node: string,
  rest: readonly string[],
): Promise<void> {
  if (route.role) access.demand(caller, route.role);
  if (node !== "") checkNode(gateway, node);
  if (route.counts) access.count(caller, route.counts);
  const query = readQuery(rest.join("?"), route.query ?? {});
  const body = route.body && (await readBody(request, route.body, after));
  const answering = ANSWERS[name] as (
    asked: RouteRequest<RouteName>,
  ) => ReturnType<(typeof ANSWERS)[RouteName]>;
  const asked = { gateway, access, request, response, caller, node, query, body };
  const answer = (await answering(asked as RouteRequest<RouteName>)) as JsonAnswer<object> | undefined;
  if (answer) send(response, answer.status ?? route.status ?? 200, answer.body, answer.headers);
}

async function readBody(request: IncomingMessage, kind: RequestBody, after: After) {
  const body = kind.read(await readJsonText(request, `a ${kind.what}`, after));
  if (typeof body === "string") throw new Refusal(400, body);
  return body;
}

const ROUTES_AT = new Map(
  ROUTE_LIST.map(({ path }) => [path, ROUTE_LIST.filter((each) => each.path === path)] as const),
);

function nobody(request: IncomingMessage): Caller {
  return { name: "", role: "look", from: remoteAddress(request), valid: () => true };
}

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new Refusal(400, "the node's name isn't encoded as a URL takes it");
  }
}
