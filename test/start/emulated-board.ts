import { Random } from "../../host/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import { nodeLearner } from "../../src/node/node-options.ts";
import type { BytePort } from "../../src/node/ports.ts";
import { Peer } from "../../src/peer/peer.ts";
import { UpdateSender } from "../../src/peer/update.ts";
import { combinedHash, selfTest, selfTestBytes } from "../../src/selftest/self-test.ts";
import { type StartedNode, startNode } from "../../src/start/start-node.ts";
import type { BlockDevice } from "../../src/store/block-device.ts";
import { EmulatedSlots, Restart } from "../../targets/emulator/programs/firmware-slots.ts";
import { EmulatedFlash, PowerCut } from "../store/emulated-flash.ts";
import { Line } from "../wire/ends.ts";

export const SLOT_SECTORS = 5;
const CHECKPOINT_SECTORS = 4;
const STEP_MS = 5;
const FIFO = 128;
const BOOT_MS = 100;

export const NODE = {
  channels: 2,
  pending: 8,
  labelWindow: 8,
  checkpointEvery: 1,
  learner: familyNamed("olk-c")!,
  options: { budget: 4 },
};

/** The behaviour of a firmware: the first byte of its image. */
export const KIND = { good: 1, wrongBits: 2, mute: 3, crashes: 4 } as const;

/** An image that ends in so many random bytes. */
export function image(kind: number, version: number, bytes = 3 * 4096 + 500): Uint8Array {
  const random = new Random(version, "firmware");
  const found = Uint8Array.from({ length: bytes }, () => random.below(256));
  found[0] = kind;
  found[1] = version;
  return found;
}

/** The self-test's hash of right firmware. */
export function rightSelfTest(): number {
  const node = { ...NODE, sid: 1 };
  const learner = nodeLearner(node);
  const layout = nodeLayout(node);
  const bytes = Math.max(layout.bytes, selfTestBytes(learner));
  return combinedHash(selfTest(learner, layout.range(new PortableF32(new ArrayBuffer(bytes)))));
}

/** Arithmetic as a compiler that fuses makes it: some result differs. */
export class WrongF32 extends PortableF32 {
  override dot(a: number, b: number, n: number): number {
    return super.dot(a, b, n) * (1 + 2 ** -23);
  }
}

/** The board's UART. */
class Uart implements BytePort {
  readonly fifo: number[] = [];
  overruns = 0;
  private frame: number[] = [];

  constructor(
    private readonly mute: boolean,
    private readonly transmit: (frame: Uint8Array) => void,
  ) {}

  read(to: Uint8Array): number {
    const bytes = this.fifo.splice(0, to.length);
    to.set(bytes);
    return bytes.length;
  }

  write(bytes: Uint8Array, from: number, to: number): number {
    for (let i = from; i < to && !this.mute; i++) {
      this.frame.push(bytes[i]);
      if (bytes[i] !== 0 || this.frame.length === 1) continue;
      this.transmit(Uint8Array.from(this.frame));
      this.frame = [];
    }
    return to - from;
  }
}

/** A board with two slots of firmware, a line, and a host at its other end; the power is cut where the flash says. */
export class EmulatedBoard {
  flash = EmulatedFlash.ofSectors(EmulatedSlots.sectors(SLOT_SECTORS, CHECKPOINT_SECTORS));
  now = 0;
  starts = 0;
  cuts = 0;
  /** Version of the firmware that runs, and whether the last start found a checkpoint. */
  version = 0;
  restored = "";
  slots!: EmulatedSlots;
  peer!: Peer;
  private node: StartedNode | undefined;
  private uart!: Uart;
  private startsAt = 0;
  private down: Line;
  /** All firmware that it may have. */
  private readonly images: Uint8Array[] = [];
  private up: Line;

  constructor(
    first: Uint8Array,
    private readonly random = new Random(1, "board"),
    lost = 0,
    private readonly beforeStart: (board: EmulatedBoard) => void = () => {},
    private readonly key?: Uint8Array,
  ) {
    const sector = this.flash.sectorBytes;
    this.flash.contents.set(first, 2 * sector);
    this.images.push(first);
    this.down = new Line(random, lost);
    this.up = new Line(random, lost);
    this.connect();
  }

  private get keyed() {
    return this.key && { key: this.key, random: () => this.random.below(2 ** 31) };
  }

  /** A host, another than before. */
  connect(): void {
    this.peer = new Peer({
      write: (bytes) => this.down.send(this.now, bytes),
      id: 1 + this.random.below(2 ** 31),
      now: () => this.now,
      ...this.keyed,
    });
  }

  send(bytes: Uint8Array, expected: number): UpdateSender {
    this.images.push(bytes);
    const update = new UpdateSender(bytes, expected);
    this.peer.update = update;
    update.go();
    return update;
  }

  /** True if firmware lies there that was sent, or the first, all of it. */
  private isWhole(slot: BlockDevice): boolean {
    return this.images.some((image) => {
      const found = new Uint8Array(image.length);
      return slot.read(0, found) && Buffer.compare(found, image) === 0;
    });
  }

  private start(): void {
    this.starts++;
    this.beforeStart(this);
    this.slots = new EmulatedSlots(this.flash, SLOT_SECTORS, CHECKPOINT_SECTORS, (slot) =>
      this.isWhole(slot),
    );
    const head = new Uint8Array(4);
    this.slots.running.read(0, head);
    const [kind, version] = head;
    if (kind === KIND.crashes) throw new Restart();
    this.uart = new Uart(kind === KIND.mute, (frame) => this.up.send(this.now, frame));
    const F32 = kind === KIND.wrongBits ? WrongF32 : PortableF32;
    this.version = version;
    this.node = startNode({
      node: NODE,
      sensors: [{ channels: 2, read: (to, first) => to.fill(0.5, first, first + 2) }],
      periodMs: 50,
      clock: { now: () => this.now },
      transport: this.uart,
      block: this.slots.checkpoints,
      memory: (bytes) => new F32(new ArrayBuffer(bytes)),
      firmware: `version ${version}`,
      boot: this.random.below(2 ** 31),
      slots: this.slots,
      ...this.keyed,
    });
    this.restored = this.node.restored;
  }

  /** A step of the board; power failures and restarts lead to another start. */
  private run(): void {
    try {
      if (!this.node && this.now >= this.startsAt) this.start();
      this.node?.turn();
    } catch (error) {
      if (error instanceof PowerCut) {
        this.cuts++;
        this.flash = this.flash.restarted();
      } else if (!(error instanceof Restart)) throw error;
      this.node = undefined;
      this.startsAt = this.now + BOOT_MS;
    }
  }

  /** Lets time pass until that is so; false if it isn't after so many seconds. */
  until(done: () => boolean, seconds: number): boolean {
    const end = this.now + 1000 * seconds;
    for (; this.now < end; this.now += STEP_MS) {
      for (const byte of this.down.deliver(this.now, STEP_MS)) {
        if (!this.node) continue;
        if (this.uart.fifo.length < FIFO) this.uart.fifo.push(byte);
        else this.uart.overruns++;
      }
      this.run();
      this.peer.receive(Uint8Array.from(this.up.deliver(this.now, STEP_MS)));
      this.peer.tick();
      if (done()) return true;
    }
    return false;
  }

  /** True if the firmware that runs has stood its trial. */
  get settled(): boolean {
    return this.node !== undefined && !this.slots.trial();
  }
}
