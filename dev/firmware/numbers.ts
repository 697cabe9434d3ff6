// Replaces constants by numbers: a function keeps a slot for each constant of the module that it names, and
// three for the first.
import ts from "typescript-5";
import { applyEdits, byPlace, type Edit } from "./edited.ts";
import { eachNode, isDeclaration, parse } from "./syntax.ts";

/** The stand-in for an import, where only numbers matter. */
const STAND_INS = new Map([["mc/config", "{}"]]);

/** The engine's own, for classes whose instances have data in C. */
const ENGINE = "const Native = () => Object;";

/** Constants by name. */
type Values = { readonly [name: string]: unknown };

/** The module's constants by name, with their values after running the module here. */
async function evaluateConstants(text: string, names: ReadonlySet<string>): Promise<Values> {
  const alone = text.replace(
    /^import (\w+) from "([^"]+)";$/gm,
    (_, name: string, module: string) => `const ${name} = ${STAND_INS.get(module)};`,
  );
  const source = `${ENGINE}\n${alone}\nexport const values = { ${[...names].join(", ")} };`;
  const { values } = await import(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);
  return values;
}

/** How often a module declares each name. */
function countDeclarations(tree: ts.SourceFile): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  eachNode(tree, (node) => {
    if (ts.isIdentifier(node) && isDeclaration(node)) add(node.text);
  });
  return counts;
}

/** True if it was a constant: a bundle declares it by `var`, with its value. */
const isBundled = ({ flags, declarations: [{ initializer }, ...more] }: ts.VariableDeclarationList) =>
  (flags & ts.NodeFlags.BlockScoped) === 0 && initializer !== undefined && more.length === 0;

/** The names of the constants in those lists of the module that no other scope declares. */
function findConstants(tree: ts.SourceFile, lists: readonly ts.VariableDeclarationList[]): Set<string> {
  const counts = countDeclarations(tree);
  const constant = lists.filter((list) => list.flags & ts.NodeFlags.Const || isBundled(list));
  const names = constant.flatMap((list) => list.declarations.map(({ name }) => name.getText()));
  return new Set(names.filter((name) => counts.get(name) === 1));
}

/** The number as source text; undefined if it isn't a finite number. */
function literalText(value: unknown): string | undefined {
  if (typeof value !== "number" || !Number.isFinite(value) || Object.is(value, -0)) return undefined;
  return value < 0 ? `(${value})` : String(value);
}

/** The value of a property of a frozen object. */
function frozenField(object: unknown, name: string): unknown {
  const isFixed = typeof object === "object" && object !== null && Object.isFrozen(object);
  return isFixed && Object.hasOwn(object, name) ? (object as Values)[name] : undefined;
}

/** True if an identifier names a property, a declaration or an export, and so isn't a value. */
function isName(node: ts.Identifier): boolean {
  const parent = node.parent as ts.Node & { readonly name?: ts.Node };
  if (ts.isExportSpecifier(parent)) return true;
  return parent.name === node && !ts.isShorthandPropertyAssignment(parent);
}

/** The replacement for a use of a constant, or of its field; undefined: none. */
function numberFor(node: ts.Node, values: Values): string | undefined {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const { [node.expression.text]: table } = values;
    return literalText(frozenField(table, node.name.text));
  }
  if (!ts.isIdentifier(node) || isName(node)) return undefined;
  const by = Object.hasOwn(values, node.text) ? literalText(values[node.text]) : undefined;
  return by !== undefined && ts.isShorthandPropertyAssignment(node.parent) ? `${node.text}: ${by}` : by;
}

/**
 * The module with numeric constants, and those in its frozen tables, as literals at their uses. Restores
 * `const`, which a bundle loses: variables that can change are kept in RAM.
 */
export async function withNumbers(text: string): Promise<string> {
  const tree = parse(text);
  const lists = tree.statements.filter(ts.isVariableStatement).map((one) => one.declarationList);
  const values = await evaluateConstants(text, findConstants(tree, lists));
  const edits = lists
    .filter(isBundled)
    .map((list): Edit => [list.getStart(), list.getStart() + "var".length, "const"]);
  eachNode(tree, (node) => {
    const by = numberFor(node, values);
    if (by !== undefined) edits.push([node.getStart(), node.end, by]);
    return by === undefined;
  });
  return applyEdits(text, edits.sort(byPlace));
}
