// The names of members that are private wherever a property has them: no other module, engine or file knows them, and so a
// firmware may call them anything.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript-5";

/** What a module can meet that isn't written in TypeScript here. */
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

/** The names of an object's properties, those that it inherits too. */
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

/** Whether it gives a property its name. */
function isMember(node) {
  if (ts.isParameter(node)) return (node.modifiers?.length ?? 0) > 0;
  return ts.isClassElement(node) || ts.isTypeElement(node) || ts.isObjectLiteralElementLike(node);
}

/** Adds the names in a source to those that are private, and to the others: texts might be names, too. */
function namesIn(node, own, others) {
  if (isMember(node) && node.name) (isPrivate(node) ? own : others).add(node.name.text);
  if (ts.isStringLiteralLike(node)) for (const word of node.text.split(".")) others.add(word);
  ts.forEachChild(node, (child) => {
    namesIn(child, own, others);
  });
}

/** Of the sources in those folders the names that are private wherever they stand, and all others that they give to something. */
export function memberNames(folders) {
  const own = new Set();
  const others = new Set();
  for (const folder of folders) {
    for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".ts"))) {
      const text = readFileSync(join(folder, file), "utf8");
      namesIn(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022), own, others);
    }
  }
  const known = builtInNames();
  const isOwn = (name) => name && !others.has(name) && !known.has(name);
  return { own: [...own].filter(isOwn).sort(), others };
}
