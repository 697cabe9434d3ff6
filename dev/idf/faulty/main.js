import config from "mc/config";
import { runNode } from "motelearn/board";
import { recordedSensor } from "motelearn/recording";

// The firmware of a node that plays a recording, as targets/moddable/recorded-main.ts, by a sensor with a fault.
const { node, wire, fault } = config;
let running;
let reads = 0;

const recorded = recordedSensor(node.channels, () => running?.station.node.seq ?? 0);
const sensor = {
  channels: fault.channels ?? recorded.channels,
  session: recorded.session,
  read(to, first) {
    while (++reads > fault.hangsAfter) {}
    recorded.read(to, first);
  },
};

runNode({ node, wire }, [sensor])
  .then((started) => {
    running = started;
  })
  .catch((error) => trace(`motelearn: ${error}\n`));
