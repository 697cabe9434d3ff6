import config from "mc/config";
import { openSensors, runNode } from "motelearn/board";

const { sensors, node, wire } = config;

// The firmware of a node whose sensors are those of its manifest.
openSensors(sensors)
  .then((opened) => runNode({ node, wire }, opened))
  .catch((error) => trace(`motelearn: ${error}\n`));
