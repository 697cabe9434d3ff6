import Resource from "Resource";
import config from "mc/config";
import { runNode } from "motelearn/board";

// The firmware of a node that plays a recording, as targets/moddable/recorded-main.ts, by a sensor with a fault.
const { node, wire, fault } = config;
const readings = new DataView(new Resource("readings.bin"));
const bytes = 4 * node.channels;
let running;
let reads = 0;

const sensor = {
  channels: fault.channels ?? node.channels,
  read(to, first) {
    while (++reads > fault.hangsAfter) {}
    const at = ((running?.station.node.seq ?? 0) * bytes) % readings.byteLength;
    for (let j = 0; j < node.channels; j++) to[first + j] = readings.getFloat32(at + 4 * j, true);
  },
};

runNode({ node, wire }, [sensor])
  .then((started) => {
    running = started;
  })
  .catch((error) => trace(`motelearn: ${error}\n`));
