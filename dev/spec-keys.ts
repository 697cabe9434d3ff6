import { Crc32 } from "../src/math/crc32.ts";
import { Encoder } from "../src/wire/encoder.ts";
import { KeyedNode } from "../src/wire/keyed.ts";
import { KeyedPeer } from "../src/wire/keyed-peer.ts";
import { LabelTag, labelKey } from "../src/wire/label-tag.ts";
import { type Message, type MessageName, messageNames } from "../src/wire/messages.ts";
import { Receiver } from "../src/wire/receiver.ts";
import { frameRow, hex, ROWS } from "./spec-frames.ts";

const KEY = Uint8Array.from({ length: 16 }, (_, i) => i);
const BOOT = 0x11223344;
const PEER = 0x55667788;
const NAME = "mote-1";
const LABEL = { sid: 7, seq: 12, y: -1, source: 3, confidence: 200 };

/** Predictable numbers, for an example only. */
function counting(from: number): () => number {
  let next = from;
  return () => next++;
}

/** The example: two ends meet, and exchange a frame or two. */
function conversation() {
  const node = new KeyedNode(KEY, counting(0xa0a1a2a3));
  const peer = new KeyedPeer(KEY, counting(0xb0b1b2b3));
  const up = new Encoder(messageNames("up"), undefined, undefined, undefined, node);
  const down = new Encoder(messageNames("down"), undefined, undefined, undefined, peer);
  const ends = {
    up: new Receiver(messageNames("up"), undefined, peer),
    down: new Receiver(messageNames("down"), undefined, node),
  };
  const rows: string[] = [];
  const say = (encoder: Encoder<MessageName>, way: "up" | "down", name: MessageName, fields: object) => {
    Object.assign(encoder.message(name), fields);
    const frame = encoder.frame.slice(0, encoder.encode(name));
    const took = Array.from(frame, (byte) => ends[way].take(byte)).find((one) => one);
    if (took !== name) throw new Error(`${name} isn't taken`);
    rows.push(frameRow(name, way, fields, frame));
  };
  const both = { up: up as Encoder<MessageName>, down: down as Encoder<MessageName> };
  say(both.down, "down", "request", { what: 1 } satisfies Partial<Message<"request">>);
  say(both.up, "up", "hello", { protocol: 2, boot: BOOT });
  say(both.down, "down", "welcome", { boot: BOOT, peer: PEER, sent: 57 });
  node.accept();
  say(both.up, "up", "credit", { boot: BOOT, peer: PEER, received: 57, window: 71 });
  say(both.down, "down", "label", { start: (BOOT ^ PEER) >>> 0, number: 1, ...LABEL });
  return rows;
}

/** The vectors of keyed lines and of labels' tags. */
export function specKeys(): string {
  const key = labelKey(KEY, new TextEncoder().encode(NAME));
  const tag = new LabelTag(key);
  const tagWords = (compute: () => void) => {
    compute();
    return hex(new Uint8Array(Uint32Array.of(tag.low, tag.high).buffer));
  };
  const label = tagWords(() => tag.compute(LABEL));
  const { sid, seq, y, source, confidence } = LABEL;
  const image = Uint8Array.from({ length: 100 }, (_, i) => i);
  const crc = new Crc32().crc32(image, 0, image.length, 0) >>> 0;
  const digest = tagWords(() => tag.computeDigest(image));
  const restore = tagWords(() => tag.computeRestore({ boot: BOOT, labelled: 25, image, crc }));
  const install = tagWords(() => tag.computeInstall({ sid, number: 26, model: image, crc }));
  const named = `bytes ${image.length}, crc ${crc.toString(16)} and that digest`;
  return [
    `The key is \`${hex(KEY)}\`, \`boot\` \`11223344\`, \`peer\` \`55667788\`; hello's nonce is \`a3a2a1a0a4a2a1a0\`, welcome's \`b3b2b1b0b4b2b1b0\`. The counters are 0, 0, 1, 1 and 2:`,
    `${ROWS}\n${conversation().join("\n")}`,
    `The label key of node \`${NAME}\`, of the centre's key \`${hex(KEY)}\`: \`${hex(key)}\`. The tag under it of sid ${sid}, seq ${seq}, y ${y}, source ${source}, confidence ${confidence}: \`${label}\`.`,
    `The digest under it of the 100 bytes 00, 01, ... 63: \`${digest}\`. The tag of the order to resume from them, with boot 11223344, labelled 25, ${named}: \`${restore}\`. The tag of the install of a model of them, with sid ${sid}, number 26, ${named}: \`${install}\`.`,
  ].join("\n\n");
}
