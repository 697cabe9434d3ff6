import { basename } from "node:path";
import type { Command } from "commander";
import { briefly } from "../../host/briefly.ts";
import { UserError } from "../../host/errors.ts";
import { wholeNumber } from "../../host/terminal/arguments.ts";
import { Interrupt } from "../../host/terminal/interrupt.ts";
import { printJsonLine, printLine } from "../../host/terminal/print.ts";
import { addPortOption, namedPorts, type PortFlags } from "../../tools/ports/options.ts";
import { RECORD_SCHEMA, Recording, type RecordingSession } from "../../tools/record/recording.ts";
import { openSession } from "../../tools/session/open-session.ts";
import type { Configuration } from "../../tools/session/session-options.ts";
import { Interrupted } from "../../tools/session/waits.ts";

const RESTORE_MS = 1000;

interface RecordFlags extends PortFlags {
  readonly out?: string;
  readonly append?: boolean;
  readonly node?: string;
  readonly label?: string;
  readonly maxSamples: number;
  readonly maxSeconds: number;
  readonly json?: boolean;
}

/** A label in the stream: a number if it is one, else a word. */
function parseLabel(text: string | undefined): string | number | undefined {
  return text === undefined || text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
}

/** Has the node report raw samples after each of its starts, until the recording ends. */
async function recordInto(
  recording: Recording,
  port: string,
  flags: RecordFlags,
  stop: Interrupt,
): Promise<void> {
  const { maxSamples, maxSeconds } = flags;
  const { stay } = recording;
  let over = false;
  const full = () => maxSamples > 0 && stay.samples >= maxSamples;
  const enough = () => stop.asked || full() || over;
  let starts = 0;
  let isDescribed = false;
  let fault: Error | undefined;
  /** What fails ends the recording, and leaves the node time to be configured as before. */
  const attempt = (act: () => void) => {
    try {
      if (!fault) act();
    } catch (error) {
      fault = error as Error;
    }
  };
  const session = await openSession(port, flags, {
    started: (hello) => {
      starts++;
      isDescribed = false;
      attempt(() => recording.started(hello));
    },
    described: (classes) => {
      isDescribed = true;
      attempt(() => recording.described(classes));
    },
    message: (name, message) => {
      if (name === "sample" && isDescribed && !full()) attempt(() => recording.take(message));
    },
  });
  stop.onStop(() => session.interrupt());
  const end = () => {
    over = true;
    session.interrupt();
  };
  const timer = maxSeconds > 0 ? setTimeout(end, 1000 * maxSeconds) : undefined;
  let before: Configuration | undefined;
  try {
    for (let configured = 0; !enough(); configured = starts) {
      await session.until(() => {
        if (fault) throw fault;
        return enough() || (isDescribed && starts > configured);
      });
      if (!enough()) before = await session.configure({ samples: 1 });
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    clearTimeout(timer);
    if (before && session.port.open) await briefly(RESTORE_MS, session.configure(before));
    stay.linkLosses = session.port.losses;
    stay.bytesThrown = session.peer.thrown.bytes;
    await session.close();
  }
}

async function record(flags: RecordFlags): Promise<void> {
  const ports = await namedPorts(flags);
  if (!ports) return;
  const { out, append = false, json } = flags;
  if (out === undefined) throw new UserError("no --out; takes the file to record into, such as room.ndjson");
  const node = flags.node ?? basename(out).replace(/\.[a-z]+$/i, "");
  const recording = new Recording(out, append, { port: ports[0], node, label: parseLabel(flags.label) });
  let fault: unknown;
  try {
    await recordInto(recording, ports[0], flags, new Interrupt());
  } catch (error) {
    fault = error;
  }
  try {
    recording.close();
  } catch (error) {
    fault ??= error; // on a full disk the same
  }
  const { stay } = recording;
  if (!fault || stay.hellos.length > 0)
    json ? printJsonLine({ schema: RECORD_SCHEMA, file: out, ...stay }) : printLine(summaryText(stay, out));
  if (fault) throw fault;
}

function summaryText(
  { hellos, samples, missing, unreadable, linkLosses }: RecordingSession,
  file: string,
): string {
  if (hellos.length === 0) return "no node was met: nothing was recorded";
  return `${samples} samples in ${file}; ${missing} missing, ${unreadable} unreadable, link lost ${linkLosses} times`;
}

export function addRecord(program: Command): void {
  addPortOption(
    program
      .command("record")
      .description("record a node's raw samples into a stream, with a file about the recording beside it"),
  )
    .option("--out <file>", "NDJSON stream to write; facts about the recording go into <file>.stays")
    .option("--append", "add to a stream that exists")
    .option("--node <name>", "the node's name in the stream (default: the file's name)")
    .option("--label <label>", "label of all samples of this recording (default: none)")
    .option("--max-samples <n>", "end after this many samples; 0: never", wholeNumber(0), 0)
    .option("--max-seconds <s>", "end after this many seconds; 0: never", wholeNumber(0), 0)
    .option("--json", "print motelearn.record/1 at the end")
    .action(record);
}
