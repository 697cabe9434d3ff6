// Finds names that are private wherever a property has them: no other module, engine or file knows them, so a
// firmware may rename them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript-5";

/** Objects that a module can meet from outside this project's TypeScript. */
const BUILT_IN = [
  ...[
    "Array",
    "ArrayBuffer",
    "DataView",
    "Error",
    "Float32Array",
    "Function",
    "JSON",
    "Map",
    "Math",
    "Number",
  ],
  ...["Object", "Promise", "Set", "String", "Symbol", "WeakMap"],
];

/** The names of an object's properties, with inherited ones. */
function namesOf(object) {
  return object ? [...Object.getOwnPropertyNames(object), ...namesOf(Object.getPrototypeOf(object))] : [];
}

function builtInNames() {
  const objects = BUILT_IN.flatMap((name) => [globalThis[name], globalThis[name].prototype]);
  return new Set(objects.flatMap(namesOf));
}

const isPrivate = (node) =>
  node.modifiers?.some(({ kind }) =>
    [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword].includes(kind),
  ) ?? false;

/** Whether it declares a property. */
function isMember(node) {
  if (ts.isParameter(node)) return (node.modifiers?.length ?? 0) > 0;
  return ts.isClassElement(node) || ts.isTypeElement(node) || ts.isObjectLiteralElementLike(node);
}

const isMethod = (node) =>
  (ts.isMethodDeclaration(node) || ts.isGetAccessor(node)) && ts.isClassLike(node.parent);

/**
 * Sources whose names of properties others know, and which of their declarations those are; undefined: all. They are of configurations, of
 * messages, of what a schema's hash takes, and of what an application hands over. Options of learners come with each learner.
 */
const KNOWN_OUTSIDE = [
  [/^src\/kernel\/kernel\.ts$/, ["KernelOption"]],
  [/^src\/signal\/(features|spectrum)\.ts$/, ["FeaturesOption", "SpectrumOption"]],
  [/^src\/dictionary\/grid\.ts$/, ["StorageOptions"]],
  [/^src\/memory\/layout\.ts$/, ["Region", "PlacedRegion"]],
  [/^src\/node\/node\.ts$/, ["NodeOptions"]],
  [/^src\/start\/sensors\.ts$/, ["Sensor"]],
  [/^src\/start\/sleep\.ts$/, ["SleepOptions"]],
  [/^src\/wire\/messages\.ts$/, undefined],
];

/** The name of the module's declaration around a node. */
function declarationOf(node) {
  let at = node;
  while (!ts.isSourceFile(at.parent)) at = at.parent;
  return at.name?.text;
}

/** Whether a file's declarations are of the SDK, or of what is in C. */
const ofBoards = (path) => path.startsWith("targets/") || path.startsWith("node_modules/");

/** Whether others know a member that a file declares: of the library a type's or an object's, of boards a class' too, but for functions of C. */
function isShared(node, path) {
  if (ofBoards(path)) return !isPrivate(node) && !(isMethod(node) && /\/native-\w+\.ts$/.test(path));
  if (ts.isClassLike(node.parent) || !(ts.isTypeElement(node) || ts.isObjectLiteralElementLike(node)))
    return false;
  const known = KNOWN_OUTSIDE.filter(([file]) => file.test(path));
  return known.some(([, names]) => names === undefined || names.includes(declarationOf(node)));
}

/** Adds to `names` those in a source: see `memberNames`. */
function namesIn(node, names, path) {
  const { own, others, methods, fields, members, shared } = names;
  if (isMember(node) && node.name) {
    const { text } = node.name;
    (isPrivate(node) ? own : others).add(text);
    (isMethod(node) ? methods : fields).add(text);
    (isShared(node, path) ? shared : members).add(text);
  }
  if (ts.isStringLiteralLike(node)) for (const word of node.text.split(".")) others.add(word);
  ts.forEachChild(node, (child) => {
    namesIn(child, names, path);
  });
}

/** Modules of the SDK that a learner's module imports. */
const IMPORTED = /declare module "(embedded:storage\/flash|timer|time|mc\/config)"/;

/** Whether it is a typing of modules that no learner's module imports. */
function isForeign(path, text) {
  return path.startsWith("node_modules/") && /declare module/.test(text) && !IMPORTED.test(text);
}

/**
 * Of the sources in those folders of `root`: `own`, names that are private wherever they stand; `others`, all others that they give to
 * something; `methods`, names that nothing has but methods of their classes; `inner`, names that no configuration, message, typing or other
 * module has, unless a bundle has them as a text.
 */
export function memberNames(root, folders) {
  const kinds = ["own", "others", "methods", "fields", "members", "shared"];
  const names = Object.fromEntries(kinds.map((kind) => [kind, new Set()]));
  for (const folder of folders) {
    const files = readdirSync(join(root, folder), { recursive: true });
    for (const file of files.filter((name) => name.endsWith(".ts"))) {
      const path = `${folder}/${file}`;
      const text = readFileSync(join(root, path), "utf8");
      if (isForeign(path, text)) continue;
      namesIn(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true), names, path);
    }
  }
  const known = builtInNames();
  const { own, others, methods, fields, members, shared } = names;
  const without = (all, ...left) =>
    [...all].filter((name) => name && !known.has(name) && !left.some((one) => one.has(name)));
  return {
    own: without(own, others).sort(),
    others,
    methods: new Set(without(methods, fields)),
    inner: without(members, shared).sort(),
  };
}
