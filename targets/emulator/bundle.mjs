// The programs of the machines, from the same src/ that a device gets: one script for XS, which has no module
// loader, and one program for Node.
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { cache, root } from "./engine.mjs";

/** The cost model, which plan and measurement share. */
export async function loadModel() {
  const outfile = join(cache, "cost-model.mjs");
  const entryPoints = ["targets/cost-model.ts"];
  await build({
    absWorkingDir: root,
    entryPoints,
    bundle: true,
    format: "esm",
    logLevel: "warning",
    outfile,
  });
  return import(pathToFileURL(outfile).href);
}

/** The check that `motelearn flash` makes of an object of f32.c. */
export async function loadFused() {
  const outfile = join(cache, "fused.mjs");
  const entryPoints = ["tools/toolchain/fused.ts"];
  const shared = { absWorkingDir: root, bundle: true, packages: "external", logLevel: "warning" };
  await build({ ...shared, entryPoints, platform: "node", format: "esm", outfile });
  return import(pathToFileURL(outfile).href);
}

/** Bundles a script for XS from that entry. Returns its path. */
export async function bundleForXs(entry) {
  const outfile = join(cache, `${basename(entry, ".ts")}.js`);
  const shared = { absWorkingDir: root, bundle: true, target: "es2022", logLevel: "warning" };
  await build({ ...shared, entryPoints: [entry], format: "iife", outfile });
  return outfile;
}

/** Replaces programs/outside.ts with the plugins' learners; their import of motelearn is the library. */
function outside(files) {
  const modules = files.map((file, i) => `import * as plugin${i} from ${JSON.stringify(resolve(file))};`);
  const learners = files.map((_, i) => `...({ ...plugin${i}.default, ...plugin${i} }.learners ?? [])`);
  const contents = `${modules.join("\n")}\nexport const learners = [${learners}];`;
  return {
    name: "outside",
    setup({ onLoad, onResolve }) {
      onLoad({ filter: /programs\/outside\.ts$/ }, () => ({ contents, loader: "js", resolveDir: root }));
      onResolve({ filter: /^motelearn$/ }, () => ({ path: join(root, "src/index.ts") }));
    },
  };
}

/** Both programs, with those plugins' learners besides the shipped ones. */
export async function bundle(files = []) {
  const plugins = [outside(files)];
  const logOverride = { "import-is-undefined": "silent" }; // a plugin needs no default export
  const quiet = { logLevel: "warning", logOverride };
  const shared = { absWorkingDir: root, bundle: true, target: "es2022", plugins, ...quiet };
  const program = join(cache, "program.js");
  const node = join(cache, "node.mjs");
  await build({
    ...shared,
    entryPoints: ["targets/emulator/programs/xs.ts"],
    format: "iife",
    outfile: program,
  });
  const onNode = { platform: "node", format: "esm", outfile: node };
  await build({ ...shared, ...onNode, entryPoints: ["targets/emulator/programs/node.ts"] });
  return { program, node };
}
