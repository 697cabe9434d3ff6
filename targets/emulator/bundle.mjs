// The programs of the machines, from the same src/ that a device gets: one script for XS, which has no module
// loader, and one program for Node.
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { cache, root } from "./engine.mjs";

/** Bundles a program for Node from that entry, with its packages left outside. Returns its path. */
export async function bundleForNode(entry) {
  const outfile = join(cache, `${basename(entry, ".ts")}.mjs`);
  const shared = { absWorkingDir: root, bundle: true, packages: "external", logLevel: "warning" };
  const forNode = { platform: "node", target: "node20", format: "esm", outfile };
  await build({ ...shared, ...forNode, entryPoints: [entry] });
  return outfile;
}

/** What the module of that entry exports. */
export const imported = async (entry) => import(pathToFileURL(await bundleForNode(entry)).href);

/** The cost model, which plan and measurement share. */
export const loadModel = () => imported("targets/cost-model.ts");

/** The check that `motelearn flash` makes of an object of f32.c. */
export const loadFused = () => imported("tools/toolchain/fused.ts");

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
