// Replaces targets/moddable/given-config.js in a board's firmware.
export { checkGivenConfig } from "./carried.js";
