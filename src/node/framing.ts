import { OptionError } from "../memory/option-error.ts";
import { Encoder } from "../wire/encoder.ts";
import { nodeRecordBytes } from "../wire/format.ts";
import { FRAMES_BYTES, type FrameBytes } from "../wire/frame-bytes.ts";
import { KEYED_BYTES, type KeyedNode, TAG_BYTES } from "../wire/keyed.ts";
import {
  type DownName,
  FRAME_MAX,
  FRAME_MIN,
  type Message,
  NAMES_DOWN,
  NAMES_UP,
  type UpName,
} from "../wire/messages.ts";
import { Receiver, STUFFED_MAX, type Thrown } from "../wire/receiver.ts";
import { Outbox, outboxBytes } from "./outbox.ts";
import type { BytePort, FramePort, PortLimits } from "./ports.ts";

/** An ESP32's UART. */
export const FIFO_BYTES = 128;
/** A welcome and a request for hello; on a keyed line they have a nonce and two tags. */
const UNCREDITED = 33;
const UNCREDITED_KEYED = 57;
/** Least bytes of credit: a sample of one reading is that long. */
const WINDOW_MIN = 40;
/** Hello, the longest message without a rest, with a nonce and a tag. */
const FRAME_MIN_KEYED = FRAME_MIN + 2 * TAG_BYTES;
const FIFO_MAX = 65535;
const CREDIT_MS = 250;
/** A peer that got no credit for 1.5 s assumes that the node doesn't hear it. */
const CREDIT_MS_MAX = 1000;

function inRange(option: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new OptionError("port", option, value, `a whole number ${min}..${max}`);
}

/**
 * The limits with their defaults, of a keyed line or not. Throws an OptionError that names the option, what it got and what it
 * takes.
 */
export function resolvedLimits(limits: PortLimits, keyed = false): Required<PortLimits> {
  const uncredited = keyed ? UNCREDITED_KEYED : UNCREDITED;
  const window = keyed ? WINDOW_MIN + TAG_BYTES : WINDOW_MIN;
  const { fifoBytes = FIFO_BYTES, uncreditedBytes = uncredited, frameBytes = FRAME_MAX } = limits;
  const { creditMs = CREDIT_MS } = limits;
  inRange("fifoBytes", fifoBytes, uncredited + window, FIFO_MAX);
  inRange("uncreditedBytes", uncreditedBytes, uncredited, fifoBytes - window);
  inRange("frameBytes", frameBytes, keyed ? FRAME_MIN_KEYED : FRAME_MIN, FRAME_MAX);
  inRange("creditMs", creditMs, 1, CREDIT_MS_MAX);
  return { fifoBytes, uncreditedBytes, frameBytes, creditMs };
}

/** Bytes of a chunk read from the port. */
function chunkBytes(fifoBytes: number): number {
  return Math.min(fifoBytes, FRAME_MAX);
}

/** Bytes that `new Framing` allocates. */
export function framingBytes(outbox: number, limits: PortLimits = {}, keyed = false): number {
  const { fifoBytes, frameBytes } = resolvedLimits(limits, keyed);
  const tag = keyed ? TAG_BYTES : 0;
  const records = nodeRecordBytes("up", frameBytes - tag) + nodeRecordBytes("down", FRAME_MAX - tag);
  return (
    outboxBytes(outbox) +
    STUFFED_MAX +
    chunkBytes(fifoBytes) +
    FRAMES_BYTES +
    records +
    (keyed ? KEYED_BYTES : 0)
  );
}

/** Messages as frames in a stream of bytes: stuffed, with a check sum, between delimiters, through an outbox. */
export class Framing implements FramePort {
  readonly limits: Required<PortLimits>;
  readonly windowBytes: number;
  received = 0;
  private readonly outbox: Outbox;
  private readonly encoder: Encoder<UpName>;
  private readonly receiver: Receiver<DownName>;
  private readonly keyed: KeyedNode | undefined;
  /** Bytes from the port, their number, and how many of them are processed. */
  private readonly chunk: Uint8Array;
  private come = 0;
  private dealt = 0;

  /**
   * Throws an OptionError for an impossible limit of the port.
   * @param outbox bytes of frames that may wait to be sent, at least twice `FRAME_MAX`.
   * @param keyed this end of a keyed line, which takes no frame without a tag; default: it isn't one.
   */
  constructor(
    private readonly port: BytePort,
    outbox: number,
    frames?: FrameBytes,
    keyed?: KeyedNode,
  ) {
    this.keyed = keyed;
    this.limits = resolvedLimits(port, keyed !== undefined);
    const { fifoBytes, uncreditedBytes, frameBytes } = this.limits;
    this.windowBytes = fifoBytes - uncreditedBytes;
    // One buffer for all three: each further one takes three slots of a device.
    const ring = outboxBytes(outbox);
    const buffer = new ArrayBuffer(ring + STUFFED_MAX + chunkBytes(fifoBytes));
    this.outbox = new Outbox(outbox, buffer);
    const frame = new Uint8Array(buffer, ring, STUFFED_MAX);
    this.chunk = new Uint8Array(buffer, ring + STUFFED_MAX);
    this.encoder = new Encoder(NAMES_UP, frames, this.outbox.frame, frameBytes, keyed, true);
    this.receiver = new Receiver(NAMES_DOWN, frames, keyed, true, frame);
  }

  get dropped(): number {
    return this.outbox.dropped;
  }

  get thrown(): Thrown {
    return this.receiver.thrown;
  }

  get more(): boolean {
    return this.dealt < this.come;
  }

  get waiting(): boolean {
    return !this.outbox.empty;
  }

  fetch(): void {
    if (this.dealt < this.come) return;
    const come = this.port.read(this.chunk);
    this.dealt = 0;
    this.come = come;
    if (come > 0) this.received = (this.received + come) >>> 0;
  }

  next(): DownName | undefined {
    if (this.dealt >= this.come) return undefined;
    const receiver = this.receiver;
    const name = receiver.next(this.chunk, this.dealt, this.come);
    this.dealt = receiver.at;
    return name;
  }

  incoming<N extends DownName>(name: N): Message<N> {
    const { records } = this.receiver;
    return (records[name] ?? records.shared) as unknown as Message<N>;
  }

  countFrom(sent: number): boolean {
    if (this.keyed && !this.keyed.accept()) return false;
    this.received = (sent + this.come - this.dealt) >>> 0;
    return true;
  }

  outgoing<N extends UpName>(name: N): Message<N> {
    const { records } = this.encoder;
    return (records[name] ?? records.shared) as unknown as Message<N>;
  }

  hasRoom(urgent: boolean): boolean {
    return this.outbox.hasRoom(this.limits.frameBytes, urgent);
  }

  send(name: UpName, urgent: boolean): boolean {
    const bytes = this.encoder.encode(name);
    return bytes > 0 ? this.outbox.put(bytes, urgent) : this.outbox.drop();
  }

  flush(): void {
    this.outbox.flush(this.port);
  }
}
