import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { mock } from "node:test";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Live } from "../../fleet/gateway/live.ts";

const DAY_S = 86_400;
const NODES = ["n1", "n2", "n3"];
/** Most bytes that wait for a reader, beyond one batch. */
const BACKLOG_MAX = 1 << 20;

const turn = () => new Promise((done) => setImmediate(done));

test("a tab that never reads for a day costs the gateway a megabyte, and one that reads misses nothing", async () => {
  mock.timers.enable({ apis: ["setInterval"] });
  const live = new Live(() => []);
  const watched: import("node:http").ServerResponse[] = [];
  const server = createServer((_, response) => {
    watched.push(response);
    live.join(response, new Set(NODES), { name: "", valid: () => true });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const open = async () => {
    const asked = request({ port, host: "127.0.0.1", agent: false }).end();
    const [response] = await once(asked, "response");
    return response.setEncoding("utf8") as import("node:http").IncomingMessage;
  };
  const slow = await open();
  const quick = await open();
  let rows = 0;
  createInterface(quick).on("line", (line) => {
    for (const _ of line.matchAll(/\[\d{13},1,\d+,/g)) rows++;
  });
  let most = 0;
  for (let second = 1; second <= DAY_S; second++) {
    for (const node of NODES) {
      live.sample(node, 1, second, Float32Array.of(second, -second));
      live.prediction(node, 1, second, 0.5, 0, undefined);
    }
    mock.timers.tick(1000);
    most = Math.max(most, watched[0].writableLength);
    while (watched[1].writableNeedDrain) await turn();
  }
  assert.ok(most > BACKLOG_MAX / 2 && most < 1.1 * BACKLOG_MAX, `${most} bytes wait`);
  while (rows < NODES.length * DAY_S) await turn();
  assert.is(rows, NODES.length * DAY_S);
  // Once it reads, it hears how many batches it missed, and what comes next.
  let text = "";
  slow.on("data", (part: string) => {
    text += part;
  });
  while (watched[0].writableLength > 0) await turn();
  mock.timers.tick(1000);
  while (!/"missed":[1-9]/.test(text)) await turn();
  live.sample("n1", 1, DAY_S + 1, Float32Array.of(1, 2));
  mock.timers.tick(100);
  while (!text.includes(`,1,${DAY_S + 1},`)) await turn();
  live.close();
  mock.timers.reset();
  server.closeAllConnections();
  server.close();
});

test.run();
