import type { Checksum } from "../math/crc32.ts";
import { frozen } from "../memory/frozen.ts";
import type { CheckpointIntake } from "../store/checkpoint-intake.ts";
import { ImageSlot, imageIn } from "../store/image-slot.ts";
import { IMAGE_STATUS, type Image, type PagedImage, sameImage } from "../store/paged-image.ts";
import { NAME } from "../wire/messages.ts";
import { OrderedIntake } from "./ordered-intake.ts";
import type { Clock, FirmwareSlots, FramePort, Storage } from "./ports.ts";

/** The request that an `update` makes. */
export const UPDATE = frozen({ ask: 0, begin: 1, activate: 2, restore: 3 } as const);

/** Milliseconds between the answer and the restart, in which the answer leaves. */
const FAREWELL_MS = 500;

/** A receiver of blocks. */
type Target = Pick<PagedImage, "status" | "received" | "room" | "write">;

/**
 * Receives firmware over the wire into the board's idle slot, a checkpoint into the node's store, or a model into its memory. The node answers each `update`, and each
 * block out of turn, with how far the image is. The peer sends the rest from there, after a power cut too. A whole image starts when the
 * peer requests it, a whole checkpoint at once.
 */
export class Updates {
  private readonly slot: ImageSlot | undefined;
  /** Takes the blocks; undefined: no image has begun, or the board has no slot for it. */
  private target: Target | undefined;
  private answerDue = false;
  private activatedAt = Number.POSITIVE_INFINITY;

  constructor(
    private readonly wire: FramePort,
    private readonly clock: Clock,
    private readonly slots: FirmwareSlots | undefined,
    storage: Storage,
    /** Takes checkpoints from any peer, or by order; undefined: there is no store. */
    private readonly intake: CheckpointIntake | OrderedIntake | undefined,
    crc?: Checksum,
  ) {
    this.target = this.slot = slots && new ImageSlot(slots.idle, crc, storage);
    const updating = wire.outgoing(NAME.updating);
    updating.schemaHigh = storage.schema?.high ?? 0;
    updating.schemaLow = storage.schema?.low ?? 0;
  }

  /** Takes message update. Returns whether to keep a checkpoint now, before other firmware or another state replaces the present one. */
  take(): boolean {
    const { wire } = this;
    const update = wire.incoming(NAME.update);
    this.answerDue = true;
    if (update.what === UPDATE.begin) this.begin(update);
    else if (update.what === UPDATE.restore) return this.restore(update);
    return update.what === UPDATE.activate && this.activate();
  }

  /** Takes message restore at start `boot`. Returns the same. */
  takeOrder(boot: number): boolean {
    const { intake, wire } = this;
    const isOrdered = intake instanceof OrderedIntake;
    this.answerDue = true;
    this.target = isOrdered ? intake : undefined;
    return isOrdered && intake.order(wire.incoming(NAME.restore), boot);
  }

  private restore({ bytes, crc, selfTest }: Image): boolean {
    const { intake } = this;
    const isOrdered = intake instanceof OrderedIntake;
    this.target = isOrdered ? undefined : intake;
    return !isOrdered && intake !== undefined && intake.begin(bytes, crc, selfTest);
  }

  private begin(image: Image): void {
    const { slot, slots } = this;
    this.target = slot;
    if (!slot || slot.status === IMAGE_STATUS.activated) return;
    if (sameImage(imageIn((slots as FirmwareSlots).running), image)) slot.status = IMAGE_STATUS.runs;
    else slot.begin(image, slots);
  }

  private activate(): boolean {
    const { slot, slots } = this;
    if (!slots || slot?.status !== IMAGE_STATUS.whole) return false;
    const isActivated = slots.activate();
    slot.status = isActivated ? IMAGE_STATUS.activated : IMAGE_STATUS.damaged;
    if (isActivated) this.activatedAt = this.clock.now();
    return isActivated;
  }

  /** Takes blocks of a model from now on, and answers how far it is. */
  expect(stage: PagedImage): void {
    this.target = stage;
    this.answerDue = true;
  }

  /** Takes message block. Returns whether a checkpoint is whole by it, from which the node must resume. */
  takeBlock(): boolean {
    const { intake, target, wire } = this;
    const { offset, data, length } = wire.incoming(NAME.block);
    if (!target?.write(offset, data, length) || target.status !== IMAGE_STATUS.coming) this.answerDue = true;
    if (intake?.status !== IMAGE_STATUS.whole) return false;
    intake.status = IMAGE_STATUS.activated;
    return true;
  }

  /** The node refused the state of the checkpoint that came. */
  refuse(): void {
    if (this.intake) this.intake.status = IMAGE_STATUS.unsound;
  }

  /** When something becomes due; now or earlier if something is. */
  get dueAt(): number {
    return this.answerDue ? Number.NEGATIVE_INFINITY : this.activatedAt + FAREWELL_MS;
  }

  /** One turn: sends the answer that is due, if there is room. Restarts when it is time. */
  turn(now: number, start: number): void {
    if (now - this.activatedAt >= FAREWELL_MS) this.slots?.restart();
    if (this.answerDue && this.wire.hasRoom(true)) this.answer(start);
  }

  private answer(start: number): void {
    const { target, wire } = this;
    this.answerDue = false;
    const updating = wire.outgoing(NAME.updating);
    updating.start = start;
    updating.status = target?.status ?? IMAGE_STATUS.noSlot;
    updating.received = target?.received ?? 0;
    updating.room = target?.room ?? 0;
    wire.send(NAME.updating, true);
  }
}
