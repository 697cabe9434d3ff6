import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import * as assert from "uvu/assert";
import { ROUTE_LIST } from "../../fleet/api/routes.ts";
import { test } from "../tools/contained.ts";
import { HEARD, NODE_NAME, ServedGateway, SID } from "../tools/served-gateway.ts";
import { fuzzHttp } from "./http-fuzz.ts";

let served: ServedGateway;
test.before.each(async ({ __test__ }) => {
  served = await ServedGateway.start(`http-${__test__.replace(/\W+/g, "-").slice(0, 40)}`);
});
test.after.each(async () => {
  await served.close();
});

const NODE_PATH = `/api/nodes/${encodeURIComponent(NODE_NAME)}`;

async function ask(path: string, options?: RequestInit): Promise<[number, Record<string, unknown>]> {
  const response = await fetch(served.url + path, options);
  return [response.status, (await response.json()) as Record<string, unknown>];
}

const post = (what: string, body: string) =>
  ask(`${NODE_PATH}/${what}`, { method: "POST", headers: { "content-type": "application/json" }, body });

test("a parameter that a route doesn't take is refused by name, with what came and what it takes", async () => {
  const refused: [path: string, why: string][] = [
    ["/api/audit?most=0.5", 'most: got "0.5"; takes an integer from 0 to 10000'],
    ["/api/audit?most=-1", 'most: got "-1"; takes an integer from 0 to 10000'],
    ["/api/audit?most=1e3", 'most: got "1e3"; takes an integer from 0 to 10000'],
    ["/api/audit?most=", 'most: got ""; takes an integer from 0 to 10000'],
    ["/api/audit?most=1&most=2", "most: is there 2 times; takes an integer from 0 to 10000"],
    ["/api/audit?mots=1", 'no parameter "mots"; did you mean most? There is most'],
    ["/api/audit?__proto__=1", 'no parameter "__proto__"; there is most'],
    ["/api/nodes?constructor=1", 'no parameter "constructor"; this address takes none'],
    [`${NODE_PATH}/near?sid=7`, "seq: is missing; takes an integer from 0 to 4294967295"],
    [
      `${NODE_PATH}/near?sid=7&seq=4294967296`,
      'seq: got "4294967296"; takes an integer from 0 to 4294967295',
    ],
    [`${NODE_PATH}/copies?id=0.5`, 'id: got "0.5"; takes an integer from 0 to 9007199254740991'],
    [`${NODE_PATH}/history?from=9&to=5`, "from: got 9; takes an integer from 0 to 5, which is to"],
    [`/api/live?${"node=a&".repeat(3)}x=1`, 'no parameter "x"; there is node'],
    [
      `/api/live?${Array.from({ length: 101 }, (_, i) => `node=${i}`).join("&")}`,
      "node: got 101; takes at most 100 different ones",
    ],
  ];
  for (const [path, error] of refused) assert.equal(await ask(path), [400, { error }], path);
});

test("a connection whose reader takes nothing of its answers is ended; one that waits for an answer isn't", async () => {
  const { server, port } = served;
  assert.ok(server.timeout > 0 && server.timeout <= 60_000);
  const client = connect(port, "127.0.0.1").on("error", () => {});
  const asked = once(server, "request");
  const type = "Content-Type: application/json\r\nContent-Length: 9";
  client.write(`POST ${NODE_PATH}/labels HTTP/1.1\r\nHost: localhost:${port}\r\n${type}\r\n\r\n`);
  const [, response]: ServerResponse[] = await asked;
  /** Whether it is ended after a time in which nothing moved, with so many bytes of an answer to be read. */
  const isEnded = (writableLength: number) => {
    let ended = false;
    const destroy = () => {
      ended = true;
    };
    response.emit("timeout", { writableLength, destroy });
    return ended;
  };
  assert.equal([isEnded(0), isEnded(1)], [false, true]);
  client.destroy();
});

test("every number of every query is held to its bounds, and a fraction to none", async () => {
  for (const { method, path, route } of ROUTE_LIST)
    for (const [name, parameter] of Object.entries(route.query ?? {})) {
      if (parameter.type !== "integer") continue;
      for (const wrong of ["0.5", "-1", "1e400", "NaN", `${parameter.maximum}0`]) {
        const where = `${path.replace("{node}", encodeURIComponent(NODE_NAME))}?${name}=${wrong}`;
        const others = Object.keys(route.query ?? {}).filter((each) => each !== name);
        const [status, { error }] = await ask(`${where}${others.map((each) => `&${each}=1`).join("")}`, {
          method,
        });
        assert.equal([status, String(error).split(":")[0]], [400, name], `${where}: ${error}`);
      }
    }
});

test("a body with a key twice, too long, or of another type is refused by what is wrong", async () => {
  const label = { sid: SID, seq: 3, label: 1 };
  assert.equal(await post("labels", '{"seq": 3, "label": 1, "l\\u0061bel": -1}'), [
    400,
    { error: "label: is there more than once; a label has each key once" },
  ]);
  assert.equal(await post("labels", JSON.stringify({ ...label, by: "x".repeat(5000) })), [
    413,
    { error: "a label has at most 4096 bytes" },
  ]);
  assert.is((await post("labels", JSON.stringify({ ...label, colour: 1 })))[0], 400);
  assert.is((await post("labels", JSON.stringify({ ...label, seq: 0.5 })))[0], 400);
  assert.is((await post("labels", JSON.stringify(label)))[0], 202);
});

test("an error that nobody expected is answered by 500, a line of the log, and nothing else", async () => {
  const failing = () => {
    throw new Error("out of luck");
  };
  Object.assign(served.gateway.trail, { newest: failing });
  Object.assign(served.gateway.findKeeper(NODE_NAME), {
    configuration: () => Promise.reject(new TypeError("no x")),
  });
  Object.assign(served.gateway, { teach: failing });
  const answer = [500, { error: "the gateway failed; its log says more" }];
  assert.equal(await ask("/api/audit?most=5"), answer);
  assert.equal(await ask(`${NODE_PATH}/configuration?`), answer);
  assert.equal(await post("labels", JSON.stringify({ seq: HEARD, label: 1 })), answer);
  assert.equal(served.said, [
    "failed: GET /api/audit: out of luck",
    `failed: GET ${NODE_PATH}/configuration: no x`,
    `failed: POST ${NODE_PATH}/labels: out of luck`,
  ]);
  assert.is((await ask("/healthz"))[0], 200);
});

test("400 hostile requests, cut and stalled ones among them, end nothing and lose no label", async () => {
  await fuzzHttp(2, 400);
});

test.run();
