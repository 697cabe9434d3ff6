export * from "../../dist/moddable/targets/moddable/index.js";
