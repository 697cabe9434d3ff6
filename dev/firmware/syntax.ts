// What the syntax of a module says of its names and expressions.
import ts from "typescript-5";

const tree = (text: string) => ts.createSourceFile("bundle.js", text, ts.ScriptTarget.ES2022, true);

/** Statements of a text, all nodes of them, and where in the last module that held it they lie. */
interface TextSyntax {
  readonly statements: readonly ts.Statement[];
  readonly nodes: readonly ts.Node[];
  at: number;
}

/** So many characters are kept parsed, and at most as many of those before: what several modules share. */
const KEPT_MOST = 1 << 21;
let kept = new Map<string, TextSyntax>();
let before = new Map<string, TextSyntax>();
let characters = 0;

/** The statements of a part of a module, at that place. Undefined: they don't end with it. */
function parsedPart(text: string, at: number): TextSyntax | undefined {
  const known = kept.get(text) ?? before.get(text);
  if (known) return moveNodes(known, at);
  const file: ts.SourceFile & { readonly parseDiagnostics?: readonly unknown[] } = tree(text);
  if (file.parseDiagnostics?.length !== 0) return undefined;
  const nodes: ts.Node[] = [];
  for (const statement of file.statements) eachNode(statement, (node) => nodes.push(node));
  return moveNodes({ statements: file.statements, nodes, at: 0 }, at);
}

function moveNodes(parsed: TextSyntax, at: number): TextSyntax {
  const by = at - parsed.at;
  if (by !== 0)
    for (const node of parsed.nodes) ts.setTextRange(node, { pos: node.pos + by, end: node.end + by });
  parsed.at = at;
  return parsed;
}

/** Keeps a part for the next modules. */
function keep(text: string, parsed: TextSyntax): void {
  if (kept.has(text)) return;
  if (characters > KEPT_MOST) [before, kept, characters] = [kept, new Map(), 0];
  kept.set(text, parsed);
  characters += text.length;
}

/** A module's text, cut before each line that begins a statement: what is within one is indented, or closes it. */
const splitStatements = (text: string) => text.split(/(?=\n(?:\/\/|[^\s)}\]/]))/);

/** The tree of a module whose statements, but for a few, were parsed for others. Undefined: its lines don't show where they begin. */
function composeTree(text: string): ts.SourceFile | undefined {
  const taken = new Set<ts.Statement>();
  let at = 0;
  for (const part of splitStatements(text)) {
    const parsed = parsedPart(part, at);
    if (!parsed || parsed.statements.some((one) => taken.has(one))) return undefined;
    for (const one of parsed.statements) taken.add(one);
    keep(part, parsed);
    at += part.length;
  }
  const statements = [...taken];
  const file = Object.assign(tree(""), { text, end: text.length, statements });
  for (const statement of statements) Object.assign(statement, { parent: file });
  return file;
}

let last = { text: "", tree: tree("") };

/**
 * The tree of a module's text, until the next is asked for: both may share statements. A pass often leaves the text as it was, and the next
 * one gets the same tree.
 */
export function parse(text: string): ts.SourceFile {
  if (text !== last.text) last = { text, tree: composeTree(text) ?? tree(text) };
  return last.tree;
}

/** The same function, which reads each node once for all trees that share it. */
export function once<Of extends ts.Node, T>(read: (node: Of) => T): (node: Of) => T {
  const known = new WeakMap<Of, T>();
  return (node) => {
    const found = known.get(node) ?? read(node);
    known.set(node, found);
    return found;
  };
}

/** All names that a function finds in a tree's statements. */
export function namesBy(
  add: (node: ts.Node, found: Set<string>) => void,
): (file: ts.SourceFile) => Set<string> {
  const statementNames = once((statement: ts.Statement) => {
    const found = new Set<string>();
    eachNode(statement, (node) => add(node, found));
    return found;
  });
  return ({ statements }) => new Set(statements.flatMap((one) => [...statementNames(one)]));
}

type FunctionNode =
  | ts.ArrowFunction
  | ts.FunctionExpression
  | ts.FunctionDeclaration
  | ts.MethodDeclaration
  | ts.AccessorDeclaration
  | ts.ConstructorDeclaration;

type MaybeNamed = ts.Node & { readonly name?: ts.Node };

/** Calls `visit` with a node and all below it, until it returns false. */
export function eachNode(node: ts.Node, visit: (node: ts.Node) => unknown): void {
  if (visit(node) === false) return;
  ts.forEachChild(node, (child) => {
    eachNode(child, visit);
  });
}

export const isFunction = (node: ts.Node): node is FunctionNode =>
  ts.isArrowFunction(node) ||
  ts.isFunctionExpression(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isAccessor(node) ||
  ts.isConstructorDeclaration(node);

/** True if an identifier names a property. */
export function isPropertyName(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  if (ts.isShorthandPropertyAssignment(parent)) return false;
  return (ts.isObjectLiteralElementLike(parent) || ts.isClassElement(parent)) && parent.name === node;
}

/** True if an identifier is a variable and, by the same text, the name of a property: `{ a }`, or `const { a } = b`. */
export function isShorthand(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isShorthandPropertyAssignment(parent) ||
    (ts.isBindingElement(parent) &&
      ts.isObjectBindingPattern(parent.parent) &&
      parent.propertyName === undefined &&
      parent.name === node &&
      !parent.dotDotDotToken)
  );
}

/** True if an identifier is where a variable gets its name. */
export function isDeclaration(node: ts.Node): boolean {
  const { parent } = node;
  if ((parent as MaybeNamed).name !== node || isPropertyName(node)) return false;
  return (
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent) ||
    ts.isFunctionLike(parent) ||
    ts.isClassLike(parent) ||
    ts.isImportClause(parent) ||
    ts.isImportSpecifier(parent)
  );
}

/** True if it stands in a pattern on the left of an assignment: `[a, b] = ...`. */
function isInPattern(node: ts.Node): boolean {
  let at = node;
  while (
    ts.isArrayLiteralExpression(at.parent) ||
    ts.isObjectLiteralExpression(at.parent) ||
    ts.isPropertyAssignment(at.parent) ||
    ts.isShorthandPropertyAssignment(at.parent) ||
    ts.isSpreadElement(at.parent)
  )
    at = at.parent;
  if (at === node && !ts.isForOfStatement(at.parent)) return false;
  if (ts.isForOfStatement(at.parent)) return at.parent.initializer === at;
  return (
    ts.isBinaryExpression(at.parent) &&
    at.parent.left === at &&
    at.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
  );
}

/** True if an identifier is given a value after it was declared. */
export function isAssigned(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent))
    return [ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken].includes(parent.operator);
  if (!ts.isBinaryExpression(parent) || parent.left !== node) return isInPattern(node);
  const { kind } = parent.operatorToken;
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** The outermost function, a method or a function of the module, around a node. */
export function outerFunction(node: ts.Node): FunctionNode | undefined {
  let found: FunctionNode | undefined;
  for (let at: ts.Node = node.parent; at; at = at.parent) if (isFunction(at)) found = at;
  return found;
}

export const within = (node: ts.Node, outer: ts.Node) => node.pos >= outer.pos && node.end <= outer.end;

/** Names that are declared below a node. */
export const declaredIn = once((node: ts.Node): ReadonlySet<string> => {
  const names = new Set<string>();
  eachNode(node, (one) => {
    if (ts.isIdentifier(one) && isDeclaration(one)) names.add(one.text);
  });
  return names;
});

export function withoutParentheses(node: ts.Node): ts.Node {
  let at = node;
  while (ts.isParenthesizedExpression(at)) at = at.expression;
  return at;
}

/** True if the variable of that name is given another value within a node. */
export function isWritten(within: ts.Node, name: string): boolean {
  let found = false;
  eachNode(within, (one) => {
    if (ts.isIdentifier(one) && one.text === name && !isPropertyName(one) && isAssigned(one)) found = true;
  });
  return found;
}

/** True if a variable is written in the function around that place; one of the module is a constant. */
function isWrittenAround(node: ts.Identifier): boolean {
  const around = outerFunction(node);
  return around !== undefined && isWritten(around, node.text);
}

/** True if an expression has the same value wherever it stands in a function, and takes no longer than a variable. */
export function isSimple(options: ts.Node): boolean {
  const node = withoutParentheses(options);
  if (ts.isIdentifier(node)) return !isWrittenAround(node);
  if (ts.isNumericLiteral(node)) return true;
  if (ts.isPrefixUnaryExpression(node)) return ts.isNumericLiteral(node.operand);
  if (ts.isVoidExpression(node)) return ts.isNumericLiteral(node.expression);
  return [ts.SyntaxKind.ThisKeyword, ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword].includes(
    node.kind,
  );
}
