/** What report.mjs takes of the sources, bundled. */
export { compare } from "./compare.ts";
export { codeFigures, knownFigures } from "./figures.ts";
export { reportText } from "./text.ts";
