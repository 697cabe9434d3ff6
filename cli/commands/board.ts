import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Command, Option } from "commander";
import { DeviceError, UserError } from "../../host/errors.ts";
import { makeFolder } from "../../host/files/make-folder.ts";
import { writeFault } from "../../host/files/write-fault.ts";
import { PACKAGE } from "../../host/package-folder.ts";
import { parseClasses, wholeNumber } from "../../host/terminal/arguments.ts";
import { printLine, printNote } from "../../host/terminal/print.ts";
import {
  checkOptionNames,
  chooseFamily,
  chooseForClasses,
  takesClasses,
} from "../../host-sim/catalogue/learner-choice.ts";
import { pendingForDelay } from "../../host-sim/labels/late-labels.ts";
import { readNodeFile } from "../../host-sim/scenario/node-file.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { Target } from "../../targets/boards.ts";
import costs from "../../targets/costs.json";
import { keyReader, keysConfig } from "../../tools/keys/key-file.ts";
import { QEMU_TARGETS, runQemu, UART_PORT } from "../../tools/toolchain/espressif-qemu.ts";
import { addNodeOptions, labelDelayOption, type PlanFlags } from "../options/node-options.ts";
import { makePlan } from "./plan.ts";

const BUILD = "dist/emulator";
/** The chips in targets/emulator/chips.mjs that run a node's firmware. */
const CHIPS = Object.keys(costs.instructions);
/** The other options of a chip in Espressif's QEMU: its flash holds the whole node. */
const OF_FLASH: readonly (keyof BoardFlags)[] = ["chip", "flash", "tcp", "ethernet"];
/** The defaults of the shipped scenario, which `fusion` serves by default. */
const CHANNELS = 2;
const LEARNER = "olk-c";
const SAMPLE_MS = 1000;
const CHECKPOINT_EVERY = 20;

interface BoardFlags {
  readonly project?: string;
  readonly node?: string;
  readonly unix?: string;
  readonly tcp?: number;
  readonly pty?: string;
  readonly flash?: string;
  readonly ethernet?: boolean;
  readonly chip: string;
  readonly learner?: string;
  readonly budget?: number;
  readonly channels?: number;
  readonly classes?: number | readonly string[];
  readonly labelDelay?: number;
  readonly sampleMs?: number;
  readonly key?: Uint8Array;
  readonly labelKey?: Uint8Array;
}

/** The exports of targets/emulator/run-board.mjs, shipped as plain JavaScript. */
interface Emulator {
  runBoard(options: object): Promise<void>;
  readonly ProjectError: new () => Error;
  readonly BoardError: new () => Error;
}

/** The end of its wire, in the board's form, and in the other commands' form. */
interface Wire {
  readonly uart: { readonly unix?: string; readonly tcp?: number; readonly pty?: string };
  readonly at: string;
}

function chooseWire({ unix, tcp, pty }: BoardFlags, folder: string): Wire {
  if ([unix, tcp, pty].filter((end) => end !== undefined).length > 1)
    throw new UserError("board: more than one end; takes one of --unix, --tcp and --pty");
  if (unix !== undefined) return { uart: { unix }, at: `unix:${unix}` };
  if (tcp !== undefined) return { uart: { tcp }, at: `tcp://localhost:${tcp}` };
  const path = pty ?? join(folder, "tty");
  return { uart: { pty: path }, at: path };
}

/** The node to run without a project, as an argument of programs/station.ts. */
export function boardArgument({
  learner = LEARNER,
  budget,
  channels = CHANNELS,
  classes = 2,
  labelDelay,
  sampleMs = SAMPLE_MS,
  ...keys
}: BoardFlags) {
  const count = typeof classes === "object" ? classes.length : classes;
  const family = chooseForClasses(chooseFamily(learner), count);
  const many = takesClasses(family, count) && { classes: count };
  const options = { ...(budget !== undefined && { budget }), ...many };
  checkOptionNames(family, options);
  const names = typeof classes === "object" && { classes };
  const ring = labelDelay !== undefined && { pending: pendingForDelay(labelDelay) };
  const node = { sid: 1, channels, checkpointEvery: CHECKPOINT_EVERY, ...ring, ...names, options };
  nodeLayout({ ...node, learner: family }); // throws for names that don't fit
  return { run: "station", node: { ...node, learner: family.name }, sampleMs, ...keysConfig(keys) };
}

/** Options of `board` that a node's file says. */
const IN_NODE_FILE = ["learner", "budget", "channels", "classes", "labelDelay"] as const;

/** The node of a file, with the options that `flash --node` would give it. */
export function argumentOfFile(file: string, { sampleMs, ...keys }: BoardFlags) {
  const text = readNodeFile(file);
  const command = addNodeOptions(new Command("board")).parse(["--node", file], { from: "user" });
  const { family, options, pending, features, extras } = makePlan(command.opts<PlanFlags>());
  const { channels, checkpointEvery = CHECKPOINT_EVERY, periodMs = SAMPLE_MS } = text;
  const count = typeof channels === "number" ? channels : channels.length;
  const node = { sid: 1, channels: count, pending, checkpointEvery, features, options, ...extras };
  const own = {
    key: keys.key ?? (text.key === undefined ? undefined : keyReader("key")(text.key)),
    labelKey:
      keys.labelKey ?? (text.labelKey === undefined ? undefined : keyReader("labelKey")(text.labelKey)),
  };
  return {
    run: "station",
    node: { ...node, learner: family.name },
    sampleMs: sampleMs ?? periodMs,
    ...keysConfig(own),
  };
}

/** Makes the folder for a file that the board will make. */
function makeParentFolder(file: string): void {
  try {
    makeFolder(dirname(resolve(file)));
  } catch (error) {
    throw new UserError(`board: ${file}: ${writeFault(file, error)}`);
  }
}

/** An option's name as it is typed. */
function inWords(name: keyof BoardFlags): string {
  return name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
}

/** A project describes its own node, and must exist: its folder isn't made for the board's files. */
function checkProjectFlags(flags: BoardFlags): void {
  const { project } = flags;
  if (project !== undefined && !statSync(project, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`--project ${project}: no such folder; motelearn init makes one`);
  const findFlag = (names: readonly (keyof BoardFlags)[]) => {
    const own = names.find((name) => flags[name] !== undefined);
    return own && inWords(own);
  };
  const inProject = findFlag([...IN_NODE_FILE, "node", "sampleMs", "key", "labelKey"]);
  if (project !== undefined && inProject !== undefined)
    throw new UserError(`--${inProject}: not with --project, whose manifest.json says it under config.node`);
  const inFile = findFlag(IN_NODE_FILE);
  if (flags.node !== undefined && inFile !== undefined)
    throw new UserError(`--${inFile}: not with --node, whose file says it`);
}

/** The node to run; a project's is in its firmware. */
function nodeArgument(flags: BoardFlags): object {
  if (flags.project !== undefined) return {};
  return flags.node === undefined ? boardArgument(flags) : argumentOfFile(flags.node, flags);
}

/** Runs the flash that `flash --emulate` wrote, in Espressif's QEMU. */
async function runFlash(target: Target, flags: BoardFlags): Promise<void> {
  const { flash, tcp: port = UART_PORT } = flags;
  const other = (Object.keys(flags) as (keyof BoardFlags)[]).find((name) => !OF_FLASH.includes(name));
  if (other)
    throw new UserError(`--${inWords(other)}: not with --chip ${target}, whose flash holds its firmware`);
  if (flash === undefined || !existsSync(flash))
    throw new UserError(
      `--chip ${target}: ${flash === undefined ? "no --flash" : `--flash ${flash}: no such file`}; give what motelearn flash --emulate wrote`,
    );
  await runQemu({ target, flash, port, ethernet: flags.ethernet }, async () =>
    printLine(`at tcp://127.0.0.1:${port}; Ctrl-C ends it`),
  );
}

async function board(flags: BoardFlags): Promise<void> {
  const flashed = QEMU_TARGETS.find((target) => target === flags.chip);
  if (flashed) return runFlash(flashed, flags);
  checkProjectFlags(flags);
  const { project, chip } = flags;
  const folder = project === undefined ? BUILD : join(project, "build");
  const { uart, at } = chooseWire(flags, folder);
  const flash = flags.flash ?? join(folder, "flash");
  const argument = nodeArgument(flags);
  for (const file of [flash, uart.pty ?? uart.unix]) if (file !== undefined) makeParentFolder(file);
  const ready = () => printLine(`at ${at}; Ctrl-C ends it`);
  const emulator = pathToFileURL(join(PACKAGE, "targets/emulator/run-board.mjs")).href;
  const { runBoard, ProjectError, BoardError } = (await import(emulator)) as Emulator;
  try {
    await runBoard({ chip, uart, flash, project, argument, say: printNote, ready });
  } catch (error) {
    if (error instanceof ProjectError) throw new UserError(error.message);
    if (error instanceof BoardError) throw new DeviceError(`board: ${error.message}`);
    throw error;
  }
}

export function addBoard(program: Command): void {
  program
    .command("board")
    .description(
      "run a node's firmware on an emulated chip, with a tty or a socket as its serial line (QEMU)",
    )
    .option("--project <folder>", "run this project (`motelearn init` makes one) instead of a node as below")
    .option(
      "--node <file>",
      "run the node of this file (`choose --node` writes one) instead of a node as below",
    )
    .option(
      "--pty <path>",
      "its serial line: a link to a tty (default: build/tty in the project, else dist/emulator/tty)",
    )
    .option("--unix <path>", "its serial line: a Unix socket")
    .option("--tcp <port>", "its serial line: a TCP port of this machine", wholeNumber(1, 65535))
    .option("--ethernet", "with a --flash that `flash --emulate --wifi` wrote: the network of its node")
    .option("--flash <file>", "its flash, which outlives it (default: flash, beside the tty)")
    .addOption(
      new Option(
        "--chip <chip>",
        "ESP32-C3's kind, RISC-V with floating point, RP2040's (Cortex-M0+), nRF52840's (-M4F) or RP2350's (-M33); or a board with the --flash that `flash --emulate` wrote",
      )
        .choices([...CHIPS, ...QEMU_TARGETS])
        .default(CHIPS[0]),
    )
    .option("--learner <id>", `without a project: the learner (default: ${LEARNER})`)
    .option(
      "--budget <n>",
      "without a project: its support vectors (default: the learner's)",
      wholeNumber(1, 65536),
    )
    .option(
      "--channels <n>",
      `without a project: readings in a sample (default: ${CHANNELS})`,
      wholeNumber(1, 4096),
    )
    .option(
      "--classes <list>",
      "without a project: its classes' names, in the order of its labels (ok,fault are -1 and +1), or their number",
      parseClasses,
    )
    .addOption(labelDelayOption("without a project: "))
    .option("--key <file>", "without a project: the key of its line, see `motelearn key`", keyReader("--key"))
    .option(
      "--label-key <file>",
      "without a project: the key of labels, see `motelearn key`",
      keyReader("--label-key"),
    )
    .option(
      "--sample-ms <ms>",
      `without a project: from one sample to the next; 0: samples come over the line (default: ${SAMPLE_MS})`,
      wholeNumber(0, 0x7fffffff),
    )
    .action(board);
}
