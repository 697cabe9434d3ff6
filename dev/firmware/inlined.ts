// Puts functions in the place of their only call, where that is a statement or all that is returned. XS keeps three slots for a function, two
// more with one for each name of the module that it takes, and an entry and an exit of bytecode: a hundred bytes, which a firmware has no
// use for.
import ts from "typescript-5";
import {
  type CalledFunction,
  type IsOwn,
  indexNames,
  isMovable,
  namedFunctions,
  namedMethods,
  type Use,
} from "./calls.ts";
import { applyEdits, byPlace, type Edit, partWith } from "./edited.ts";
import {
  declaredIn,
  eachNode,
  isFunction,
  isPropertyName,
  isShorthand,
  isSimple,
  isWritten,
  outerFunction,
  parse,
  within,
  withoutParentheses,
} from "./syntax.ts";

/** A function with its only call. */
type SingleCall = Omit<CalledFunction, "uses"> & Use;

type Names = ReadonlyMap<string, string>;

/** What stands for a function's parameters, and the statements that declare those which stay variables. */
interface Arguments {
  readonly stands: Names;
  readonly heads: string[];
}

/** Statements that return from a function, not from one within it. */
function findReturns(body: ts.Node): ts.ReturnStatement[] {
  const found: ts.ReturnStatement[] = [];
  eachNode(body, (node) => {
    if (isFunction(node)) return false;
    if (ts.isReturnStatement(node)) found.push(node);
    return true;
  });
  return found;
}

/** The edits of a function's text that give its variables new names, and parameters and `this` what stands for them. */
function moves(root: ts.Node, names: Names, self: string | undefined): Edit[] {
  const edits: Edit[] = [];
  eachNode(root, (node) => {
    if (self !== undefined && node.kind === ts.SyntaxKind.ThisKeyword)
      edits.push([node.getStart(), node.end, self]);
    if (!ts.isIdentifier(node) || isPropertyName(node)) return;
    const { text } = node;
    const by = names.get(text);
    if (by !== undefined) edits.push([node.getStart(), node.end, isShorthand(node) ? `${text}: ${by}` : by]);
  });
  return edits;
}

/** What stands for each parameter: a simple argument, or a variable that is declared before the body. Undefined: it can't be said. */
function bindParameters({ name, fn, args }: SingleCall, body: ts.Block): Arguments | undefined {
  const stands = new Map<string, string>();
  const heads: string[] = [];
  const below = declaredIn(body);
  const extra = args.slice(fn.parameters.length);
  if (args.some(ts.isSpreadElement) || !extra.every(isSimple)) return undefined;
  for (const [i, parameter] of fn.parameters.entries()) {
    const own = parameter.name.getText();
    if (parameter.initializer || !ts.isIdentifier(parameter.name) || below.has(own)) return undefined;
    const value = args[i]?.getText() ?? "void 0";
    const writes = isWritten(body, own);
    if (!writes && (!args[i] || isSimple(args[i])))
      stands.set(own, args[i] && ts.isIdentifier(withoutParentheses(args[i])) ? value : `(${value})`);
    else heads.push(`${writes ? "let" : "const"} ${own}$${name} = ${value};`);
  }
  return { stands, heads };
}

/** The edits that make a return from a function the end of its block, by that statement. */
function asEnd(node: ts.ReturnStatement, leave: string): Edit[] {
  const { expression } = node;
  if (!expression) return [[node.getStart(), node.end, `{ ${leave} }`]];
  return [
    [node.getStart(), expression.getStart(), "{ ("],
    [expression.end, node.end, `); ${leave} }`],
  ];
}

/** A block of these heads and a function's statements. It ends where the function returned, which `isReturned` says is returned further. */
function inlinedBlock(
  text: string,
  body: ts.Block,
  name: string,
  heads: string,
  isReturned: boolean,
  edits: readonly Edit[],
) {
  const last = body.statements.at(-1);
  const returns = isReturned ? [] : findReturns(body);
  const ends = returns.flatMap((node) => asEnd(node, node === last ? "" : `break label$${name};`));
  const isWithin = ([start, end]: Edit) => ends.some(([from, to]) => start >= from && end <= to);
  const all = [...edits.filter((one) => !isWithin(one)), ...ends];
  const label = returns.some((node) => node !== last) ? `label$${name}: ` : "";
  const endsWell = last && (ts.isReturnStatement(last) || ts.isThrowStatement(last));
  const tail = isReturned && !endsWell ? "return;" : "";
  return `${label}{ ${heads} ${partWith(text, body.getStart() + 1, body.end - 1, all)} ${tail} }`;
}

/** The edit that puts a function's statements in the place of its call; undefined: the call isn't a statement, or not all of a returned value. */
function asStatements(text: string, found: SingleCall): Edit | undefined {
  const { name, fn, call, receiver } = found;
  const { parent: statement } = call;
  const isReturned = ts.isReturnStatement(statement);
  if (!isReturned && !ts.isExpressionStatement(statement)) return undefined;
  if (!fn.body || !ts.isBlock(fn.body)) return undefined;
  const options = bindParameters(found, fn.body);
  if (!options) return undefined;
  const { stands, heads } = options;
  const isSelf = receiver === undefined || receiver.kind === ts.SyntaxKind.ThisKeyword;
  const isNamed = !isSelf && !isSimple(receiver);
  if (isNamed) heads.unshift(`const self$${name} = ${receiver.getText()};`);
  const self = isNamed ? `self$${name}` : receiver?.getText();
  const names = new Map([...declaredIn(fn)].map((one) => [one, stands.get(one) ?? `${one}$${name}`]));
  const edits = moves(fn.body, names, isSelf ? undefined : self);
  const block = inlinedBlock(text, fn.body, name, heads.join(" "), isReturned, edits);
  return [statement.getStart(), statement.end, block];
}

/** True if names of the module that a function takes mean the same in the place of its call. */
function meansTheSame({ fn, call }: SingleCall): boolean {
  const around = outerFunction(call);
  if (!around) return false;
  const there = declaredIn(around);
  const own = declaredIn(fn);
  let isSame = true;
  eachNode(fn, (node) => {
    if (ts.isIdentifier(node) && !isPropertyName(node) && there.has(node.text) && !own.has(node.text))
      isSame = false;
  });
  return isSame;
}

/** Most variables of a function that takes another's in: XS reserves room for all of them as long as it runs. */
const MOST_VARIABLES = 18;

/** The edits that put a function in the place of its call, and remove its declaration. */
function editsFor(text: string, found: SingleCall): readonly Edit[] | undefined {
  const { fn, call, declared } = found;
  if (within(call, declared) || !meansTheSame(found)) return undefined;
  if (declaredIn(outerFunction(call) as ts.Node).size + declaredIn(fn).size > MOST_VARIABLES)
    return undefined;
  const statements = asStatements(text, found);
  return statements && [statements, [declared.getFullStart(), declared.end, ""]];
}

const overlap = (one: Edit, other: Edit) => one[0] < other[1] && other[0] < one[1];

/** One round: of functions, those whose text holds no other's call. */
function round(text: string, isOwn: IsOwn): string | undefined {
  const tree = parse(text);
  const index = indexNames(tree);
  const all = [...namedFunctions(tree, index), ...namedMethods(tree, index, isOwn)]
    .filter(({ fn, uses }) => uses.length === 1 && isMovable(fn))
    .map(({ uses, ...found }): SingleCall => ({ ...found, ...uses[0] }));
  const done: Edit[] = [];
  const left = new Set<SingleCall>();
  for (const found of all) {
    const holdsOther = (other: SingleCall) =>
      other !== found && !left.has(other) && within(other.call, found.declared);
    if (all.some(holdsOther)) continue;
    const edits = editsFor(text, found);
    if (!edits) left.add(found);
    else if (!edits.some((one) => done.some((other) => overlap(one, other)))) done.push(...edits);
  }
  return done.length === 0 ? undefined : applyEdits(text, done.sort(byPlace));
}

/** The module with each function that one place calls in that place; methods too whose name is `isOwn`: nothing else has it. */
export function inlineCalls(text: string, isOwn: IsOwn): string {
  const after = round(text, isOwn);
  return after === undefined ? text : inlineCalls(after, isOwn);
}
