// Shrinks a bundle in XS's tables without changing its behaviour. A slot takes 16 bytes of flash.
import ts from "typescript-5";
import { applyEdits, byPlace, type Edit, partWith } from "./edited.ts";
import { namesBy, parse } from "./syntax.ts";

/** True if a function uses its own `this` or `arguments`, which an arrow function lacks. */
function isBound(node: ts.Node): boolean {
  if (node.kind === ts.SyntaxKind.ThisKeyword || (ts.isIdentifier(node) && node.text === "arguments"))
    return true;
  if (ts.isClassLike(node) || ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node)) return false;
  return ts.forEachChild(node, isBound) ?? false;
}

/** The names used with `new`. */
const namesMade = namesBy((node, found) => {
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) found.add(node.expression.text);
});

/**
 * Turns the module's functions into arrow functions, in front of everything else: other functions have a
 * prototype of three slots. Applies `more` edits too.
 */
export function withArrows(text: string, more: readonly Edit[] = []): string {
  const arrows: string[] = [];
  const edits: Edit[] = [];
  const tree = parse(text);
  const made = namesMade(tree);
  for (const node of tree.statements) {
    if (!ts.isFunctionDeclaration(node) || !node.name || !node.body || node.asteriskToken) continue;
    if (isBound(node.body) || made.has(node.name.text)) continue;
    const isAsync = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
    const options = `(${node.parameters.map((one) => one.getText()).join(", ")})`;
    arrows.push(
      `const ${node.name.text} = ${isAsync ? "async " : ""}${options} => ${partWith(text, node.body.getStart(), node.body.end, more)};`,
    );
    edits.push([node.getStart(), node.end, ""]);
  }
  const isOutside = (one: Edit) => !edits.some(([start, end]) => one[0] >= start && one[1] <= end);
  return `${arrows.join("\n")}\n${applyEdits(text, [...edits, ...more.filter(isOutside)].sort(byPlace))}`;
}
