import config from "mc/config";
import { openOwn, openSensors, runNode } from "motelearn/board";

const { sensors, node, wire } = config;

// The firmware of a node whose sensors its manifest lists, opened by a mod's `openSensors` if there is
// one that opens as many channels. `runNode` checks the firmware's own: new firmware then falls back.
openOwn({ openSensors }, async (own) => {
  const opened = await own.openSensors(sensors);
  const channels = opened.reduce((sum, one) => sum + one.channels, 0);
  if (own.openSensors !== openSensors && channels !== (node.channels ?? channels))
    throw new RangeError(
      `its sensors have ${channels} channels, not ${node.channels} as config.node; flash it for them`,
    );
  return opened;
})
  .then((own) => runNode({ node, wire }, own))
  .catch((error) => trace(`motelearn: ${error}\n`));
