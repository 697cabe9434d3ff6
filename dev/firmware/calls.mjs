// The functions and methods of a module that are called wherever they are named.
import ts from "typescript-5";
import { eachNode, isAssigned, isDeclaration, isFunction, isPropertyName } from "./syntax.mjs";

/** What a module says of each name: where it is declared, read and written, and what members have it. */
export function indexOf(tree) {
  const entry = () => ({ declared: [], read: [], assigned: 0, members: [], taken: [], inText: false });
  const names = new Map();
  const of = (name) => {
    if (!names.has(name)) names.set(name, entry());
    return names.get(name);
  };
  eachNode(tree, (node) => {
    if (ts.isStringLiteralLike(node) || node.kind === ts.SyntaxKind.TemplateHead)
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
}

const FORBIDDEN = new Set([
  ts.SyntaxKind.SuperKeyword,
  ts.SyntaxKind.AwaitExpression,
  ts.SyntaxKind.YieldExpression,
  ts.SyntaxKind.MetaProperty,
  ts.SyntaxKind.LabeledStatement,
]);

/** Whether a function can stand elsewhere: C's can't, nor one with a `this` or names of its own within. */
export function isMovable({ body, parameters = [], asteriskToken, modifiers = [] }) {
  if (!body || asteriskToken || modifiers.length > 0) return false;
  if (parameters.some((one) => one.dotDotDotToken)) return false;
  let isGood = true;
  eachNode(body, (node) => {
    if (FORBIDDEN.has(node.kind)) isGood = false;
    if (ts.isIdentifier(node) && ["arguments", "native"].includes(node.text)) isGood = false;
    if (ts.isClassLike(node) || (isFunction(node) && !ts.isArrowFunction(node))) isGood = false;
    return isGood;
  });
  return isGood;
}

/** The function that a statement of the module declares, by name. */
function declaredFunction(statement) {
  if (!ts.isVariableStatement(statement) || statement.declarationList.declarations.length !== 1)
    return undefined;
  const [{ name, initializer }] = statement.declarationList.declarations;
  if (!initializer || !ts.isArrowFunction(initializer) || !ts.isIdentifier(name)) return undefined;
  return { name: name.text, declared: statement, body: initializer };
}

/** Functions of the module that are called wherever they are named. */
export function namedFunctions(tree, index) {
  return tree.statements.flatMap((statement) => {
    const found = declaredFunction(statement);
    if (!found) return [];
    const { read, declared, assigned } = index.get(found.name);
    if (declared.length !== 1 || assigned > 0) return [];
    if (!read.every((use) => ts.isCallExpression(use.parent) && use.parent.expression === use)) return [];
    const uses = read.map(({ parent }) => ({ call: parent, args: parent.arguments }));
    return [{ declared: statement, fn: found.body, uses }];
  });
}

/** A use of a method or a getter, if it calls it. */
function callBy(use, isGetter) {
  if (ts.isOptionalChain(use)) return undefined;
  const call = isGetter ? use : use.parent;
  if (!isGetter && !(ts.isCallExpression(call) && call.expression === use)) return undefined;
  return { call, args: isGetter ? [] : call.arguments, receiver: use.expression };
}

/** Methods and getters that are called wherever they are named; `isOwn` knows which names nothing else has. */
export function namedMembers(tree, index, isOwn) {
  const found = [];
  eachNode(tree, (node) => {
    if (!ts.isClassLike(node)) return;
    for (const member of node.members) {
      const isGetter = ts.isGetAccessor(member);
      if (!(isGetter || ts.isMethodDeclaration(member)) || !ts.isIdentifier(member.name)) continue;
      const { text } = member.name;
      const { taken, members, inText } = index.get(text);
      if (!isOwn(text) || inText || members.length !== 1) continue;
      const uses = taken.map((use) => callBy(use, isGetter));
      if (!uses.includes(undefined)) found.push({ declared: member, fn: member, uses });
    }
  });
  return found;
}
