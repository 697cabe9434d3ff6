import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Readable, Writable } from "node:stream";
import * as assert from "uvu/assert";
import { SerialSource } from "../../fleet/page/serial-source.ts";
import { SerialLine, type WebPort } from "../../fleet/page/web-serial.ts";
import { RESTORE_STATUS } from "../../src/node/handshake.ts";
import { REQUEST } from "../../src/node/requests.ts";
import { become } from "../tools/awaited.ts";
import { endsWithTest, test } from "../tools/contained.ts";
import { ScriptedNode } from "../tools/scripted-node.ts";

/** A Web Serial port that a test unplugs. */
class FakePort implements WebPort {
  readable: ReadableStream<Uint8Array> | null = null;
  readonly writable = null;
  isOpen = false;
  opens = 0;
  /** Opening it waits for that. */
  plugged: Promise<unknown> = Promise.resolve();
  private feed: ReadableStreamDefaultController<Uint8Array> | undefined;

  async open(): Promise<void> {
    this.opens++;
    await this.plugged;
    this.isOpen = true;
    this.readable = new ReadableStream({
      start: (feed) => {
        this.feed = feed;
      },
    });
  }
  async close(): Promise<void> {
    this.isOpen = false;
  }
  unplug(): void {
    this.feed?.error(new Error("The device has been lost."));
  }
}

/** An open line, and what it says. */
async function openLine() {
  const port = new FakePort();
  const said: (string | undefined)[] = [];
  let heard = () => {};
  const line = new SerialLine(
    port,
    115200,
    () => {},
    (why) => {
      said.push(why);
      heard();
    },
  );
  await line.start();
  const unplugged = new Promise<void>((done) => {
    heard = done;
  });
  port.unplug();
  await unplugged;
  return { port, line, said };
}

test("a line that is closed while its board is unplugged isn't opened again", async () => {
  const usual = globalThis.setTimeout;
  const due: (() => void)[] = [];
  globalThis.setTimeout = ((act: () => void) => due.push(act)) as unknown as typeof setTimeout;
  const { port, line, said } = await openLine();
  globalThis.setTimeout = usual;
  await line.close();
  assert.is(due.length, 1, "it waited before the next try");
  due[0]();
  await new Promise(setImmediate);
  assert.equal([port.opens, port.isOpen], [1, false]);
  assert.equal(said, [undefined, "The device has been lost."]);
});

test("a line that is closed while it is opened again is closed", async () => {
  const { port, line, said } = await openLine();
  let plugIn = () => {};
  port.plugged = new Promise<void>((done) => {
    plugIn = done;
  });
  await become(
    "the line to be opened again",
    () => port.opens === 2,
    () => said.join(),
  );
  const closed = line.close();
  plugIn();
  await closed;
  assert.is(port.isOpen, false);
  assert.is(said.length, 2, "nobody hears that it is open");
});

/** A Web Serial port with a node behind it. */
class NodePort implements WebPort {
  readable: WebPort["readable"] = null;
  writable: WebPort["writable"] = null;
  private socket: Socket | undefined;

  constructor(private readonly path: string) {}

  async open(): Promise<void> {
    this.socket = connect(this.path);
    await once(this.socket, "connect");
    this.readable = Readable.toWeb(this.socket) as unknown as WebPort["readable"];
    this.writable = Writable.toWeb(this.socket);
  }
  async close(): Promise<void> {
    this.socket?.destroy();
  }
}

test("a board whose answer to a rollback is lost is asked for it no more once it started", async () => {
  const node = new ScriptedNode("page-rollback");
  node.start(1);
  const source = new SerialSource();
  endsWithTest(() => source.release());
  await source.connect(new NodePort(node.port.slice("unix:".length)), 115200, undefined);
  await node.hears(REQUEST.configuration);
  const answer = source.command("board", { do: "rollback", by: "" }).catch(() => {});
  await node.hears("rollback");
  node.start(2, { restore: RESTORE_STATUS.fallback });
  // It asks for these each second, as for a rollback.
  await node.hears(REQUEST.statistics, node.count(REQUEST.statistics) + 3);
  assert.is(node.count("rollback"), 1);
  node.say("rollback", {});
  await answer;
});

test.run();
