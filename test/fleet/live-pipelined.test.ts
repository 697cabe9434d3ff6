import { once } from "node:events";
import { createServer, get } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Live } from "../../fleet/gateway/live.ts";
import { become } from "../tools/awaited.ts";

/** As many as may watch. */
const REQUESTS = 64;

test("a connection that asks for the stream many times at once, and ends, takes nobody's place", async () => {
  const live = new Live(() => []);
  const refused: (string | undefined)[] = [];
  const server = createServer((_, response) => {
    const why = live.join(response, new Set(), { name: "", valid: () => true });
    refused.push(why);
    if (why !== undefined) response.writeHead(503).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const greedy = connect(port, "127.0.0.1");
  const [socket] = await once(server, "connection");
  greedy.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(REQUESTS));
  const answered = () => refused.length === REQUESTS;
  await become("an answer to each", answered, () => `${refused.length} answers`);
  const ended = new Promise((done) => socket.once("close", done));
  greedy.destroy();
  await ended;
  for (let i = 0; i < 2; i++) {
    const [{ statusCode }] = await once(get({ port, host: "127.0.0.1", agent: false }), "response");
    assert.is(statusCode, 200);
  }
  live.close();
  server.closeAllConnections();
  server.close();
});

test.run();
