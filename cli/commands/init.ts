import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { UserError } from "../../host/errors.ts";
import { makeFolder } from "../../host/files/make-folder.ts";
import { writeFault } from "../../host/files/write-fault.ts";
import { printLine, printText } from "../../host/terminal/print.ts";

const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)));
const TEMPLATE = join(PACKAGE, "examples/own-sensor");
const DEPENDENCIES = "package.json";
/** Files that npm leaves out of a package under their own names. */
const HIDDEN = { gitignore: ".gitignore" } as const;

interface Dependencies {
  readonly devDependencies: { readonly [name: string]: string };
}

/** The project's package.json, which depends on this package at its path. */
function dependenciesFrom(text: string, folder: string): string {
  const project: Dependencies = JSON.parse(text);
  const place = `file:${relative(resolve(folder), PACKAGE)}`;
  const devDependencies = { ...project.devDependencies, motelearn: place };
  return `${JSON.stringify({ ...project, devDependencies }, null, 2)}\n`;
}

/** The project's files: names and texts. */
function projectFiles(folder: string): [name: string, text: string][] {
  return readdirSync(TEMPLATE, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => {
      const text = readFileSync(join(TEMPLATE, name), "utf8");
      const named = HIDDEN[name as keyof typeof HIDDEN] ?? name;
      return [named, name === DEPENDENCIES ? dependenciesFrom(text, folder) : text];
    });
}

/** Writes a file unless there is one of that name. Returns whether it did; throws a UserError if it can't. */
function writeNew(folder: string, name: string, text: string): boolean {
  try {
    writeFileSync(join(folder, name), text, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new UserError(`init ${folder}: ${name}: ${writeFault(join(folder, name), error)}`);
  }
}

function checkFolder(folder: string): void {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new UserError(`init ${folder}: a file has that name; give a folder`);
  try {
    makeFolder(folder);
  } catch (error) {
    throw new UserError(`init ${folder}: ${writeFault(folder, error)}`);
  }
}

/** The command that installs the packages missing in a package.json that already existed. */
function installLine(folder: string): string {
  const { devDependencies: wanted }: Dependencies = JSON.parse(
    readFileSync(join(TEMPLATE, DEPENDENCIES), "utf8"),
  );
  const there = readFileSync(join(folder, DEPENDENCIES), "utf8");
  const lacking = Object.entries(wanted).filter(([name]) => !there.includes(`"${name}"`));
  const named = lacking.map(([name, version]) =>
    name === "motelearn" ? relative(resolve(folder), PACKAGE) : `${name}@${version}`,
  );
  return named.length === 0 ? "npm install" : `npm install --save-dev ${named.join(" ")}`;
}

function init(folder: string): void {
  checkFolder(folder);
  for (const [name, text] of projectFiles(folder))
    printLine(`${writeNew(folder, name, text) ? "wrote" : "kept "} ${join(folder, name)}`);
  const steps = [
    ...(existsSync(join(PACKAGE, "dist/moddable")) ? [] : [`npm run build --prefix ${PACKAGE}`]),
    ...(resolve(folder) === process.cwd() ? [] : [`cd ${folder}`]),
    installLine(folder),
    "npx tsc --noEmit",
    "npx motelearn simulate scenario.json",
    "npx motelearn board --project .",
  ];
  printText("\nNext:");
  printLine(...steps.map((step) => `  ${step}`));
}

/** Adds `motelearn init`. */
export function addInit(program: Command): void {
  program
    .command("init")
    .description(
      "write a small project: a node with a sensor class of your own, its firmware, scenario and recorded labels",
    )
    .argument("<folder>", "where; files that exist are kept")
    .action(init);
}
