import config from "mc/config";
import { openOwn, runNode } from "motelearn/board";
import * as builtIn from "./sensor.ts";

const { readings, node, wire } = config; // of manifest.json, and of the board's that it includes

// The class is a mod's, if mod.json was installed since.
openOwn(builtIn, async ({ OwnSensor }) => [new OwnSensor(readings)])
  .then((own) => runNode({ node, wire }, own))
  .catch((error) => trace(`${error}\n`));
