// Shrinks a bundle in XS's tables without changing its behaviour. A slot takes 16 bytes of flash.
import ts from "typescript-5";
import { parse } from "./syntax.mjs";

/** Whether a function uses its own `this` or `arguments`, which an arrow function lacks. */
function isBound(node) {
  if (node.kind === ts.SyntaxKind.ThisKeyword || (ts.isIdentifier(node) && node.text === "arguments"))
    return true;
  if (ts.isClassLike(node) || ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node)) return false;
  return ts.forEachChild(node, isBound) ?? false;
}

/** Adds the names used with `new` to `found`. */
function namesMade(node, found) {
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) found.add(node.expression.text);
  ts.forEachChild(node, (child) => {
    namesMade(child, found); // a value would end the loop
  });
  return found;
}

/** Replaces parts of a text: [start, end, replacement]. */
function edited(text, edits) {
  const last = [...edits].sort((one, other) => other[0] - one[0]);
  return last.reduce((all, [start, end, by]) => all.slice(0, start) + by + all.slice(end), text);
}

/** Restores `const`, which a bundle loses: variables that can change are kept in RAM. */
export function withConst(text) {
  return text.replace(/^var (\w+ = )/gm, "const $1");
}

/** Deletes each class's `constructor` of its prototype, a slot that nothing reads, when the module is linked. */
export function withoutConstructors(text) {
  const names = [...text.matchAll(/^const (\w+) = class\b/gm)].map(([, name]) => `${name}.prototype`);
  return names.length === 0
    ? text
    : `${text}\nfor (const one of [${names.join(", ")}]) delete one.constructor;\n`;
}

/** Marks tables as removable where nothing uses them: `frozen` has no other effect. */
export function withPureTables(text) {
  return text.replace(/^(const \w+ = )(?=frozen\()/gm, "$1/* @__PURE__ */ ");
}

/**
 * Turns the module's functions into arrow functions, in front of everything else: other functions have a
 * prototype of three slots.
 */
export function withArrows(text) {
  const arrows = [];
  const edits = [];
  const tree = parse(text);
  const made = namesMade(tree, new Set());
  for (const node of tree.statements) {
    if (!ts.isFunctionDeclaration(node) || node.asteriskToken) continue;
    if (isBound(node.body) || made.has(node.name.text)) continue;
    const isAsync = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
    const { parameters, body } = node;
    const given = `(${parameters.map((one) => one.getText()).join(", ")})`;
    arrows.push(`const ${node.name.text} = ${isAsync ? "async " : ""}${given} => ${body.getText()};`);
    edits.push([node.getStart(), node.end, ""]);
  }
  return `${arrows.join("\n")}\n${edited(text, edits)}`;
}
