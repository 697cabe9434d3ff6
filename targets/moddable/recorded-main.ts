import Resource from "Resource";
import config from "mc/config";
import { type RunningNode, runNode } from "motelearn/board";

const { node, wire } = config;
const channels: number = node.channels;
/** The recording that `flash --emulate` wrote: samples one after the other, a float32 for each channel, little-endian. */
const readings = new DataView(new Resource("readings.bin") as unknown as ArrayBuffer);
const bytes = 4 * channels;
let running: RunningNode | undefined;

// The firmware of a node on an emulated board, which has no sensors: it plays a recording, and begins again after its last sample. So a sample has
// the same number in each session.
const recorded = {
  channels,
  /** A sample is known by its number: after a restart the node takes those that follow its checkpoint. */
  read(to: Float32Array, first: number): void {
    const at = ((running?.station.node.seq ?? 0) * bytes) % readings.byteLength;
    for (let j = 0; j < channels; j++) to[first + j] = readings.getFloat32(at + 4 * j, true);
  },
};

runNode({ node, wire }, [recorded])
  .then((started) => {
    running = started;
    const { node } = started.station;
    node.moveTo(node.sid); // a label of this session may be for a sample that waited in the checkpoint
  })
  .catch((error) => trace(`motelearn: ${error}\n`));
