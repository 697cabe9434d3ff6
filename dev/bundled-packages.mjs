// How other packages go into dist/: which stay outside, how CommonJS becomes part of an ES module, and their
// licences.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";

/** Packages that aren't bundled: the first has native code, only a bench uses the second. */
export const OUTSIDE = ["serialport", "playwright-core"];

/**
 * CommonJS that requires a module of Node gets it by an import: an ES module has no `require`. The module's
 * default export is what `require` returns.
 */
export const builtinsByImport = {
  name: "builtins-by-import",
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path, kind, namespace }) => {
      if (namespace === "imported") return { path, external: true };
      if (!isBuiltin(path)) return;
      if (namespace === "required") return { path, namespace: "imported" };
      if (kind === "require-call") return { path, namespace: "required" };
    });
    const load = (namespace, contents) =>
      build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: contents(JSON.stringify(path)) }));
    load("required", (path) => `module.exports = require(${path}).default;`);
    load("imported", (path) => `export { default } from ${path};`);
  },
};

/** The packages whose files were bundled, by esbuild's metafiles: folder by name, sorted. */
function bundledPackages(metafiles) {
  const folders = new Map();
  for (const file of metafiles.flatMap(({ inputs }) => Object.keys(inputs))) {
    const [, folder, name] = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(file) ?? [];
    if (name) folders.set(folder, name);
  }
  return [...folders].sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Writes a file that names each bundled package with its version, its licence and the licence's whole text.
 */
export function writeLicences(metafiles, root, file) {
  const sections = bundledPackages(metafiles).map(([folder, name]) => {
    const {
      version,
      licenses,
      license = licenses?.map(({ type }) => type).join(" or "),
    } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const texts = readdirSync(join(root, folder)).filter((entry) => /^(licen[cs]e|notice)/i.test(entry));
    if (!license || texts.length === 0) throw new Error(`${name}: it brings no licence; it can't be bundled`);
    const text = texts.map((entry) => readFileSync(join(root, folder, entry), "utf8").trim()).join("\n\n");
    return `${"=".repeat(100)}\n${name} ${version} (${license})\n${"=".repeat(100)}\n\n${text}\n`;
  });
  const head = "The programs of motelearn contain code and data of these packages.\n";
  writeFileSync(join(root, file), `${head}\n${sections.join("\n")}`);
}
