// Omits learners' traits from the modules of a board: tools alone read them.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import ts from "typescript-5";
import { applyEdits, type Edit } from "./edited.ts";
import { eachNode, parse } from "./syntax.ts";

/** Modules that only traits use, and their imports. */
const MODULES = ["terms.js", "traits.js"];
const OF_TRAITS = new RegExp(`^import [^;]*"\\./(${MODULES.join("|")})";\n`, "gm");

const isTable = (node: ts.Node) => ts.isCallExpression(node) && node.expression.getText() === "frozen";

/** The module without the property `traits` of its families, and without what only that names. */
async function withoutTraits(text: string): Promise<string> {
  const edits: Edit[] = [];
  let omitted = 0;
  eachNode(parse(text), (node) => {
    if (ts.isVariableDeclaration(node) && node.initializer && isTable(node.initializer))
      edits.push([node.initializer.getStart(), node.initializer.getStart(), "/* @__PURE__ */ "]);
    if (!ts.isPropertyAssignment(node) || node.name.getText() !== "traits") return true;
    edits.push([node.getFullStart(), node.end + 1, ""]);
    omitted++;
    return false;
  });
  if (omitted === 0) return text;
  const { code } = await transform(applyEdits(text, edits), {
    format: "esm",
    target: "es2022",
    treeShaking: true,
  });
  return code.replace(OF_TRAITS, "");
}

/** Rewrites the modules of src/learn in that folder. */
export async function omitTraits(folder: string): Promise<void> {
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".js"))) {
    const file = join(folder, name);
    writeFileSync(file, await withoutTraits(readFileSync(file, "utf8")));
  }
  for (const name of MODULES) rmSync(join(folder, name), { force: true });
}
