import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { withBudget } from "../../src/learn/family.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { type NodeOptions, nodeLayout } from "../../src/node/node.ts";
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
import { UserError } from "../cli/exit.ts";
import { makeFolder } from "../cli/make-folder.ts";
import { keysConfig } from "../keys/key-file.ts";
import type { Sensor } from "./sensors.ts";

/** What the wire of a node is on: a UART of the board, or the USB that its chip has of its own. */
export const WIRES = ["uart", "usb"] as const;
export type Wire = (typeof WIRES)[number];

/** What the firmware is told besides its node's options. */
export interface FirmwareOptions {
  readonly target: Target;
  readonly node: NodeOptions;
  /** What the node does beside learning. */
  readonly extras?: Partial<NodeOptions>;
  readonly creation: BoardMemory;
  /** Milliseconds between two samples, and at least between two checkpoints. */
  readonly periodMs: number;
  readonly checkpointMs: number;
  /** When the node talks, if it sleeps deeply between its samples. */
  readonly sleep?: SleepOptions;
  /** What the wire is on. */
  readonly wire: Wire;
  /** Default: those of the target's manifest. */
  readonly sensors?: readonly Sensor[];
  /** Further manifests: of sensors' drivers. */
  readonly include: readonly string[];
  /** Keys of the wire and of labels: those of a board that stores them aren't in its firmware. */
  readonly key?: Uint8Array;
  readonly labelKey?: Uint8Array;
  /** The node's wire is an MQTT broker's, over this network: that of a board that stores it isn't in its firmware. */
  readonly network?: Network;
}

/** What mcconfig builds for: a board as the SDK names it, the target's usual one if none is named. */
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

/** Readings that sensors give in a sample. */
function channelsOf(sensors: readonly Sensor[]): number {
  return sensors.reduce((sum, one) => sum + ("analog" in one ? 1 : one.fields.length), 0);
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

/** Whether a target's boards store keys and network beside their firmware: in NVS. */
export function storesKeys(target: Target): boolean {
  return BOARDS[target].sdk.platform === "esp32";
}

/** The wire of a firmware: the board's, or what is chosen in its place, with its keys and its network. */
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

/** A manifest, as far as whoever made it looks at it. */
export interface FirmwareManifest {
  readonly include: readonly string[];
  readonly creation: BoardMemory;
  readonly config: { readonly wire: { readonly network?: unknown } };
}

/** The manifest of a node's firmware, in `folder`: the package's and its learner's, with the node's own configuration and memory. */
export function firmwareManifest(
  packageFolder: string,
  folder: string,
  options: FirmwareOptions,
): FirmwareManifest {
  const { target, node, creation, periodMs, checkpointMs, sleep, include } = options;
  const { learner, channels, features, pending, labelWindow, checkpointEvery } = node;
  if (!familyNamed(learner.name)) {
    throw new UserError(
      `learner ${learner.name}: the firmware has no one-vs-all; lol, i-lol and pa take classes`,
    );
  }
  const sensors = options.sensors ?? usualSensors(target);
  if (channelsOf(sensors) !== channels) {
    const given = options.sensors ? "--sensors" : `the manifest of ${target}`;
    const needed = `--dimension ${channels} wants ${channels}`;
    throw new UserError(
      `${given}: a sample of its sensors has length ${channelsOf(sensors)}, ${needed}; give --sensors JSON`,
    );
  }
  const { dimension: _, ...own } = node.options;
  const chosen = withBudget(learner, own, own.budget ?? learner.options.budget?.default);
  const settings = { options: chosen, features, pending, labelWindow, checkpointEvery, ...options.extras };
  const parts = [
    "targets/moddable/firmware.json",
    ...(options.network ? ["targets/moddable/mqtt.json"] : []),
    `dist/moddable/learners/${learner.name}.json`,
  ];
  nodeLayout({ ...node, ...options.extras }); // throws for what it can't be
  const described = { learner: learner.name, ...settings, checkpointMs, periodMs, sleep };
  const whole = {
    ...chosenWire(options),
    sensors,
    node: described,
    checked: digestOf(JSON.stringify(described)),
  };
  return {
    include: [...parts.map((part) => join(packageFolder, part)), ...include].map((file) =>
      file.startsWith("$(") ? file : relative(folder, resolve(file)),
    ),
    creation,
    config: whole,
  };
}

/**
 * Hash of a node's description, 32 bits: FNV-1a. A firmware whose manifest has it was checked as it is described there, and carries no
 * checks of options; targets/moddable/carried.js computes the same when it is linked.
 */
export function digestOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** The manifest as a file has it. */
export function manifestText(manifest: object): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Writes the manifest. Throws a UserError if that can't be done. */
export function writeManifest(folder: string, manifest: object): void {
  try {
    makeFolder(folder);
    const file = join(folder, "manifest.json");
    writeFileSync(file, manifestText(manifest), { mode: 0o600 });
    chmodSync(file, 0o600); // a board's that stores no keys holds them
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError(`--folder ${folder}: can't be written (${code}); give a folder of your own`);
  }
}

/** A program to run: where, with what in its environment. */
export interface CommandLine {
  readonly folder: string;
  readonly env: { readonly [name: string]: string };
  readonly words: readonly string[];
}

/** As one types it in a shell. */
export function commandText({ folder, env, words }: CommandLine): string {
  const quoted = (word: string) =>
    /^(\$IDF_PATH)?[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  return `cd ${quoted(folder)} && ${[...variables, ...words.map(quoted)].join(" ")}`;
}

/** What builds the firmware in `folder`; `built`: whether the package brings its modules built. */
export function buildCommands(
  packageFolder: string,
  folder: string,
  platform: string,
  built: boolean,
): CommandLine[] {
  const modules = { folder: packageFolder, env: {}, words: ["node", "tools/dev/build.mjs", "--moddable"] };
  const firmware = { folder, env: {}, words: ["mcconfig", "-m", "-p", platform, "-t", "build"] };
  return built ? [firmware] : [modules, firmware];
}

/** Where the SDK puts a build's object of f32.c. */
export function objectOfF32(sdk: string, folder: string, platform: string): string {
  return join(sdk, "build/tmp", platform, "release", basename(folder), "f32.c.o");
}

/** Where the SDK puts a build's image. */
export function imageOf(sdk: string, folder: string, platform: string): string {
  return join(sdk, "build/bin", platform, "release", basename(folder), "xs_esp32.bin");
}

/** First byte of an image of ESP-IDF's. */
const IMAGE_MAGIC = 0xe9;

/** Reads the image that was built. Throws a UserError if there is none. */
export function readImage(file: string): Uint8Array {
  let image: Uint8Array;
  try {
    image = readFileSync(file);
  } catch (error) {
    throw new UserError(
      `${file}: can't be read (${(error as NodeJS.ErrnoException).code}): the SDK built no image`,
    );
  }
  if (image[0] !== IMAGE_MAGIC)
    throw new UserError(`${file}: not an image of firmware: its first byte isn't 0xe9`);
  return image;
}

/** What puts the firmware that was built in `folder` on a board. */
export function deployCommand(folder: string, platform: string, port: string | undefined): CommandLine {
  const env: { [name: string]: string } = port === undefined ? {} : { UPLOAD_PORT: port };
  return { folder, env, words: ["mcconfig", "-m", "-p", platform, "-t", "deploy"] };
}
