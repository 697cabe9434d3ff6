// Bundles the modules of a board's firmware from dist/moddable, made small for XS's tables: `board.js`,
// imported as motelearn/board; `mqtt.js`, for a node over MQTT; and for each learner learners/NAME.js, with
// its family and the code that runs its node. A firmware has one of them, by its manifest,
// learners/NAME.json. A module's record takes slots, and so does each name that it exports or imports.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, transform } from "esbuild";
import { progressOf } from "../../targets/emulator/engine.mjs";
import { ACCESS_MODULE } from "./access.mjs";
import { edgeOf, holdTogether } from "./crossing.mjs";
import { propertiesOf, propertyNames, withEngineNames } from "./engine-names.mjs";
import { folded } from "./folded.mjs";
import { inlined } from "./inlined.mjs";
import { linkedPrimitives, selfTestOf, tableOf } from "./linked.mjs";
import { withNumbers } from "./numbers.mjs";
import { ofParts, PLAN_NAMES } from "./parts.mjs";
import { memberNames } from "./private-names.mjs";
import { withArrows, withConst, withoutConstructors, withPureTables } from "./slim.mjs";
import { withoutSmall } from "./small.mjs";
import { omitTraits } from "./traits.mjs";
import { withoutUnused } from "./unused.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const MODDABLE = join(root, "targets/moddable");
const LEARNERS = "motelearn/learners";
const MODULES = "motelearn/dist/moddable";
const form = { format: "esm", target: "es2022", logLevel: "silent" };

/**
 * Modules that no board runs, and their replacements: C for the primitives, their tests, frames and the
 * ledger; tables without texts.
 */
const STAND_INS = new Map([
  ["src/wire/portable-frames.js", "native-portable-frames.js"],
  ["src/node/portable-ledger.js", "native-portable-ledger.js"],
  ["src/selftest/portable-tests.js", "native-portable-tests.js"],
  ["src/math/f32.js", "native-arithmetic.js"],
  ["src/memory/frozen.js", "lean-frozen.js"],
  ["targets/moddable/given-config.js", "native-given-config.js"],
]);

/** Resolves imports as on a board with its modules in `folder`; imports of the SDK stay. */
function onBoard(folder) {
  const standIns = new Map([...STAND_INS].map(([file, by]) => [join(folder, file), join(MODDABLE, by)]));
  return {
    name: "on board",
    setup({ onResolve, onLoad }) {
      onLoad({ filter: /\/wire\/access\.js$/ }, () => ({ contents: ACCESS_MODULE }));
      onResolve({ filter: /.*/ }, ({ path, resolveDir, kind }) => {
        if (kind === "dynamic-import") return { path, external: true };
        if (path === "motelearn/import-module") return { path: join(MODDABLE, "import-module.js") };
        if (path.startsWith(MODULES)) return { path: join(folder, `${path.slice(MODULES.length + 1)}.js`) };
        if (path.startsWith(MODDABLE)) return { path };
        if (!path.startsWith(".")) return { path, external: true };
        const file = join(resolveDir, path);
        return { path: standIns.get(file) ?? file };
      });
    },
  };
}

/** No methods: others may call all of a module's. */
const NONE = new Set();

/**
 * Bundles a module of that text, which lies in dist/moddable, as a board gets it: with other names for properties in `own`, which are
 * private, and in `inner`, and methods in `methods`, which no other module calls, in the place of their calls. It keeps those in C that
 * have a name in `others`. `isLearner`: it plans its node. Returns its code, and its edge: see crossing.mjs.
 */
async function firmwareModule(
  folder,
  { name, contents, own = [], inner = [], others, methods = NONE, isLearner },
) {
  const stdin = { contents, resolveDir: folder };
  const options = {
    ...form,
    stdin,
    bundle: true,
    write: false,
    plugins: [ofParts(folder, MODDABLE, isLearner), onBoard(folder)],
  };
  const { outputFiles, warnings } = await build(options);
  const numbered = await withNumbers(withConst(outputFiles[0].text));
  const shaken = await transform(withPureTables(numbered), { ...form, treeShaking: true });
  const isOwn = (name) => methods.has(name);
  const isShared = (name) => others.has(name);
  const arrows = withArrows(withoutUnused(shaken.code, isOwn, isShared));
  const text = withoutConstructors(folded(inlined(withoutSmall(inlined(arrows, isOwn), isOwn), isOwn)));
  const names = propertyNames(text, [...own, ...inner], others);
  const mangled = names.size > 0 && {
    mangleProps: new RegExp(`^(${[...names.keys()].join("|")})$`),
    mangleCache: Object.fromEntries(names),
  };
  const small = { minifyIdentifiers: true, minifyWhitespace: true, treeShaking: true, ...mangled };
  const { code, warnings: more } = await transform(text, { ...form, ...small });
  for (const { text } of [...warnings, ...more]) throw new Error(text);
  const renamed = new Set(inner.filter((one) => names.has(one)));
  return { code: withEngineNames(code), edge: edgeOf(name, outputFiles[0].text, text, renamed) };
}

const REGISTRY = "src/learn/registry.js";

/** The text of a module that exports that family of a list, and runs a node with it. */
function learnerText(list, module, i) {
  return [
    'export { runFirmware } from "./targets/moddable/run-firmware.js";',
    `import { ${list} } from "${module}";`,
    `import { planned } from ${JSON.stringify(join(MODDABLE, "planned.js"))};`,
    `export default planned(${list}[${i}]);`,
  ].join("\n");
}

/** The learners' families: each one's name, its options' names, and the text of its module. */
async function families(folder) {
  const found = [];
  const all = readFileSync(join(folder, REGISTRY), "utf8");
  for (const [, list, module] of all.matchAll(/import \{ ([A-Z_]+) \} from "\.\/([\w-]+)\.js"/g)) {
    const file = join(folder, "src/learn", `${module}.js`);
    const exported = await import(pathToFileURL(file).href);
    for (const [i, { name, options }] of exported[list].entries())
      found.push({
        name,
        options: Object.keys(options),
        text: learnerText(list, `./src/learn/${module}.js`, i),
      });
  }
  return found;
}

/**
 * Writes the firmware's modules and the learners' manifests, of those names or all; `folder`: dist/moddable,
 * built: it omits traits from it. `say` gets lines while that takes long. Returns the table of what each links.
 */
export async function writeFirmware(folder, only, say = () => {}) {
  await omitTraits(join(folder, "src/learn"));
  const out = join(folder, "learners");
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const sources = ["src", "targets/moddable", "node_modules/@moddable/typings"];
  const names = memberNames(root, sources);
  const { own, others } = names;
  const board = "./targets/moddable/run-node.js";
  const boardModule = { name: "board.js", contents: `export * from "${board}";`, others };
  const mqtt = 'export { openMqtt } from "./targets/moddable/mqtt-wire.js";';
  // Both hand objects of their classes to a learner's module, and are handed its.
  const shared = new Set();
  const isFree = (name) => !shared.has(name);
  const edges = [];
  for (const module of [boardModule, { name: "mqtt.js", contents: mqtt, own, others }]) {
    const { code, edge } = await firmwareModule(folder, module);
    writeFileSync(join(folder, module.name), code);
    edges.push(edge);
    for (const property of propertiesOf(code)) shared.add(property);
  }
  writeFileSync(join(folder, "board.d.ts"), `export * from "${board}";\n`);
  for (const name of shared) names.methods.delete(name);
  const inner = names.inner.filter((name) => !own.includes(name));
  const { SELF_TEST_ITEMS } = await import(pathToFileURL(join(folder, "src/selftest/calls.js")).href);
  const primitives = SELF_TEST_ITEMS.slice(0, -1);
  const firmwares = {};
  const wanted = (await families(folder)).filter(({ name }) => only?.includes(name) ?? true);
  const next = progressOf(say, "learners' modules", wanted.length);
  for (const { name, text, options } of wanted) {
    const isOwn = (one) => isFree(one) && !options.includes(one);
    const { code, edge } = await firmwareModule(folder, {
      name: `learners/${name}.js`,
      contents: text,
      methods: names.methods,
      own: [...own.filter(isOwn), ...PLAN_NAMES],
      inner: inner.filter(isOwn),
      others: shared,
      isLearner: true,
    });
    holdTogether([...edges, edge]);
    const linked = linkedPrimitives(root, primitives, code);
    firmwares[name] = linked;
    writeFileSync(join(out, `${name}.js`), code);
    writeFileSync(join(out, `${name}-test.c`), selfTestOf(name, primitives, linked));
    const modules = { "*": `./${name}-test`, [`${LEARNERS}/${name}`]: `./${name}` };
    const manifest = { modules, preload: [`${LEARNERS}/*`] };
    writeFileSync(join(out, `${name}.json`), `${JSON.stringify(manifest, null, 2)}\n`);
    next();
  }
  return tableOf(primitives, firmwares);
}
