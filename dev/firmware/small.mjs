// Puts small functions in all of their places.
import ts from "typescript-5";
import { indexOf, isMovable, namedFunctions, namedMembers } from "./calls.mjs";
import { edited } from "./edited.mjs";
import { asExpression, byPlace, meansTheSame } from "./inlined.mjs";
import { eachNode, isPropertyName, onlyExpression, parse, within } from "./syntax.mjs";

/** About how many bytes of bytecode an expression takes. */
function codeOf(root) {
  let bytes = 0;
  eachNode(root, (node) => {
    if (ts.isPropertyAccessExpression(node)) bytes += 3;
    else if (ts.isIdentifier(node)) bytes += isPropertyName(node) || node.parent.name === node ? 0 : 2;
    else if (ts.isNumericLiteral(node))
      bytes += Number.isInteger(Number(node.text))
        ? Number(node.text) < 128
          ? 2
          : Number(node.text) < 32768
            ? 3
            : 5
        : 9;
    else if (ts.isStringLiteralLike(node)) bytes += 3 + node.text.length;
    else if (ts.isCallExpression(node)) bytes += 4;
    else if (ts.isConditionalExpression(node)) bytes += 6;
    else if (ts.isBinaryExpression(node))
      bytes += [
        ts.SyntaxKind.AmpersandAmpersandToken,
        ts.SyntaxKind.BarBarToken,
        ts.SyntaxKind.QuestionQuestionToken,
      ].includes(node.operatorToken.kind)
        ? 5
        : 1;
    else bytes += 1;
  });
  return bytes;
}

/** Bytes that a function takes besides its expression: slots, entry and end. */
const FUNCTION_BYTES = 60;

/** Bytes of its environment, and of each name in it. */
const ENVIRONMENT_BYTES = 32;

const CLOSURE_BYTES = 16;

/** Names of the module that an expression takes. */
function moduleNames(root, tops) {
  const names = new Set();
  eachNode(root, (node) => {
    if (ts.isIdentifier(node) && !isPropertyName(node) && tops.has(node.text)) names.add(node.text);
  });
  return names;
}

/** Whether the module is smaller with the expression of a function in all of its places. */
function isWorthwhile({ fn, uses }, expression, tops) {
  const own = codeOf(expression);
  const names = moduleNames(expression, tops);
  let saved = FUNCTION_BYTES + own + (names.size > 0 ? ENVIRONMENT_BYTES + CLOSURE_BYTES * names.size : 0);
  for (const { args, receiver } of uses) {
    const given = [...args].reduce((sum, one) => sum + codeOf(one), 0);
    const called = receiver ? codeOf(receiver) + (ts.isGetAccessor(fn) ? 3 : 8) : 6;
    saved -= own + given + CLOSURE_BYTES * names.size - called - given;
  }
  return saved > 0;
}

/** One round of small functions: those that are one expression, in all of their places. */
function smallRound(text, isOwn) {
  const tree = parse(text);
  const index = indexOf(tree);
  const tops = new Set(
    tree.statements.flatMap((one) =>
      ts.isVariableStatement(one) ? one.declarationList.declarations.map(({ name }) => name.text) : [],
    ),
  );
  const edits = [];
  const touched = [];
  for (const found of [...namedFunctions(tree, index), ...namedMembers(tree, index, isOwn)]) {
    const { declared, fn, uses } = found;
    const expression = onlyExpression(fn);
    if (!expression || uses.length < 2 || !isMovable(fn) || !isWorthwhile(found, expression, tops)) continue;
    const own = uses.map((use) => {
      const one = { ...found, ...use };
      if (within(use.call, declared) || !meansTheSame(one)) return undefined;
      return asExpression(text, one, expression);
    });
    if (own.includes(undefined)) continue;
    const spans = [...own.flat(), [declared.getFullStart(), declared.end, ""]];
    const overlaps = (one) => touched.some((other) => one[0] < other[1] && other[0] < one[1]);
    const isNested = own
      .flat()
      .some((one, i) => own.flat().some((other, j) => i !== j && one[0] < other[1] && other[0] < one[1]));
    if (isNested || spans.some(overlaps)) continue;
    touched.push(...spans);
    edits.push(...spans);
  }
  return edits.length === 0 ? undefined : edited(text, edits.sort(byPlace));
}

/** The module with small functions in all of their places. */
export function withoutSmall(text, isOwn) {
  let before = text;
  for (;;) {
    const after = smallRound(before, isOwn);
    if (after === undefined) return before;
    before = after;
  }
}
