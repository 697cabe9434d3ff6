// Replaces constants by numbers: a function keeps a slot for each constant of the module that it names, and
// three for the first.
import ts from "typescript-5";
import { edited } from "./edited.mjs";
import { parse } from "./syntax.mjs";

/** The stand-in for an import, where only numbers matter. */
const STAND_INS = new Map([["mc/config", "{}"]]);

/** The module's constants by name, with their values after running the module here. */
async function valuesOf(text, names) {
  const alone = text.replace(
    /^import (\w+) from "([^"]+)";$/gm,
    (_, name, module) => `const ${name} = ${STAND_INS.get(module)};`,
  );
  const source = `${alone}\nexport const values = { ${[...names].join(", ")} };`;
  const { values } = await import(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);
  return values;
}

function countsOf(tree) {
  const counts = new Map();
  const add = (name) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const visit = (node) => {
    if (ts.isIdentifier(node) && isDeclared(node)) add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return counts;
}

/** Whether it declares a variable, a function, a class or a parameter. */
function isDeclared(node) {
  const { parent } = node;
  const declares =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isFunctionExpression(parent) ||
    ts.isClassLike(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isImportClause(parent);
  return declares && parent.name === node;
}

/** The names of the module's constants that no other scope declares. */
function constantsOf(tree) {
  const counts = countsOf(tree);
  const isConstant = ({ name }) => ts.isIdentifier(name) && counts.get(name.text) === 1;
  const lists = tree.statements.filter(ts.isVariableStatement).map((one) => one.declarationList);
  const constant = lists.filter(({ flags }) => flags & ts.NodeFlags.Const);
  return new Set(
    constant.flatMap((list) => list.declarations.filter(isConstant)).map(({ name }) => name.text),
  );
}

/** The number as source text; undefined if it isn't a finite number. */
function literalOf(value) {
  if (!Number.isFinite(value) || Object.is(value, -0)) return undefined;
  return value < 0 ? `(${value})` : String(value);
}

/** The value of a property of a frozen object. */
function fieldOf(object, name) {
  const isFixed = typeof object === "object" && object !== null && Object.isFrozen(object);
  return isFixed && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Whether an identifier names a property, a declaration or an export, and so isn't a value. */
function isName(node) {
  const { parent } = node;
  if (ts.isExportSpecifier(parent)) return true;
  return parent.name === node && !ts.isShorthandPropertyAssignment(parent);
}

/** The replacement for a use of a constant, or of its field; undefined: none. */
function numberFor(node, values) {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const { [node.expression.text]: table } = values;
    return literalOf(fieldOf(table, node.name.text));
  }
  if (!ts.isIdentifier(node) || isName(node)) return undefined;
  const by = Object.hasOwn(values, node.text) ? literalOf(values[node.text]) : undefined;
  return by !== undefined && ts.isShorthandPropertyAssignment(node.parent) ? `${node.text}: ${by}` : by;
}

/** The module with numeric constants, and those in its frozen tables, as literals at their uses. */
export async function withNumbers(text) {
  const tree = parse(text);
  const values = await valuesOf(text, constantsOf(tree));
  const edits = [];
  const visit = (node) => {
    const by = numberFor(node, values);
    if (by === undefined) ts.forEachChild(node, visit);
    else edits.push([node.getStart(), node.end, by]);
  };
  visit(tree);
  return edited(text, edits);
}
