import type { IncomingMessage, ServerResponse } from "node:http";
import { type Access, type Caller, remoteAddress } from "../access/access.ts";
import { Refusal } from "../access/refusal.ts";
import type { CopyFile } from "../api/api.ts";
import type { AnswerOf, BodyOf, QueryOf, RouteName } from "../api/routes.ts";
import type { NodeCopyRow } from "../store/fleet-store.ts";
import type { Gateway } from "./gateway.ts";
import { readAlarmChanges, readAround, readHistory } from "./history.ts";
import { metricsText } from "./metrics.ts";
import { findNeighbours, listLabellers, readQuestions } from "./questions.ts";

/** A request whose query and body are checked. */
export interface RouteRequest<R extends RouteName> {
  readonly gateway: Gateway;
  readonly access: Access;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Nobody where the route is for everybody. */
  readonly caller: Caller;
  /** The node of the path; "" if it names none. */
  readonly node: string;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
}

export interface JsonAnswer<A> {
  /** Default: the route's. */
  readonly status?: number;
  readonly body: A;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Gives a route's answer; undefined where it has written the answer itself. */
type Answering<R extends RouteName> = (
  asked: RouteRequest<R>,
) => JsonAnswer<AnswerOf<R>> | undefined | Promise<JsonAnswer<AnswerOf<R>> | undefined>;

const HISTORY_MS = 600_000;

/** What gives each route's answer. */
export const ANSWERS: { readonly [R in RouteName]: Answering<R> } = {
  "GET /healthz": ({ gateway: { size, connected, fault } }) => ({
    status: fault ? 503 : 200,
    body: { ok: !fault, ...(fault && { fault }), nodes: size, connected },
  }),
  "GET /metrics": async ({ gateway, response }) => {
    const { type, text } = await metricsText(gateway.states);
    response.writeHead(200, { "content-type": type }).end(text);
    return undefined;
  },
  "GET /api/session": ({ gateway, access, request }) =>
    sessionAnswer(gateway, access, access.findSession(request)),
  "POST /api/session": async ({ gateway, access, request, body }) => {
    checkUsers(access);
    const { session, cookie } = await access.logIn(request, body.name, body.password);
    gateway.trail.add({ who: body.name, from: remoteAddress(request), what: "login", node: "", text: "" });
    return { ...sessionAnswer(gateway, access, session), headers: { "set-cookie": cookie } };
  },
  "DELETE /api/session": ({ gateway, access, request, caller: { name: who, from } }) => {
    checkUsers(access);
    const { ended, cookie } = access.logOut(request);
    if (ended) gateway.trail.add({ who, from, what: "logout", node: "", text: "" });
    return { ...sessionAnswer(gateway, access), headers: { "set-cookie": cookie } };
  },
  "GET /api/nodes": ({ gateway }) => ({ body: { schema: "motelearn.nodes/1", nodes: gateway.states } }),
  "GET /api/live": ({ gateway, response, caller, query }) => {
    const nodes = new Set(query.node);
    for (const name of nodes) checkNode(gateway, name);
    const why = gateway.live.join(response, nodes, caller);
    if (why !== undefined) throw new Refusal(503, why);
    return undefined;
  },
  "GET /api/alarms": ({ gateway: { machines, store } }) => ({
    body: { schema: "motelearn.alarms/1", alarms: machines.alarms, changes: readAlarmChanges(store) },
  }),
  "GET /api/labellers": ({ gateway: { store, states } }) => ({
    body: { schema: "motelearn.labellers/1", labellers: listLabellers(store, states) },
  }),
  "GET /api/together": ({ gateway }) => groupsAnswer(gateway),
  "POST /api/together": ({ gateway, caller, body }) => {
    const { group, on, by } = withCaller(body, caller);
    if (!gateway.training?.turn(group, on)) throw new Refusal(409, `the fleet file has no group ${group}`);
    const text = `group ${group} ${on ? "on" : "off"}`;
    gateway.trail.add({ who: caller.name || by, from: caller.from, what: "together", node: "", text });
    return groupsAnswer(gateway);
  },
  "GET /api/audit": ({ gateway, query }) => ({
    body: { schema: "motelearn.audit/1", entries: gateway.trail.newest(query.most) },
  }),
  "GET /api/nodes/{node}": ({ gateway, node }) => ({
    body: { schema: "motelearn.node/1", ...gateway.nodeState(node) },
  }),
  "GET /api/nodes/{node}/history": ({ gateway, node, query: { from: first, to = Date.now(), points } }) => {
    const from = first ?? Math.max(0, to - HISTORY_MS);
    if (from > to) throw new Refusal(400, `from: got ${from}; takes an integer from 0 to ${to}, which is to`);
    return { body: readHistory(gateway.store, node, { from, to, points }) };
  },
  "GET /api/nodes/{node}/questions": ({ gateway, node }) => {
    const questions = readQuestions(gateway.store, gateway.nodeState(node));
    return { body: { schema: "motelearn.questions/1", node, questions } };
  },
  "GET /api/nodes/{node}/near": ({ gateway, node, query: { sid, seq } }) => ({
    body: { schema: "motelearn.near/1", node, near: findNeighbours(gateway.store, node, sid, seq) },
  }),
  "GET /api/nodes/{node}/around": ({ gateway, node, query: { sid, seq } }) => ({
    body: { schema: "motelearn.around/1", node, ...readAround(gateway.store, node, sid, seq) },
  }),
  "GET /api/nodes/{node}/explanation": async ({ gateway, node, query: { sid, seq } }) => {
    const explained = await refusing(gateway.explain(gateway.nodeState(node), sid, seq));
    return { body: { schema: "motelearn.explanation/1", node, ...explained } };
  },
  "GET /api/nodes/{node}/configuration": async ({ gateway, node }) => {
    const configuration = await refusing(gateway.findKeeper(node).configuration());
    return { body: { schema: "motelearn.configuration/1", node, ...configuration } };
  },
  "GET /api/nodes/{node}/copies": ({ gateway: { store }, node, query: { id } }) =>
    id === undefined
      ? { body: { schema: "motelearn.copies/1", node, copies: store.copies(node) } }
      : copyAnswer(node, store.readCopy(node, id)),
  "POST /api/nodes/{node}/labels": async ({ gateway, caller, node, body }) => {
    const given = withCaller(body, caller);
    if (gateway.asksName && given.by.trim() === "")
      throw new Refusal(400, "by: the fleet file asks for the name of who labels; give one");
    const why = await gateway.teach(node, given, caller);
    // While the disk refuses, nobody knows when to send it again.
    if (why !== undefined) throw new Refusal(gateway.fault === undefined ? 409 : 503, why, {});
    const { seq, label } = body;
    return { body: { schema: "motelearn.taken/1", node, seq, label } };
  },
  "POST /api/nodes/{node}/commands": async ({ gateway, caller, node, body }) => {
    const text = await refusing(gateway.command(node, withCaller(body, caller), caller));
    return { body: { schema: "motelearn.done/1", node, text } };
  },
};

function groupsAnswer({ training }: Gateway): JsonAnswer<AnswerOf<"GET /api/together">> {
  return { body: { schema: "motelearn.together/1", groups: training?.list ?? [] } };
}

/** Throws a Refusal if the fleet has no node of that name. */
export function checkNode(gateway: Gateway, name: string): void {
  if (!gateway.has(name)) throw new Refusal(404, "no node of that name; see GET /api/nodes");
}

function sessionAnswer(
  { asksName: askName }: Gateway,
  { hasUsers: users }: Access,
  session = {},
): JsonAnswer<AnswerOf<"GET /api/session">> {
  return { body: { schema: "motelearn.session/1", users, askName, ...session } };
}

function checkUsers(access: Access): void {
  if (!access.hasUsers) throw new Refusal(409, "the fleet file has no users");
}

function copyAnswer(
  node: string,
  copy: NodeCopyRow | undefined,
): JsonAnswer<CopyFile & { schema: "motelearn.copy/1"; node: string }> {
  if (!copy) throw new Refusal(404, "there is no such copy any more");
  const { id, words, ...its } = copy;
  const bytes = Buffer.from(words.buffer, words.byteOffset, words.byteLength);
  const file = `${node.replace(/[^\w-]/g, "_")}-${id}.json`;
  const headers = { "content-disposition": `attachment; filename="${file}"` };
  return { headers, body: { schema: "motelearn.copy/1", node, ...its, words: bytes.toString("base64") } };
}

/** A command that a node refuses is the request's fault; the engine's own errors are the gateway's. */
function refusing<T>(done: Promise<T>): Promise<T> {
  return done.catch((error) => {
    if (error instanceof TypeError || error instanceof RangeError) throw error;
    throw new Refusal(409, (error as Error).message);
  });
}

/** Where there are users, `by` is always the request's user. */
function withCaller<T extends { readonly by: string }>(options: T, { name }: Caller): T {
  return name === "" ? options : { ...options, by: name };
}
