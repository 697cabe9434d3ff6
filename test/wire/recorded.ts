import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import type { SensorNode } from "../../src/node/node.ts";
import { Disk, Ends, NODE } from "./ends.ts";

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
  const plain = loneNode(node, undefined, new Disk());
  samples.forEach(({ x, y }, i) => {
    plain.sample(x);
    plain.label({ number: i + 1, sid: node.sid, seq: i + 1, y });
  });
  return plain;
}

export function finished({ station }: Ends): boolean {
  return station.node.seq === COUNT && station.node.labelled === COUNT;
}

/** Starts node and peer of a lossy line again in the middle of the stream; the final state is that without a wire. */
export function survivesStarts(seed: number, key?: Uint8Array): void {
  const samples = stream(seed);
  const ends = new Ends({ seed, rate: 0.3, fed: true, key, peer: recorded(samples) });
  const reaches = (labelled: number) =>
    assert.ok(
      ends.until(() => ends.station.node.labelled >= labelled, 2000),
      `seed ${seed}: ${labelled} labels`,
    );
  reaches(37);
  ends.restartNode();
  assert.is(ends.station.node.labelled % 10, 0, "from the last checkpoint");
  reaches(71);
  ends.restartPeer();
  reaches(101);
  ends.restartNode();
  ends.restartPeer();
  assert.ok(
    ends.until(() => finished(ends), 2000),
    `seed ${seed}: it gets through`,
  );
  assert.is(ends.station.node.stateHash(), withoutWire(samples).stateHash(), `seed ${seed}`);
}
