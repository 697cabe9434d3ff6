// Leaves out members of classes that nothing names: a bundler keeps every method of a class that it keeps.
import ts from "typescript-5";

const isMember = (node) =>
  ts.isMethodDeclaration(node) || ts.isGetAccessorDeclaration(node) || ts.isSetAccessorDeclaration(node);

/** Whether it says which property of an object is meant, without giving it to one. */
function isUse(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) return (parent.propertyName ?? parent.name) === node;
  return false;
}

/** The names of properties in a source: those that are used, by a name or in a text. */
function namesUsed(node, used) {
  if (ts.isIdentifier(node) && isUse(node)) used.add(node.text);
  if (ts.isStringLiteralLike(node)) for (const word of node.text.split(/\W+/)) used.add(word);
  ts.forEachChild(node, (child) => {
    namesUsed(child, used);
  });
  return used;
}

/** Where members of classes stand whose names aren't among those. */
function unusedIn(node, used, found) {
  if (ts.isClassLike(node)) {
    for (const member of node.members) {
      if (isMember(member) && ts.isIdentifier(member.name) && !used.has(member.name.text)) found.push(member);
    }
  }
  ts.forEachChild(node, (child) => {
    unusedIn(child, used, found);
  });
  return found;
}

/** The text of a bundle without its classes' methods and accessors that neither it nor `known` names. */
export function withoutUnused(text, known) {
  const tree = ts.createSourceFile("bundle.js", text, ts.ScriptTarget.ES2022, true);
  const unused = unusedIn(tree, namesUsed(tree, new Set(known)), []);
  return unused.reduceRight((all, node) => all.slice(0, node.getFullStart()) + all.slice(node.end), text);
}
