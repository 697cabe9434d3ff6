import { type Command, Option } from "commander";
import { UserError } from "../../host/errors.ts";
import { positiveNumber, wholeNumber } from "../../host/terminal/arguments.ts";
import { resolveSleep, type SleepOptions } from "../../src/start/sleep.ts";
import { BOARDS, TARGETS, type Target } from "../../targets/boards.ts";
import { type KeyFile, keyFileReader } from "../../tools/keys/key-file.ts";
import { parseAddress } from "../../tools/ports/address.ts";
import { qemuPackage, UART_PORT } from "../../tools/toolchain/espressif-qemu.ts";
import { checkTls, checkWifi, WIRES, type Wire, wirePins } from "../../tools/toolchain/firmware.ts";
import { checkIncludes } from "../../tools/toolchain/includes.ts";
import { type NetworkFile, networkFile } from "../../tools/toolchain/network-file.ts";
import { checkDrivers, type Sensor, sensorsFrom } from "../../tools/toolchain/sensors.ts";
import { addNodeOptions, type PlanFlags } from "./node-options.ts";

export interface FlashFlags extends PlanFlags {
  readonly target: Target;
  readonly period: number;
  readonly port?: string;
  readonly ota?: string;
  readonly emulate?: boolean;
  readonly flashFile?: string;
  readonly tcp: number;
  readonly from?: string;
  readonly giveUp?: number;
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

/** Features that only some targets have. */
function checkTarget({ target, board, ota, sleep, wifi }: FlashFlags): void {
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

function checkPort({ port, ota, fresh }: FlashFlags): void {
  if (port !== undefined && ota !== undefined)
    throw new UserError("--port and --ota: takes one of them: a cable, or the node's wire");
  if (fresh && ota === undefined) throw new UserError("--fresh: only with --ota");
  if (ota !== undefined) parseAddress(ota);
  if (port === undefined || parseAddress(port).kind === "serial") return;
  throw new UserError(
    `--port ${port}: takes a serial device such as /dev/ttyUSB0 or COM3; motelearn monitor --list prints them`,
  );
}

/** Throws a UserError for flags that don't go together, or that the target doesn't have. */
export function checkFlashFlags(flags: FlashFlags): void {
  checkEmulated(flags);
  checkPort(flags);
  checkTarget(flags);
}

/**
 * The command line's sensors, checked against the target's pins, the SDK's drivers and the manifests to
 * include.
 */
export function readSensors({ sensors, include, target, wire }: FlashFlags): Sensor[] | undefined {
  const pins = wirePins(target, wire);
  const sdk = process.env.MODDABLE || undefined;
  checkIncludes(include, sdk);
  if (sensors === undefined) return undefined;
  const own = sensorsFrom(sensors, target, pins);
  checkDrivers(own, include, sdk);
  return own;
}

/** When the node talks, if it sleeps between samples. */
export function readSleep({ sleep, talkEvery, talkMs }: FlashFlags): Required<SleepOptions> | undefined {
  if (sleep) return resolveSleep({ talkEvery, talkMs });
  const options = talkEvery !== undefined ? "--talk-every" : talkMs !== undefined ? "--talk-ms" : undefined;
  if (options) throw new UserError(`${options}: is for a node that sleeps between its samples; give --sleep`);
  return undefined;
}

export function addFlashOptions(command: Command): Command {
  return addNodeOptions(command)
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
    .option(
      "--give-up <seconds>",
      "end once a flashed node has been silent for so long; 0: never (default: 30; with --ota 150, with --wifi 60, with --emulate 600)",
      wholeNumber(0, 1e6),
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
    .option("--dry-run", "print the manifest (written only with --folder) and the commands, and run none");
}
