import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Command, Option } from "commander";
import { DeviceError, UserError } from "../../host/errors.ts";
import { positiveNumber, wholeNumber } from "../../host/terminal/arguments.ts";
import { printDocument, printLine, printNote } from "../../host/terminal/print.ts";
import { checkOptions } from "../../host-sim/state/checked-copy.ts";
import { readCopy } from "../../host-sim/state/copy-file.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { resolveSleep, type SleepOptions } from "../../src/start/sleep.ts";
import { BOARDS, TARGETS, type Target } from "../../targets/boards.ts";
import type { Footprint } from "../../targets/footprint.ts";
import { planCreation } from "../../targets/ram.ts";
import { type KeyFile, keyFileReader } from "../../tools/keys/key-file.ts";
import { readRecording } from "../../tools/labels/file-supply.ts";
import { parseAddress } from "../../tools/ports/address.ts";
import {
  type Check,
  checkDevice,
  checkEspressifQemu,
  checkIdf,
  checkKeyGenerator,
  checkMbedTls,
  checkPorts,
  checkSdk,
  checkTypeScript,
  checkVendorSdk,
} from "../../tools/toolchain/check.ts";
import {
  EMULATED_HOST,
  qemuPackage,
  qemuWords,
  runQemu,
  UART_PORT,
} from "../../tools/toolchain/espressif-qemu.ts";
import {
  archivePath,
  buildCommands,
  type CommandLine,
  checkTls,
  checkWifi,
  commandText,
  deployCommand,
  type FirmwareManifest,
  firmwareManifest,
  imagePath,
  objectOfF32,
  type Perform,
  readImage,
  sdkBoard,
  storesKeys,
  WIRES,
  type Wire,
  wirePins,
  writeManifest,
} from "../../tools/toolchain/firmware.ts";
import { flasherFile, readContents, writeFlash } from "../../tools/toolchain/flash-file.ts";
import { refuseFused } from "../../tools/toolchain/fused.ts";
import { type Greeting, greet, greetAtBroker } from "../../tools/toolchain/greeting.ts";
import { checkIncludes } from "../../tools/toolchain/includes.ts";
import { brokerAddress, type NetworkFile, networkFile } from "../../tools/toolchain/network-file.ts";
import { recordedBytes, writeRecorded } from "../../tools/toolchain/recorded.ts";
import { checkDrivers, type Sensor, sensorsFrom } from "../../tools/toolchain/sensors.ts";
import { keyParts, putKeys, writeTable } from "../../tools/toolchain/stored-keys.ts";
import { addNodeOptions, type PlanFlags } from "../options/node-options.ts";
import { makePlan, refuseMisfits, refuseUnmeasured } from "./plan.ts";

const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)));

/** Labels that may arrive before an older one, as in the plan. */
const LABEL_WINDOW = 16;

export interface FlashFlags extends PlanFlags {
  readonly target: Target;
  readonly period: number;
  readonly port?: string;
  readonly ota?: string;
  readonly emulate?: boolean;
  readonly flashFile?: string;
  readonly tcp: number;
  readonly from?: string;
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
async function checksFor(flags: FlashFlags): Promise<Check[]> {
  const { target, port, ota, emulate: emulated } = flags;
  const platform = BOARDS[target].sdk.platform;
  if (platform !== "esp32") return [checkSdk(), checkVendorSdk(platform), checkTypeScript()];
  const tools = [
    checkSdk(),
    checkIdf(),
    checkTypeScript(),
    ...(putsKeys(flags) ? [checkKeyGenerator()] : []),
    ...(flags.wifi?.authority ? [checkMbedTls()] : []),
  ];
  if (emulated) return [...tools, checkEspressifQemu(target)];
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
  if (wifi?.authority) checkTls(target, true);
  if (wifi && sleep)
    throw new UserError("--wifi and --sleep: takes one of them: a node that sleeps has a cable");
  if (BOARDS[target].sdk.platform === "esp32") return;
  if (ota !== undefined) throw new UserError(`--ota: ${target} has room for one firmware; give --port`);
  if (sleep) throw new UserError(`--sleep: ${target} doesn't sleep deeply; leave it out`);
}

/** An emulated board has a UART, a recording, and Ethernet in the place of Wi-Fi; neither cable, sensors nor deep sleep. */
function checkEmulated(flags: FlashFlags): void {
  const { target, emulate: emulated, from, ota, wire } = flags;
  if (from !== undefined && !emulated && ota === undefined)
    throw new UserError(
      "--from: only with --emulate, or with --ota to an emulated node; a board has sensors",
    );
  if (from !== undefined && flags.sensors !== undefined)
    throw new UserError("--from and --sensors: takes one of them: a recording, or a board's sensors");
  if (!emulated) return;
  qemuPackage(target); // throws for a board that it doesn't emulate
  const foreign = (["port", "ota", "sleep"] as const).find((name) => flags[name] !== undefined);
  if (foreign)
    throw new UserError(`--emulate and --${foreign}: takes one of them; an emulated board has none`);
  if (wire !== "uart") throw new UserError(`--emulate: takes --wire uart; QEMU has no USB for ${target}`);
  if (from === undefined)
    throw new UserError("--emulate: QEMU has no sensors; give --from FILE, a recording of readings to play");
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
function stateFor(flags: FlashFlags, node: NodeOptions) {
  const { state, dryRun } = flags;
  if (state === undefined) return undefined;
  const copy = readCopy(state);
  checkOptions(`--state ${state}`, copy, node);
  if (!dryRun && (flags.port ?? flags.ota ?? flags.wifi ?? flags.emulate) === undefined)
    throw new UserError("--state: goes over the node's wire; give --port, --ota, --wifi or --emulate");
  return copy;
}

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
function readSensors({ sensors, include, target, wire }: FlashFlags): Sensor[] | undefined {
  const pins = wirePins(target, wire);
  const sdk = process.env.MODDABLE || undefined;
  checkIncludes(include, sdk);
  if (sensors === undefined) return undefined;
  const own = sensorsFrom(sensors, target, pins);
  checkDrivers(own, include, sdk);
  return own;
}

/** When the node talks, if it sleeps between samples. */
function readSleep({ sleep, talkEvery, talkMs }: FlashFlags): Required<SleepOptions> | undefined {
  if (sleep) return resolveSleep({ talkEvery, talkMs });
  const options = talkEvery !== undefined ? "--talk-every" : talkMs !== undefined ? "--talk-ms" : undefined;
  if (options) throw new UserError(`${options}: is for a node that sleeps between its samples; give --sleep`);
  return undefined;
}

/** True if keys or a network go onto the board besides its firmware. A running node already has them. */
function putsKeys({ target, ota, key, labelKey, wifi }: FlashFlags): boolean {
  return storesKeys(target) && ota === undefined && (key ?? labelKey ?? wifi) !== undefined;
}

/** The node that the flags describe, checked against its board, and its plan. Throws a UserError, an OptionError or a DoesNotFitError. */
export function flashedNode(flags: FlashFlags) {
  const { dimension, checkpointEvery } = flags;
  if (dimension === undefined)
    throw new UserError("flash: how many readings in a sample? Give --dimension D");
  const line = {
    keyed: flags.key !== undefined,
    keyedLabels: flags.labelKey !== undefined,
    tls: flags.wifi?.authority !== undefined,
  };
  const plan = makePlan({ ...flags, ...line });
  refuseUnmeasured(plan);
  refuseMisfits(plan);
  const { family: learner, options, pending, features, extras } = plan;
  const node: NodeOptions = {
    ...{ sid: 1, channels: dimension, pending, labelWindow: LABEL_WINDOW, checkpointEvery },
    ...{ features, learner, options, ...extras },
  };
  return { node, plan };
}

/** The recording for the firmware, checked against its node. */
async function recordedFor({ from }: FlashFlags, { channels }: NodeOptions): Promise<Uint8Array | undefined> {
  return from === undefined ? undefined : recordedBytes(from, await readRecording(from), channels);
}

/** A firmware that was built in a folder, and the check of the node that it is. */
interface Built {
  readonly folder: string;
  readonly platform: string;
  readonly greeting: Greeting;
}

/** Meets an emulated node at its UART, or at its broker, which this machine has by another address. */
async function greetEmulated({ wifi, tcp: port }: FlashFlags, greeting: Greeting): Promise<string> {
  const address = `tcp://127.0.0.1:${port}`;
  if (!wifi) await greet(address, greeting);
  if (!wifi) return address;
  const { broker } = wifi.network;
  const host = broker.host === EMULATED_HOST ? "127.0.0.1" : broker.host;
  const network = { ...wifi.network, broker: { ...broker, host } };
  await greetAtBroker({ ...wifi, network }, greeting);
  return brokerAddress(network);
}

/** Writes the firmware into the flash of an emulated board, and runs the board until Ctrl-C. */
async function emulate(flags: FlashFlags, { folder, platform, greeting }: Built, perform: Perform) {
  const { target, tcp: port, dryRun } = flags;
  const list = flasherFile(process.env.MODDABLE || "$MODDABLE", basename(folder), platform, target);
  const file = resolve(flags.flashFile ?? join(folder, "flash"));
  const board = { target, port, flash: file, ethernet: flags.wifi !== undefined };
  const keys = putsKeys(flags) ? keyParts(flags, PACKAGE, folder, perform) : [];
  printLine(`write the files of ${list} into ${board.flash}`);
  printLine(commandText({ folder, env: {}, words: qemuWords(board) }));
  if (dryRun) return;
  const { size, parts } = readContents(list);
  writeFlash(board.flash, { size, parts: [...parts, ...keys] });
  await runQemu(board, async () => {
    const address = await greetEmulated(flags, greeting);
    printLine(`at ${address}; Ctrl-C ends it`);
  });
}

async function flash(flags: FlashFlags): Promise<void> {
  const { target, port, checkpointMs, period, include, dryRun } = flags;
  checkEmulated(flags);
  checkPortFlags(flags);
  checkTargetFlags(flags);
  const { node, plan } = flashedNode(flags);
  const recorded = await recordedFor(flags, node);
  const state = stateFor(flags, node);
  const { extras } = plan;
  const folder = resolve(flags.folder ?? `motelearn-${target}`);
  const sensors = readSensors(flags);
  const manifest = firmwareManifest(PACKAGE, folder, {
    ...{ target, node, extras, creation: planCreation(plan.board as Footprint) },
    ...{ periodMs: period, checkpointMs, include },
    ...{ sensors, recorded: recorded !== undefined, wire: flags.wire, sleep: readSleep(flags) },
    ...{ key: flags.key?.key, labelKey: flags.labelKey?.key, network: flags.wifi?.network },
    emulated: flags.emulate,
  });
  const missing = missingLines(await checksFor(flags));
  for (const line of missing) printNote(line);
  if (missing.length > 0 && !dryRun)
    throw new UserError("flash: not built: the missing parts are listed above");
  if (dryRun && flags.folder === undefined) printDocument(withoutNetwork(manifest));
  else {
    writeManifest(folder, manifest);
    if (recorded) writeRecorded(folder, recorded);
    if (putsKeys(flags)) writeTable(folder, flags);
  }
  const platform = sdkBoard(target, flags.board);
  const image = imagePath(process.env.MODDABLE || "$MODDABLE", folder, platform);
  const built = !existsSync(join(PACKAGE, "dev/build.mjs"));
  const perform: Perform = (command) => {
    printLine(commandText(command));
    if (!dryRun) execute(command);
  };
  if (!dryRun) rmSync(archivePath(process.env.MODDABLE as string, folder, platform, target), { force: true });
  buildCommands(PACKAGE, folder, platform, built).forEach(perform);
  if (!dryRun)
    refuseFused(BOARDS[target].sdk.objdump, objectOfF32(process.env.MODDABLE as string, folder, platform));
  const greeting = { node, state, key: flags.key?.key, labelKey: flags.labelKey?.key };
  if (flags.emulate) return emulate(flags, { folder, platform, greeting }, perform);
  if (flags.ota === undefined) perform(deployCommand(folder, platform, port));
  else printLine(`send ${image} to ${flags.ota}`);
  if (putsKeys(flags)) putKeys(flags, PACKAGE, folder, perform);
  if (state) printLine(`send the state of ${flags.state} to the node`);
  if (dryRun) return;
  if (flags.ota !== undefined) {
    const firmware = { image: readImage(image), node, fresh: flags.fresh ?? false };
    await greet(flags.ota, { ...greeting, firmware });
  } else if (flags.wifi !== undefined) await greetAtBroker(flags.wifi, greeting);
  else if (port !== undefined) await greet(port, greeting);
}

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
    .option("--emulate", "write it to an emulated board instead, and run that until Ctrl-C: Espressif's QEMU")
    .option(
      "--from <file>",
      "on an emulated board: a recording whose readings the node plays, as it has no sensors",
    )
    .option(
      "--flash-file <file>",
      "with --emulate: the board's flash, which outlives it (default: flash in the folder)",
    )
    .addOption(
      new Option("--tcp <port>", "with --emulate: its wire, a TCP port of this machine")
        .argParser(wholeNumber(1, 65535))
        .default(UART_PORT),
    )
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
      keyFileReader("--key"),
    )
    .option(
      "--label-key <file>",
      "the key of its labels: the node learns only labels with its tag",
      keyFileReader("--label-key"),
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
