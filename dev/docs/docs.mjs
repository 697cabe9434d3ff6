// npm run docs: the site of the API and the guides, dist/docs, by typedoc; then looks through it for dead
// links, and through the sources for exported symbols without a comment. Ends with "N passed, N failed".
import { rmSync } from "node:fs";
import { register } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deadLinks, findUndocumented } from "./site.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const out = join(root, "dist/docs");
process.chdir(root);

// Typedoc reads sources with the compiler's JavaScript API, which version 7 of the compiler lacks.
const resolver = `export const resolve = (name, context, next) => next(name === "typescript" ? "typescript-5" : name, context);`;
register(`data:text/javascript,${encodeURIComponent(resolver)}`);
const { Application, LogLevel } = await import("typedoc");

/** The import path of each module's source. */
const MODULES = {
  "src/index.ts": "motelearn",
  "host-sim/index.ts": "motelearn/simulator",
  "targets/moddable/run-node.ts": "motelearn/board",
};
const PAGES = [
  "docs/*.md",
  "docs/spec/*.md",
  "ARCHITECTURE.md",
  "SPEC.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
];

const app = await Application.bootstrap({
  name: "Motelearn",
  entryPoints: Object.keys(MODULES),
  tsconfig: "dev/docs/tsconfig.json",
  readme: "README.md",
  projectDocuments: PAGES,
  // This version of the compiler checks less than the project's, which `npm run typecheck` runs.
  skipErrorChecking: true,
  disableSources: true,
  validation: { notDocumented: true, notExported: false, invalidLink: true },
});
const warnings = [];
const faults = [];
app.logger.addContext = (message) => message;
app.logger.log = (message, level) => {
  if (level === LogLevel.Warn) warnings.push(message);
  if (level === LogLevel.Error) faults.push(message);
};

const sum = { passed: 0, failed: 0 };
function check(what, wrong) {
  sum[wrong.length === 0 ? "passed" : "failed"]++;
  console.log(`${wrong.length === 0 ? "ok  " : "FAIL"} ${what}`);
  for (const one of wrong) console.log(`  ${one}`);
}

/** Names modules by their import paths; typedoc uses file paths, without /index. */
function nameModules(project) {
  for (const module of project.children) {
    const [, name] = Object.entries(MODULES).find(([source]) => source.startsWith(module.name)) ?? [];
    if (!name)
      throw new Error(`typedoc made a module ${module.name}, which is none of ${Object.keys(MODULES)}`);
    module.name = name;
  }
}

const project = await app.convert();
if (project) {
  nameModules(project);
  app.validate(project);
  rmSync(out, { recursive: true, force: true });
  await app.generateDocs(project, out);
}
check("typedoc reads all modules and pages", faults);
check("every exported symbol, and every method of one, has a comment", findUndocumented(warnings));
const others = warnings.filter((text) => !text.includes("does not have any documentation"));
check("typedoc has nothing else to say", others);
check("no link of the site is dead", project ? deadLinks(out) : ["there is no site"]);
console.log(`\n${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed > 0 ? 1 : 0;
