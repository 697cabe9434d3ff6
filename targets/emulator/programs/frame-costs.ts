import { Encoder } from "../../../src/wire/encoder.ts";
import { records } from "../../../src/wire/format.ts";
import { chooseFrames, type FrameBytes } from "../../../src/wire/frame-bytes.ts";
import { KeyedNode } from "../../../src/wire/keyed.ts";
import { KeyedPeer } from "../../../src/wire/keyed-peer.ts";
import { LabelTag } from "../../../src/wire/label-tag.ts";
import type { MessageName } from "../../../src/wire/messages.ts";
import { Receiver } from "../../../src/wire/receiver.ts";
import type { Host } from "./host.ts";
import type { Arithmetic } from "./loops.ts";

const BOOT = 0x11223344;
const PEER = 0x55667788;
const FIELDS = {
  hello: { protocol: 2, boot: BOOT },
  welcome: { boot: BOOT, peer: PEER },
  label: { start: (BOOT ^ PEER) >>> 0, number: 1, sid: 7, seq: 12, y: -1, source: 3, confidence: 200 },
  acknowledgement: { boot: BOOT, number: 1, labelled: 1, durable: 1 },
} as const;
type Name = keyof typeof FIELDS;

const KEY = Uint8Array.from({ length: 16 }, (_, i) => i);

/** Instructions to make a frame, and to check it. */
export interface FrameCost {
  readonly bytes: number;
  readonly make: number;
  readonly judge: number;
}

/** Each message's costs without a key and with one, and the cost of a label's own tag. */
export interface FrameCosts {
  readonly [frame: string]: FrameCost;
}

/** Two ends of a line, on one chip. */
class Line {
  private readonly encoders: { readonly [name in Name]: Encoder<MessageName> };
  private readonly up: Receiver<MessageName>;
  private readonly down: Receiver<MessageName>;

  constructor(
    private readonly spent: (work: () => void) => number,
    frames: FrameBytes,
    private readonly node?: KeyedNode,
    peer?: KeyedPeer,
  ) {
    const up = new Encoder<MessageName>(["hello", "acknowledgement"], frames, undefined, undefined, node);
    const down = new Encoder<MessageName>(["welcome", "label"], frames, undefined, undefined, peer);
    this.encoders = { hello: up, acknowledgement: up, welcome: down, label: down };
    this.up = new Receiver<MessageName>(["hello", "acknowledgement"], frames, peer);
    this.down = new Receiver<MessageName>(["welcome", "label"], frames, node);
  }

  /** Sends a message, and counts. Throws an Error if it isn't accepted. */
  say(name: Name): FrameCost {
    const encoder = this.encoders[name];
    const receiver = name === "hello" || name === "acknowledgement" ? this.up : this.down;
    Object.assign(encoder.message(name), FIELDS[name]);
    let bytes = 0;
    const make = this.spent(() => {
      bytes = encoder.encode(name);
    });
    const { frame } = encoder;
    receiver.take(frame[0]);
    let took: MessageName | undefined;
    const judge = this.spent(() => {
      took = receiver.next(frame, 1, bytes);
    });
    if (took !== name) throw new Error(`${name} isn't taken`);
    return { bytes, make, judge };
  }

  /** A node and its peer meet; then a label and its acknowledgement, each after one of its kind. */
  converse(): FrameCosts {
    const hello = this.say("hello");
    const welcome = this.say("welcome");
    this.node?.accept();
    this.say("acknowledgement"); // a peer takes up a session with its first frame
    this.say("label");
    return { hello, welcome, label: this.say("label"), acknowledgement: this.say("acknowledgement") };
  }
}

/** Instructions of the same frames without a key and with one, and of a label's own tag, on one chip. */
export function frameCosts(host: Host, arithmetic: Arithmetic): { [line: string]: FrameCosts } {
  const countInstructions = (work: () => void): number => {
    host.collect();
    const before = host.instructions();
    const reading = host.instructions() - before;
    work();
    return host.instructions() - before - 2 * reading;
  };
  const frames = chooseFrames(arithmetic(0));
  let next = 0xa0a1a2a3;
  const random = () => next++;
  const node = new KeyedNode(KEY, random, frames);
  const peer = new KeyedPeer(KEY, random, frames);
  const tag = new LabelTag(KEY, frames);
  const { label } = records(["label"]);
  tag.compute(FIELDS.label); // the first makes the message of all that follow
  const make = countInstructions(() => tag.compute(FIELDS.label));
  Object.assign(label, FIELDS.label, { length: 2 });
  label.tag[0] = tag.low;
  label.tag[1] = tag.high;
  const judge = countInstructions(() => {
    if (!tag.signsLabel(label)) throw new Error("the label's tag isn't taken");
  });
  return {
    unkeyed: new Line(countInstructions, frames).converse(),
    keyed: new Line(countInstructions, frames, node, peer).converse(),
    tag: { label: { bytes: 8, make, judge } },
  };
}
