// Removes methods of a class that nothing names; a bundler keeps every method of a class.
import ts from "typescript-5";
import { edited } from "./edited.mjs";

/** Whether it uses a property, without declaring it. */
function isUse(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) return (parent.propertyName ?? parent.name) === node;
  return false;
}

/** The names of properties that a source uses, by name or in a text. */
function namesUsed(node, used) {
  if (ts.isIdentifier(node) && isUse(node)) used.add(node.text);
  if (ts.isStringLiteralLike(node)) for (const word of node.text.split(/\W+/)) used.add(word);
  ts.forEachChild(node, (child) => {
    namesUsed(child, used);
  });
  return used;
}

/** The class of that name, a constant in a bundle. */
function classNamed(tree, name) {
  const declared = tree.statements
    .filter(ts.isVariableStatement)
    .flatMap((one) => one.declarationList.declarations);
  const found = declared.find((one) => one.name.text === name)?.initializer;
  if (!found || !ts.isClassLike(found)) throw new Error(`unused.mjs: no class ${name} in the bundle`);
  return found;
}

/**
 * The bundle's text without the methods of that class that the bundle doesn't name, for a class that no
 * program sees.
 */
export function withoutUnused(text, name) {
  const tree = ts.createSourceFile("bundle.js", text, ts.ScriptTarget.ES2022, true);
  const used = namesUsed(tree, new Set());
  const unused = classNamed(tree, name).members.filter(
    (one) => ts.isMethodDeclaration(one) && !used.has(one.name.text),
  );
  return edited(
    text,
    unused.map((node) => [node.getFullStart(), node.end, ""]),
  );
}
