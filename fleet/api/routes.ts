import type { Configuration } from "../../tools/session/session-options.ts";
import type { Role } from "../access/access.ts";
import type {
  Around,
  AuditEntry,
  CopyFile,
  ExplainedDecision,
  KeptCopy,
  Labeller,
  LearningGroup,
  LiveEvent,
  Neighbour,
  NodeHistory,
  OpenedSession,
  Question,
} from "./api.ts";
import { COMMAND } from "./command-request.ts";
import { GROUP_SWITCH } from "./group-switch.ts";
import { LABEL } from "./label-request.ts";
import type { NodeAlarm, NodeState } from "./node-state.ts";
import type { Parameters, Query } from "./query.ts";
import { RequestBody } from "./request-body.ts";

/** What one address answers to one method. */
export interface Route<A = unknown, P extends Parameters = Parameters, B = unknown> {
  /** What it does, in a sentence. */
  readonly does: string;
  /** Who may ask; undefined: everybody, also without a login. */
  readonly role?: Role;
  /** The limit a minute for which it counts. */
  readonly counts?: "labels" | "commands";
  readonly query?: P;
  readonly body?: RequestBody<B>;
  /** The status of its answer; default: 200. */
  readonly status?: number;
  /** The media type of an answer that isn't JSON. */
  readonly type?: string;
  /** What its own refusals mean, by status; others follow from role, node, query and body. */
  readonly errors?: { readonly [status: number]: string };
  /** The type of its answer in JSON; no route has a value here. */
  readonly answer?: A;
}

const WORD_MAX = 0xffffffff;
const LIVE_NODES_MAX = 100;

const integer = (maximum: number, description: string) =>
  ({ type: "integer", minimum: 0, maximum, description }) as const;
const time = (description: string) => integer(Number.MAX_SAFE_INTEGER, description);
const sample = {
  sid: { ...integer(WORD_MAX, "session of the sample"), required: true },
  seq: { ...integer(WORD_MAX, "number of the sample"), required: true },
} as const;
const NO_USERS = { 409: "the fleet file has no users" };

const LOGIN = new RequestBody<{ readonly name: string; readonly password: string }>("login", {
  type: "object",
  required: ["name", "password"],
  properties: {
    name: { type: "string", maxLength: 64, description: "a user of the fleet file" },
    password: { type: "string", maxLength: 1024, writeOnly: true, description: "no answer shows it" },
  },
});

/** An answer with the version of its form. */
type Of<S extends string, A> = { readonly schema: `motelearn.${S}/1` } & A;
/** An answer about a node. */
type OfNode<S extends string, A> = Of<S, { readonly node: string } & A>;
/** A page's session; without a login it has no name. */
type SessionAnswer = Of<
  "session",
  {
    readonly users: boolean;
    /** True if labels need the name of who gives them, and there are no users. */
    readonly askName: boolean;
  } & Partial<OpenedSession>
>;

/** Makes routes that give an answer of one type; the compiler infers the types of the query and the body. */
const giving =
  <A>() =>
  <const P extends Parameters, B>(route: Route<A, P, B>): Route<A, P, B> =>
    route;

/**
 * What the gateway answers besides the files of its page, by method and path. The server, the page's requests, docs/api.md and
 * docs/openapi.json follow from it.
 */
export const ROUTES = {
  "GET /healthz": giving<{
    readonly ok: boolean;
    /** Why the database takes nothing. */
    readonly fault?: string;
    readonly nodes: number;
    /** Nodes that are met and can be taught. */
    readonly connected: number;
  }>()({
    does: "Says whether the database accepts writes.",
    errors: { 503: "it doesn't: the same answer, with the reason in `fault`" },
  }),
  "GET /metrics": giving<string>()({
    does: "Gives each node's figures in the text format of Prometheus.",
    role: "look",
    type: "text/plain",
  }),
  "GET /api/session": giving<SessionAnswer>()({
    does: "Says whether the gateway has users, and which of them the request's cookie belongs to.",
  }),
  "POST /api/session": giving<SessionAnswer>()({
    does: "Logs in: opens a session, whose cookie comes with the answer. Requests that change something send its `csrf` as `X-CSRF-Token`.",
    body: LOGIN,
    errors: { 401: "not a user's name and password", 429: "too many wrong passwords", ...NO_USERS },
  }),
  "DELETE /api/session": giving<SessionAnswer>()({
    does: "Logs out: ends the session, and removes its cookie.",
    role: "look",
    errors: NO_USERS,
  }),
  "GET /api/nodes": giving<Of<"nodes", { readonly nodes: readonly NodeState[] }>>()({
    does: "Gives each node's state.",
    role: "look",
  }),
  "GET /api/live": giving<string>()({
    does: "Streams what happens as Server-Sent Events: `states` of all nodes, `rows` of the named ones, `event`, `label`, `answer`.",
    role: "look",
    query: {
      node: {
        type: "array",
        items: { type: "string" },
        maxItems: LIVE_NODES_MAX,
        description: "a node whose samples are sent",
      },
    },
    type: "text/event-stream",
    errors: {
      404: "the fleet has no such node",
      503: "too many pages look already, or another answer comes first on this connection",
    },
  }),
  "GET /api/alarms": giving<
    Of<
      "alarms",
      {
        readonly alarms: readonly NodeAlarm[];
        /** What switched last, the newest first. */
        readonly changes: readonly LiveEvent[];
      }
    >
  >()({
    does: "Lists the alarms of the fleet file, node by node, on or off, and the last changes.",
    role: "look",
  }),
  "GET /api/labellers": giving<Of<"labellers", { readonly labellers: readonly Labeller[] }>>()({
    does: "Counts each labeller's labels, and those that agreed with the node's earlier decision.",
    role: "look",
  }),
  "GET /api/together": giving<Of<"together", { readonly groups: readonly LearningGroup[] }>>()({
    does: "Lists the groups of nodes that learn together, in the fleet file's order. What a node is in its group stands in its state.",
    role: "look",
  }),
  "POST /api/together": giving<Of<"together", { readonly groups: readonly LearningGroup[] }>>()({
    does: "Turns a group of nodes that learn together on or off, also for later starts of the gateway.",
    role: "operate",
    counts: "commands",
    body: GROUP_SWITCH,
    errors: { 409: "the fleet file has no such group" },
  }),
  "GET /api/audit": giving<Of<"audit", { readonly entries: readonly AuditEntry[] }>>()({
    does: "Gives the newest entries of the trail: logins, labels, commands, refusals.",
    role: "operate",
    query: { most: { ...integer(10_000, "most entries"), default: 200 } },
  }),
  "GET /api/nodes/{node}": giving<Of<"node", NodeState>>()({
    does: "Gives a node's state.",
    role: "look",
  }),
  "GET /api/nodes/{node}/history": giving<NodeHistory>()({
    does: "Gives a node's samples, decisions, labels and events between two times.",
    role: "look",
    query: {
      from: time("milliseconds since 1970-01-01 UTC; default: ten minutes before `to`"),
      to: time("milliseconds since 1970-01-01 UTC; default: now"),
      points: { ...integer(20_000, "about the most samples"), default: 1000 },
    },
  }),
  "GET /api/nodes/{node}/questions": giving<
    OfNode<"questions", { readonly questions: readonly Question[] }>
  >()({
    does: "Gives the samples whose label would help most: the first two of a node where its group's model is surest, those that the node asks for, then unsure ones and those unlike all that have a label.",
    role: "look",
  }),
  "GET /api/nodes/{node}/near": giving<OfNode<"near", { readonly near: readonly Neighbour[] }>>()({
    does: "Gives the labelled samples that are most like one.",
    role: "look",
    query: sample,
  }),
  "GET /api/nodes/{node}/around": giving<OfNode<"around", Around>>()({
    does: "Gives the samples around one, and between which values each reading usually lies.",
    role: "look",
    query: sample,
  }),
  "GET /api/nodes/{node}/explanation": giving<OfNode<"explanation", ExplainedDecision>>()({
    does: "Splits a decision into the contributions of stored vectors, weights or members.",
    role: "look",
    counts: "commands", // it takes as long as many other views
    query: sample,
    errors: { 409: "it can't be explained; the answer says why" },
  }),
  "GET /api/nodes/{node}/configuration": giving<OfNode<"configuration", Configuration>>()({
    does: "Asks a node for the options that may change while it runs.",
    role: "look",
    errors: { 409: "the node doesn't answer" },
  }),
  "GET /api/nodes/{node}/copies": giving<
    OfNode<"copies", { readonly copies: readonly KeptCopy[] }> | OfNode<"copy", CopyFile>
  >()({
    does: "Lists the copies of a node's memory, the newest first; with `id` gives one of them as a file.",
    role: "operate",
    query: { id: time("a copy's id") },
    errors: { 404: "there is no such copy any more" },
  }),
  "POST /api/nodes/{node}/labels": giving<
    OfNode<"taken", { readonly seq: number; readonly label: string | number }>
  >()({
    does: "Takes a label for a sample, and answers once it is on disk; repeating it changes nothing.",
    role: "label",
    counts: "labels",
    body: LABEL,
    status: 202,
    errors: {
      409: "the sample has another label already, or the node never predicted it",
      410: "the node has discarded the sample",
      503: "it can't take the label now",
    },
  }),
  "POST /api/nodes/{node}/commands": giving<
    OfNode<
      "done",
      {
        /** The outcome in words. */
        readonly text: string;
      }
    >
  >()({
    does: "Sends a command to a node, and answers with its outcome in words.",
    role: "operate",
    counts: "commands",
    body: COMMAND,
    errors: { 409: "nothing was done; the answer says why" },
  }),
};

export type RouteName = keyof typeof ROUTES;
export type AnswerOf<R extends RouteName> = NonNullable<(typeof ROUTES)[R]["answer"]>;
export type BodyOf<R extends RouteName> = (typeof ROUTES)[R] extends { readonly body?: RequestBody<infer B> }
  ? B
  : undefined;
export type QueryOf<R extends RouteName> = (typeof ROUTES)[R] extends {
  readonly query?: infer P extends Parameters;
}
  ? Query<P>
  : never;

export const ROUTE_LIST = Object.entries(ROUTES).map(([name, route]) => {
  const [method, path] = name.split(" ");
  return { name: name as RouteName, method, path, route: route as Route };
});

export type RouteEntry = (typeof ROUTE_LIST)[number];
