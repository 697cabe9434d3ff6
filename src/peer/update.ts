import { type Checksum, Crc32 } from "../math/crc32.ts";
import { UPDATE } from "../node/updates.ts";
import { IMAGE_STATUS, type ImageStatus } from "../store/paged-image.ts";
import type { Message } from "../wire/messages.ts";
import type { PeerPort } from "./framing.ts";

/** Milliseconds between two requests for the node's progress, if nothing goes wrong. */
const ASK_MS = 1000;

/** Progress of an image on its way, for display. */
export interface UpdateProgress {
  /** The node's progress with the image, or why it refused it. */
  readonly status: ImageStatus;
  /** Bytes that the node has, by its last answer. */
  readonly received: number;
  /** Bytes of the longest image that the node takes. */
  readonly room: number;
  /** Schema of the node's checkpoint, 16 hex digits; all 0: it keeps none. */
  readonly schema: string;
}

function digits(word: number): string {
  return word.toString(16).padStart(8, "0");
}

/** The kind of an image: firmware; a checkpoint; or nothing, to learn the schema of the node's checkpoints. */
export type ImageKind = "begin" | "restore" | "ask";

/** The messages that begin an image, and ask for its progress. */
export type Ask = "update" | "install" | "restore";

/**
 * Sends a node an image of firmware, or a checkpoint. It asks for the node's progress, and sends blocks from there as credit allows; it
 * goes back to where the node reports, also after a start of the node. `go` begins the sending; `activate` has the node start whole
 * firmware. From a whole checkpoint the node resumes at once.
 */
export class UpdateSender {
  /** The node's last answer; undefined: none yet. */
  progress: UpdateProgress | undefined;
  protected readonly crc: number;
  private next = 0;
  private most = 0;
  private askedAt = Number.NEGATIVE_INFINITY;
  private movedAt = Number.NEGATIVE_INFINITY;
  private sending = false;
  private activating = false;

  /** @param selfTest the hash that the firmware's self-test must give, 0: unknown; of a checkpoint any number, another each time. */
  constructor(
    protected readonly image: Uint8Array,
    private readonly selfTest: number,
    private readonly kind: ImageKind = "begin",
    checksum: Checksum = new Crc32(),
  ) {
    this.crc = checksum.crc32(image, 0, image.length, 0);
  }

  /** Bytes of the image that were sent, or that the node had. */
  get sent(): number {
    return this.most;
  }

  /** Sends the image, once the node's progress is known. */
  go(): void {
    this.sending = true;
  }

  /** Has the node start with it. */
  activate(): void {
    this.activating = true;
    this.askedAt = Number.NEGATIVE_INFINITY;
  }

  /** The node started: with the image, or having lost its progress. */
  restart(): void {
    if (this.isDone) return;
    this.progress = undefined;
    this.askedAt = Number.NEGATIVE_INFINITY;
    this.next = Number.POSITIVE_INFINITY;
  }

  /** Takes the node's answer. */
  take({ status, received, room, schemaHigh, schemaLow }: Message<"updating">, now: number): void {
    const schema = digits(schemaHigh) + digits(schemaLow);
    const before = this.progress;
    this.progress = { status: status as ImageStatus, received, room, schema };
    // The node answers each block after a lost one like this: one answer is enough.
    const again = before?.received === received && now - this.movedAt < ASK_MS;
    if (again && this.next !== Number.POSITIVE_INFINITY) return;
    this.next = received;
    this.movedAt = now;
  }

  /** True while labels must wait: one more would end what the node's labeller ordered. */
  get holdsLabels(): boolean {
    return false;
  }

  /** Fills in the message that asks for the progress, and returns its name. */
  protected ask(port: PeerPort, start: number): Ask {
    const { image, crc, selfTest } = this;
    const what = this.activating && this.status === IMAGE_STATUS.whole ? UPDATE.activate : UPDATE[this.kind];
    Object.assign(port.outgoing("update"), { start, what, bytes: image.length, crc, selfTest });
    return "update";
  }

  /** When it asks again, if nothing comes. */
  get dueAt(): number {
    return Math.max(this.askedAt, this.isSending() ? this.movedAt : this.askedAt) + ASK_MS;
  }

  /** Sends what credit allows. `send` is false where it doesn't; `largest`: bytes of the longest frame. */
  tick(now: number, start: number, port: PeerPort, largest: number, send: (name: Ask | "block") => boolean) {
    if (this.asks(now)) {
      if (!send(this.ask(port, start))) return;
      this.askedAt = now;
    }
    while (this.isSending()) {
      const block = port.outgoing("block");
      block.length = 0;
      const count = Math.min(
        largest - port.messageBytes("block"),
        block.data.length,
        this.image.length - this.next,
      );
      if (count <= 0) return;
      block.start = start;
      block.offset = this.next;
      block.length = count;
      block.data.set(this.image.subarray(this.next, this.next + count));
      if (!send("block")) return;
      this.next += count;
      this.most = Math.max(this.most, this.next);
      this.movedAt = now;
    }
  }

  protected get status(): ImageStatus | undefined {
    return this.progress?.status;
  }

  /** True if the node starts with the image, or did. */
  get isDone(): boolean {
    return this.status === IMAGE_STATUS.activated || this.status === IMAGE_STATUS.runs;
  }

  private isSending(): boolean {
    return this.sending && this.status === IMAGE_STATUS.coming && this.next < this.image.length;
  }

  /** True if it is time to ask: at first, again while nothing is answered, and when no block has left for long. */
  private asks(now: number): boolean {
    const { status } = this;
    if (this.isDone || now - this.askedAt < ASK_MS) return false;
    if (status === IMAGE_STATUS.whole) return this.activating;
    return status !== IMAGE_STATUS.coming || !this.sending || now - this.movedAt >= ASK_MS;
  }
}
