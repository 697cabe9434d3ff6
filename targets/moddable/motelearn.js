// The module `motelearn` of a project that includes manifest.json: the name under which mcpack knows the
// package, too.
export * from "motelearn/dist/moddable/targets/moddable/index";
