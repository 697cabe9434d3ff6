// What makes less of a bundle in XS's tables, and changes nothing that it does. A slot takes 16 bytes of flash.
import ts from "typescript-5";

const parse = (text) => ts.createSourceFile("bundle.js", text, ts.ScriptTarget.ES2022, true);

/** Whether a function has a `this` or `arguments` of its own, which an arrow function hasn't. */
function isBound(node) {
  if (node.kind === ts.SyntaxKind.ThisKeyword || (ts.isIdentifier(node) && node.text === "arguments"))
    return true;
  if (ts.isClassLike(node) || ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node)) return false;
  return ts.forEachChild(node, isBound) ?? false;
}

/** Adds to `found` the names of what is made with `new`. */
function namesMade(node, found) {
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) found.add(node.expression.text);
  ts.forEachChild(node, (child) => {
    namesMade(child, found); // a value would end the loop
  });
  return found;
}

/** Replaces parts of a text: [start, end, by what]. */
function edited(text, edits) {
  const last = [...edits].sort((one, other) => other[0] - one[0]);
  return last.reduce((all, [start, end, by]) => all.slice(0, start) + by + all.slice(end), text);
}

/** `const` again, which a bundle loses: what can change is kept in RAM. */
export function withConst(text) {
  return text.replace(/^var (\w+ = )/gm, "const $1");
}

/** Tables marked as what may be left out where nothing asks for them: `frozen` does nothing to anything else. */
export function withPureTables(text) {
  return text.replace(/^(const \w+ = )(?=frozen\()/gm, "$1/* @__PURE__ */ ");
}

/** Functions of the module as arrow functions, in front of all else: the others have a prototype, three slots. */
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
