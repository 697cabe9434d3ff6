export * from "../../dist/moddable/targets/moddable/run-node.js";
