import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Live } from "../../fleet/gateway/live.ts";

/** A response of a server in this process, whose reader takes nothing more. */
async function openResponse(): Promise<{ response: ServerResponse; close(): void }> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const response = await new Promise<ServerResponse>((done) => {
    server.once("request", (_request, answer: ServerResponse) => done(answer));
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).catch(() => {});
  });
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { response, close };
}

/** A response that only counts. */
const sink = () =>
  ({
    socket: {},
    writeHead() {},
    write() {},
    end() {},
    on() {},
    writableLength: 0,
  }) as unknown as ServerResponse;

test("a user looks at 16 pages at most, all users together at 64", () => {
  const live = new Live(() => []);
  const join = (name: string) => live.join(sink(), new Set(), { name, valid: () => true });
  for (let i = 0; i < 16; i++) assert.is(join("anna"), undefined);
  assert.is(join("anna"), "anna looks at 16 pages already; close one");
  for (const name of ["ben", "cora", "dan"]) for (let i = 0; i < 16; i++) assert.is(join(name), undefined);
  assert.is(join("eve"), "too many pages look already");
  live.close();
});

test("without users all pages of the machine may look", () => {
  const live = new Live(() => []);
  const join = () => live.join(sink(), new Set(), { name: "", valid: () => true });
  for (let i = 0; i < 64; i++) assert.is(join(), undefined);
  assert.is(join(), "too many pages look already");
  live.close();
});

test("a stream that was ended, and whose connection isn't gone yet, takes nothing more and fails nothing", async () => {
  const { response, close } = await openResponse();
  const errors: Error[] = [];
  response.on("error", (error) => errors.push(error));
  const live = new Live(() => []);
  live.join(response, new Set(["n1"]), { name: "anna", valid: () => true });
  response.end();
  live.event({ node: "n1", time: 0, kind: "log", text: "more" });
  await new Promise((done) => setImmediate(done));
  assert.equal(errors, []);
  live.close();
  close();
});

test("a page that falls behind hears how much it missed, of labels and answers, too", () => {
  const usual = globalThis.setInterval;
  const turns: (() => void)[] = [];
  globalThis.setInterval = ((act: () => void) => turns.push(act)) as unknown as typeof setInterval;
  const told: string[] = [];
  const response = Object.assign(sink(), { write: (text: string) => told.push(text), writableLength: 0 });
  const live = new Live(() => []);
  live.join(response as unknown as ServerResponse, new Set(["n1"]), { name: "", valid: () => true });
  globalThis.setInterval = usual;
  const [sendRows, sendStates] = turns;
  const speak = () => {
    live.prediction("n1", 1, 1, 1, 0, undefined);
    sendRows();
    live.label({ node: "n1", time: 0, sid: 1, seq: 1, y: 1, by: "" });
    live.answer({ node: "n1", sid: 1, seq: 1, status: 0 });
    live.event({ node: "n1", time: 0, kind: "log", text: "" });
  };
  response.writableLength = 2 << 20;
  speak();
  response.writableLength = 0;
  told.length = 0;
  sendStates();
  speak();
  sendStates();
  const events = told.join("").matchAll(/^event: (.*)$/gm);
  const missed = told.join("").matchAll(/"missed":(\d+)/g);
  assert.equal(
    [...events].map(([, name]) => name),
    ["states", "rows", "label", "answer", "event", "states"],
  );
  assert.equal(
    [...missed].map(([, count]) => count),
    ["4", "0"],
  );
});

test.run();
