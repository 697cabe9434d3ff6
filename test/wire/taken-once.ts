import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Encoder } from "../../src/wire/encoder.ts";
import { chooseFrames } from "../../src/wire/frame-bytes.ts";
import { KeyedNode } from "../../src/wire/keyed.ts";
import { KeyedPeer } from "../../src/wire/keyed-peer.ts";
import { type DownName, type MessageName, messageNames, type UpName } from "../../src/wire/messages.ts";
import { Receiver } from "../../src/wire/receiver.ts";

const KEY = Uint8Array.from({ length: 16 }, (_, i) => 11 * i + 1);
const BOOT = 77;
const PEERS = 3;
/** Names of frames that belong to no session: an old one may be taken again. */
const HELLO = "hello";
const REQUEST = "request";

/** A frame on the line. `open`: of no session. */
interface Recorded {
  readonly bytes: Uint8Array;
  readonly open: boolean;
}

/** One end: what makes its frames, and what takes the other's. */
class End<Out extends MessageName, In extends MessageName> {
  /** Frames that it took, each with how often. */
  readonly taken = new Map<string, number>();

  constructor(
    readonly encoder: Encoder<Out>,
    private readonly receiver: Receiver<In>,
  ) {}

  /** Gives it a frame; the name of the message, if it takes it. */
  give(bytes: Uint8Array): In | undefined {
    const name = this.receiver.next(bytes, 0, bytes.length);
    if (name) this.taken.set(bytes.join(), 1 + (this.taken.get(bytes.join()) ?? 0));
    return name;
  }

  message<M extends In>(name: M) {
    return this.receiver.message(name);
  }

  /** Makes a frame; undefined without a session. */
  make(name: Out): Recorded | undefined {
    const length = this.encoder.encode(name);
    if (length === 0) return undefined;
    const open =
      name === HELLO || (name === REQUEST && Reflect.get(this.encoder.message(name), "what") === 1);
    return { bytes: this.encoder.frame.slice(0, length), open };
  }
}

/** A node, three peers with its key, one of which may hold it, and an attacker between them who has every frame of either way. */
export class TakenOnce {
  forged = 0;
  replayed = 0;
  welcomes = 0;
  private readonly random: Random;
  private readonly keyed: KeyedNode;
  private readonly node: End<UpName, DownName>;
  private readonly peers: readonly End<DownName, UpName>[];
  private readonly down: Recorded[] = [];
  private readonly up: Recorded[] = [];
  /** Every frame that an end made. */
  private readonly honest = new Map<string, Recorded>();

  constructor(private readonly seed: number) {
    this.random = new Random(seed, "taken once");
    const draw = () => this.random.below(0x10000) * 0x10000 + this.random.below(0x10000);
    this.keyed = new KeyedNode(KEY, draw);
    const frames = chooseFrames();
    this.node = new End(
      new Encoder(messageNames("up"), frames, undefined, undefined, this.keyed),
      new Receiver(messageNames("down"), frames, this.keyed),
    );
    this.peers = Array.from({ length: PEERS }, () => {
      const keyed = new KeyedPeer(KEY, draw);
      return new End<DownName, UpName>(
        new Encoder(messageNames("down"), frames, undefined, undefined, keyed),
        new Receiver(messageNames("up"), frames, keyed),
      );
    });
  }

  /** So many moves of the attacker, or of an end. */
  run(moves: number): void {
    for (let i = 0; i < moves; i++) this.move();
  }

  private move(): void {
    const { random } = this;
    const what = random.below(8);
    if (what === 0) this.sayHello();
    else if (what === 1) this.send(this.up, this.node, this.pick(["prediction", "credit", "occupied"]));
    else if (what === 2) this.send(this.down, this.pick(this.peers), this.pick(["label", "configuration"]));
    else if (what < 6) this.replay();
    else this.forge();
  }

  private sayHello(): void {
    Object.assign(this.node.encoder.message("hello"), { boot: BOOT });
    this.send(this.up, this.node, "hello");
  }

  private send<N extends MessageName>(way: Recorded[], end: End<N, MessageName>, name: N): void {
    const made = end.make(name);
    if (!made) return;
    way.push(made);
    this.honest.set(made.bytes.join(), made);
  }

  /** Mostly of the latest frames, so that sessions get on. */
  private replay(): void {
    const { random } = this;
    const isUp = random.below(2) === 0;
    const way = isUp ? this.up : this.down;
    if (way.length === 0) return;
    const late = random.below(3) === 0 ? random.below(way.length) : Math.min(way.length - 1, random.below(4));
    const frame = way[way.length - 1 - late];
    this.replayed++;
    if (isUp) this.giveUp(frame.bytes, this.random.below(PEERS));
    else this.giveDown(frame.bytes);
  }

  /** A recorded frame with other bytes: often a welcome, of other nonces. */
  private forge(): void {
    const { random } = this;
    const isUp = random.below(3) === 0;
    const way = isUp ? this.up : this.down;
    if (way.length === 0) return;
    const bytes = way[random.below(way.length)].bytes.slice();
    const from = random.below(4) === 0 ? 2 : Math.max(2, bytes.length - 22);
    for (let changes = 1 + random.below(3); changes > 0; changes--) {
      const at = from + random.below(bytes.length - from - 1);
      bytes[at] = 1 + random.below(255);
    }
    this.forged++;
    if (isUp) this.giveUp(bytes, random.below(PEERS));
    else this.giveDown(bytes);
  }

  private giveDown(bytes: Uint8Array): void {
    const name = this.node.give(bytes);
    if (!name) return;
    this.check(this.node, bytes, `the node took ${name}`);
    if (name !== "welcome") return;
    this.welcomes++;
    if (this.random.below(3) === 0) this.keyed.accept();
    else this.send(this.up, this.node, "occupied");
  }

  private giveUp(bytes: Uint8Array, number: number): void {
    const peer = this.peers[number];
    const name = peer.give(bytes);
    if (!name) return;
    this.check(peer, bytes, `peer ${number} took ${name}`);
    if (name === "hello") this.welcome(number);
  }

  private welcome(number: number): void {
    const peer = this.peers[number];
    const { boot } = peer.message("hello");
    Object.assign(peer.encoder.message("welcome"), { boot, peer: 1 + number });
    this.send(this.down, peer, "welcome");
  }

  private check<In extends MessageName>(end: End<MessageName, In>, bytes: Uint8Array, what: string): void {
    const text = bytes.join();
    const made = this.honest.get(text);
    assert.ok(made, `seed ${this.seed}: ${what}, which nobody made`);
    assert.ok(made.open || end.taken.get(text) === 1, `seed ${this.seed}: ${what} twice`);
  }

  /** Without the attacker: a hello, a welcome, and a frame each way. Returns whether all of them are taken. */
  recovers(): boolean {
    const number = this.random.below(PEERS);
    const peer = this.peers[number];
    this.sayHello();
    if (peer.give(this.up[this.up.length - 1].bytes) !== "hello") return false;
    this.welcome(number);
    if (this.node.give(this.down[this.down.length - 1].bytes) !== "welcome" || !this.keyed.accept())
      return false;
    const credit = this.node.make("credit");
    if (!credit || peer.give(credit.bytes) !== "credit") return false;
    const label = peer.make("label");
    return label !== undefined && this.node.give(label.bytes) === "label";
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.random.below(list.length)];
  }
}
