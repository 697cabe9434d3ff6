// Leaves out methods that nothing names: a bundler keeps every method of a class that it keeps.
import ts from "typescript-5";
import type { IsOwn } from "./calls.ts";
import type { Edit } from "./edited.ts";
import { eachNode, namesBy, parse } from "./syntax.ts";

/** True if it uses a property, without declaring it. */
export function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) return (parent.propertyName ?? parent.name) === node;
  return false;
}

/** The names of properties that a source uses, by name or in a text. */
const namesUsed = namesBy((node, used) => {
  if (ts.isIdentifier(node) && isUse(node)) used.add(node.text);
  if (ts.isStringLiteralLike(node)) for (const word of node.text.split(/\W+/)) used.add(word);
});

/** True if a method calls a function in C. */
function isOfC(node: ts.MethodDeclaration | ts.AccessorDeclaration): boolean {
  const body = node.body?.getText() ?? "";
  return /\bnative\("/.test(body);
}

/**
 * The edits that remove methods which a bundle doesn't name, of those whose name is `isOwn`: no other module calls them. No other module
 * calls those in C that aren't `isShared`, though interfaces name them, too.
 */
export function removalsOfUnused(text: string, isOwn: IsOwn, isShared: IsOwn): Edit[] {
  const tree = parse(text);
  const used = namesUsed(tree);
  const edits: Edit[] = [];
  eachNode(tree, (node) => {
    const isCalled = ts.isMethodDeclaration(node) || ts.isGetAccessor(node);
    if (!isCalled || !ts.isClassLike(node.parent) || !ts.isIdentifier(node.name)) return true;
    const { text: name } = node.name;
    if (used.has(name) || !(isOwn(name) || (isOfC(node) && !isShared(name)))) return true;
    edits.push([node.getFullStart(), node.end, ""]);
    return false;
  });
  return edits;
}
