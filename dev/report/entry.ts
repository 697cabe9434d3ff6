/** The sources that report.mjs uses, bundled. */
export { compare } from "./compare.ts";
export { codeFigures, knownFigures } from "./figures.ts";
export { reportText } from "./text.ts";
