// Bundles the modules of a board's firmware from dist/moddable, made small for XS's tables: `board.js`,
// imported as motelearn/board; `mqtt.js` or `mqtt-ethernet.js`, as motelearn/mqtt, for a node over MQTT, and
// `tls.js` for its TLS; and for each learner learners/NAME.js, with its family and the code that runs its
// node. A firmware has one of them, by its manifest, learners/NAME.json. A module's record takes slots, and
// so does each name that it exports or imports.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin, transform } from "esbuild";
import ts from "typescript-5";
import type { Family } from "../../src/learn/family.ts";
import { compareSurfaces, type Edge, holdTogether, readSurface } from "./crossing.ts";
import { propertyNames, textProperties, withEngineNames } from "./engine-names.ts";
import { inlineCalls } from "./inlined.ts";
import { callsIn, linkedPrimitives, linkedTable, selfTestText } from "./linked.ts";
import { withNumbers } from "./numbers.ts";
import { ofParts, PLAN_NAMES } from "./parts.ts";
import { type MemberNames, memberNames } from "./private-names.ts";
import { withArrows } from "./slim.ts";
import { parse } from "./syntax.ts";
import { omitTraits } from "./traits.ts";
import { removalsOfUnused } from "./unused.ts";

const LEARNERS = "motelearn/learners";
const MODULES = "motelearn/dist/moddable";
const FORM = { format: "esm", target: "es2022", logLevel: "silent" } as const;

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

/** Resolves imports as on a board with its modules in `folder`; `moddable`: what takes their place. Imports of the SDK stay. */
function onBoard(folder: string, moddable: string): Plugin {
  const standIns = new Map([...STAND_INS].map(([file, by]) => [join(folder, file), join(moddable, by)]));
  return {
    name: "on board",
    setup({ onResolve }) {
      onResolve({ filter: /.*/ }, ({ path, resolveDir, kind }) => {
        if (kind === "dynamic-import") return { path, external: true };
        if (path === "motelearn/import-module") return { path: join(moddable, "import-module.js") };
        if (path.startsWith(MODULES)) return { path: join(folder, `${path.slice(MODULES.length + 1)}.js`) };
        if (path.startsWith(moddable)) return { path };
        if (!path.startsWith(".")) return { path, external: true };
        const file = join(resolveDir, path);
        return { path: standIns.get(file) ?? file };
      });
    },
  };
}

/** The folders of the project, of dist/moddable and of what boards share. */
interface Folders {
  readonly root: string;
  readonly folder: string;
  readonly moddable: string;
}

/** A module of a firmware: its text lies in dist/moddable. */
interface Source {
  readonly name: string;
  readonly contents: string;
  /** Properties that only the module knows, which get other names. */
  readonly inner?: readonly string[];
  /** Names that others know: methods in C that have one stay. */
  readonly others: ReadonlySet<string>;
  /** Methods that no other module calls, which may stand in the place of their calls. */
  readonly methods?: ReadonlySet<string>;
  /** Has it carry the parts of a node that its configuration asks for. */
  readonly parts: Plugin;
}

/** Bundles a module as a board gets it. Returns its code, and its edge: see crossing.ts. */
async function firmwareModule(
  { folder, moddable }: Folders,
  { name, contents, inner = [], others, methods = new Set(), parts }: Source,
): Promise<{ code: string; edge: Edge }> {
  const { outputFiles, warnings } = await build({
    ...FORM,
    stdin: { contents, resolveDir: folder },
    bundle: true,
    write: false,
    plugins: [parts, onBoard(folder, moddable)],
  });
  const [{ text: bundled }] = outputFiles;
  const before = readSurface(bundled);
  const numbered = await withNumbers(bundled);
  const shaken = await transform(numbered, { ...FORM, treeShaking: true });
  const isOwn = (name: string) => methods.has(name);
  const isShared = (name: string) => others.has(name);
  const arrows = withArrows(shaken.code, removalsOfUnused(shaken.code, isOwn, isShared));
  const text = inlineCalls(arrows, isOwn);
  const names = propertyNames(text, inner, others);
  const edge = compareSurfaces(name, before, text, new Set(inner.filter((one) => names.has(one))));
  const { code, warnings: more } = await transform(text, {
    ...FORM,
    ...{ minifyIdentifiers: true, minifyWhitespace: true, treeShaking: true },
    ...(names.size > 0 && {
      mangleProps: new RegExp(`^(${[...names.keys()].join("|")})$`),
      mangleCache: Object.fromEntries(names),
    }),
  });
  for (const { text } of [...warnings, ...more]) throw new Error(text);
  return { code: withEngineNames(code), edge };
}

const REGISTRY = "src/learn/registry.js";
const BALANCED = "src/learn/balanced.js";

/**
 * A learner's family: its name, the names of its options and of its memory's regions, and the text of its module. Those names are data: a
 * checkpoint's schema has the regions'.
 */
interface FamilyModule {
  readonly name: string;
  readonly options: readonly string[];
  readonly regions: readonly string[];
  readonly text: string;
}

/** Names of the regions of a learner's memory, part by part. */
function regionNames({ options, layout }: Family): string[] {
  const { regions } = layout({ dimension: 2, ...(options.classes && { classes: 3 }) });
  return [...new Set(regions.flatMap(({ name }) => name.split(".")))];
}

/** The text of a module that exports that family of a list, as the registry offers it, and runs a node with it. */
function learnerText(list: string, module: string, i: number, moddable: string): string {
  return [
    'export { runFirmware } from "./targets/moddable/run-firmware.js";',
    `import { ${list} } from "${module}";`,
    `import { offerBalance } from "./${BALANCED}";`,
    `import { planned } from ${JSON.stringify(join(moddable, "planned.js"))};`,
    `export default planned(offerBalance(${list}[${i}]));`,
  ].join("\n");
}

function importedLists(registry: string): (readonly [list: string, module: string])[] {
  return parse(readFileSync(registry, "utf8"))
    .statements.filter(ts.isImportDeclaration)
    .flatMap((one) => {
      const named = one.importClause?.namedBindings;
      const names = named && ts.isNamedImports(named) ? named.elements.map(({ name }) => name.text) : [];
      const module = (one.moduleSpecifier as ts.StringLiteral).text;
      return names.filter((name) => /^[A-Z_]+$/.test(name)).map((name) => [name, module] as const);
    });
}

async function families({ folder, moddable }: Folders): Promise<FamilyModule[]> {
  const found: FamilyModule[] = [];
  const { offerBalance } = await import(pathToFileURL(join(folder, BALANCED)).href);
  for (const [list, module] of importedLists(join(folder, REGISTRY))) {
    const path = join(dirname(REGISTRY), module);
    const exported = await import(pathToFileURL(join(folder, path)).href);
    for (const [i, family] of exported[list].entries()) {
      const text = learnerText(list, `./${path}`, i, moddable);
      const { name, options } = offerBalance(family);
      found.push({ name, options: Object.keys(options), regions: regionNames(family), text });
    }
  }
  return found;
}

/** Writes a learner's module, its self-test and its manifest. */
function writeLearner(out: string, name: string, code: string, test: string): void {
  writeFileSync(join(out, `${name}.js`), code);
  writeFileSync(join(out, `${name}-test.c`), test);
  const modules = { "*": `./${name}-test`, [`${LEARNERS}/${name}`]: `./${name}` };
  const manifest = { modules, preload: [`${LEARNERS}/*`] };
  writeFileSync(join(out, `${name}.json`), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Writes the modules of every firmware. Both hand objects of their classes to a learner's module, and are handed its. */
async function writeShared(folders: Folders, { others }: MemberNames) {
  const board = "./targets/moddable/run-node.js";
  const mqtt = (by: string) => `export { openMqtt } from "./targets/moddable/mqtt-${by}.js";`;
  const tls = 'export { openTls } from "./targets/moddable/tls-wire.js";';
  const shared = new Set<string>();
  const edges: Edge[] = [];
  const parts = ofParts(folders.folder, folders.moddable, false);
  for (const module of [
    { name: "board.js", contents: `export * from "${board}";`, others, parts },
    { name: "mqtt.js", contents: mqtt("wifi"), others, parts },
    { name: "mqtt-ethernet.js", contents: mqtt("ethernet"), others, parts },
    { name: "tls.js", contents: tls, others, parts },
  ]) {
    const { code, edge } = await firmwareModule(folders, module);
    writeFileSync(join(folders.folder, module.name), code);
    edges.push(edge);
    for (const property of textProperties(code)) shared.add(property);
  }
  writeFileSync(join(folders.folder, "board.d.ts"), `export * from "${board}";\n`);
  return { shared, edges };
}

/**
 * Writes the firmware's modules and the learners' manifests, of those names or all. `root`: the project's folder; `folder`: dist/moddable,
 * built: it omits traits from it. Calls `written` after each of so many. Returns the table of what each links.
 */
export async function writeFirmware(
  root: string,
  folder: string,
  only?: readonly string[],
  written: (name: string, all: number) => void = () => {},
): Promise<string> {
  const folders = { root, folder, moddable: join(root, "targets/moddable") };
  await omitTraits(join(folder, "src/learn"));
  const out = join(folder, "learners");
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const names = memberNames(root, ["src", "targets/moddable", "node_modules/@moddable/typings"]);
  const { shared, edges } = await writeShared(folders, names);
  const methods = new Set([...names.methods].filter((name) => !shared.has(name)));
  const { SELF_TEST_ITEMS } = await import(pathToFileURL(join(folder, "src/selftest/calls.js")).href);
  const primitives = SELF_TEST_ITEMS.slice(0, -1);
  const firmwares: { [learner: string]: readonly string[] } = {};
  const parts = ofParts(folder, folders.moddable, true);
  const calls = callsIn(root);
  const wanted = (await families(folders)).filter(({ name }) => only?.includes(name) ?? true);
  for (const { name, text, options, regions } of wanted) {
    const isOwn = (one: string) => !shared.has(one) && !options.includes(one) && !regions.includes(one);
    const { code, edge } = await firmwareModule(folders, {
      name: `learners/${name}.js`,
      contents: text,
      methods,
      inner: [...names.inner.filter(isOwn), ...PLAN_NAMES],
      others: shared,
      parts,
    });
    holdTogether([...edges, edge]);
    const linked = linkedPrimitives(calls, primitives, code);
    firmwares[name] = linked;
    writeLearner(out, name, code, selfTestText(name, primitives, linked));
    written(name, wanted.length);
  }
  return linkedTable(primitives, firmwares);
}
