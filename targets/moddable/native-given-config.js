// Replaces targets/moddable/given-config.js in a board's firmware.
import config from "mc/config";
import { describeNode } from "motelearn/dist/moddable/src/node/description";

export { checkGivenConfig } from "./carried.js";

/** Made when the firmware is linked, so that it lies in flash. */
const DESCRIPTION = config.node ? describeNode(config.node) : "";

export const nodeDescription = (node) => (node === config.node ? DESCRIPTION : "");
