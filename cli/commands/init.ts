import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { UserError } from "../../host/errors.ts";
import { makeFolder } from "../../host/files/make-folder.ts";
import { writeFault } from "../../host/files/write-fault.ts";
import { printLine, printText } from "../../host/terminal/print.ts";
import { chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { channelCount, readNodeFile } from "../../host-sim/scenario/node-file.ts";
import { checkOptions, loadedCopy } from "../../host-sim/state/checked-copy.ts";
import { readCopy } from "../../host-sim/state/copy-file.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";

const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)));
const TEMPLATE = join(PACKAGE, "examples/own-sensor");
const DEPENDENCIES = "package.json";
const NODE = "node.json";
/** The state of the project's node, if it starts from one. */
const STATE = "state.json";
/** Files that have other names in a project: npm leaves the first out of a package, and GitHub runs the second from its place. */
const NAMES = { gitignore: ".gitignore", "qemu.yml": ".github/workflows/qemu.yml" } as const;

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

/** The project's node, as its manifest builds it. */
function projectNode(): NodeOptions {
  const { config } = JSON.parse(readFileSync(join(TEMPLATE, "manifest.json"), "utf8"));
  const channels = channelCount(readNodeFile(join(TEMPLATE, NODE)));
  return { ...config.node, sid: 1, channels, learner: chooseFamily(config.node.learner) };
}

/** The files of a project whose node starts from that state. Throws a UserError for a state that the node can't take. */
function stateFiles(state: string): [name: string, text: string][] {
  const copy = readCopy(state);
  const node = projectNode();
  checkOptions(
    `--state ${state}`,
    copy,
    node,
    "a project begins with the template's node: have `evaluate --node FOLDER/node.json --save FILE` teach that one, or start this one by `flash --state`",
  );
  loadedCopy(`--state ${state}`, copy, node);
  const text = readFileSync(join(TEMPLATE, NODE), "utf8");
  return [
    [NODE, text.replace(/\n}\n$/, `,\n  "state": "${STATE}"\n}\n`)],
    [STATE, readFileSync(state, "utf8")],
  ];
}

/** The project's files: names and texts. */
function projectFiles(folder: string, state?: string): [name: string, text: string][] {
  const usual = templateFiles(folder);
  return state === undefined ? usual : [...usual.filter(([name]) => name !== NODE), ...stateFiles(state)];
}

function templateFiles(folder: string): [name: string, text: string][] {
  return readdirSync(TEMPLATE, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => {
      const text = readFileSync(join(TEMPLATE, name), "utf8");
      const named = NAMES[name as keyof typeof NAMES] ?? name;
      return [named, name === DEPENDENCIES ? dependenciesFrom(text, folder) : text];
    });
}

/** Writes a file unless there is one of that name. Returns whether it did; throws a UserError if it can't. */
function writeNew(folder: string, name: string, text: string): boolean {
  try {
    makeFolder(dirname(join(folder, name)));
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

function init(folder: string, { state }: { readonly state?: string }): void {
  const files = projectFiles(folder, state);
  checkFolder(folder);
  for (const [name, text] of files)
    printLine(`${writeNew(folder, name, text) ? "wrote" : "kept "} ${join(folder, name)}`);
  const steps = [
    ...(existsSync(join(PACKAGE, "dist/moddable")) ? [] : [`npm run build --prefix ${PACKAGE}`]),
    ...(resolve(folder) === process.cwd() ? [] : [`cd ${folder}`]),
    installLine(folder),
    "npx tsc --noEmit",
    "npx motelearn simulate scenario.json",
    "npx motelearn board --project .",
    ...(state === undefined ? [] : [`npx motelearn rollback --copy ${STATE} --port build/tty`]),
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
    .option(
      "--state <file>",
      "the project's node starts from this state, which `evaluate --save` made of a node with the project's node.json",
    )
    .action(init);
}
