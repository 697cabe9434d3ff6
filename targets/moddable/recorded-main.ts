import Resource from "Resource";
import config from "mc/config";
import { type RunningNode, runNode } from "motelearn/board";

const { node, wire } = config;
const channels: number = node.channels;
/** The recording that `flash --emulate` wrote: its session, then samples one after the other, a float32 for each channel, little-endian. */
const recording = new DataView(new Resource("readings.bin") as unknown as ArrayBuffer);
const HEADER_BYTES = 4;
const bytes = 4 * channels;
let running: RunningNode | undefined;

// The firmware of a node on an emulated board, which has no sensors: it plays a recording, and begins again after its last sample.
const recorded = {
  channels,
  /** A label finds its sample, whichever start took it. */
  session: recording.getUint32(0, true),
  /** A sample is known by its number: after a restart the node takes those that follow its checkpoint. */
  read(to: Float32Array, first: number): void {
    const place = ((running?.station.node.seq ?? 0) * bytes) % (recording.byteLength - HEADER_BYTES);
    for (let j = 0; j < channels; j++)
      to[first + j] = recording.getFloat32(HEADER_BYTES + place + 4 * j, true);
  },
};

runNode({ node, wire }, [recorded])
  .then((started) => {
    running = started;
  })
  .catch((error) => trace(`motelearn: ${error}\n`));
