// The module `motelearn/board` of a project that includes this folder's manifest.json, or a board's.
export * from "motelearn/dist/moddable/targets/moddable/run-node";
