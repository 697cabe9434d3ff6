import type { IncomingMessage, ServerResponse } from "node:http";
import { type Access, addressOf, type Caller, type Role } from "../access/access.ts";
import { Refusal } from "../access/refusal.ts";
import { readLabelRequest } from "../api/label-request.ts";
import type { NodeCopyRow } from "../store/fleet-store.ts";
import { readCommand } from "./command.ts";
import type { Gateway } from "./gateway.ts";
import { readLogin } from "./login.ts";
import { metricsText } from "./metrics.ts";
import type { Parameters, Query } from "./query.ts";

/** A request whose query and body are checked. */
export interface Asked<P extends Parameters, B> {
  readonly gateway: Gateway;
  readonly access: Access;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Nobody where the route is for everybody. */
  readonly caller: Caller;
  /** The node of the path; "" if it names none. */
  readonly node: string;
  readonly query: Query<P>;
  readonly body: B;
}

/** An answer in JSON; a route that answers by itself returns none. */
export interface Answer {
  readonly status?: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route<P extends Parameters = Parameters, B = unknown> {
  readonly method: "GET" | "POST" | "DELETE";
  /** NAME stands for a node's name. */
  readonly path: string;
  /** Who may ask; undefined: everybody, also without a login. */
  readonly role?: Role;
  /** The limit a minute for which it counts. */
  readonly counts?: "labels" | "commands";
  readonly query: P;
  /** Its name in messages, and what reads it, or returns a text about what is wrong. */
  readonly body?: { readonly what: string; readonly read: (text: string) => (B & object) | string };
  answer(asked: Asked<P, B>): Answer | undefined | Promise<Answer | undefined>;
}

const WORD_MAX = 0xffffffff;
const LIVE_NODES_MAX = 100;
const HISTORY_MS = 600_000;

const integer = (minimum: number, maximum: number) => ({ type: "integer", minimum, maximum }) as const;
const time = integer(0, Number.MAX_SAFE_INTEGER);
const word = { ...integer(0, WORD_MAX), required: true } as const;
const sample = { sid: word, seq: word };

/** Has the compiler infer the types of the query and the body. */
function route<P extends Parameters, B>(given: Route<P, B>): Route {
  return given as unknown as Route;
}

/** What the gateway answers besides the files of its page. */
export const ROUTES: readonly Route[] = [
  route({
    method: "GET",
    path: "/healthz",
    query: {},
    answer: ({ gateway: { size, connected, fault } }) => ({
      status: fault ? 503 : 200,
      body: { ok: !fault, ...(fault && { fault }), nodes: size, connected },
    }),
  }),
  route({
    method: "GET",
    path: "/api/session",
    query: {},
    answer: ({ access, request }) => sessionBody(access, access.sessionOf(request) ?? {}),
  }),
  route({
    method: "POST",
    path: "/api/session",
    query: {},
    body: { what: "a login", read: readLogin },
    answer: logIn,
  }),
  route({
    method: "DELETE",
    path: "/api/session",
    role: "look",
    query: {},
    answer: ({ gateway, access, request, caller: { name: who, from } }) => {
      checkUsers(access);
      gateway.note({ who, from, what: "logout", node: "", text: "" });
      return { ...sessionBody(access, {}), headers: { "set-cookie": access.logOut(request) } };
    },
  }),
  route({
    method: "GET",
    path: "/metrics",
    role: "look",
    query: {},
    answer: async ({ gateway, response }) => {
      const { type, text } = await metricsText(gateway.states);
      response.writeHead(200, { "content-type": type }).end(text);
      return undefined;
    },
  }),
  route({
    method: "GET",
    path: "/api/nodes",
    role: "look",
    query: {},
    answer: ({ gateway }) => ({ body: { schema: "motelearn.nodes/1", nodes: gateway.states } }),
  }),
  route({
    method: "GET",
    path: "/api/live",
    role: "look",
    query: { node: { type: "array", maxItems: LIVE_NODES_MAX } },
    answer: ({ gateway, response, caller, query }) => {
      const nodes = new Set(query.node);
      for (const name of nodes) checkNode(gateway, name);
      const why = gateway.live.join(response, nodes, caller);
      if (why !== undefined) throw new Refusal(503, why);
      return undefined;
    },
  }),
  route({
    method: "GET",
    path: "/api/labellers",
    role: "look",
    query: {},
    answer: ({ gateway }) => ({ body: { schema: "motelearn.labellers/1", labellers: gateway.labellers } }),
  }),
  route({
    method: "GET",
    path: "/api/audit",
    role: "operate",
    query: { most: { ...integer(0, 10_000), default: 200 } },
    answer: ({ gateway, query }) => ({
      body: { schema: "motelearn.audit/1", entries: gateway.audit(query.most) },
    }),
  }),
  route({
    method: "GET",
    path: "/api/nodes/NAME",
    role: "look",
    query: {},
    answer: ({ gateway, node }) => ({ body: { schema: "motelearn.node/1", ...gateway.stateOf(node) } }),
  }),
  route({
    method: "GET",
    path: "/api/nodes/NAME/history",
    role: "look",
    query: { from: time, to: time, points: { ...integer(0, 20_000), default: 1000 } },
    answer: ({ gateway, node, query: { from: first, to = Date.now(), points } }) => {
      const from = first ?? Math.max(0, to - HISTORY_MS);
      if (from > to)
        throw new Refusal(400, `from: got ${from}; takes an integer from 0 to ${to}, which is to`);
      return { body: gateway.history(node, { from, to, points }) };
    },
  }),
  route({
    method: "GET",
    path: "/api/nodes/NAME/questions",
    role: "look",
    query: {},
    answer: ({ gateway, node }) => {
      const questions = gateway.questions(gateway.stateOf(node));
      return { body: { schema: "motelearn.questions/1", node, questions } };
    },
  }),
  route({
    method: "GET",
    path: "/api/nodes/NAME/near",
    role: "look",
    query: sample,
    answer: ({ gateway, node, query: { sid, seq } }) => ({
      body: { schema: "motelearn.near/1", node, near: gateway.near(node, sid, seq) },
    }),
  }),
  route({
    method: "GET",
    path: "/api/nodes/NAME/explanation",
    role: "look",
    counts: "commands", // it takes as long as many other views
    query: sample,
    answer: async ({ gateway, node, query: { sid, seq } }) => {
      const explained = await refusing(gateway.explain(gateway.stateOf(node), sid, seq));
      return { body: { schema: "motelearn.explanation/1", node, ...explained } };
    },
  }),
  route({
    method: "GET",
    path: "/api/nodes/NAME/configuration",
    role: "look",
    query: {},
    answer: async ({ gateway, node }) => {
      const configuration = await refusing(gateway.configuration(node));
      return { body: { schema: "motelearn.configuration/1", node, ...configuration } };
    },
  }),
  route({
    method: "GET",
    path: "/api/nodes/NAME/copies",
    role: "operate",
    query: { id: time },
    answer: ({ gateway, node, query: { id } }) =>
      id === undefined
        ? { body: { schema: "motelearn.copies/1", node, copies: gateway.copies(node) } }
        : copyFile(node, gateway.copyOf(node, id)),
  }),
  route({
    method: "POST",
    path: "/api/nodes/NAME/labels",
    role: "label",
    counts: "labels",
    query: {},
    body: { what: "a label", read: readLabelRequest },
    answer: async ({ gateway, caller, node, body }) => {
      const why = await gateway.teach(node, signed(body, caller), caller);
      // While the disk refuses, nobody knows when to send it again.
      if (why !== undefined) throw new Refusal(gateway.fault === undefined ? 409 : 503, why, {});
      const { seq, label } = body;
      return { status: 202, body: { schema: "motelearn.taken/1", node, seq, label } };
    },
  }),
  route({
    method: "POST",
    path: "/api/nodes/NAME/commands",
    role: "operate",
    counts: "commands",
    query: {},
    body: { what: "a command", read: readCommand },
    answer: async ({ gateway, caller, node, body }) => {
      const text = await refusing(gateway.command(node, signed(body, caller), caller));
      return { body: { schema: "motelearn.done/1", node, text } };
    },
  }),
];

/** Throws a Refusal if the fleet has no node of that name. */
export function checkNode(gateway: Gateway, name: string): void {
  if (!gateway.has(name)) throw new Refusal(404, "no node of that name; see GET /api/nodes");
}

function sessionBody(access: Access, its: object): Answer {
  return { body: { schema: "motelearn.session/1", users: access.hasUsers, ...its } };
}

function checkUsers(access: Access): void {
  if (!access.hasUsers) throw new Refusal(409, "the fleet file has no users");
}

async function logIn(asked: Asked<Parameters, { readonly name: string; readonly password: string }>) {
  const { gateway, access, request, body } = asked;
  checkUsers(access);
  const opened = await access.logIn(request, body.name, body.password);
  gateway.note({ who: body.name, from: addressOf(request), what: "login", node: "", text: "" });
  return { ...sessionBody(access, opened.session), headers: { "set-cookie": opened.cookie } };
}

function copyFile(node: string, copy: NodeCopyRow | undefined): Answer {
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
function signed<T extends { readonly by: string }>(given: T, { name }: Caller): T {
  return name === "" ? given : { ...given, by: name };
}
