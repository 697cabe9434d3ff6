import config from "mc/config";
import { type RunningNode, runNode } from "motelearn/board";
import { recordedSensor } from "motelearn/recording";

// The firmware of a node on an emulated board, which plays a recording.
const { node, wire } = config;
let running: RunningNode | undefined;

runNode({ node, wire }, [recordedSensor(node.channels, () => running?.station.node.seq ?? 0)])
  .then((started) => {
    running = started;
  })
  .catch((error) => trace(`motelearn: ${error}\n`));
