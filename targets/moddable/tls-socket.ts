import TCP from "embedded:io/socket/tcp";
import Timer from "timer";
import type { Socket } from "./mqtt-client.ts";
import { TlsSession } from "./tls-session.ts";

/** Bytes that it reads, and that the client may write, at once: more than a node's longest message, a packet of 1024 bytes with its topic. */
const ROOM_BYTES = 1280;
/** Bytes around them in a record: its header, and at most those that TLS 1.2 and 1.3 add. */
const RECORD_BYTES = 96;

const PORT = 8883;

/** The SDK's TCP socket, ECMA-419. */
interface TcpSocket {
  read(into: Uint8Array): number | undefined;
  /** Returns the room left; undefined: the connection failed. */
  write(bytes: Uint8Array): number | undefined;
  close(): void;
}

interface SocketOptions {
  readonly host: string;
  readonly address: string;
  readonly port: number;
  readonly nodelay: boolean;
  /** The certificate of who signs the broker's, PEM or DER. */
  readonly authority: Uint8Array;
  /** True if the machine knows the time. */
  readonly hasClock: boolean;
  /** Receives why it failed. */
  refused(why: string): void;
  onReadable(count: number): void;
  onWritable(count: number): void;
  onError(): void;
}

type Bytes = ArrayBuffer | Uint8Array | DataView;

function toView(bytes: Bytes): Uint8Array {
  return ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}

/** A socket for the SDK's MQTT client, ECMA-419, over TLS. */
class TlsSocket {
  format: "buffer" | "number" = "buffer";
  private readonly session: TlsSession;
  private readonly tcp: TcpSocket;
  /** Encrypted bytes on their way. */
  private readonly moved = new Uint8Array(ROOM_BYTES);
  /** Decrypted bytes, from `at` to `end`. */
  private readonly came = new Uint8Array(ROOM_BYTES);
  private at = 0;
  private end = 0;
  /** The parts of a message until its last. */
  private readonly message = new Uint8Array(ROOM_BYTES);
  private written = 0;
  private readable = 0;
  private room = 0;
  private isReady = false;
  private isClosed = false;
  private turn: ReturnType<typeof Timer.set> | undefined;

  /** Connects at once. Throws an Error if it can't. */
  constructor(private readonly options: SocketOptions) {
    const { host, address, port, nodelay, authority, hasClock } = options;
    this.session = new TlsSession(host, authority, hasClock);
    this.tcp = new (TCP as new (options: object) => TcpSocket)({
      ...{ address, port, nodelay },
      onReadable: (count: number) => {
        this.readable = count;
        this.proceed();
      },
      onWritable: (count: number) => {
        this.room = count;
        this.proceed();
        if (this.isReady && this.writable > 0) this.options.onWritable(this.writable);
      },
      onError: () => this.fail(),
    });
  }

  /** Bytes that the client may write. */
  private get writable(): number {
    if (!this.isReady || this.isClosed || this.session.pending() > 0) return 0;
    return Math.max(0, Math.min(ROOM_BYTES, this.room - RECORD_BYTES) - this.written);
  }

  /** A byte; or so many, as a buffer of their own; or as many as the buffer holds, and returns how many. */
  read(count: number | Bytes = this.end - this.at): number | ArrayBuffer | undefined {
    if (this.at === this.end) return undefined;
    if (this.format === "number") return this.taken(1)[0];
    if (typeof count === "number") return this.taken(count).slice().buffer as ArrayBuffer;
    const into = toView(count);
    const bytes = this.taken(Math.min(into.length, this.end - this.at));
    into.set(bytes);
    return bytes.length;
  }

  private taken(count: number): Uint8Array {
    if (count > this.end - this.at) throw new RangeError("no so many bytes");
    const bytes = this.came.subarray(this.at, this.at + count);
    this.at += count;
    if (this.at === this.end) this.proceedSoon();
    return bytes;
  }

  /** Sends the parts up to this one unless there are more. Returns the room left. Throws an Error if there was none. */
  write(bytes: Bytes, { more = false }: { readonly more?: boolean } = {}): number {
    const part = toView(bytes);
    if (part.length > this.writable) throw new RangeError("would block");
    this.message.set(part, this.written);
    this.written += part.length;
    if (more) return this.writable;
    this.session.write(this.message.subarray(0, this.written));
    this.written = 0;
    this.send();
    return this.writable;
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    Timer.clear(this.turn);
    this.tcp.close();
    this.session.close();
  }

  private fail(error?: unknown): void {
    if (this.isClosed) return;
    if (error instanceof Error) this.options.refused(error.message);
    this.close();
    this.options.onError();
  }

  private proceedSoon(): void {
    this.turn ??= Timer.set(() => {
      this.turn = undefined;
      this.proceed();
    });
  }

  /** Proceeds as far as bytes and room allow. */
  private proceed(): void {
    if (this.isClosed) return;
    try {
      if (this.isReady) this.decrypt();
      else this.shakeHands();
    } catch (error) {
      this.fail(error);
    }
  }

  /** A step of the handshake may take long: what else waits comes between two. */
  private shakeHands(): void {
    this.receive();
    const step = this.session.step();
    this.send();
    if (step === 1) {
      this.isReady = true;
      if (this.writable > 0) this.options.onWritable(this.writable);
    }
    if (step >= 0 || this.readable > 0) this.proceedSoon();
  }

  private decrypt(): void {
    this.send();
    if (this.at < this.end) return;
    this.receive();
    this.at = 0;
    this.end = this.session.read(this.came);
    if (this.end > 0) this.options.onReadable(this.end);
    else if (this.readable > 0) this.proceedSoon();
  }

  /** From the socket to the session, as much as it takes at once. */
  private receive(): void {
    const count = Math.min(this.readable, this.session.room());
    if (count === 0) return;
    const bytes = this.moved.subarray(0, count);
    this.tcp.read(bytes);
    this.readable -= count;
    this.session.receive(bytes);
  }

  /** From the session to the socket, while there is room. */
  private send(): void {
    while (this.room > 0 && this.session.pending() > 0) {
      const count = this.session.take(this.moved.subarray(0, Math.min(this.room, ROOM_BYTES)));
      this.room = this.tcp.write(this.moved.subarray(0, count)) ?? 0;
    }
  }
}

/** A socket over TLS, for a broker whose certificate `authority` signs: a certificate, PEM or DER. Throws a RangeError if it is none. */
export function tlsSocket(authority: Uint8Array, hasClock: boolean, refused: (why: string) => void): Socket {
  new TlsSession("", authority, hasClock).close();
  return { io: TlsSocket, nodelay: true, port: PORT, authority, hasClock, refused } as Socket;
}
