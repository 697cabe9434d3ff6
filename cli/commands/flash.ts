import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Command } from "commander";
import { DeviceError, UserError } from "../../host/errors.ts";
import { PACKAGE } from "../../host/package-folder.ts";
import { printDocument, printLine, printNote } from "../../host/terminal/print.ts";
import { checkOptions } from "../../host-sim/state/checked-copy.ts";
import { readCopy } from "../../host-sim/state/copy-file.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { BOARDS } from "../../targets/boards.ts";
import type { Footprint } from "../../targets/footprint.ts";
import { planCreation } from "../../targets/ram.ts";
import { readRecording } from "../../tools/labels/file-supply.ts";
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
import { EMULATED_HOST, qemuWords, runQemu } from "../../tools/toolchain/espressif-qemu.ts";
import {
  archivePath,
  buildCommands,
  type CommandLine,
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
  writeManifest,
} from "../../tools/toolchain/firmware.ts";
import { flasherFile, readContents, writeFlash } from "../../tools/toolchain/flash-file.ts";
import { refuseFused } from "../../tools/toolchain/fused.ts";
import { type Greeting, greet, greetAtBroker } from "../../tools/toolchain/greeting.ts";
import { brokerAddress } from "../../tools/toolchain/network-file.ts";
import { recordedBytes, writeRecorded } from "../../tools/toolchain/recorded.ts";
import { keyParts, putKeys, writeTable } from "../../tools/toolchain/stored-keys.ts";
import {
  addFlashOptions,
  checkFlashFlags,
  type FlashFlags,
  readSensors,
  readSleep,
} from "../options/flash-options.ts";
import { makePlan, refuseMisfits, refuseUnmeasured } from "./plan.ts";

/** Labels that may arrive before an older one, as in the plan. */
const LABEL_WINDOW = 16;

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

/** Longest silence of an emulated node, seconds: its start takes a few of its own, which on a busy machine are minutes of this one's. */
const EMULATED_S = 600;

/** Meets an emulated node at its UART, or at its broker, which this machine has by another address. */
async function greetEmulated({ wifi, tcp: port }: FlashFlags, greeting: Greeting): Promise<string> {
  const address = `tcp://127.0.0.1:${port}`;
  if (!wifi) await greet(address, { giveUp: EMULATED_S, ...greeting });
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
  const keys = putsKeys(flags) ? keyParts(flags, folder, perform) : [];
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
  checkFlashFlags(flags);
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
  buildCommands(folder, platform, built).forEach(perform);
  if (!dryRun)
    refuseFused(BOARDS[target].sdk.objdump, objectOfF32(process.env.MODDABLE as string, folder, platform));
  const greeting = {
    ...{ node, state, key: flags.key?.key, labelKey: flags.labelKey?.key },
    ...(flags.giveUp !== undefined && { giveUp: flags.giveUp }),
  };
  if (flags.emulate) return emulate(flags, { folder, platform, greeting }, perform);
  if (flags.ota === undefined) perform(deployCommand(folder, platform, port));
  else printLine(`send ${image} to ${flags.ota}`);
  if (putsKeys(flags)) putKeys(flags, folder, perform);
  if (state) printLine(`send the state of ${flags.state} to the node`);
  if (dryRun) return;
  if (flags.ota !== undefined) {
    const firmware = { image: readImage(image), node, fresh: flags.fresh ?? false };
    await greet(flags.ota, { ...greeting, firmware });
  } else if (flags.wifi !== undefined) await greetAtBroker(flags.wifi, greeting);
  else if (port !== undefined) await greet(port, greeting);
}

export function addFlash(program: Command): void {
  const command = program
    .command("flash")
    .description(
      "build a node's firmware with the Moddable SDK and write it to a board; refuse a node that doesn't fit",
    );
  addFlashOptions(command).action(flash);
}
