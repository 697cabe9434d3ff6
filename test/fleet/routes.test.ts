/** Each route of the table, asked in this process: its answers have the forms of docs/openapi.json. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as assert from "uvu/assert";
import type { Role, User } from "../../fleet/access/access.ts";
import { newToken, passwordHash, tokenHash } from "../../fleet/access/secrets.ts";
import { ROUTE_LIST, type RouteName } from "../../fleet/api/routes.ts";
import { explainSample } from "../../fleet/gateway/explain.ts";
import type { NodeKeeper } from "../../fleet/gateway/node-keeper.ts";
import { Training } from "../../fleet/training/training.ts";
import { test } from "../tools/contained.ts";
import * as followed from "../tools/followed-node.ts";
import { HEARD, NODE_NAME, ServedGateway, SID } from "../tools/served-gateway.ts";
import { KeptNode } from "./kept-node.ts";

const DOCUMENT = JSON.parse(readFileSync("docs/openapi.json", "utf8"));
const ajv = new Ajv2020({ strict: false }).addSchema(DOCUMENT, "api");
const PASSWORD = "correct horse";
const ROLES: readonly Role[] = ["look", "label", "operate"];

/** How a route is asked so that it answers; the node that answers itself is n1. */
interface Example {
  readonly node?: string;
  readonly query?: string;
  readonly body?: object;
}
const EXAMPLES: { readonly [R in RouteName]: readonly Example[] } = {
  "GET /healthz": [{}],
  "GET /metrics": [{}],
  "POST /api/session": [{ body: { name: "operate", password: PASSWORD } }],
  "GET /api/session": [{}],
  "DELETE /api/session": [{}],
  "GET /api/nodes": [{}],
  "GET /api/live": [{ query: "node=n1" }],
  "GET /api/alarms": [{}],
  "GET /api/labellers": [{}],
  "GET /api/together": [{}],
  "POST /api/together": [{ body: { group: 0, on: false } }],
  "GET /api/audit": [{ query: "most=5" }],
  "GET /api/nodes/{node}": [{}, { node: "n1" }],
  "GET /api/nodes/{node}/history": [{ query: "points=50" }],
  "GET /api/nodes/{node}/questions": [{}],
  "GET /api/nodes/{node}/near": [{ query: `sid=${SID}&seq=1` }],
  "GET /api/nodes/{node}/around": [{ query: `sid=${SID}&seq=1` }],
  "GET /api/nodes/{node}/explanation": [{ query: `sid=${SID}&seq=1` }],
  "GET /api/nodes/{node}/configuration": [{ node: "n1" }],
  "GET /api/nodes/{node}/copies": [{}, { query: "id=1" }],
  "POST /api/nodes/{node}/labels": [{ body: { sid: SID, seq: HEARD, label: 1 } }],
  "POST /api/nodes/{node}/commands": [{ node: "n1", body: { do: "configure", statisticsMs: 1000 } }],
};

let served: ServedGateway;
let kept: KeptNode;
let training: Training;
const tokens = Object.fromEntries(ROLES.map((role) => [role, newToken()]));
test.before(async () => {
  const password = await passwordHash(PASSWORD);
  const users: User[] = ROLES.map((role) => ({ name: role, role, password, token: tokenHash(tokens[role]) }));
  served = await ServedGateway.start("routes", NODE_NAME, users);
  kept = await KeptNode.met("routes-kept");
  kept.sample(3);
  const { gateway } = served;
  (gateway as unknown as { byName: Map<string, NodeKeeper> }).byName.set("n1", kept.keeper);
  gateway.store.copy(
    NODE_NAME,
    {
      ...{ sid: SID, seq: 5, labelled: 1, learner: "pa", firmware: "", hash: "", whole: true, from: 0 },
      ...{ checkpoint: null, words: new Uint32Array(3) },
    },
    1,
  );
  const { store, followed: node } = followed.taught({ learner: "olk-c" });
  const explained = explainSample(
    store,
    { ...node, classes: ["ok", "worn"] },
    followed.SID,
    followed.SAMPLES,
  );
  store.close();
  const failed = (why: string) => assert.unreachable(why);
  training = new Training(
    { vectors: 0, groups: [[NODE_NAME]], start: "nothing" },
    { store: gateway.store, install() {}, committed: async () => undefined, say() {}, failed },
    pathToFileURL(resolve("dist/train-worker.js")),
  );
  Object.assign(gateway, { explain: () => Promise.resolve(explained), training });
});
test.after(async () => {
  await kept.close();
  await served.close();
});

type Listed = (typeof ROUTE_LIST)[number];

/** Asks as the user of that role; undefined: as nobody. */
async function ask({ method, path }: Listed, { node = NODE_NAME, query, body }: Example, role?: string) {
  const where = `${path.replace("{node}", encodeURIComponent(node))}${query ? `?${query}` : ""}`;
  const headers = {
    ...(role && { authorization: `Bearer ${tokens[role]}` }),
    ...(body && { "content-type": "application/json" }),
  };
  return fetch(served.url + where, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

/** Checks a status and a body by what the document says of that route. */
function checkAnswer({ name, path, method }: Listed, status: number, body: unknown): void {
  const at = [path, method.toLowerCase(), "responses", `${status}`, "content", "application/json", "schema"];
  const pointer = at.map((part) => encodeURIComponent(part.replaceAll("/", "~1"))).join("/");
  const isRight = ajv.compile({ $ref: `api#/paths/${pointer}` });
  assert.ok(isRight(body), `${name}, ${status}: ${ajv.errorsText(isRight.errors)}: ${JSON.stringify(body)}`);
}

for (const listed of ROUTE_LIST)
  test(`${listed.name} answers as the table says`, async () => {
    const { status = 200, type } = listed.route;
    for (const example of EXAMPLES[listed.name]) {
      const answer = await ask(listed, example, "operate");
      assert.is(answer.status, status);
      if (type) {
        assert.ok(answer.headers.get("content-type")?.startsWith(type));
        await answer.body?.cancel();
      } else checkAnswer(listed, status, await answer.json());
    }
  });

test("each route refuses whoever lacks its role, an unknown node, parameter and media type, as the table says", async () => {
  for (const listed of ROUTE_LIST) {
    const { role, body } = listed.route;
    const refused: [number, Example, string?][] = [
      [400, { query: "colour=red", body: body && {} }, "operate"],
    ];
    if (role) refused.push([401, {}]);
    const lower = role && ROLES[ROLES.indexOf(role) - 1];
    if (lower) refused.push([403, {}, lower]);
    if (listed.path.includes("{node}")) refused.push([404, { node: "n2" }, "operate"]);
    if (body) refused.push([415, {}, "operate"], [400, { body: { colour: "red" } }, "operate"]);
    for (const [status, example, who] of refused) {
      const answer = await ask(listed, example, who);
      assert.is(answer.status, status, `${listed.name} ${JSON.stringify(example)}`);
      checkAnswer(listed, status, await answer.json());
    }
  }
});

test.run();
