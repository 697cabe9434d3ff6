// Leaves out what a condition that is known never reaches.
import ts from "typescript-5";
import { edited } from "./edited.mjs";
import { eachNode, isReading, parse, unwrapped } from "./syntax.mjs";

const isFalse = (node) => unwrapped(node).kind === ts.SyntaxKind.FalseKeyword;
const isTrue = (node) => unwrapped(node).kind === ts.SyntaxKind.TrueKeyword;

/** The edit of a condition `a && true`, or of a statement with `a && false`; undefined: neither. */
function editOf(node) {
  if (ts.isExpressionStatement(node) && isFalse(node.expression)) return [node.getStart(), node.end, ";"];
  if (!ts.isIfStatement(node)) return undefined;
  const condition = unwrapped(node.expression);
  if (!ts.isBinaryExpression(condition) || !isReading(condition.left)) return undefined;
  if (condition.operatorToken.kind !== ts.SyntaxKind.AmpersandAmpersandToken) return undefined;
  if (isTrue(condition.right)) return [condition.left.end, condition.end, ""];
  if (!isFalse(condition.right)) return undefined;
  return [node.getStart(), node.end, node.elseStatement ? node.elseStatement.getText() : "{}"];
}

/** The module without them. */
export function folded(text) {
  const edits = [];
  eachNode(parse(text), (node) => {
    const edit = editOf(node);
    if (edit) edits.push(edit);
    return edit === undefined;
  });
  return edited(text, edits);
}
