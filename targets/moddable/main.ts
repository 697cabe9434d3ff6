import config from "mc/config";
import { openOwn, openSensors, runNode } from "motelearn/board";

const { sensors, node, wire } = config;

// The firmware of a node whose sensors its manifest lists, opened by a mod's `openSensors` if there is
// one.
openOwn({ openSensors }, (own) => own.openSensors(sensors))
  .then((own) => runNode({ node, wire }, own))
  .catch((error) => trace(`motelearn: ${error}\n`));
