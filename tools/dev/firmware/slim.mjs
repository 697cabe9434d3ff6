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

/** Names that are declared anywhere, with how often. */
function declarations(tree) {
  const count = new Map();
  const visit = (node) => {
    const { name } = node;
    const declares =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isFunctionExpression(node) ||
      ts.isClassLike(node) ||
      ts.isImportSpecifier(node) ||
      ts.isImportClause(node);
    if (declares && name && ts.isIdentifier(name)) count.set(name.text, (count.get(name.text) ?? 0) + 1);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return count;
}

/** A number that a constant is, or undefined. */
function numberOf(node) {
  if (ts.isNumericLiteral(node)) return node.getText();
  const isMinus = ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken;
  return isMinus && ts.isNumericLiteral(node.operand) ? `(${node.getText()})` : undefined;
}

/** Whether an identifier is a name of a property, a declaration or an export, and so not a value. */
function isName(node) {
  const { parent } = node;
  if (ts.isExportSpecifier(parent)) return true;
  return parent.name === node && !ts.isShorthandPropertyAssignment(parent);
}

/** The module's constants that are numbers, where they are used: each function keeps a slot for each that it captures. */
export function withNumbers(text) {
  const tree = parse(text);
  const count = declarations(tree);
  const numbers = new Map();
  for (const { declarationList: list } of tree.statements.filter(ts.isVariableStatement)) {
    for (const { name, initializer } of list.declarations) {
      const number = initializer && numberOf(initializer);
      if (number !== undefined && count.get(name.text) === 1) numbers.set(name.text, number);
    }
  }
  const edits = [];
  const visit = (node) => {
    if (ts.isIdentifier(node) && numbers.has(node.text) && !isName(node)) {
      const by = numbers.get(node.text);
      const isShort = ts.isShorthandPropertyAssignment(node.parent);
      edits.push([node.getStart(), node.end, isShort ? `${node.text}: ${by}` : by]);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return edited(text, edits);
}
