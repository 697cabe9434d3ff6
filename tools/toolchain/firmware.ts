import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { UserError } from "../../host/errors.ts";
import { makeFolder } from "../../host/files/make-folder.ts";
import { writeFault } from "../../host/files/write-fault.ts";
import { PACKAGE } from "../../host/package-folder.ts";
import { shellWord } from "../../host/terminal/command-line.ts";
import { withBudget } from "../../src/learn/family.ts";
import { FAMILIES, familyNamed } from "../../src/learn/registry.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { SleepOptions } from "../../src/start/sleep.ts";
import {
  BOARDS,
  type Board,
  type BoardMemory,
  type BoardSdk,
  type Target,
  usualSensors,
  wireConfig,
} from "../../targets/boards.ts";
import { STORED } from "../../targets/moddable/keys.ts";
import type { Network } from "../../targets/moddable/network.ts";
import { NO_ONE_VS_ALL } from "../../targets/planned-node.ts";
import { keysConfig } from "../keys/key-file.ts";
import { RECORDED_DATA } from "./recorded.ts";
import type { Sensor } from "./sensors.ts";

/** A node's wire: a UART of the board, or its chip's own USB. */
export const WIRES = ["uart", "usb"] as const;
export type Wire = (typeof WIRES)[number];

/** A node, and its times. */
interface NodeInManifest {
  readonly node: NodeOptions;
  /** The node's optional parts. */
  readonly extras?: Partial<NodeOptions>;
  /** Milliseconds between two samples, and least milliseconds between two checkpoints. */
  readonly periodMs: number;
  readonly checkpointMs: number;
  /** When the node talks, if it sleeps deeply between samples. */
  readonly sleep?: SleepOptions;
}

/** The firmware's configuration besides its node's options. */
interface FirmwareOptions extends NodeInManifest {
  readonly target: Target;
  readonly creation: BoardMemory;
  /** The wire's transport. */
  readonly wire: Wire;
  /** Default: the target's manifest's. */
  readonly sensors?: readonly Sensor[];
  /** True if it plays a recording in place of sensors: on an emulated board. */
  readonly recorded?: boolean;
  /** Further manifests: of sensors' drivers. */
  readonly include: readonly string[];
  /** Keys of the wire and of labels; a board that stores keys doesn't have them in its firmware. */
  readonly key?: Uint8Array;
  readonly labelKey?: Uint8Array;
  /**
   * The network of a node whose wire is an MQTT broker's; a board that stores it doesn't have it in its
   * firmware.
   */
  readonly network?: Network;
  /** True if an emulated board runs it, which has Ethernet in the place of Wi-Fi. */
  readonly emulated?: boolean;
}

/** mcconfig's platform: a board by its SDK name, by default the target's usual one. */
export function sdkBoard(target: Target, named?: string): string {
  const { platform, board } = BOARDS[target].sdk;
  return [platform, named ?? board].filter((part) => part !== "").join("/");
}

/** Pins of a target's wire. Throws a UserError if the target has no such wire. */
export function wirePins(target: Target, wire: Wire): readonly number[] {
  const { transmit, receive } = BOARDS[target].wire.release;
  return wire === "uart" ? [transmit, receive] : checkUsb(target);
}

/** Pins of the USB of a target's chip. Throws a UserError if the target has no wire over it. */
export function checkUsb(target: Target): readonly number[] {
  const { usb }: Board = BOARDS[target];
  if (usb) return usb;
  const others = Object.entries<Board>(BOARDS).filter(([, board]) => board.usb);
  const names = others.map(([name]) => name).join(", ");
  throw new UserError(
    `--wire usb: ${target} has no wire over the chip's USB, which ${names} have; give --wire uart`,
  );
}

/** Readings of the sensors in a sample. */
function countChannels(sensors: readonly Sensor[]): number {
  return sensors.reduce((sum, one) => sum + ("analog" in one ? 1 : one.fields.length), 0);
}

/** A node's sensors. Throws a UserError if they have another number of readings. */
function sensorsFor({ target, node: { channels, features }, sensors }: FirmwareOptions): readonly Sensor[] {
  const found = sensors ?? usualSensors(target);
  if (countChannels(found) === channels) return found;
  const { burst = 1 } = features ?? {};
  if (burst > 1) {
    const what = `a sample has ${burst} readings of each of ${channels / burst} sensors, and --sensors take one each`;
    throw new UserError(
      `${what}; a sensor class of your own takes them: npx motelearn init FOLDER --node FILE --rate HZ`,
    );
  }
  const given = sensors ? "--sensors" : `the manifest of ${target}`;
  const suited = `its sensors suit --dimension ${countChannels(found)}, not --dimension ${channels}`;
  throw new UserError(`${given}: ${suited}; give --sensors JSON`);
}

/** Throws a UserError if no board of a target has Wi-Fi. */
export function refuseWithoutWifi(target: Target): void {
  if (BOARDS[target].sdk.platform === "nrf52")
    throw new UserError(`--wifi: ${target} has no Wi-Fi; leave it out`);
}

/** Throws a UserError if a board has no Wi-Fi. */
export function checkWifi(target: Target, named: string | undefined): void {
  refuseWithoutWifi(target);
  const { wifiBoard }: BoardSdk = BOARDS[target].sdk;
  if (wifiBoard && named === undefined)
    throw new UserError(`--wifi: the usual board of ${target} has no Wi-Fi; give --board ${wifiBoard}`);
}

/** Throws a UserError if a target's firmware has no TLS, which is of a wire over Wi-Fi. */
export function checkTls(target: Target, isOverWifi: boolean): void {
  if (!isOverWifi) throw new UserError("--tls: is for a broker's wire; give --wifi");
  if (BOARDS[target].sdk.platform !== "esp32")
    throw new UserError(`TLS (broker.ca): ${target} has none, only an ESP32 has; leave it out`);
}

/** True if a target's boards store keys and network in NVS, apart from their firmware. */
export function storesKeys(target: Target): boolean {
  return BOARDS[target].sdk.platform === "esp32";
}

/** The wire of a firmware, the board's or a chosen one, with its keys and its network. */
function chosenWire(options: FirmwareOptions) {
  const { wire } = wireConfig(options.target);
  const { wire: chosen, target, key, labelKey, network } = options;
  const stores = storesKeys(target);
  const keys = stores
    ? { ...(key && { key: STORED }), ...(labelKey && { labelKey: STORED }) }
    : keysConfig({ key, labelKey });
  const mqtt = network && { transport: "mqtt", network: stores ? STORED : network };
  return { wire: { ...wire, ...(chosen === "usb" && { release: "usb" }), ...keys, ...mqtt } };
}

/** A node as its manifest describes it. Throws a UserError for one-vs-all, and an OptionError for invalid options. */
export function configNode({ node, extras, checkpointMs, periodMs, sleep }: NodeInManifest) {
  const { learner, channels, features, pending, labelWindow, checkpointEvery } = node;
  if (!familyNamed(learner.name)) {
    throw new UserError(`learner ${learner.name}: ${NO_ONE_VS_ALL}; ${TAKE_CLASSES} take classes`);
  }
  const { dimension: _, ...own } = node.options;
  const chosen = withBudget(learner, own, own.budget ?? learner.options.budget?.default);
  nodeLayout({ ...node, ...extras }); // throws for invalid options
  const settings = { options: chosen, features, pending, labelWindow, checkpointEvery, ...extras };
  return { learner: learner.name, channels, ...settings, checkpointMs, periodMs, sleep };
}

export type ConfigNode = ReturnType<typeof configNode>;

/** The parts of a manifest that its maker reads. */
export interface FirmwareManifest {
  readonly include: readonly string[];
  readonly creation: BoardMemory;
  readonly config: { readonly wire: { readonly network?: unknown } };
}

/** Learners that take several classes by themselves. */
const TAKE_CLASSES = FAMILIES.filter(({ options }) => options.classes)
  .map(({ name }) => name)
  .join(", ");

/** What the wire over a network needs of the package. */
function networkParts({ network, emulated }: FirmwareOptions): string[] {
  if (!network) return [];
  const line = `targets/moddable/mqtt${emulated ? "-ethernet" : ""}.json`;
  return network.broker.ca === undefined ? [line] : [line, "targets/moddable/tls.json"];
}

/**
 * The manifest of a node's firmware, in `folder`: the package's and its learner's, with the node's own
 * configuration and memory.
 */
export function firmwareManifest(
  packageFolder: string,
  folder: string,
  options: FirmwareOptions,
): FirmwareManifest {
  const { creation, include, recorded } = options;
  const described = configNode(options);
  const sensors = recorded ? [] : sensorsFor(options);
  const parts = [
    `targets/moddable/${recorded ? "recorded" : "firmware"}.json`,
    ...networkParts(options),
    `dist/moddable/learners/${described.learner}.json`,
  ];
  const checked = digestText(JSON.stringify(described));
  const config = { ...chosenWire(options), sensors, node: described, checked };
  const files = [...parts.map((part) => join(packageFolder, part)), ...include];
  return {
    include: files.map((file) => (file.startsWith("$(") ? file : relative(folder, resolve(file)))),
    creation,
    ...(recorded && { data: RECORDED_DATA }),
    config,
  };
}

/**
 * Hash of a node's description, 32 bits: FNV-1a. If a firmware's manifest has it, the description was
 * checked, and the firmware carries no checks of options; targets/moddable/carried.js computes the same hash
 * when it is linked.
 */
export function digestText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Writes the manifest. Throws a UserError if it can't. */
export function writeManifest(folder: string, manifest: object): void {
  try {
    makeFolder(folder);
    const file = join(folder, "manifest.json");
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    chmodSync(file, 0o600); // the manifest of a board that stores no keys contains them
  } catch (error) {
    throw new UserError(`--folder ${folder}: ${writeFault(folder, error)}`);
  }
}

/** A program to run: its folder and environment. */
export interface CommandLine {
  readonly folder: string;
  readonly env: { readonly [name: string]: string };
  readonly words: readonly string[];
}

/** Runs a command, or only prints it. */
export type Perform = (command: CommandLine) => void;

/** Left to the shell, where the environment doesn't have it. */
const IDF_PATH = "$IDF_PATH/";

/** The command as typed in a shell. */
export function commandText({ folder, env, words }: CommandLine): string {
  const quoteWord = (word: string) =>
    word.startsWith(IDF_PATH) ? `${IDF_PATH}${shellWord(word.slice(IDF_PATH.length))}` : shellWord(word);
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoteWord(value)}`);
  return `cd ${quoteWord(folder)} && ${[...variables, ...words.map(quoteWord)].join(" ")}`;
}

/**
 * The command that builds the firmware in `folder`; `built`: whether the package's modules are built already.
 */
export function buildCommands(folder: string, platform: string, built: boolean): CommandLine[] {
  const words = ["node", "dev/build.mjs", "--moddable", "--if-older"];
  const modules = { folder: PACKAGE, env: {}, words };
  const firmware = { folder, env: {}, words: ["mcconfig", "-m", "-p", platform, "-t", "build"] };
  return built ? [firmware] : [modules, firmware];
}

/** The path of a build's object of f32.c. */
export function objectOfF32(sdk: string, folder: string, platform: string): string {
  return join(sdk, "build/tmp", platform, "release", basename(folder), "f32.c.o");
}

export function imagePath(sdk: string, folder: string, platform: string): string {
  return join(sdk, "build/bin", platform, "release", basename(folder), "xs_esp32.bin");
}

/**
 * The archive of a build's objects, on ESP32. The SDK adds to the one that is there: with another learner in the same folder, the
 * firmware would be linked with the earlier learner's self-test.
 */
export function archivePath(sdk: string, folder: string, platform: string, target: Target): string {
  return join(sdk, "build/bin", platform, "release", basename(folder), `xs_${target}.a`);
}

/** First byte of an ESP-IDF image. */
const IMAGE_MAGIC = 0xe9;

/** Reads the built image. Throws a UserError if there is none. */
export function readImage(file: string): Uint8Array {
  let image: Uint8Array;
  try {
    image = readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError(`${file}: can't be read (${code}): the SDK built no image`);
  }
  if (image[0] !== IMAGE_MAGIC)
    throw new UserError(`${file}: not an image of firmware: its first byte isn't 0xe9`);
  return image;
}

/** The command that deploys the firmware built in `folder` to a board. */
export function deployCommand(folder: string, platform: string, port: string | undefined): CommandLine {
  const env: { [name: string]: string } = port === undefined ? {} : { UPLOAD_PORT: port };
  return { folder, env, words: ["mcconfig", "-m", "-p", platform, "-t", "deploy"] };
}
