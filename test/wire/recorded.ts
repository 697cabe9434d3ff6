import { Random } from "../../host-sim/random.ts";
import { SensorNode } from "../../src/node/node.ts";
import { Disk, type Ends, NODE } from "./ends.ts";

/** Samples of a stream, each with its label. */
export const COUNT = 150;

export function stream(seed: number, channels = NODE.channels) {
  const random = new Random(seed, "stream");
  return Array.from({ length: COUNT }, () => {
    const y = random.uniform() < 0.5 ? -1 : 1;
    const x = Float32Array.from({ length: channels }, () => random.normal() + y);
    return { x, y };
  });
}

/** Recorded samples and their labels: no sample is fed so early that another expires. */
export function recorded(samples: readonly { x: Float32Array; y: number }[]) {
  return {
    samples: {
      at: (seq: number) => samples[seq - 1] && { x: samples[seq - 1].x, after: seq - NODE.pending! },
    },
    labels: {
      at: (number: number) =>
        samples[number - 1] && { number, sid: NODE.sid, seq: number, y: samples[number - 1].y },
    },
  };
}

/** The state that the stream leads to without any wire. */
export function withoutWire(samples: readonly { x: Float32Array; y: number }[], node = NODE): SensorNode {
  const link = { predicted() {}, acknowledge() {} };
  const plain = new SensorNode(node, { now: () => 0 }, link, new Disk());
  samples.forEach(({ x, y }, i) => {
    plain.sample(x);
    plain.label({ number: i + 1, sid: node.sid, seq: i + 1, y });
  });
  return plain;
}

export function finished({ station }: Ends): boolean {
  return station.node.seq === COUNT && station.node.labelled === COUNT;
}
