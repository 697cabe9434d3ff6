import config from "mc/config";
import { openSensors, runNode } from "motelearn/board";
import { SoilMoisture } from "./soil-moisture.ts";

const { soil, sensors, node, wire } = config; // of manifest.json, and of the board's that it includes

// A sample is one reading of each: the probe's moisture, then what `sensors` names.
openSensors(sensors)
  .then((opened) => runNode({ node, wire }, [new SoilMoisture(soil), ...opened]))
  .catch((error) => trace(`${error}\n`));
