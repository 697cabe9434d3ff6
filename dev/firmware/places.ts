// Where statements can stand in the place of a call.
import ts from "typescript-5";

/** How the place of a call takes its value. */
export interface Place {
  readonly kind: "nothing" | "return" | "if" | "assign" | "declare";
  readonly statement: ts.Node;
  /** What gets the value. */
  readonly target?: string;
  /** The part of the statement that is the value. */
  readonly condition?: ts.Node;
  /** True if the function ends with it. */
  readonly isLast?: boolean;
}

const isNot = (node: ts.Node) =>
  ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken;

/** An assignment that is a statement. */
function assigning(parent: ts.Node, at: ts.Node): Place | undefined {
  if (!ts.isBinaryExpression(parent) || parent.right !== at) return undefined;
  const { left, operatorToken, parent: statement } = parent;
  if (operatorToken.kind !== ts.SyntaxKind.EqualsToken || !ts.isExpressionStatement(statement))
    return undefined;
  const isPlain =
    ts.isIdentifier(left) ||
    (ts.isPropertyAccessExpression(left) &&
      (left.expression.kind === ts.SyntaxKind.ThisKeyword || ts.isIdentifier(left.expression)));
  return isPlain ? { kind: "assign", statement, target: left.getText() } : undefined;
}

/** A declaration that is a statement of a block. */
function declaring(parent: ts.Node): Place | undefined {
  if (!ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name)) return undefined;
  const list = parent.parent;
  if (!ts.isVariableDeclarationList(list) || list.declarations.length !== 1) return undefined;
  const statement = list.parent;
  if (!ts.isVariableStatement(statement)) return undefined;
  if (!ts.isBlock(statement.parent) && !ts.isCaseOrDefaultClause(statement.parent)) return undefined;
  return { kind: "declare", statement, target: parent.name.text };
}

/** The place of a call; undefined: it has none for statements. */
export function placeOf(call: ts.Node): Place | undefined {
  let at = call;
  while (ts.isParenthesizedExpression(at.parent)) at = at.parent;
  const { parent } = at;
  if (ts.isExpressionStatement(parent)) return { kind: "nothing", statement: parent };
  if (ts.isReturnStatement(parent)) return { kind: "return", statement: parent };
  if (ts.isArrowFunction(parent) && parent.body === at)
    return { kind: "return", statement: at, isLast: true };
  const whole = isNot(parent) ? parent : at;
  if (ts.isIfStatement(whole.parent) && whole.parent.expression === whole)
    return { kind: "if", statement: whole.parent, condition: at };
  return assigning(parent, at) ?? declaring(parent);
}
