import { once } from "node:events";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { Address, SocketAddress } from "./address.ts";
import { serialLoss } from "./fault.ts";
import { loadSerialPort } from "./serialport.ts";

/** How a serial device is opened. */
export interface SerialOptions {
  /** Bits a second; default 115200. */
  readonly baud?: number;
  /** True if the board is reset by DTR and RTS when the device is first opened; default true. */
  readonly reset?: boolean;
}

/** How any address is opened. */
export interface ChannelOptions extends SerialOptions {
  /** Certificates, PEM, of those who vouch for a broker at `mqtts://`; default: those that Node.js knows. */
  readonly ca?: string;
}

/** Bytes both ways, as long as it is open. */
export interface Channel {
  write(bytes: Uint8Array): void;
  /** True if the other end is slower than the sender, who should then wait. */
  readonly congested: boolean;
  /** Pauses and resumes the input. */
  pause(): void;
  resume(): void;
  /** Closes it after all written bytes have left. */
  close(): Promise<void>;
}

/** A channel's events. `closed` is the last. */
export interface ChannelEvents {
  data(bytes: Uint8Array): void;
  /** It closed by itself; the reason, if known. */
  closed(error?: NodeJS.ErrnoException): void;
}

const CONNECT_MS = 5000;
const CLOSE_MS = 1000;
/** How long an ESP32's EN line is held by RTS, milliseconds. */
const RESET_MS = 100;
const WAITING_MAX = 1 << 16;

/**
 * Opens an address once. Rejects with the system's error. `reset`: whether a board behind a serial device is
 * reset.
 */
export async function openChannel(
  address: Address,
  options: SerialOptions,
  events: ChannelEvents,
): Promise<Channel> {
  if (address.kind === "serial") return openSerial(address.path, options, events);
  if (address.kind !== "mqtt") return openSocket(address, events);
  const { openMqtt } = await import("./mqtt.ts"); // loaded late: it takes as long to load as the rest of a command
  return openMqtt(address, events);
}

/**
 * A channel over an open stream.
 * @param close ends the stream. @param loss why it closed by itself, from its own error; default: that one.
 */
function streamChannel(
  stream: Duplex,
  events: ChannelEvents,
  close: () => Promise<void>,
  loss = (error?: Error) => error,
): Channel {
  let open = true;
  let failure: Error | undefined;
  stream.on("data", (bytes) => events.data(bytes));
  stream.on("error", (error) => {
    failure = error;
  });
  stream.on("close", (error?: unknown) => {
    if (open) events.closed(loss(error instanceof Error ? error : failure));
    open = false;
  });
  return {
    write: (bytes) => void stream.write(Buffer.from(bytes)),
    get congested() {
      return stream.writableLength > WAITING_MAX;
    },
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    close: () => {
      open = false;
      return close();
    },
  };
}

/** A channel over a connected socket, of either side. */
export function socketChannel(socket: Socket, events: ChannelEvents): Channel {
  const close = () =>
    new Promise<void>((done) => {
      if (socket.closed) return done();
      const limit = setTimeout(() => socket.destroy(), CLOSE_MS);
      socket.once("close", () => {
        clearTimeout(limit);
        done();
      });
      socket.resume();
      socket.end();
    });
  return streamChannel(socket, events, close);
}

async function openSocket(address: SocketAddress, events: ChannelEvents): Promise<Channel> {
  const socket = address.kind === "tcp" ? connect(address.port, address.host) : connect(address.path);
  const limit = setTimeout(() => {
    socket.destroy(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" }));
  }, CONNECT_MS);
  try {
    await once(socket, "connect");
  } finally {
    clearTimeout(limit);
  }
  socket.setNoDelay(true);
  return socketChannel(socket, events);
}

/**
 * The system's error for a device before it is opened: the `serialport` package loses the codes of its
 * errors.
 */
function checkSerial(path: string): void {
  if (process.platform === "win32") return;
  const stat = statSync(path);
  accessSync(path, constants.R_OK | constants.W_OK);
  if (!stat.isCharacterDevice()) throw new Error("not a serial device; for a socket write unix:PATH");
}

async function openSerial(path: string, options: SerialOptions, events: ChannelEvents): Promise<Channel> {
  checkSerial(path);
  const SerialPort = await loadSerialPort();
  const { baud = 115200, reset = true } = options;
  const port = new SerialPort({ path, baudRate: baud, hupcl: reset, autoOpen: false });
  await new Promise<void>((done, fail) => port.open((error) => (error ? fail(error) : done())));
  if (reset) await resetBoard(port);
  const device = process.platform === "win32" ? path : realpathSync(path);
  const close = async () => {
    if (!port.isOpen) return;
    await new Promise<void>((done) => {
      setTimeout(done, CLOSE_MS).unref();
      port.drain(() => done());
    });
    await new Promise<void>((done) => port.close(() => done()));
  };
  return streamChannel(port, events, close, (error) => serialLoss(device, error));
}

/**
 * Resets a board: pulls EN by RTS with DTR off, as esptool does. A pty has no such lines, and nothing to
 * reset.
 */
async function resetBoard(port: {
  set(lines: { dtr: boolean; rts: boolean }, done: (error: Error | null) => void): void;
}): Promise<void> {
  const set = (rts: boolean) => new Promise<void>((done) => port.set({ dtr: false, rts }, () => done()));
  await set(true);
  await pause(RESET_MS);
  await set(false);
}
