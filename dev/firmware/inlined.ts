// Puts functions in the place of their only call. XS keeps three slots for a function, two more with one for each name of the module that it
// takes, and an entry and an exit of bytecode: a hundred bytes, which a firmware has no use for.
import ts from "typescript-5";
import {
  type Called,
  type IsOwn,
  indexOf,
  isMovable,
  namedFunctions,
  namedMembers,
  type Use,
} from "./calls.ts";
import { byPlace, type Edit, edited, partWith } from "./edited.ts";
import { type Place, placeOf } from "./places.ts";
import {
  declaredIn,
  eachNode,
  isAssigned,
  isDeclaration,
  isFunction,
  isPropertyName,
  isReading,
  isShorthand,
  isSimple,
  isWriting,
  namesIn,
  onlyExpression,
  outerFunction,
  parse,
  unwrapped,
  within,
} from "./syntax.ts";

/** A function with its only call. */
type Found = Omit<Called, "uses"> & Use;

/** Names, and what stands for them. */
type Names = ReadonlyMap<string, string>;

/** What is known of a parameter. */
interface Known {
  readonly name: ts.BindingName;
  /** Its argument, or its default. */
  readonly node?: ts.Expression;
  readonly value: string;
  readonly isWritten?: boolean;
  /** Its default, where the argument may be undefined. */
  readonly otherwise?: string;
}

/** What stands for each parameter, and what takes a variable. */
interface Arguments {
  readonly stands: Names;
  readonly before: readonly Known[];
}

/** True if it can't be undefined. */
function isDefined(options: ts.Node): boolean {
  const node = unwrapped(options);
  return (
    ts.isNumericLiteral(node) ||
    ts.isStringLiteralLike(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isNewExpression(node) ||
    ts.isArrowFunction(node) ||
    (ts.isBinaryExpression(node) &&
      [ts.SyntaxKind.PlusToken, ts.SyntaxKind.MinusToken, ts.SyntaxKind.AsteriskToken].includes(
        node.operatorToken.kind,
      )) ||
    [ts.SyntaxKind.ThisKeyword, ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword].includes(node.kind)
  );
}

/** Statements that return from a function, not from one within it. */
function returnsOf(body: ts.Node): ts.ReturnStatement[] {
  const found: ts.ReturnStatement[] = [];
  eachNode(body, (node) => {
    if (isFunction(node)) return false;
    if (ts.isReturnStatement(node)) found.push(node);
    return true;
  });
  return found;
}

/** The edits of a function's text that give its variables new names, and parameters and `this` what stands for them. */
function moves(
  root: ts.Node,
  { names, stands, self }: { readonly names: Names; readonly stands: Names; readonly self?: string },
): Edit[] {
  const edits: Edit[] = [];
  eachNode(root, (node) => {
    if (self !== undefined && node.kind === ts.SyntaxKind.ThisKeyword)
      edits.push([node.getStart(), node.end, self]);
    if (!ts.isIdentifier(node) || isPropertyName(node)) return;
    const { text } = node;
    const by = stands.get(text) ?? names.get(text);
    if (by === undefined) return;
    edits.push([node.getStart(), node.end, isShorthand(node) ? `${text}: ${by}` : by]);
  });
  return edits;
}

/** How often a parameter is read in a function, whether it is written. */
function usesOf(root: ts.Node, name: string): ts.Identifier[] {
  const uses: ts.Identifier[] = [];
  eachNode(root, (node) => {
    if (ts.isIdentifier(node) && node.text === name && !isPropertyName(node) && !isDeclaration(node))
      uses.push(node);
  });
  return uses;
}

/** True if an argument that only reads may be read where its parameter is: once, before anything is called or written. */
function isReadInTime(root: ts.Node, uses: readonly ts.Node[]): boolean {
  if (uses.length !== 1) return false;
  let isGood = true;
  eachNode(root, (node) => {
    const acts = ts.isCallExpression(node) || ts.isNewExpression(node);
    if ((acts && !within(uses[0], node)) || isFunction(node) || isWriting(node)) isGood = false;
  });
  return isGood;
}

/** What is known of a parameter before its function is moved: its argument, or its default. */
function argumentOf(
  { name, initializer }: ts.ParameterDeclaration,
  options: ts.Expression | undefined,
  fn: ts.Node,
): Known | undefined {
  const own = declaredIn(fn);
  const isForeign = initializer && [...namesIn(initializer)].some((one) => own.has(one));
  const needsDefault = initializer && !(options && isDefined(options));
  if (needsDefault && (isForeign || !isConstant(initializer))) return undefined;
  if (needsDefault && options)
    return ts.isIdentifier(name)
      ? { name, node: options, value: options.getText(), isWritten: true, otherwise: initializer.getText() }
      : undefined;
  const node = options ?? initializer;
  return { name, node, value: node ? node.getText() : "void 0" };
}

/** The text that may stand for a parameter wherever it is read; undefined: it takes a variable. */
function standIn(
  { name, node, value, otherwise }: Known,
  root: ts.Node,
  isExpression: boolean,
): string | undefined {
  if (!ts.isIdentifier(name) || otherwise !== undefined) return undefined;
  const uses = usesOf(root, name.text);
  if (uses.some(isAssigned)) return undefined;
  if (node === undefined) return "(void 0)";
  if (isSimple(node)) return ts.isIdentifier(unwrapped(node)) ? unwrapped(node).getText() : `(${value})`;
  return isExpression && isReading(node) && isReadInTime(root, uses) ? `(${value})` : undefined;
}

/** What stands for each parameter: an argument's text, or a variable that is declared before the body. Undefined: it can't be said. */
function parametersOf({ fn, args }: Found, root: ts.Node, isExpression: boolean): Arguments | undefined {
  const stands = new Map<string, string>();
  const before: Known[] = [];
  const below = declaredIn(root);
  const isTwice = fn.parameters.some(({ name }) => [...declaredIn(name)].some((one) => below.has(one)));
  const extra = args.slice(fn.parameters.length);
  if (isTwice || args.some((one) => ts.isSpreadElement(one)) || !extra.every(isSimple)) return undefined;
  for (const [i, parameter] of fn.parameters.entries()) {
    const known = argumentOf(parameter, args[i], fn);
    const text = known && standIn(known, root, isExpression);
    if (text !== undefined) stands.set(parameter.name.getText(), text);
    else if (!known || isExpression) return undefined;
    else {
      const isWritten = ts.isIdentifier(known.name) && usesOf(root, known.name.text).some(isAssigned);
      before.push({ ...known, isWritten: known.isWritten || isWritten });
    }
  }
  return { stands, before };
}

/** True if a default says the same in any function. */
function isConstant(node: ts.Node): boolean {
  if (ts.isObjectLiteralExpression(node)) return node.properties.length === 0;
  if (ts.isArrayLiteralExpression(node)) return node.elements.length === 0;
  if (ts.isPropertyAccessExpression(node)) return isConstant(node.expression);
  return ts.isStringLiteralLike(node) || isSimple(node);
}

/** New names for those that are declared below a node of a function, of which there is one of that name. */
const renamedIn = (node: ts.Node, name: string): Names =>
  new Map([...declaredIn(node)].map((one) => [one, `${one}$${name}`] as const));

/** The edit that puts an expression in the place of a call. */
function asExpression(text: string, found: Found, expression: ts.Expression): Edit[] | undefined {
  const { name, call, receiver } = found;
  const names = renamedIn(expression, name);
  const options = parametersOf(found, expression, true);
  if (!options) return undefined;
  const self = selfOf(receiver, expression, true);
  if (self === null) return undefined;
  const edits = moves(expression, { names, stands: options.stands, self });
  return [[call.getStart(), call.end, `(${partWith(text, expression.getStart(), expression.end, edits)})`]];
}

/** What stands for `this`; undefined: that; null: nothing can. */
function selfOf(
  receiver: ts.Expression | undefined,
  root: ts.Node,
  isExpression: boolean,
): string | undefined | null {
  if (receiver === undefined || receiver.kind === ts.SyntaxKind.ThisKeyword) return undefined;
  const uses: ts.Node[] = [];
  eachNode(root, (node) => {
    if (node.kind === ts.SyntaxKind.ThisKeyword) uses.push(node);
  });
  if (uses.length === 0 && isReading(receiver)) return undefined;
  if (isSimple(receiver)) return receiver.getText();
  if (!isExpression) return null;
  return isReading(receiver) && isReadInTime(root, uses) ? receiver.getText() : null;
}

/** Declarations of what parameters were. */
function headsOf(text: string, { stands, before }: Arguments, names: Names): string[] {
  const heads: string[] = [];
  for (const { name, value, isWritten, otherwise } of before) {
    const own = ts.isIdentifier(name)
      ? names.get(name.text)
      : partWith(text, name.getStart(), name.end, moves(name, { names, stands }));
    heads.push(`${isWritten ? "let" : "const"} ${own} = ${value};`);
    if (otherwise) heads.push(`if (${own} === void 0) ${own} = ${otherwise};`);
  }
  return heads;
}

/** The edits that make a return from a function the end of its block: its value goes to `target`, if anything asks for it. */
function asEnd(node: ts.ReturnStatement, target: string | undefined, leave: string): Edit[] {
  const { expression } = node;
  const start = node.getStart();
  if (!expression) return [[start, node.end, `{ ${target ? `${target} = void 0;` : ""} ${leave} }`]];
  if (!target && isReading(expression)) return [[start, node.end, `{ ${leave} }`]];
  return [
    [start, expression.getStart(), `{ ${target ? `${target} = ` : ""}(`],
    [expression.end, node.end, `); ${leave} }`],
  ];
}

/** A function's statements as a block that a call's place takes. */
function blockOf(
  text: string,
  block: ts.Block,
  { kind, target, isLast, name }: Place & { readonly name: string },
  edits: readonly Edit[],
  heads: string,
): string {
  const last = block.statements.at(-1);
  const endsWell = last && (ts.isReturnStatement(last) || ts.isThrowStatement(last));
  const label = `label$${name}`;
  const returns = kind === "return" ? [] : returnsOf(block);
  const ends = returns.flatMap((node) => asEnd(node, target, node === last ? "" : `break ${label};`));
  const isWithin = ([start, end]: Edit) => ends.some(([from, to]) => start >= from && end <= to);
  const all = [...edits.filter((one) => !isWithin(one)), ...ends];
  const inner = partWith(text, block.getStart() + 1, block.end - 1, all);
  let tail = "";
  if (!endsWell && kind === "return" && !isLast) tail = "return;";
  if (!endsWell && kind === "assign") tail = `${target} = void 0;`;
  const isLabelled = returns.some((node) => node !== last);
  return `${isLabelled ? `${label}: ` : ""}{ ${heads} ${inner} ${tail} }`;
}

/** The edits that put a function's statements in the place of its call's. */
function asStatements(text: string, found: Found): Edit[] | undefined {
  const { name, fn, call, receiver } = found;
  const place = placeOf(call);
  if (!place || !fn.body || !ts.isBlock(fn.body)) return undefined;
  const options = parametersOf(found, fn.body, false);
  if (!options) return undefined;
  const names = renamedIn(fn, name);
  const known = selfOf(receiver, fn.body, false);
  const self = known ?? (known === null ? `self$${name}` : undefined);
  const selves = known === null ? [`const ${self} = ${receiver?.getText()};`] : [];
  const heads = [...selves, ...headsOf(text, options, names)].join(" ");
  const edits = moves(fn.body, { names, stands: options.stands, self });
  const { kind, statement, condition } = place;
  const target = condition ? `value$${name}` : place.target;
  const block = blockOf(text, fn.body, { ...place, target, name }, edits, heads);
  const start = statement.getStart();
  if (kind === "declare") return [[start, statement.end, `let ${target}; ${block}`]];
  if (!condition) return [[start, statement.end, block]];
  return [
    [start, start, `{ let ${target}; ${block} `],
    [condition.getStart(), condition.end, `${target}`],
    [statement.end, statement.end, " }"],
  ];
}

/** True if names of the module that a function takes mean the same in the place of its call. */
function meansTheSame({ fn, call }: Found): boolean {
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

/** The edits that put a function in the place of its call. */
function editsFor(text: string, found: Found): readonly Edit[] | undefined {
  const { fn, call, declared } = found;
  if (within(call, declared) || !meansTheSame(found)) return undefined;
  const removal: Edit = [declared.getFullStart(), declared.end, ""];
  const expression = onlyExpression(fn);
  const simple = expression && asExpression(text, found, expression);
  if (simple) return [...simple, removal];
  if (declaredIn(outerFunction(call) as ts.Node).size + declaredIn(fn).size > MOST_VARIABLES)
    return undefined;
  const statements = asStatements(text, found);
  return statements && [...statements, removal];
}

/** From a place of a text to another. */
type Span = readonly [start: number, end: number, by?: string];

const overlap = (one: Span, other: Span) => one[0] < other[1] && other[0] < one[1];

/** What edits cover: all from the first to the last of them around a call, and the function's declaration. */
function spansOf(edits: readonly Edit[], { declared }: Found): Span[] {
  const inPlace = edits.filter(([start]) => start !== declared.getFullStart());
  const from = Math.min(...inPlace.map(([start]) => start));
  const to = Math.max(...inPlace.map(([, end]) => end));
  return [[from, to], ...edits.filter((one) => !inPlace.includes(one))];
}

/** One round: of functions, those whose text holds no other's call. */
function round(text: string, isOwn: IsOwn): string | undefined {
  const tree = parse(text);
  const index = indexOf(tree);
  const all = [...namedFunctions(tree, index), ...namedMembers(tree, index, isOwn)]
    .filter(({ fn, uses }) => uses.length === 1 && isMovable(fn))
    .map(({ uses, ...found }): Found => ({ ...found, ...uses[0] }));
  const done: Edit[] = [];
  const taken: Span[] = [];
  const left = new Set<Found>();
  for (const found of all) {
    const holdsOther = (other: Found) =>
      other !== found && !left.has(other) && within(other.call, found.declared);
    if (all.some(holdsOther)) continue;
    const edits = editsFor(text, found);
    if (!edits) left.add(found);
    const spans = edits ? spansOf(edits, found) : [];
    if (!edits || spans.some((one) => taken.some((other) => overlap(one, other)))) continue;
    taken.push(...spans);
    done.push(...edits);
  }
  return done.length === 0 ? undefined : edited(text, done.sort(byPlace));
}

/** The module with each function that one place calls in that place; methods too whose name is `isOwn`: nothing else has it. */
export function inlined(text: string, isOwn: IsOwn): string {
  let before = text;
  for (;;) {
    const after = round(before, isOwn);
    if (after === undefined) return before;
    before = after;
  }
}
