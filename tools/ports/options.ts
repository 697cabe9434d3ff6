import { type Command, Option } from "commander";
import { UserError } from "../../host/errors.ts";
import { wholeNumber } from "../../host/terminal/arguments.ts";
import { printText } from "../../host/terminal/print.ts";
import { table } from "../../host/terminal/table.ts";
import { withoutPassword } from "../../host/terminal/without-password.ts";
import { keyReader } from "../keys/key-file.ts";
import { ADDRESS_FORMS } from "./address.ts";
import { authorityReader } from "./authority.ts";
import { listPorts } from "./list.ts";
import { GIVE_UP_S } from "./port.ts";

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
  /** Certificates, PEM, of those who vouch for a broker at `mqtts://`. */
  readonly ca?: string;
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
      "end after this many seconds with a closed port, a node that is silent or answers no request, or one that another program holds; 0: never",
      wholeNumber(0, 1e6),
      GIVE_UP_S,
    )
    .option("--key <file>", "the key of a keyed node's line: see `motelearn key`", keyReader("--key"))
    .addOption(authorityOption())
    .option("--list", "print the serial devices of this machine, and end");
}

/** --ca: for a broker whose certificate the system doesn't know. */
export function authorityOption(): Option {
  return new Option(
    "--ca <file>",
    "certificates, PEM, of those who vouch for a broker at mqtts://; default: those that Node.js knows",
  ).argParser(authorityReader("--ca"));
}

/** Throws a UserError where no address of them is one for which --ca says something. */
export function checkAuthority(ca: string | undefined, addresses: readonly string[]): void {
  if (ca !== undefined && !addresses.some((address) => address.startsWith("mqtts:")))
    throw new UserError(`--ca: goes with mqtts://HOST/NAME; got ${withoutPassword(addresses.join(" "))}`);
}

/** The ports on a command line; undefined if it requested the list of devices, which was printed. */
export async function namedPorts({ port, ca, list }: PortFlags): Promise<readonly string[] | undefined> {
  if (list) {
    const found = await listPorts();
    printText(found.length === 0 ? "no serial device" : table(found.map(({ path, about }) => [path, about])));
    return undefined;
  }
  if (port === undefined || port.length === 0) {
    throw new UserError(`no --port; takes a ${ADDRESS}; --list prints the serial devices`);
  }
  const ports = typeof port === "string" ? [port] : port;
  checkAuthority(ca, ports);
  return ports;
}
