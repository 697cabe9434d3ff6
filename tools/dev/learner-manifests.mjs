// Manifests of what a firmware with one learner takes of the library: those modules and no others. Written to
// dist/moddable/learners: NAME.json, and NAME.js, which is the learner's family.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/** Under this the modules of dist/moddable are known on a device, and the learners' families. */
const MODULES = "motelearn/dist/moddable";
const LEARNERS = "motelearn/learners";
const REGISTRY = "src/learn/registry.js";
/** What runs a node; targets/moddable/manifest.json names it, and what else lies in its folder. */
const FIRMWARE = "targets/moddable/run-node.js";
/** Modules that no board runs, and what stands in for each, from the manifests' folder: C for the primitives, tables without texts. */
const STAND_INS = new Map([
  ["src/math/f32.js", "../../../targets/moddable/native-arithmetic"],
  ["src/memory/frozen.js", "../../../targets/moddable/lean-frozen"],
]);

/** Adds a file of `folder` to `found`, and those that it imports. */
function addFile(folder, file, found) {
  if (found.has(file)) return;
  found.add(file);
  if (STAND_INS.has(file)) return;
  const text = readFileSync(join(folder, file), "utf8");
  for (const [, path] of text.matchAll(/^(?:import|export)\b[^;]*? from "(\.[^"]+)"/gm))
    addFile(folder, join(dirname(file), path), found);
}

/** A firmware's modules, whose learner's family is in that file: by specifier, places from the manifests' folder. */
function modulesFor(folder, learner, family) {
  const found = new Set();
  for (const file of [family, FIRMWARE]) addFile(folder, file, found);
  const files = [...found].filter((file) => file.startsWith("src/")).sort();
  const places = files.map((file) => {
    const name = file.replace(".js", "");
    return [`${MODULES}/${name}`, STAND_INS.get(file) ?? `../${name}`];
  });
  return { [`${LEARNERS}/${learner}`]: `./${learner}`, ...Object.fromEntries(places) };
}

/** Writes the manifests of all learners; `folder`: dist/moddable, built. */
export async function writeLearnerManifests(folder) {
  const out = join(folder, "learners");
  mkdirSync(out, { recursive: true });
  const all = readFileSync(join(folder, REGISTRY), "utf8");
  for (const [, list, module] of all.matchAll(/import \{ ([A-Z_]+) \} from "\.\/([\w-]+)\.js"/g)) {
    const family = `src/learn/${module}`;
    const exported = await import(pathToFileURL(join(folder, `${family}.js`)).href);
    for (const { name } of exported[list]) {
      const found = `${list}.find(({ name }) => name === "${name}")`;
      const text = `import { ${list} } from "${MODULES}/${family}";\nexport default ${found};\n`;
      writeFileSync(join(out, `${name}.js`), text);
      const modules = modulesFor(folder, name, `${family}.js`);
      const manifest = { modules, preload: [`${MODULES}/*`, `${LEARNERS}/*`] };
      writeFileSync(join(out, `${name}.json`), `${JSON.stringify(manifest, null, 2)}\n`);
    }
  }
}
