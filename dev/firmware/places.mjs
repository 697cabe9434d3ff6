// Where statements can stand in the place of a call.

import ts from "typescript-5";
import { isFunction, isSimple, unwrapped, within } from "./syntax.mjs";

/** What may be evaluated after a call as well as before it. */
function isLasting(node) {
  if (
    ts.isPropertyAccessExpression(node) &&
    ts.isCallExpression(node.parent) &&
    node.parent.expression === node
  )
    return isLasting(node.expression);
  return ts.isStringLiteralLike(node) || isSimple(node);
}

/** Operands that are evaluated before one of them; undefined: that one isn't always evaluated, or not once. */
function earlier(node, operand) {
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isPrefixUnaryExpression(node) ||
    ts.isSpreadElement(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isTemplateSpan(node)
  )
    return [];
  if (ts.isPropertyAccessExpression(node)) return [];
  if (ts.isBinaryExpression(node)) {
    if (node.left === operand) return [];
    const { kind } = node.operatorToken;
    const isLazy = [
      ts.SyntaxKind.AmpersandAmpersandToken,
      ts.SyntaxKind.BarBarToken,
      ts.SyntaxKind.QuestionQuestionToken,
    ].includes(kind);
    if (isLazy) return undefined;
    if (kind === ts.SyntaxKind.EqualsToken) {
      if (ts.isIdentifier(node.left)) return [];
      return ts.isPropertyAccessExpression(node.left)
        ? [node.left.expression]
        : ts.isElementAccessExpression(node.left)
          ? [node.left.expression, node.left.argumentExpression]
          : undefined;
    }
    if (kind > ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment)
      return ts.isIdentifier(node.left) ? [] : undefined;
    return [node.left];
  }
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    if (node.expression === operand) return [];
    return [node.expression, ...node.arguments.slice(0, node.arguments.indexOf(operand))];
  }
  if (ts.isElementAccessExpression(node)) return node.expression === operand ? [] : [node.expression];
  if (ts.isConditionalExpression(node)) return node.condition === operand ? [] : undefined;
  if (ts.isArrayLiteralExpression(node)) return node.elements.slice(0, node.elements.indexOf(operand));
  if (ts.isObjectLiteralExpression(node)) {
    const before = node.properties.slice(0, node.properties.indexOf(operand));
    if (!before.every((one) => ts.isPropertyAssignment(one) || ts.isShorthandPropertyAssignment(one)))
      return undefined;
    return before.map((one) => one.initializer ?? one.name);
  }
  if (ts.isTemplateExpression(node))
    return node.templateSpans.slice(0, node.templateSpans.indexOf(operand)).map((one) => one.expression);
  return undefined;
}

/** For a call within an expression: in front of its statement, if all that the statement evaluates before it lasts. */
function placeBefore(call) {
  let at = call;
  for (; ; at = at.parent) {
    const { parent } = at;
    if (ts.isStatement(parent) || ts.isVariableDeclaration(parent)) break;
    if (ts.isOptionalChain(parent)) return undefined;
    const before = earlier(parent, at);
    if (!before?.every(isLasting)) return undefined;
  }
  const { parent } = at;
  const isCondition =
    (ts.isIfStatement(parent) || ts.isForOfStatement(parent) || ts.isSwitchStatement(parent)) &&
    parent.expression === at;
  if (
    isCondition ||
    ts.isReturnStatement(parent) ||
    ts.isExpressionStatement(parent) ||
    ts.isThrowStatement(parent)
  )
    return { kind: "if", statement: parent, condition: call };
  if (!ts.isVariableDeclaration(parent)) return undefined;
  const statement = parent.parent.parent;
  if (parent.parent.declarations[0] !== parent || !ts.isVariableStatement(statement)) return undefined;
  if (!ts.isBlock(statement.parent) && !ts.isCaseOrDefaultClause(statement.parent)) return undefined;
  return { kind: "before", statement, condition: call };
}

/** How the place of a call takes its value. */
export function placeOf(call) {
  let at = call;
  while (ts.isParenthesizedExpression(at.parent)) at = at.parent;
  const { parent } = at;
  if (ts.isExpressionStatement(parent)) return { kind: "nothing", statement: parent };
  if (ts.isReturnStatement(parent)) return { kind: "return", statement: parent };
  if (ts.isArrowFunction(parent) && parent.body === at)
    return { kind: "return", statement: at, isLast: true };
  if (ts.isIfStatement(parent) && parent.expression === at)
    return { kind: "if", statement: parent, condition: at };
  if (
    ts.isPrefixUnaryExpression(parent) &&
    parent.operator === ts.SyntaxKind.ExclamationToken &&
    ts.isIfStatement(parent.parent) &&
    parent.parent.expression === parent
  )
    return { kind: "if", statement: parent.parent, condition: at };
  if (
    ts.isBinaryExpression(parent) &&
    parent.right === at &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isExpressionStatement(parent.parent)
  ) {
    const { left } = parent;
    const isPlain =
      ts.isIdentifier(left) ||
      (ts.isPropertyAccessExpression(left) &&
        (left.expression.kind === ts.SyntaxKind.ThisKeyword || ts.isIdentifier(left.expression)));
    return isPlain ? { kind: "assign", statement: parent.parent, target: left.getText() } : undefined;
  }
  if (!ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name)) return placeBefore(at);
  const list = parent.parent;
  const statement = list.parent;
  if (list.declarations.length !== 1 || !ts.isVariableStatement(statement)) return undefined;
  if (!ts.isBlock(statement.parent) && !ts.isCaseOrDefaultClause(statement.parent)) return undefined;
  return { kind: "declare", statement, target: parent.name.text };
}

const isBoolean = (given) => {
  const node = unwrapped(given);
  if (ts.isPrefixUnaryExpression(node)) return node.operator === ts.SyntaxKind.ExclamationToken;
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  const {
    EqualsEqualsEqualsToken,
    ExclamationEqualsEqualsToken,
    LessThanToken,
    LessThanEqualsToken,
    GreaterThanToken,
    GreaterThanEqualsToken,
  } = ts.SyntaxKind;
  if (
    [
      EqualsEqualsEqualsToken,
      ExclamationEqualsEqualsToken,
      LessThanToken,
      LessThanEqualsToken,
      GreaterThanToken,
      GreaterThanEqualsToken,
    ].includes(kind)
  )
    return true;
  return (
    [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken].includes(kind) &&
    isBoolean(node.left) &&
    isBoolean(node.right)
  );
};

/** Edits that make a statement of a choice that a call is part of, so that the call has a place. */
export function asChoice(call) {
  let at = call;
  while (!ts.isStatement(at.parent) && !ts.isVariableDeclaration(at.parent)) {
    if (isFunction(at.parent)) return undefined;
    at = at.parent;
  }
  const node = unwrapped(at);
  const { parent } = at;
  const text = (one) => one.getText();
  if (
    ts.isIfStatement(parent) &&
    parent.expression === at &&
    !parent.elseStatement &&
    ts.isBinaryExpression(node)
  ) {
    if (node.operatorToken.kind !== ts.SyntaxKind.AmpersandAmpersandToken || within(call, node.left))
      return undefined;
    return [[at.getStart(), at.end, `${text(node.left)}) if (${text(node.right)}`]];
  }
  const say = ts.isReturnStatement(parent)
    ? (what) => `return ${what};`
    : ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)
      ? (what) => `${parent.name.text} = ${what};`
      : undefined;
  if (!say) return undefined;
  const statement = ts.isReturnStatement(parent) ? parent : parent.parent.parent;
  const head = ts.isReturnStatement(parent) ? "" : `let ${parent.name.text}; `;
  if (
    head !== "" &&
    (parent.parent.declarations.length !== 1 ||
      !ts.isVariableStatement(statement) ||
      !(ts.isBlock(statement.parent) || ts.isCaseOrDefaultClause(statement.parent)))
  )
    return undefined;
  const choose = (condition, one, other) => [
    [
      statement.getStart(),
      statement.end,
      `${head}${head === "" ? "{ " : ""}if (${condition}) { ${say(one)} } else { ${say(other)} }${head === "" ? " }" : ""}`,
    ],
  ];
  if (ts.isConditionalExpression(node))
    return within(call, node.condition)
      ? undefined
      : choose(text(node.condition), text(node.whenTrue), text(node.whenFalse));
  if (!ts.isBinaryExpression(node) || within(call, node.left) || !isBoolean(node.left)) return undefined;
  if (node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
    return choose(text(node.left), text(node.right), "false");
  if (node.operatorToken.kind === ts.SyntaxKind.BarBarToken)
    return choose(text(node.left), "true", text(node.right));
  return undefined;
}
