import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Command, Option } from "commander";
import type { NodeOptions } from "../../src/node/node.ts";
import { BOARDS, type Target } from "../../targets/boards.ts";
import { creationOf, type Footprint } from "../../targets/footprint.ts";
import { positiveNumber, wholeNumber } from "../cli/arguments.ts";
import { DeviceError, DifferentStateError, UserError } from "../cli/exit.ts";
import { printText } from "../cli/print.ts";
import { parseAddress } from "../ports/address.ts";
import { bitsText } from "../session/same-bits.ts";
import { Session } from "../session/session.ts";
import {
  type Check,
  checkDevice,
  checkIdf,
  checkPorts,
  checkSdk,
  checkTypeScript,
} from "../toolchain/check.ts";
import {
  boardConfig,
  type CommandLine,
  commandText,
  firmwareManifest,
  flashCommands,
  manifestText,
  USUAL_BOARD,
  wirePins,
  writeManifest,
} from "../toolchain/firmware.ts";
import { checkIncludes } from "../toolchain/includes.ts";
import { checkDrivers, type Sensor, sensorsFrom } from "../toolchain/sensors.ts";
import { addNodeOptions, type PlanFlags, planOf, refuseMisfits, refuseUnmeasured } from "./plan.ts";

const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)));

/** Labels that may come before their turn: what the plan reckons with. */
const LABEL_WINDOW = 16;

interface FlashFlags extends PlanFlags {
  readonly target: Target;
  readonly period: number;
  readonly port?: string;
  readonly board?: string;
  readonly checkpointEvery: number;
  readonly checkpointMs: number;
  readonly sensors?: string;
  readonly include: readonly string[];
  readonly folder?: string;
  readonly dryRun?: boolean;
}

/** What building and deploying takes; the port only if it is known which. */
async function checksFor(port: string | undefined): Promise<Check[]> {
  const device = port === undefined ? await checkPorts() : [checkDevice(port)];
  const usable = device.filter(({ ok }) => ok);
  return [checkSdk(), checkIdf(), checkTypeScript(), ...(usable.length > 0 ? usable.slice(0, 1) : device)];
}

function missingLines(checks: readonly Check[]): string[] {
  return checks
    .filter(({ ok }) => !ok)
    .map(({ name, found, cure }) => `missing: ${name}: ${found === undefined ? "" : `${found}; `}${cure}`);
}

function checkPortFlag(port: string | undefined): void {
  if (port === undefined || parseAddress(port).kind === "serial") return;
  throw new UserError(
    `--port ${port}: takes a serial device such as /dev/ttyUSB0 or COM3; --list of monitor tells them`,
  );
}

/** Runs a command where its output is seen. Throws a DeviceError that names it if it fails. */
function execute({ folder, env, words: [program, ...args] }: CommandLine): void {
  const { status, error } = spawnSync(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
  if (error) throw new UserError(`${program}: can't be run (${(error as NodeJS.ErrnoException).code})`);
  if (status !== 0) throw new DeviceError(`${program} ended with ${status}; what it said stands above`);
}

/** Meets the node that was flashed, and compares its arithmetic, its learner's steps included, with this machine's.
 * Throws a DifferentStateError if they differ. */
async function greet(port: string, node: NodeOptions): Promise<void> {
  const session = await Session.open({ port });
  try {
    const bits = await session.bits(node);
    if (bits.verdict === "different bits") throw new DifferentStateError(`${port}: ${bitsText(bits)}`);
    printText(bitsText(bits));
  } finally {
    await session.close();
  }
}

/** The sensors that a command line gives, held against the target's pins, the SDK's drivers and the manifests to include. */
function sensorsOf({ sensors, include, target }: FlashFlags): Sensor[] | undefined {
  const sdk = process.env.MODDABLE || undefined;
  checkIncludes(include, sdk);
  if (sensors === undefined) return undefined;
  const own = sensorsFrom(sensors, target, wirePins(boardConfig(PACKAGE, target)));
  checkDrivers(own, include, sdk);
  return own;
}

async function flash(flags: FlashFlags): Promise<void> {
  const { target, port, dimension, checkpointEvery, checkpointMs, period, include, dryRun } = flags;
  checkPortFlag(port);
  if (dimension === undefined)
    throw new UserError("flash: how many readings in a sample? Give --dimension D");
  const plan = planOf(flags);
  refuseUnmeasured(plan);
  refuseMisfits(plan);
  const { family: learner, options, pending, features } = plan;
  const folder = resolve(flags.folder ?? `motelearn-${target}`);
  const node: NodeOptions = {
    ...{ sid: 1, channels: dimension, pending, labelWindow: LABEL_WINDOW, checkpointEvery },
    ...{ features, learner, options },
  };
  const sensors = sensorsOf(flags);
  const manifest = firmwareManifest(PACKAGE, folder, {
    ...{ target, node, creation: creationOf(plan.board as Footprint) },
    ...{ periodMs: period, checkpointMs, include },
    sensors,
  });
  const missing = missingLines(await checksFor(port));
  for (const line of missing) process.stderr.write(`${line}\n`);
  if (missing.length > 0 && !dryRun) throw new UserError("flash: not built: what is missing stands above");
  if (dryRun && flags.folder === undefined) process.stdout.write(manifestText(manifest));
  else writeManifest(folder, manifest);
  const platform = `esp32/${flags.board ?? USUAL_BOARD[target]}`;
  const built = !existsSync(join(PACKAGE, "tools/dev/build.mjs"));
  for (const command of flashCommands(PACKAGE, folder, platform, port, built)) {
    printText(commandText(command));
    if (!dryRun) execute(command);
  }
  if (port !== undefined && !dryRun) await greet(port, node);
}

/** Adds `motelearn flash`. */
export function addFlash(program: Command): void {
  addNodeOptions(
    program
      .command("flash")
      .description(
        "build a node's firmware with the Moddable SDK and put it on a board; a node that doesn't fit isn't flashed",
      ),
  )
    .addOption(
      new Option("--target <board>", "board to flash").choices(Object.keys(BOARDS)).makeOptionMandatory(),
    )
    .option(
      "--port <device>",
      "serial device of the board; it is then asked whether it computes the same bits",
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
    .option("--sensors <json>", "`config.sensors` of the firmware (default: the target's manifest's)")
    .option("--include <manifest...>", "manifests of the sensors' drivers", [])
    .option("--folder <folder>", "where the manifest is written (default: motelearn-TARGET)")
    .option("--dry-run", "print the manifest (written only with --folder) and the commands, and run none")
    .action(flash);
}
