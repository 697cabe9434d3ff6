// Finds the faults that can be planted in a source file, one at a time, on TypeScript's syntax tree.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { isTypeNode, SyntaxKind as Kind } from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";

/** Replacements for each operator. */
const PAIRS =
  "< <=,<= <,> >=,>= >,=== !==,!== ===,+ -,- +,* /,/ *,% *,&& ||,|| &&,& |,| &,^ &,<< >>>,>> <<,>>> <<," +
  "+= -=,-= +=,*= /=,/= *=,|= &=,^= |=";
const OPERATORS = new Map(PAIRS.split(",").map((pair) => pair.split(" ")));
const TEXTS = [Kind.StringLiteral, Kind.TemplateExpression, Kind.NoSubstitutionTemplateLiteral];
const DROPPED = [Kind.ExpressionStatement, Kind.ThrowStatement, Kind.ContinueStatement, Kind.BreakStatement];

/** [from, to, replacement] for each fault that begins at this node. */
function* faultsAt(node, text) {
  const [at, end] = [node.getStart(), node.end];
  if (node.kind === Kind.BinaryExpression) {
    const { left, operatorToken: operator, right } = node;
    const isText = TEXTS.includes(left.kind) || TEXTS.includes(right.kind);
    const [from, to] = [operator.getStart(), operator.end];
    const other = OPERATORS.get(text.slice(from, to));
    if (other && !isText) yield [from, to, other];
  } else if (node.kind === Kind.PrefixUnaryExpression || node.kind === Kind.PostfixUnaryExpression) {
    const own = text.slice(at, end);
    if (/^[!-][^-]/.test(own)) yield [at, at + 1, ""];
    const step = own.startsWith("+") || own.startsWith("--") ? at : end - 2;
    if (own.includes("++")) yield [step, step + 2, "--"];
    else if (own.includes("--")) yield [step, step + 2, "++"];
  } else if (node.kind === Kind.NumericLiteral) {
    const value = Number(text.slice(at, end).replaceAll("_", ""));
    yield [at, end, String(value + 1)];
    yield [at, end, value > 0 ? String(value - 1) : "(-1)"];
  } else if (node.kind === Kind.TrueKeyword) yield [at, end, "false"];
  else if (node.kind === Kind.FalseKeyword) yield [at, end, "true"];
  else if (DROPPED.includes(node.kind) && !text.startsWith("super(", at)) yield [at, end, ";"];
  else if (node.kind === Kind.PropertyAccessExpression) {
    const [, call] = /^Math\.(min|max)$/.exec(text.slice(at, end)) ?? [];
    if (call) yield [at, end, call === "min" ? "Math.max" : "Math.min"];
  }
}

/**
 * The folders' files, each with a copy that marks every function (`marked`), and their mutants. `key`
 * identifies a mutant as long as its line doesn't change; `mark` is the function's around it, if there is
 * one.
 */
export function sourcesIn(root, folders) {
  const api = new API({ cwd: root });
  const [{ program }] = api.updateSnapshot({ openProject: `${root}/tsconfig.json` }).getProjects();
  const inside = (file) => folders.some((folder) => file.startsWith(`${folder}/`));
  const paths = program.getSourceFileNames().filter((path) => inside(relative(root, path)));
  let marks = 0;
  const sources = paths.map((path) => {
    const [file, text] = [relative(root, path), readFileSync(path, "utf8")];
    const [mutants, places] = [[], []];
    const visit = (node, mark) => {
      if (isTypeNode(node)) return;
      for (const [from, to, instead] of faultsAt(node, text)) {
        const line = text.slice(text.lastIndexOf("\n", from) + 1, text.indexOf("\n", from)).trim();
        const change = instead === ";" ? "dropped" : `${text.slice(from, to)} => ${instead || "nothing"}`;
        const key = `${file}: ${line}: ${change}`;
        const nth = mutants.filter((mutant) => mutant.key.startsWith(key)).length;
        const mutated = text.slice(0, from) + instead + text.slice(to);
        const number = text.slice(0, from).split("\n").length;
        mutants.push({ file, line: number, key: nth ? `${key} (${nth + 1})` : key, mutated, mark });
      }
      const enters = node.kind === Kind.Block && node.parent.body === node;
      const inner = enters ? marks++ : mark;
      if (enters) places.unshift([node.getStart() + 1, inner]);
      node.forEachChild((child) => visit(child, inner));
    };
    program.getSourceFile(path).forEachChild((child) => visit(child, undefined));
    let marked = text;
    for (const [at, mark] of places) marked = `${marked.slice(0, at)}entered[${mark}]=1;${marked.slice(at)}`;
    return { file, marked, mutants };
  });
  api.close();
  return { sources, marks };
}
