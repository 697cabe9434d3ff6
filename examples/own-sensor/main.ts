import config from "mc/config";
import { openOwn, openSensors, runNode } from "motelearn/board";
import * as builtIn from "./soil-moisture.ts";

const { soil, sensors, node, wire } = config; // of manifest.json, and of the board's that it includes

// A sample is one reading of each: the probe's moisture, then what `sensors` names. The probe's class is a mod's, if mod.json was
// installed since.
openOwn(builtIn, async ({ SoilMoisture }) => [new SoilMoisture(soil), ...(await openSensors(sensors))])
  .then((own) => runNode({ node, wire }, own))
  .catch((error) => trace(`${error}\n`));
