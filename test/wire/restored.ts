import { Random } from "../../host/random.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import type { SensorNode } from "../../src/node/node.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { nodeSchema, nodeStore } from "../../src/node/schema.ts";
import { OrderedStateSender } from "../../src/peer/ordered-state.ts";
import { UpdateSender } from "../../src/peer/update.ts";
import { checkpointImage } from "../../src/store/checkpoint-image.ts";
import { storeBytes } from "../../src/store/checkpoint-store.ts";
import { LabelTag } from "../../src/wire/label-tag.ts";
import { type CutKind, EmulatedFlash, PowerCut } from "../store/emulated-flash.ts";
import { Ends, type EndsOptions, NODE } from "./ends.ts";

/** A node with a sensor: it has no session of its own before it starts. */
export const SENSING: NodeOptions = { ...NODE, pending: 32, checkpointEvery: 10 };

/** The reading of sample `seq` of any session, the same each time. */
export function reading(seq: number): Float32Array {
  const random = new Random(seq, "reading");
  return Float32Array.from({ length: NODE.channels }, () => random.normal());
}

const trueLabel = (x: ArrayLike<number>) => (x[0] > 0.1 ? 1 : -1);

/** A node that never was on a line, with that state, in that session. */
export function simulated(copy: Uint8Array, sid: number, options = SENSING): SensorNode {
  const node = loneNode({ ...options, sid });
  node.checkpointView.set(copy);
  node.renew(sid);
  return node;
}

/** A sample and its label, to a node by itself. */
export function teach(node: SensorNode): void {
  const x = reading(node.seq + 1);
  node.sample(x);
  node.label({ number: node.labelled + 1, sid: node.sid, seq: node.seq, y: trueLabel(x) });
}

/** A node with flash on a line; a power failure restarts it. */
export class Restored {
  flash: EmulatedFlash;
  readonly ends: Ends;
  sender: UpdateSender | undefined;
  cuts = 0;

  /** @param given `intervalMs`: least milliseconds between two checkpoints; default 0. */
  constructor(
    { intervalMs, ...given }: Partial<EndsOptions> & { readonly intervalMs?: number } = {},
    flash?: EmulatedFlash,
  ) {
    const node = given.node ?? SENSING;
    const sectors = storeBytes(nodeLayout(node)) / 4096;
    this.flash = flash ?? EmulatedFlash.ofSectors(sectors);
    const storage = (options: NodeOptions) =>
      nodeStore(options, this.flash, { now: () => this.ends?.now ?? 0 }, intervalMs);
    this.ends = new Ends({ seed: 1, rate: 0, fed: false, peer: {}, storage, ...given, node });
  }

  get node(): SensorNode {
    return this.ends.station.node;
  }

  /** Lets so many samples be labelled, without the line. */
  learn(samples: number): void {
    for (let i = 0; i < samples; i++) teach(this.node);
  }

  /** What a gateway copies: the node's memory as it is. */
  copy(): Uint8Array {
    return this.node.checkpointView.slice();
  }

  /** The image of such a copy, for a node of those options. */
  image(copy: Uint8Array, options: NodeOptions = SENSING, generation = 0): Uint8Array {
    return checkpointImage(nodeSchema({ ...options, sid: 1 }), copy, generation);
  }

  /** Sends an image; `number`: another each time, unless the same is sent again. */
  send(image: Uint8Array, number = 1): UpdateSender {
    return this.sends(new UpdateSender(image, number, "restore"));
  }

  /** Sends an image by order, with the tag of that label key. */
  order(image: Uint8Array, labelKey: Uint8Array): UpdateSender {
    return this.sends(new OrderedStateSender(image, new LabelTag(labelKey), this.ends.peer.node));
  }

  private sends(sender: UpdateSender): UpdateSender {
    this.sender = sender;
    sender.go();
    this.ends.peer.update = sender;
    return sender;
  }

  /** Cuts the power at that write of the flash from now. */
  cutAfter(writes: number, kind: CutKind): void {
    this.flash.cutAfter(writes, kind);
  }

  /** Lets time pass until that is so; false if it takes more than so many seconds. */
  until(done: () => boolean, seconds = 60): boolean {
    for (const end = this.ends.now + 1000 * seconds; this.ends.now < end; ) {
      try {
        return this.ends.until(done, (end - this.ends.now) / 1000);
      } catch (error) {
        if (!(error instanceof PowerCut)) throw error;
        this.cuts++;
        this.flash = this.flash.restarted();
        this.ends.restartNode();
      }
    }
    return done();
  }
}
