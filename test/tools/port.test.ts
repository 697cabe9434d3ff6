import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DeviceError } from "../../host/errors.ts";
import { serialLoss } from "../../tools/ports/fault.ts";
import { listen } from "../../tools/ports/listen.ts";
import { Port } from "../../tools/ports/port.ts";
import { inFolder } from "./stations.ts";

/** A port's message once `leave` has closed its other end. */
async function lossMessage(name: string, leave: () => Promise<unknown>): Promise<string> {
  let told = (_message: string) => {};
  const message = new Promise<string>((resolve) => {
    told = resolve;
  });
  const port = await Port.open(name, {}, { data() {}, lost: (error) => told(error.message) });
  await leave();
  port.write(Uint8Array.of(0)); // a hung-up pty reads as nothing, for ever, until it is written to
  const reason = await message;
  await port.close();
  return reason;
}

async function lossAtServer(where: string, leave: (socket: Socket) => unknown): Promise<string> {
  const server: Server = createServer();
  const connected = once(server, "connection");
  server.listen(where === "tcp" ? 0 : where);
  await once(server, "listening");
  const address = server.address();
  const name = typeof address === "object" ? `tcp://localhost:${address?.port}` : `unix:${where}`;
  const message = await lossMessage(name, async () => {
    const [socket] = await connected;
    server.close();
    leave(socket);
  });
  return message.slice(name.length);
}

test("a socket whose other end closes or resets it is lost for that reason", async () => {
  const closed = ": the other end closed it";
  assert.is(await lossAtServer("tcp", (socket) => socket.end()), closed);
  assert.is(await lossAtServer("tcp", (socket) => socket.resetAndDestroy()), closed);
  assert.is(await lossAtServer(inFolder("left"), (socket) => socket.destroy()), closed);
});

test("a pty whose other end closes is lost for that reason, not for a bad file descriptor", async () => {
  const holder = spawn("script", ["-qc", "tty; exec sleep 600", "/dev/null"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(holder.stdout, "data");
  const name = String(line).trim();
  assert.match(name, /^\/dev\/pts\/\d+$/);
  assert.is(
    await lossMessage(name, () => {
      holder.kill("SIGKILL");
      return once(holder, "exit");
    }),
    `${name}: the other end closed it`,
  );
});

test("a pty that a port holds isn't opened again, and the message says that a program holds it", async () => {
  const holder = spawn("script", ["-qc", "tty; exec sleep 600", "/dev/null"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(holder.stdout, "data");
  const name = String(line).trim();
  const port = await Port.open(name, {}, { data() {} });
  const message = await Port.open(name, {}, { data() {} }).then(
    () => "opened",
    (error: Error) => error.message,
  );
  await port.close();
  holder.kill("SIGKILL");
  assert.match(message, /: another program holds it; end that program \(fuser /);
});

test("a socket that can't be made for want of its folder says so", async () => {
  const missing = inFolder("missing/socket");
  try {
    await listen("--listen", `unix:${missing}`, {});
    assert.unreachable();
  } catch (error) {
    assert.instance(error, DeviceError);
    assert.is((error as Error).message, `--listen unix:${missing}: no folder ${dirname(missing)}`);
  }
});

test("a device with nothing behind it was unplugged; another fault keeps its reason", () => {
  const gone = Object.assign(new Error("bad file descriptor"), { disconnected: true });
  assert.is(serialLoss("/dev/ttyUSB0", gone)?.message, "the device was unplugged or switched off");
  assert.is(serialLoss("/dev/pts/3", gone)?.message, "the other end closed it");
  const write = Object.assign(new Error("EIO: i/o error, write"), { code: "EIO" });
  assert.is(serialLoss("/dev/ttyUSB0", write)?.message, "the device was unplugged or switched off");
  const other = new Error("input/output error");
  assert.is(serialLoss("/dev/ttyUSB0", other), other);
  assert.is(serialLoss("/dev/ttyUSB0", undefined), undefined);
});

test.run();
