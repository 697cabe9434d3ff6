import { basename } from "node:path";
import type { Command } from "commander";
import { wholeNumber } from "../../host/terminal/arguments.ts";
import { Interrupt } from "../../host/terminal/interrupt.ts";
import { Monitor } from "../../tools/monitor/monitor.ts";
import { jsonOutput, type Output, screenOutput, textOutput } from "../../tools/monitor/outputs.ts";
import { sharedSession } from "../../tools/monitor/shared-session.ts";
import { listenForKeys } from "../../tools/monitor/terminal.ts";
import { addInsecureOption, type ListenTrust } from "../../tools/ports/listen.ts";
import { addPortOption, namedPorts, type PortFlags } from "../../tools/ports/options.ts";
import { Recording } from "../../tools/record/recording.ts";
import { openSession } from "../../tools/session/open-session.ts";
import { addNodeFileOption } from "../options/node-file.ts";

interface MonitorFlags extends PortFlags, Pick<ListenTrust, "insecure"> {
  readonly json?: boolean;
  readonly log?: string;
  readonly append?: boolean;
  readonly share?: string;
  readonly every: number;
  readonly maxSeconds: number;
  readonly maxBytes: number;
}

const REDRAW_MS = 250;

function chooseOutput(port: string, { json, every }: MonitorFlags): Output {
  const write = (text: string) => void process.stdout.write(text);
  if (json) return jsonOutput(port, 1000 * every, write);
  return process.stdout.isTTY
    ? screenOutput(process.stdout, Math.min(REDRAW_MS, 1000 * every))
    : textOutput(1000 * every, write);
}

async function monitor(flags: MonitorFlags): Promise<void> {
  const ports = await namedPorts(flags);
  if (!ports) return;
  const [port] = ports;
  const { every, maxSeconds, maxBytes } = flags;
  const interrupt = new Interrupt();
  const isInterrupted = () => interrupt.asked;
  const log = openLog(port, flags);
  const output = chooseOutput(port, flags);
  const watch = new Monitor({
    port,
    output,
    log,
    statisticsMs: 1000 * every,
    maxSeconds,
    maxBytes,
    isInterrupted,
  });
  try {
    await watchPort(watch, port, flags);
  } finally {
    output.close();
    log?.close();
  }
}

async function watchPort(watch: Monitor, port: string, flags: MonitorFlags): Promise<void> {
  const { share } = flags;
  const shared = share === undefined ? undefined : await sharedSession(port, share, flags, watch.events);
  const session = shared?.session ?? (await openSession(port, flags, watch.events));
  const leaveKeys = listenForKeys(process.stdin, (key) => watch.press(key));
  try {
    await watch.run(session);
  } finally {
    leaveKeys();
    await (shared ?? session).close();
  }
}

function openLog(port: string, { log, append = false }: MonitorFlags): Recording | undefined {
  if (log === undefined) return undefined;
  return new Recording(log, append, { port, node: basename(log).replace(/\.[a-z]+$/i, "") });
}

export function addMonitor(program: Command): void {
  const command = addPortOption(
    program
      .command("monitor")
      .description(
        "watch a node learn: accuracy, dictionary, labels, losses, memory; keys: m marks an event, c asks for a checkpoint, q quits",
      ),
  ).option(
    "--share <address>",
    "let another program, such as `labels`, use the node through this one, without its key: tcp://HOST:PORT or unix:PATH",
  );
  addInsecureOption(addNodeFileOption(command))
    .option("--every <seconds>", "seconds between two reports of the node", wholeNumber(1, 3600), 1)
    .option(
      "--log <file>",
      "record samples, predictions, and the labels that come by --share, into a stream that `simulate` replays",
    )
    .option("--append", "add to a log that exists")
    .option("--max-seconds <s>", "end after this many seconds; 0: never", wholeNumber(0), 0)
    .option("--max-bytes <n>", "end after this many bytes from the node; 0: never", wholeNumber(0), 0)
    .option("--json", "print motelearn.monitor/1, one JSON object a line")
    .action(monitor);
}
