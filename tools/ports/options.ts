import type { Command } from "commander";
import { wholeNumber } from "../cli/arguments.ts";
import { UserError } from "../cli/exit.ts";
import { printText } from "../cli/print.ts";
import { table } from "../cli/table.ts";
import { keyOf } from "../keys/key-file.ts";
import { ADDRESS_FORMS } from "./address.ts";
import { listPorts } from "./list.ts";

/**
 * The options of a command with ports. `port`: one for `addPortOption`, at least one for `addPortOptions`.
 */
export interface PortFlags {
  readonly port?: string | string[];
  readonly baud: number;
  readonly reset: boolean;
  readonly giveUp: number;
  /** The node's key, 16 bytes. */
  readonly key?: Uint8Array;
  readonly list?: boolean;
}

const ADDRESS = `device, ${ADDRESS_FORMS}`;

/** Adds --port, for one port, and its related options. */
export function addPortOption(command: Command): Command {
  return withSettings(command.option("--port <address>", `port of the node: ${ADDRESS}`));
}

/** Adds --port, for several ports, and its related options. */
export function addPortOptions(command: Command): Command {
  return withSettings(
    command.option("--port <address...>", `port of a node: ${ADDRESS}; one or several`, (address, before) => [
      ...((before as string[] | undefined) ?? []),
      address,
    ]),
  );
}

function withSettings(command: Command): Command {
  return command
    .option("--baud <rate>", "bits a second of a serial device", wholeNumber(50, 4_000_000), 115200)
    .option("--no-reset", "don't reset the board by DTR and RTS when its serial device is opened")
    .option(
      "--give-up <seconds>",
      "end after this many seconds with a closed port, a silent node, or a node that another program holds; 0: never",
      wholeNumber(0, 1e6),
      30,
    )
    .option("--key <file>", "the key of a keyed node's line: see `motelearn key`", keyOf("--key"))
    .option("--list", "print the serial devices of this machine, and end");
}

/** The ports on a command line; undefined if it requested the list of devices, which was printed. */
export async function namedPorts({ port, list }: PortFlags): Promise<readonly string[] | undefined> {
  if (list) {
    const found = await listPorts();
    printText(found.length === 0 ? "no serial device" : table(found.map(({ path, about }) => [path, about])));
    return undefined;
  }
  if (port === undefined || port.length === 0) {
    throw new UserError(`no --port; takes a ${ADDRESS}; --list prints the serial devices`);
  }
  return typeof port === "string" ? [port] : port;
}
