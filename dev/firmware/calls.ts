// The functions and methods of a module that are called wherever they are named.
import ts from "typescript-5";
import { eachNode, isAssigned, isDeclaration, isFunction, isPropertyName, once } from "./syntax.ts";

/** What a module says of a name: where it is declared, read and written, and what members have it. */
interface Uses {
  readonly declared: ts.Identifier[];
  readonly read: ts.Identifier[];
  assigned: number;
  readonly members: ts.Node[];
  readonly taken: ts.PropertyAccessExpression[];
  inText: boolean;
}

type Index = ReadonlyMap<string, Uses>;

/** A call of a function: with its arguments, and of a method with its object. */
export interface Use {
  readonly call: ts.Expression;
  readonly args: readonly ts.Expression[];
  readonly receiver?: ts.Expression;
}

/** What may stand in the place of its calls. */
type Callable = ts.ArrowFunction | ts.MethodDeclaration;

export interface CalledFunction {
  /** A function's name, a method's with a `$` before it: nothing else that is called once has the same. */
  readonly name: string;
  readonly declared: ts.Node;
  readonly fn: Callable;
  readonly uses: readonly Use[];
}

/** True if nothing else has a member of that name. */
export type IsOwn = (name: string) => boolean;

/** The uses of a name in an index, which gets none for a new one. */
function usesIn(names: Map<string, Uses>, name: string): Uses {
  const none: Uses = { declared: [], read: [], assigned: 0, members: [], taken: [], inText: false };
  const found = names.get(name) ?? none;
  names.set(name, found);
  return found;
}

/** What a statement says of each name. */
const indexOfStatement = once((statement: ts.Statement): Index => {
  const names = new Map<string, Uses>();
  const of = (name: string) => usesIn(names, name);
  eachNode(statement, (node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node))
      for (const word of node.text.split(/\W+/)) of(word).inText = true;
    if (!ts.isIdentifier(node)) return;
    const { parent, text } = node;
    if (ts.isPropertyAccessExpression(parent) && parent.name === node) of(text).taken.push(parent);
    else if (isPropertyName(node)) of(text).members.push(parent);
    else if (isDeclaration(node)) {
      of(text).declared.push(node);
      if (ts.isBindingElement(parent) && parent.propertyName === undefined) of(text).members.push(parent);
    } else {
      of(text).read.push(node);
      if (isAssigned(node)) of(text).assigned++;
      if (ts.isShorthandPropertyAssignment(parent)) of(text).members.push(parent);
    }
  });
  return names;
});

/** What a module says of each name. */
export function indexNames({ statements }: ts.SourceFile): Index {
  const names = new Map<string, Uses>();
  for (const statement of statements)
    for (const [name, uses] of indexOfStatement(statement)) {
      const all = usesIn(names, name);
      all.declared.push(...uses.declared);
      all.read.push(...uses.read);
      all.members.push(...uses.members);
      all.taken.push(...uses.taken);
      all.assigned += uses.assigned;
      all.inText ||= uses.inText;
    }
  return names;
}

const FORBIDDEN = new Set([
  ts.SyntaxKind.SuperKeyword,
  ts.SyntaxKind.AwaitExpression,
  ts.SyntaxKind.YieldExpression,
  ts.SyntaxKind.MetaProperty,
  ts.SyntaxKind.LabeledStatement,
]);

/** True if a function can stand elsewhere: C's can't, nor one with a `this` or names of its own within. */
export const isMovable = once(({ body, parameters, asteriskToken, modifiers }: Callable): boolean => {
  if (!body || asteriskToken || modifiers?.length) return false;
  if (parameters.some((one) => one.dotDotDotToken)) return false;
  let isGood = true;
  eachNode(body, (node) => {
    if (FORBIDDEN.has(node.kind)) isGood = false;
    if (ts.isIdentifier(node) && ["arguments", "native"].includes(node.text)) isGood = false;
    if (ts.isClassLike(node) || (isFunction(node) && !ts.isArrowFunction(node))) isGood = false;
    return isGood;
  });
  return isGood;
});

function declaredFunction(statement: ts.Statement): { name: string; body: ts.ArrowFunction } | undefined {
  if (!ts.isVariableStatement(statement) || statement.declarationList.declarations.length !== 1)
    return undefined;
  const [{ name, initializer }] = statement.declarationList.declarations;
  if (!initializer || !ts.isArrowFunction(initializer) || !ts.isIdentifier(name)) return undefined;
  return { name: name.text, body: initializer };
}

/** Functions of the module that are called wherever they are named. */
export function namedFunctions(tree: ts.SourceFile, index: Index): CalledFunction[] {
  return tree.statements.flatMap((statement) => {
    const found = declaredFunction(statement);
    if (!found) return [];
    const { read, declared, assigned } = index.get(found.name) as Uses;
    if (declared.length !== 1 || assigned > 0) return [];
    const uses = read.flatMap((use) =>
      ts.isCallExpression(use.parent) && use.parent.expression === use
        ? [{ call: use.parent, args: use.parent.arguments }]
        : [],
    );
    return uses.length === read.length
      ? [{ name: found.name, declared: statement, fn: found.body, uses }]
      : [];
  });
}

/** A use of a method, if it calls it. */
function callBy(use: ts.PropertyAccessExpression): Use | undefined {
  const { parent, expression: receiver } = use;
  if (ts.isOptionalChain(use) || !ts.isCallExpression(parent) || parent.expression !== use) return undefined;
  return { call: parent, args: parent.arguments, receiver };
}

/** The methods of a statement's classes. */
const methodsIn = once((statement: ts.Statement) => {
  const found: ts.MethodDeclaration[] = [];
  eachNode(statement, (node) => {
    if (ts.isClassLike(node)) found.push(...node.members.filter(ts.isMethodDeclaration));
  });
  return found;
});

/** Methods that are called wherever they are named; `isOwn` knows which names nothing else has. */
export function namedMethods(tree: ts.SourceFile, index: Index, isOwn: IsOwn): CalledFunction[] {
  return tree.statements.flatMap(methodsIn).flatMap((method) => {
    if (!ts.isIdentifier(method.name)) return [];
    const { text } = method.name;
    const { taken, members, inText } = index.get(text) as Uses;
    if (!isOwn(text) || inText || members.length !== 1) return [];
    const uses = taken.flatMap((use) => callBy(use) ?? []);
    return uses.length === taken.length ? [{ name: `$${text}`, declared: method, fn: method, uses }] : [];
  });
}
