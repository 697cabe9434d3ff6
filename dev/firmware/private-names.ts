// Finds names that are private wherever a property has them: no other module, engine or file knows them, so a
// firmware may rename them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript-5";
import { eachNode } from "./syntax.ts";

/** Objects that a module can meet from outside this project's TypeScript. */
const BUILT_IN = [
  ...[Array, ArrayBuffer, DataView, Error, Float32Array, Function, Map, Number, Object, Promise, Set, String],
  ...[Symbol, WeakMap],
];

/** The names of an object's properties, with inherited ones. */
function propertyNames(object: object | null): string[] {
  return object
    ? [...Object.getOwnPropertyNames(object), ...propertyNames(Object.getPrototypeOf(object))]
    : [];
}

const builtInNames = () =>
  new Set([JSON, Math, ...BUILT_IN, ...BUILT_IN.map(({ prototype }) => prototype)].flatMap(propertyNames));

type Member = ts.ParameterDeclaration | ts.ClassElement | ts.TypeElement | ts.ObjectLiteralElementLike;

const PRIVATE = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;

const isPrivate = (node: Member) => (ts.getCombinedModifierFlags(node as ts.Declaration) & PRIVATE) !== 0;

function isMember(node: ts.Node): node is Member {
  if (ts.isParameter(node)) return (node.modifiers?.length ?? 0) > 0;
  return ts.isClassElement(node) || ts.isTypeElement(node) || ts.isObjectLiteralElementLike(node);
}

const isMethod = (node: ts.Node) =>
  (ts.isMethodDeclaration(node) || ts.isGetAccessor(node)) && ts.isClassLike(node.parent);

/**
 * Sources whose names of properties others know, and which of their declarations those are; undefined: all. They are of configurations, of
 * messages, of what a schema's hash takes, and of what an application hands over. Options of learners come with each learner.
 */
const KNOWN_OUTSIDE: readonly (readonly [file: RegExp, names?: readonly string[]])[] = [
  [/^src\/kernel\/kernel\.ts$/, ["KernelOption"]],
  [/^src\/signal\/(features|spectrum)\.ts$/, ["FeaturesOption", "SpectrumOption"]],
  [/^src\/dictionary\/grid\.ts$/, ["StorageOptions"]],
  [/^src\/memory\/layout\.ts$/, ["Region", "PlacedRegion"]],
  [/^src\/node\/node-options\.ts$/, ["NodeOptions"]],
  [/^src\/start\/sensors\.ts$/, ["Sensor"]],
  [/^src\/start\/sleep\.ts$/, ["SleepOptions"]],
  [/^src\/wire\/messages\.ts$/],
];

/** The name of the module's declaration around a node. */
function enclosingDeclaration(node: ts.Node): string | undefined {
  let at: ts.Node & { readonly name?: ts.Node } = node;
  while (!ts.isSourceFile(at.parent)) at = at.parent;
  return at.name?.getText();
}

/** True if a file's declarations are of the SDK, or of what is in C. */
const ofBoards = (path: string) => path.startsWith("targets/") || path.startsWith("node_modules/");

/** True if others know a member that a file declares: of the library a type's or an object's, of boards a class' too, but for functions of C. */
function isShared(node: Member, path: string): boolean {
  if (ofBoards(path)) return !isPrivate(node) && !(isMethod(node) && /\/native-\w+\.ts$/.test(path));
  if (ts.isClassLike(node.parent) || !(ts.isTypeElement(node) || ts.isObjectLiteralElementLike(node)))
    return false;
  const known = KNOWN_OUTSIDE.filter(([file]) => file.test(path));
  return known.some(([, names]) => names?.includes(enclosingDeclaration(node) ?? "") ?? true);
}

/** Names of members in sources, by what has them. */
interface Names {
  readonly others: Set<string>;
  readonly methods: Set<string>;
  readonly fields: Set<string>;
  readonly members: Set<string>;
  readonly shared: Set<string>;
}

/** Adds to `names` those in a source: see `memberNames`. */
function namesIn(source: ts.Node, names: Names, path: string): void {
  const { others, methods, fields, members, shared } = names;
  eachNode(source, (node) => {
    if (isMember(node) && node.name) {
      const { text } = node.name as ts.Identifier;
      if (!isPrivate(node)) others.add(text);
      (isMethod(node) ? methods : fields).add(text);
      (isShared(node, path) ? shared : members).add(text);
    }
    if (ts.isStringLiteralLike(node)) for (const word of node.text.split(".")) others.add(word);
  });
}

/** Modules of the SDK that a learner's module imports. */
const IMPORTED = /declare module "(embedded:storage\/flash|timer|time|mc\/config)"/;

/** True if it is a typing of modules that no learner's module imports. */
function isForeign(path: string, text: string) {
  return path.startsWith("node_modules/") && /declare module/.test(text) && !IMPORTED.test(text);
}

export interface MemberNames {
  /** Names that the sources give to something that isn't private. */
  readonly others: Set<string>;
  /** Names that nothing has but methods of their classes. */
  readonly methods: Set<string>;
  /** Names that no configuration, message, typing or other module has, unless a bundle has them as a text. */
  readonly inner: readonly string[];
}

/** Those of the sources in those folders of `root`. */
export function memberNames(root: string, folders: readonly string[]): MemberNames {
  const set = () => new Set<string>();
  const names = { others: set(), methods: set(), fields: set(), members: set(), shared: set() };
  for (const folder of folders) {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => name.endsWith(".ts"))) {
      const path = `${folder}/${file}`;
      const text = readFileSync(join(root, path), "utf8");
      if (isForeign(path, text)) continue;
      namesIn(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true), names, path);
    }
  }
  const known = builtInNames();
  const { others, methods, fields, members, shared } = names;
  const without = (all: ReadonlySet<string>, ...left: readonly ReadonlySet<string>[]) =>
    [...all].filter((name) => name && !known.has(name) && !left.some((one) => one.has(name)));
  return {
    others,
    methods: new Set(without(methods, fields)),
    inner: without(members, shared).sort(),
  };
}
