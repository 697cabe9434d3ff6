// Shrinks a bundle in XS's tables without changing its behaviour. A slot takes 16 bytes of flash.
import ts from "typescript-5";
import { type Edit, edited } from "./edited.ts";
import { eachNode, parse } from "./syntax.ts";

/** True if a function uses its own `this` or `arguments`, which an arrow function lacks. */
function isBound(node: ts.Node): boolean {
  if (node.kind === ts.SyntaxKind.ThisKeyword || (ts.isIdentifier(node) && node.text === "arguments"))
    return true;
  if (ts.isClassLike(node) || ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node)) return false;
  return ts.forEachChild(node, isBound) ?? false;
}

/** The names used with `new`. */
function namesMade(tree: ts.SourceFile): Set<string> {
  const found = new Set<string>();
  eachNode(tree, (node) => {
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) found.add(node.expression.text);
  });
  return found;
}

/** Restores `const`, which a bundle loses: variables that can change are kept in RAM. */
export function withConst(text: string): string {
  const lists = parse(text)
    .statements.filter(ts.isVariableStatement)
    .map((one) => one.declarationList);
  const changing = lists.filter(
    ({ flags, declarations: [{ initializer }, ...more] }) =>
      (flags & ts.NodeFlags.BlockScoped) === 0 && initializer && more.length === 0,
  );
  return edited(
    text,
    changing.map((list): Edit => [list.getStart(), list.getStart() + "var".length, "const"]),
  );
}

/**
 * Turns the module's functions into arrow functions, in front of everything else: other functions have a
 * prototype of three slots.
 */
export function withArrows(text: string): string {
  const arrows: string[] = [];
  const edits: Edit[] = [];
  const tree = parse(text);
  const made = namesMade(tree);
  for (const node of tree.statements) {
    if (!ts.isFunctionDeclaration(node) || !node.name || !node.body || node.asteriskToken) continue;
    if (isBound(node.body) || made.has(node.name.text)) continue;
    const isAsync = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
    const options = `(${node.parameters.map((one) => one.getText()).join(", ")})`;
    arrows.push(`const ${node.name.text} = ${isAsync ? "async " : ""}${options} => ${node.body.getText()};`);
    edits.push([node.getStart(), node.end, ""]);
  }
  return `${arrows.join("\n")}\n${edited(text, edits)}`;
}
