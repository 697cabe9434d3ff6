// The gateway's interface over HTTP as OpenAPI 3.1, from its table of routes.
import { ROUTE_LIST, type RouteEntry } from "../../fleet/api/routes.ts";
import type { AnswerSchemas, Schema } from "./answer-schemas.ts";

/** Refusals that follow from a route's properties: for which routes, and why. */
export const REFUSALS: {
  readonly [status: number]: readonly [of: (listed: RouteEntry) => boolean, why: string];
} = {
  400: [() => true, "a parameter or the body is wrong; the answer says which, and what is right"],
  401: [({ route }) => route.role !== undefined, "nobody is logged in, or the token is wrong"],
  403: [
    ({ route }) => route.role !== undefined,
    "the user's role is too low, or the request comes of another page",
  ],
  404: [({ path }) => path.includes("{node}"), "the fleet has no such node"],
  408: [({ route }) => route.body !== undefined, "the body didn't come within 10 s"],
  413: [({ route }) => route.body !== undefined, "the body has more than 4096 bytes"],
  415: [({ route }) => route.body !== undefined, "the body isn't sent as application/json"],
  429: [
    ({ route }) => route.counts !== undefined,
    "too many came in a minute; wait as long as `Retry-After` says",
  ],
  500: [() => true, "the gateway failed; its log says more"],
};

function listRefusals(listed: RouteEntry): [status: string, why: string][] {
  const { errors = {} } = listed.route;
  const general = Object.entries(REFUSALS).flatMap(([status, [of, why]]) =>
    of(listed) ? [[status, why]] : [],
  );
  const all: { [status: string]: string } = Object.fromEntries(general);
  for (const [status, why] of Object.entries(errors))
    all[status] = all[status] ? `${all[status]}; or ${why}` : why;
  return Object.entries(all);
}

function describeParameters({ route: { query = {} }, path }: RouteEntry) {
  const node = { name: "node", in: "path", required: true, description: "a node's name, URL-encoded" };
  const queried = Object.entries(query).map(([name, { description, ...parameter }]) => {
    const { required = false, ...schema } = { required: undefined, ...parameter };
    return { name, in: "query", required, description, schema };
  });
  return path.includes("{node}") ? [{ ...node, schema: { type: "string" } }, ...queried] : queried;
}

function describeOperation(listed: RouteEntry, answer: Schema) {
  const { does, role, counts, body, status = 200, type = "application/json" } = listed.route;
  const refusals = listRefusals(listed).map(([code, description]) => [
    code,
    { description, content: { "application/json": { schema: { $ref: "#/components/schemas/Refused" } } } },
  ]);
  return {
    operationId: listed.name,
    summary: does,
    ...(role ? { "x-role": role } : { security: [] }),
    ...(counts && { "x-limit": counts }),
    parameters: describeParameters(listed),
    ...(body && {
      requestBody: { required: true, content: { "application/json": { schema: body.schema } } },
    }),
    responses: {
      [status]: { description: "the answer", content: { [type]: { schema: answer } } },
      ...Object.fromEntries(refusals),
    },
  };
}

const REFUSED = {
  description: "Why a request is refused.",
  ...{ type: "object", required: ["error"], additionalProperties: false },
  properties: { error: { type: "string", description: "what is wrong, and what would be right, in a line" } },
};

export function openapi({ answers, named }: AnswerSchemas) {
  const paths: { [path: string]: { [method: string]: object } } = {};
  for (const listed of ROUTE_LIST) {
    paths[listed.path] ??= {};
    paths[listed.path][listed.method.toLowerCase()] = describeOperation(listed, answers[listed.name]);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Motelearn gateway", version: "1" },
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: "motelearn" },
      },
      schemas: { Refused: REFUSED, ...named },
    },
  };
}
