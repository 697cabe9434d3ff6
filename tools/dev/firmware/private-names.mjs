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

/** Adds the names in a source to those that are private, and to the others: texts might be names, too; and to methods' and all others. */
function namesIn(node, own, others, methods, fields) {
  if (isMember(node) && node.name) {
    (isPrivate(node) ? own : others).add(node.name.text);
    (isMethod(node) ? methods : fields).add(node.name.text);
  }
  if (ts.isStringLiteralLike(node)) for (const word of node.text.split(".")) others.add(word);
  ts.forEachChild(node, (child) => {
    namesIn(child, own, others, methods, fields);
  });
}

/**
 * Of the sources in those folders the names that are private wherever they stand, all others that they give to something, and names that
 * nothing has but methods of their classes.
 */
export function memberNames(folders) {
  const own = new Set();
  const others = new Set();
  const methods = new Set();
  const fields = new Set();
  for (const folder of folders) {
    for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".ts"))) {
      const text = readFileSync(join(folder, file), "utf8");
      namesIn(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true), own, others, methods, fields);
    }
  }
  const known = builtInNames();
  const isOwn = (name) => name && !others.has(name) && !known.has(name);
  const isOurs = (name) => name && !fields.has(name) && !known.has(name);
  return { own: [...own].filter(isOwn).sort(), others, methods: new Set([...methods].filter(isOurs)) };
}
