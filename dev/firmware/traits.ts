// Omits learners' traits from the modules of a board: tools alone read them.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import ts from "typescript-5";
import { type Edit, edited } from "./edited.ts";
import { eachNode, parse } from "./syntax.ts";

/** Modules that only traits use, and their imports. */
const MODULES = ["terms.js", "traits.js"];
/** A table, which may go where nothing uses it: `frozen` has no other effect. */
const TABLE = /^(const \w+ = )(?=frozen\()/gm;
const OF_TRAITS = new RegExp(`^import [^;]*"\\./(${MODULES.join("|")})";\n`, "gm");

/** The module without the property `traits` of its families, and without what only that names. */
async function withoutTraits(text: string): Promise<string> {
  const edits: Edit[] = [];
  eachNode(parse(text), (node) => {
    if (!ts.isPropertyAssignment(node) || node.name.getText() !== "traits") return true;
    edits.push([node.getFullStart(), node.end + 1, ""]);
    return false;
  });
  if (edits.length === 0) return text;
  const form = { format: "esm", target: "es2022", treeShaking: true } as const;
  const { code } = await transform(edited(text, edits).replace(TABLE, "$1/* @__PURE__ */ "), form);
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
