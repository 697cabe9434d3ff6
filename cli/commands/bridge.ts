import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "commander";
import { Bridge } from "../../fleet/bridge/bridge.ts";
import { DeviceError, UserError } from "../../host/errors.ts";
import { wholeNumber } from "../../host/terminal/arguments.ts";
import { Interrupt } from "../../host/terminal/interrupt.ts";
import { printLine, printNote } from "../../host/terminal/print.ts";
import { type MqttAddress, parseAddress } from "../../tools/ports/address.ts";
import { portFault } from "../../tools/ports/fault.ts";
import { authorityOption, checkAuthority } from "../../tools/ports/options.ts";

interface BridgeFlags {
  readonly port: string;
  readonly to: string;
  readonly baud: number;
  readonly reset: boolean;
  readonly giveUp: number;
  readonly ca?: string;
}

const LOOK_MS = 100;

function checkAddresses({ port, to, ca }: BridgeFlags): MqttAddress {
  if (parseAddress(port).kind === "mqtt")
    throw new UserError(`--port ${port}: takes a device, tcp://HOST:PORT or unix:PATH`);
  const address = parseAddress(to, ca);
  if (address.kind !== "mqtt") throw new UserError(`--to ${to}: takes mqtt://[USER@]HOST[:PORT]/NAME`);
  checkAuthority(ca, [to]);
  return address;
}

async function carry(flags: BridgeFlags): Promise<void> {
  const to = checkAddresses(flags);
  const { port, baud, reset, giveUp } = flags;
  const interrupt = new Interrupt();
  const note = (text: string) => printNote(`motelearn: ${text}`);
  const now = () => performance.now();
  /** When the broker's connection was lost; undefined: it is there. */
  let awaySince: number | undefined = now();
  const describeFault = (error: Error) => portFault(flags.to, to, error).message;
  let why = describeFault(new Error("no answer"));
  const bridge = await Bridge.open(port, { baud, reset }, to, {
    lost: ({ message }) => note(message),
    reopened: () => note(`${port}: the line is open again`),
    met: () => {
      awaySince = undefined;
      printLine(`${port} is at ${flags.to}; Ctrl-C ends it`);
    },
    left: (error) => {
      why = describeFault(error ?? new Error("the broker closed the connection"));
      if (awaySince === undefined) note(why);
      awaySince ??= now();
    },
  });
  const over = (since: number | undefined) =>
    giveUp > 0 && since !== undefined && now() - since > 1000 * giveUp;
  try {
    while (!interrupt.asked) {
      if (over(bridge.port.lostAt)) throw bridge.port.goneFor(giveUp);
      if (over(awaySince)) throw new DeviceError(`${why} (for ${giveUp} s)`);
      await pause(LOOK_MS);
    }
  } finally {
    await bridge.close();
  }
}

export function addBridge(program: Command): void {
  program
    .command("bridge")
    .description("carry a node's line to an MQTT broker, where a gateway reaches it")
    .requiredOption("--port <address>", "port of the node: device, tcp://HOST:PORT or unix:PATH")
    .requiredOption("--to <address>", "the node's address at the broker: mqtt://[USER@]HOST[:PORT]/NAME")
    .option("--baud <rate>", "bits a second of a serial device", wholeNumber(50, 4_000_000), 115200)
    .option("--no-reset", "don't reset the board by DTR and RTS when its serial device is opened")
    .option(
      "--give-up <seconds>",
      "end after this many seconds with a closed port, or without the broker; 0: never",
      wholeNumber(0, 1e6),
      30,
    )
    .addOption(authorityOption())
    .action(carry);
}
