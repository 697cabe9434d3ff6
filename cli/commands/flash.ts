import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Command, Option } from "commander";
import { DeviceError, DifferentStateError, UserError } from "../../host/errors.ts";
import { positiveNumber, wholeNumber } from "../../host/terminal/arguments.ts";
import { printDocument, printLine, printNote } from "../../host/terminal/print.ts";
import { checkOptions } from "../../host-sim/state/checked-copy.ts";
import { type GivenCopy, readCopy } from "../../host-sim/state/copy-file.ts";
import type { NodeOptions } from "../../src/node/node.ts";
import { resolveSleep, type SleepOptions } from "../../src/start/sleep.ts";
import { BOARDS, TARGETS, type Target } from "../../targets/boards.ts";
import type { Footprint } from "../../targets/footprint.ts";
import { creationOf } from "../../targets/ram.ts";
import { type KeyFile, keyFileOf } from "../../tools/keys/key-file.ts";
import { PASSWORD_VARIABLE, parseAddress } from "../../tools/ports/address.ts";
import { bitsText } from "../../tools/session/same-bits.ts";
import { sendCopy } from "../../tools/session/send-copy.ts";
import { type Firmware, sendFirmware } from "../../tools/session/send-firmware.ts";
import { Session } from "../../tools/session/session.ts";
import {
  type Check,
  checkDevice,
  checkIdf,
  checkPorts,
  checkSdk,
  checkTypeScript,
  checkVendorSdk,
} from "../../tools/toolchain/check.ts";
import {
  buildCommands,
  type CommandLine,
  checkWifi,
  commandText,
  deployCommand,
  type FirmwareManifest,
  firmwareManifest,
  imageOf,
  objectOfF32,
  readImage,
  sdkBoard,
  storesKeys,
  WIRES,
  type Wire,
  wirePins,
  writeManifest,
} from "../../tools/toolchain/firmware.ts";
import { refuseFused } from "../../tools/toolchain/fused.ts";
import { checkIncludes } from "../../tools/toolchain/includes.ts";
import { addressOf, type NetworkFile, networkFile } from "../../tools/toolchain/network-file.ts";
import { checkDrivers, type Sensor, sensorsFrom } from "../../tools/toolchain/sensors.ts";
import {
  encryptionText,
  keyCommands,
  performWithImage,
  writeTable,
} from "../../tools/toolchain/stored-keys.ts";
import { addNodeOptions, type PlanFlags, planOf, refuseMisfits, refuseUnmeasured } from "./plan.ts";

const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)));

/** Longest silence of a node while new firmware is on trial, seconds. */
const TRIAL_S = 150;
/** Longest silence of a node while it joins its Wi-Fi, seconds. */
const JOIN_S = 60;

/** Labels that may arrive before an older one, as in the plan. */
const LABEL_WINDOW = 16;

export interface FlashFlags extends PlanFlags {
  readonly target: Target;
  readonly period: number;
  readonly port?: string;
  readonly ota?: string;
  readonly fresh?: boolean;
  readonly state?: string;
  readonly board?: string;
  readonly checkpointEvery: number;
  readonly checkpointMs: number;
  readonly sleep?: boolean;
  readonly talkEvery?: number;
  readonly talkMs?: number;
  readonly wire: Wire;
  readonly key?: KeyFile;
  readonly labelKey?: KeyFile;
  readonly wifi?: NetworkFile;
  readonly sensors?: string;
  readonly include: readonly string[];
  readonly folder?: string;
  readonly dryRun?: boolean;
}

/**
 * The commands to build and deploy; with the port only if it is known, and where the SDK deploys over one.
 */
async function checksFor({ target, port, ota }: FlashFlags): Promise<Check[]> {
  const platform = BOARDS[target].sdk.platform;
  if (platform !== "esp32") return [checkSdk(), checkVendorSdk(platform), checkTypeScript()];
  const tools = [checkSdk(), checkIdf(), checkTypeScript()];
  if (ota !== undefined) return tools;
  const device = port === undefined ? await checkPorts() : [checkDevice(port)];
  const usable = device.filter(({ ok }) => ok);
  return [...tools, ...(usable.length > 0 ? usable.slice(0, 1) : device)];
}

function missingLines(checks: readonly Check[]): string[] {
  return checks
    .filter(({ ok }) => !ok)
    .map(({ name, found, cure }) => `missing: ${name}: ${found === undefined ? "" : `${found}; `}${cure}`);
}

/** Features that only some targets have. */
function checkTargetFlags({ target, board, ota, sleep, wifi }: FlashFlags): void {
  if (wifi) checkWifi(target, board);
  if (wifi && sleep)
    throw new UserError("--wifi and --sleep: takes one of them: a node that sleeps has a cable");
  if (BOARDS[target].sdk.platform === "esp32") return;
  if (ota !== undefined) throw new UserError(`--ota: ${target} has room for one firmware; give --port`);
  if (sleep) throw new UserError(`--sleep: ${target} doesn't sleep deeply; leave it out`);
}

function checkPortFlags({ port, ota, fresh }: FlashFlags): void {
  if (port !== undefined && ota !== undefined)
    throw new UserError("--port and --ota: takes one of them: a cable, or the node's wire");
  if (fresh && ota === undefined) throw new UserError("--fresh: only with --ota");
  if (ota !== undefined) parseAddress(ota);
  if (port === undefined || parseAddress(port).kind === "serial") return;
  throw new UserError(
    `--port ${port}: takes a serial device such as /dev/ttyUSB0 or COM3; motelearn monitor --list prints them`,
  );
}

/** The state with which the node is to begin. Throws a UserError where this node can't take it. */
function stateFor({ state, port, ota, wifi, labelKey, dryRun }: FlashFlags, node: NodeOptions) {
  if (state === undefined) return undefined;
  const copy = readCopy(state);
  checkOptions(`--state ${state}`, copy, node);
  if (labelKey) throw new UserError("--state and --label-key: takes one of them: such a node takes no state");
  if (!dryRun && (port ?? ota ?? wifi) === undefined)
    throw new UserError("--state: goes over the node's wire; give --port, --ota or --wifi");
  return copy;
}

type Perform = (command: CommandLine) => void;

/** Runs a command and shows its output. Throws a DeviceError that names it if it fails. */
function execute({ folder, env, words: [program, ...args] }: CommandLine): void {
  const { status, error } = spawnSync(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
  if (error) throw new UserError(`${program}: can't be run (${(error as NodeJS.ErrnoException).code})`);
  if (status !== 0) throw new DeviceError(`${program} ended with ${status}; its output stands above`);
}

/** What the flashed node must be, and what goes to it over its wire. */
interface Greeting {
  readonly node: NodeOptions;
  readonly key?: Uint8Array;
  readonly firmware?: Firmware;
  readonly state?: GivenCopy;
  /** Longest silence, seconds. */
  readonly giveUp?: number;
}

/**
 * Sends the firmware if it goes over the wire, meets the flashed node, and compares its arithmetic, with its
 * learner's steps, to this machine's; then has it resume from the state. Throws a DifferentStateError if they differ.
 */
async function greet(port: string, { node, key, firmware, state, giveUp }: Greeting): Promise<void> {
  const session = await Session.open({ port, key, giveUp: giveUp ?? (firmware && TRIAL_S) });
  try {
    if (firmware) await sendFirmware(session, firmware, printLine);
    const bits = await session.bits(node);
    if (bits.verdict === "different bits") throw new DifferentStateError(`${port}: ${bitsText(bits)}`);
    printLine(bitsText(bits));
    if (!state) return;
    const { seq, labelled } = await sendCopy(session, state, () => session.clock.now());
    printLine(`the node begins with the state after sample ${seq} and label ${labelled}`);
  } finally {
    await session.close();
  }
}

/**
 * Meets a flashed node at its broker, as the node's user there, unless the environment has another password.
 */
function greetAtBroker({ network }: NetworkFile, greeting: Greeting): Promise<void> {
  const { password } = network.broker;
  if (password !== undefined) process.env[PASSWORD_VARIABLE] ??= password;
  return greet(addressOf(network), { ...greeting, giveUp: JOIN_S });
}

/** A manifest for printing; it contains the network, with passwords, of a board that can't store one. */
function withoutNetwork(manifest: FirmwareManifest): object {
  const { config } = manifest;
  if (typeof config.wire.network !== "object") return manifest;
  return { ...manifest, config: { ...config, wire: { ...config.wire, network: "that of --wifi" } } };
}

/**
 * The command line's sensors, checked against the target's pins, the SDK's drivers and the manifests to
 * include.
 */
function sensorsOf({ sensors, include, target, wire }: FlashFlags): Sensor[] | undefined {
  const pins = wirePins(target, wire);
  const sdk = process.env.MODDABLE || undefined;
  checkIncludes(include, sdk);
  if (sensors === undefined) return undefined;
  const own = sensorsFrom(sensors, target, pins);
  checkDrivers(own, include, sdk);
  return own;
}

/** When the node talks, if it sleeps between samples. */
function sleepOf({ sleep, talkEvery, talkMs }: FlashFlags): Required<SleepOptions> | undefined {
  if (sleep) return resolveSleep({ talkEvery, talkMs });
  const options = talkEvery !== undefined ? "--talk-every" : talkMs !== undefined ? "--talk-ms" : undefined;
  if (options) throw new UserError(`${options}: is for a node that sleeps between its samples; give --sleep`);
  return undefined;
}

/** True if keys or a network go onto the board besides its firmware. A running node already has them. */
function putsKeys({ target, ota, key, labelKey, wifi }: FlashFlags): boolean {
  return storesKeys(target) && ota === undefined && (key ?? labelKey ?? wifi) !== undefined;
}

function putKeys(flags: FlashFlags, folder: string, perform: Perform): void {
  const { port, include, dryRun, key, labelKey, wifi } = flags;
  const commands = keyCommands(PACKAGE, folder, port);
  const what = [...((key ?? labelKey) ? ["keys"] : []), ...(wifi ? ["network"] : [])].join(" and ");
  printLine(encryptionText(PACKAGE, include, what));
  if (dryRun) commands.forEach(perform);
  else performWithImage(folder, () => commands.forEach(perform));
}

/** The node that the flags describe, checked against its board, and its plan. Throws a UserError, an OptionError or a DoesNotFitError. */
export function flashedNode(flags: FlashFlags) {
  const { dimension, checkpointEvery } = flags;
  if (dimension === undefined)
    throw new UserError("flash: how many readings in a sample? Give --dimension D");
  const keys = { keyed: flags.key !== undefined, keyedLabels: flags.labelKey !== undefined };
  const plan = planOf({ ...flags, ...keys });
  refuseUnmeasured(plan);
  refuseMisfits(plan);
  const { family: learner, options, pending, features, extras } = plan;
  const node: NodeOptions = {
    ...{ sid: 1, channels: dimension, pending, labelWindow: LABEL_WINDOW, checkpointEvery },
    ...{ features, learner, options, ...extras },
  };
  return { node, plan };
}

async function flash(flags: FlashFlags): Promise<void> {
  const { target, port, checkpointMs, period, include, dryRun } = flags;
  checkPortFlags(flags);
  checkTargetFlags(flags);
  const { node, plan } = flashedNode(flags);
  const state = stateFor(flags, node);
  const { extras } = plan;
  const folder = resolve(flags.folder ?? `motelearn-${target}`);
  const sensors = sensorsOf(flags);
  const manifest = firmwareManifest(PACKAGE, folder, {
    ...{ target, node, extras, creation: creationOf(plan.board as Footprint) },
    ...{ periodMs: period, checkpointMs, include },
    ...{ sensors, wire: flags.wire, sleep: sleepOf(flags) },
    ...{ key: flags.key?.key, labelKey: flags.labelKey?.key, network: flags.wifi?.network },
  });
  const missing = missingLines(await checksFor(flags));
  for (const line of missing) printNote(line);
  if (missing.length > 0 && !dryRun)
    throw new UserError("flash: not built: the missing parts are listed above");
  if (dryRun && flags.folder === undefined) printDocument(withoutNetwork(manifest));
  else {
    writeManifest(folder, manifest);
    if (putsKeys(flags)) writeTable(folder, flags);
  }
  const platform = sdkBoard(target, flags.board);
  const image = imageOf(process.env.MODDABLE || "$MODDABLE", folder, platform);
  const built = !existsSync(join(PACKAGE, "dev/build.mjs"));
  const perform: Perform = (command) => {
    printLine(commandText(command));
    if (!dryRun) execute(command);
  };
  buildCommands(PACKAGE, folder, platform, built).forEach(perform);
  if (!dryRun)
    refuseFused(BOARDS[target].sdk.objdump, objectOfF32(process.env.MODDABLE as string, folder, platform));
  if (flags.ota === undefined) perform(deployCommand(folder, platform, port));
  else printLine(`send ${image} to ${flags.ota}`);
  if (putsKeys(flags)) putKeys(flags, folder, perform);
  if (state) printLine(`send the state of ${flags.state} to the node`);
  if (dryRun) return;
  const greeting = { node, state, key: flags.key?.key };
  if (flags.ota !== undefined) {
    const firmware = { image: readImage(image), node, fresh: flags.fresh ?? false };
    await greet(flags.ota, { ...greeting, firmware });
  } else if (flags.wifi !== undefined) await greetAtBroker(flags.wifi, greeting);
  else if (port !== undefined) await greet(port, greeting);
}

/** Adds `motelearn flash`. */
export function addFlash(program: Command): void {
  addNodeOptions(
    program
      .command("flash")
      .description(
        "build a node's firmware with the Moddable SDK and write it to a board; refuse a node that doesn't fit",
      ),
  )
    .addOption(new Option("--target <board>", "board to flash").choices(TARGETS).makeOptionMandatory())
    .option(
      "--port <device>",
      "serial device of the board; its self-test is then compared with this machine's",
    )
    .option("--ota <address>", "send the firmware to the running node at this address, and start it")
    .option("--fresh", "with --ota: send it even if other options make the node lose its learned state")
    .option(
      "--state <file>",
      "then have the node resume from this state, a file of `evaluate --save` or a gateway's copy; it must fit the firmware's options",
    )
    .option(
      "--board <name>",
      "board as the SDK names it, such as lolin_c3mini (default: the target's usual one)",
    )
    .option("--period <ms>", "milliseconds between two samples", positiveNumber, 1000)
    .option(
      "--checkpoint-every <n>",
      "labels between two checkpoints; 0: only when asked",
      wholeNumber(0),
      256,
    )
    .option("--checkpoint-ms <ms>", "milliseconds between two checkpoints, at least", wholeNumber(0), 600_000)
    .option("--sleep", "the chip sleeps deeply between two samples")
    .option(
      "--talk-every <n>",
      "with --sleep: samples from one talk to the next (default: 1)",
      wholeNumber(1),
    )
    .option("--talk-ms <ms>", "with --sleep: milliseconds that a talk lasts (default: 2000)", wholeNumber(0))
    .addOption(
      new Option(
        "--wire <wire>",
        "the node's wire: a UART of the board, or the USB of esp32c3 and esp32s3 themselves",
      )
        .choices(WIRES)
        .default("uart"),
    )
    .option(
      "--key <file>",
      "the key of its wire, see `motelearn key`: only a peer with it teaches",
      keyFileOf("--key"),
    )
    .option(
      "--label-key <file>",
      "the key of its labels: the node learns only labels with its tag",
      keyFileOf("--label-key"),
    )
    .option(
      "--wifi <file>",
      "connect the node to an MQTT broker: a file with its Wi-Fi, broker and name, which only you may read",
      networkFile,
    )
    .option("--sensors <json>", "`config.sensors` of the firmware (default: the target's manifest's)")
    .option("--include <manifest...>", "manifests of the sensors' drivers", [])
    .option("--folder <folder>", "where the manifest is written (default: motelearn-TARGET)")
    .option("--dry-run", "print the manifest (written only with --folder) and the commands, and run none")
    .action(flash);
}
