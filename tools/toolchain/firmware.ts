import { readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { withBudget } from "../../src/learn/family.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import type { NodeOptions } from "../../src/node/node.ts";
import type { BoardMemory, Target } from "../../targets/boards.ts";
import { UserError } from "../cli/exit.ts";
import { makeFolder } from "../cli/make-folder.ts";
import type { Sensor } from "./sensors.ts";

/** What the firmware is told besides its node's options. */
export interface FirmwareOptions {
  readonly target: Target;
  readonly node: NodeOptions;
  readonly creation: BoardMemory;
  /** Milliseconds between two samples, and at least between two checkpoints. */
  readonly periodMs: number;
  readonly checkpointMs: number;
  /** Default: those of the target's manifest. */
  readonly sensors?: readonly Sensor[];
  /** Further manifests: of sensors' drivers. */
  readonly include: readonly string[];
}

/** The SDK's name of each target's usual board, by which it knows pins and memory. */
export const USUAL_BOARD = { esp32: "nodemcu", esp32c3: "esp32c3", esp32s3: "esp32s3" } as const;

/** `config` of a target's boards: the pins of its wire, and its usual sensors. */
interface BoardConfig {
  readonly sensors: readonly Sensor[];
  readonly wire: { readonly release: { readonly transmit: number; readonly receive: number } };
}

export function boardConfig(packageFolder: string, target: Target): BoardConfig {
  return JSON.parse(readFileSync(join(packageFolder, "targets", target, "board.json"), "utf8")).config;
}

/** Pins of a target's wire. */
export function wirePins({ wire }: BoardConfig): number[] {
  return [wire.release.transmit, wire.release.receive];
}

/** Readings that sensors give in a sample. */
function channelsOf(sensors: readonly Sensor[]): number {
  return sensors.reduce((sum, one) => sum + ("analog" in one ? 1 : one.fields.length), 0);
}

/** The manifest of a node's firmware, in `folder`: the package's, with the node's own configuration and memory. */
export function firmwareManifest(packageFolder: string, folder: string, options: FirmwareOptions): object {
  const { target, node, creation, periodMs, checkpointMs, include } = options;
  const { learner, channels, features, pending, labelWindow, checkpointEvery } = node;
  if (!familyNamed(learner.name)) {
    throw new UserError(
      `learner ${learner.name}: the firmware has no one-vs-all; lol, i-lol and pa take classes`,
    );
  }
  const config = boardConfig(packageFolder, target);
  const sensors = options.sensors ?? config.sensors;
  if (channelsOf(sensors) !== channels) {
    const given = options.sensors ? "--sensors" : `the manifest of ${target}`;
    const needed = `--dimension ${channels} wants ${channels}`;
    throw new UserError(
      `${given}: a sample of its sensors has length ${channelsOf(sensors)}, ${needed}; give --sensors JSON`,
    );
  }
  const { dimension: _, ...own } = node.options;
  const chosen = withBudget(learner, own, own.budget ?? learner.options.budget?.default);
  const settings = { options: chosen, features, pending, labelWindow, checkpointEvery };
  return {
    include: [join(packageFolder, "targets/moddable/firmware.json"), ...include].map((file) =>
      file.startsWith("$(") ? file : relative(folder, resolve(file)),
    ),
    creation,
    config: { ...config, sensors, node: { learner: learner.name, ...settings, checkpointMs, periodMs } },
  };
}

/** The manifest as a file has it. */
export function manifestText(manifest: object): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Writes the manifest. Throws a UserError if that can't be done. */
export function writeManifest(folder: string, manifest: object): void {
  try {
    makeFolder(folder);
    writeFileSync(join(folder, "manifest.json"), manifestText(manifest));
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
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  return `cd ${quoted(folder)} && ${[...variables, ...words.map(quoted)].join(" ")}`;
}

/** What builds the firmware in `folder` and puts it on a board; `built`: whether the package brings its modules built. */
export function flashCommands(
  packageFolder: string,
  folder: string,
  platform: string,
  port: string | undefined,
  built: boolean,
): CommandLine[] {
  const build = { folder: packageFolder, env: {}, words: ["node", "tools/dev/build.mjs", "--moddable"] };
  const env: { [name: string]: string } = port === undefined ? {} : { UPLOAD_PORT: port };
  const deploy = { folder, env, words: ["mcconfig", "-m", "-p", platform] };
  return built ? [deploy] : [build, deploy];
}
