import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { Command } from "commander";
import { DoesNotFitError, UserError } from "../../host/errors.ts";
import { makeFolder } from "../../host/files/make-folder.ts";
import { writeNew } from "../../host/files/new-file.ts";
import { writeFault } from "../../host/files/write-fault.ts";
import { PACKAGE } from "../../host/package-folder.ts";
import { positiveNumber } from "../../host/terminal/arguments.ts";
import { fileWord } from "../../host/terminal/command-line.ts";
import { printLine, printText } from "../../host/terminal/print.ts";
import { chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { channelCount, readNodeFile } from "../../host-sim/scenario/node-file.ts";
import { checkOptions, loadedCopy } from "../../host-sim/state/checked-copy.ts";
import { readCopy } from "../../host-sim/state/copy-file.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { memoryBytes, type Target } from "../../targets/boards.ts";
import type { Footprint } from "../../targets/footprint.ts";
import { planCreation } from "../../targets/ram.ts";
import { configNode } from "../../tools/toolchain/firmware.ts";
import { ownManifest, ownReadings } from "../../tools/toolchain/own-node.ts";
import { addNodeOptions, type PlanFlags } from "../options/node-options.ts";
import { makePlan, refuseMisfits, refuseUnmeasured } from "./plan.ts";

const TEMPLATE = join(PACKAGE, "examples/own-sensor");
const NODE_TEMPLATE = join(PACKAGE, "examples/own-node");
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

/** The template's node, as its manifest builds it. */
function templateNode(): NodeOptions {
  const { config } = JSON.parse(readFileSync(join(TEMPLATE, "manifest.json"), "utf8"));
  const channels = channelCount(readNodeFile(join(TEMPLATE, NODE)));
  return { ...config.node, sid: 1, channels, learner: chooseFamily(config.node.learner) };
}

/** A state's text. Throws a UserError for one that the node can't take. */
function stateText(state: string, node: NodeOptions, remedy: string): string {
  const copy = readCopy(state);
  checkOptions(`--state ${state}`, copy, node, remedy);
  loadedCopy(`--state ${state}`, copy, node);
  return readFileSync(state, "utf8");
}

/** The files of a project of the template's node that starts from that state. */
function stateFiles(state: string): [name: string, text: string][] {
  const remedy =
    "a project begins with the template's node: give `--node FILE` for another, have `evaluate --node FOLDER/node.json --save FILE` teach that one, or start this one by `flash --state`";
  const text = readFileSync(join(TEMPLATE, NODE), "utf8");
  return [
    [NODE, text.replace(/\n}\n$/, `,\n  "state": "${STATE}"\n}\n`)],
    [STATE, stateText(state, templateNode(), remedy)],
  ];
}

function projectFiles(folder: string, { node, state, rate }: InitFlags): [name: string, text: string][] {
  const usual = templateFiles(folder);
  if (node !== undefined) {
    const own = nodeFiles(node, state, rate);
    const kept = usual.filter(([name]) => KEPT.includes(name));
    return [
      ...kept.map(([name, text]): [string, string] => [name, text.replace("soil-moisture", "sensor")]),
      ...own,
    ];
  }
  if (rate !== undefined) throw new UserError("--rate: is for --node FILE");
  return state === undefined ? usual : [...usual.filter(([name]) => name !== NODE), ...stateFiles(state)];
}

/** Files of the template that suit any node. */
const KEPT: readonly string[] = [".gitignore", "mod.json", DEPENDENCIES, "tsconfig.json"];
/** Keys of a node's file that only `flash` and a gateway put on a board. */
const NOT_IN_PROJECT = ["key", "labelKey", "wifi", "wire"] as const;
/** As `flash` has them. */
const IMPLIED = { board: "esp32c3", checkpointEvery: 256, checkpointMs: 600_000, periodMs: 1000 } as const;

/** The node of a file, its plan and its board. Throws a UserError for one that no project makes, and a DoesNotFitError. */
function plannedFile(file: string) {
  const text = readNodeFile(file);
  const other = NOT_IN_PROJECT.find((key) => text[key] !== undefined);
  if (other !== undefined)
    throw new UserError(
      `--node ${file}: ${other}: a project's manifest.json says it under config.wire; leave it out`,
    );
  const command = addNodeOptions(new Command("init")).parse(["--node", file], { from: "user" });
  const target = (text.board ?? IMPLIED.board) as Target;
  const plan = makePlan({ ...command.opts<PlanFlags>(), target, creation: true });
  refuseUnmeasured(plan);
  refuseMisfits(plan);
  const { checkpointEvery, checkpointMs, periodMs } = { ...IMPLIED, ...text };
  const { family: learner, options, pending, features, extras } = plan;
  const node = { sid: 1, channels: channelCount(text), pending, checkpointEvery, features, learner, options };
  const config = configNode({ node, extras, checkpointMs, periodMs, sleep: text.sleep });
  return { text, target, node: { ...node, ...extras }, config, board: plan.board as Footprint };
}

/** The files of a project of a node's file, whose own sensor class takes its readings. */
function nodeFiles(file: string, state?: string, rate?: number): [name: string, text: string][] {
  const { text, target, node, config, board } = plannedFile(file);
  const readings = ownReadings(target, config, rate);
  const bytes = readings.burst === undefined ? 0 : 4 * node.channels;
  if (board.ram.bytes + bytes > memoryBytes(target))
    throw new DoesNotFitError(
      `--node ${file}: no room on ${target} for the ${bytes} bytes of a sample's readings`,
    );
  const manifest = ownManifest(target, config, readings, planCreation(board, bytes));
  const { sensors: _, state: saved = state, ...own } = text;
  const remedy = "have `evaluate --node FILE --save STATE` teach this one";
  const start = state ?? saved;
  const sensor = readings.burst === undefined ? "sensor.ts" : "burst-sensor.ts";
  return [
    ["main.ts", readFileSync(join(NODE_TEMPLATE, "main.ts"), "utf8")],
    ["sensor.ts", readFileSync(join(NODE_TEMPLATE, sensor), "utf8")],
    ["manifest.json", `${JSON.stringify(manifest, null, 2)}\n`],
    [NODE, `${JSON.stringify({ ...own, board: target, ...(start && { state: STATE }) }, null, 2)}\n`],
    ...(start ? [[STATE, stateText(start, node, remedy)] as [string, string]] : []),
  ];
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
function writeInto(folder: string, name: string, text: string): boolean {
  try {
    makeFolder(dirname(join(folder, name)));
    return writeNew(join(folder, name), text);
  } catch (error) {
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
    name === "motelearn" ? fileWord(relative(resolve(folder), PACKAGE)) : `${name}@${version}`,
  );
  return named.length === 0 ? "npm install" : `npm install --save-dev ${named.join(" ")}`;
}

interface InitFlags {
  readonly node?: string;
  readonly state?: string;
  readonly rate?: number;
}

function init(folder: string, flags: InitFlags): void {
  const files = projectFiles(folder, flags);
  checkFolder(folder);
  for (const [name, text] of files)
    printLine(`${writeInto(folder, name, text) ? "wrote" : "kept "} ${join(folder, name)}`);
  const steps = [
    ...(existsSync(join(PACKAGE, "dist/moddable")) ? [] : [`npm run build --prefix ${fileWord(PACKAGE)}`]),
    ...(resolve(folder) === process.cwd() ? [] : [`cd ${fileWord(folder)}`]),
    installLine(folder),
    "npx tsc --noEmit",
    ...(files.some(([name]) => name === "scenario.json") ? ["npx motelearn simulate scenario.json"] : []),
    "npx motelearn board --project .",
    ...(files.every(([name]) => name !== STATE)
      ? []
      : [`npx motelearn rollback --copy ${STATE} --port build/tty`]),
  ];
  printText("\nNext:");
  printLine(...steps.map((step) => `  ${step}`));
}

export function addInit(program: Command): void {
  program
    .command("init")
    .description(
      "write a small project: a node with a sensor class of your own, its firmware, scenario and recorded labels",
    )
    .argument("<folder>", "where; files that exist are kept")
    .option(
      "--node <file>",
      "the project is of this node's file, as `choose --node` writes it, with a sensor class that takes its readings from pins",
    )
    .option(
      "--rate <hz>",
      "with --node: readings of each sensor a second, where a sample has several",
      positiveNumber,
    )
    .option(
      "--state <file>",
      "the project's node starts from this state, which `evaluate --save` made of a node with the project's node.json",
    )
    .action(init);
}
