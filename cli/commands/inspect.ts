import { type Command, Option } from "commander";
import { UserError } from "../../host/errors.ts";
import { namesIn, wholeNumber } from "../../host/terminal/arguments.ts";
import { printJson, printText } from "../../host/terminal/print.ts";
import { WAVELETS, type Wavelet } from "../../src/signal/wavelet.ts";
import { inspectCopy } from "../../tools/inspect/inspect-copy.ts";
import { inspectNode } from "../../tools/inspect/inspect-node.ts";
import { Snapshot } from "../../tools/inspect/snapshot.ts";
import { inspectionText } from "../../tools/inspect/text.ts";
import { addPortOption, namedPorts, type PortFlags } from "../../tools/ports/options.ts";
import { openSession } from "../../tools/session/open-session.ts";
import { addNodeFileOption } from "../options/node-file.ts";
import { addSpectrumOptions, readSpectrum, type SpectrumFlags } from "../options/spectrum-options.ts";

interface InspectFlags extends PortFlags, SpectrumFlags {
  readonly learner?: string;
  readonly budget?: number;
  readonly options: string;
  readonly window: number;
  readonly wavelet?: Wavelet;
  readonly standardise?: boolean;
  readonly classes?: readonly string[];
  readonly json?: boolean;
  readonly copy?: string;
}

async function inspect(flags: InspectFlags, command: Command): Promise<void> {
  if (flags.copy !== undefined) return inspectFile(flags.copy, command, flags.json);
  const ports = await namedPorts(flags);
  if (!ports) return;
  const [port] = ports;
  const { json } = flags;
  const snapshot = new Snapshot();
  const session = await openSession(port, flags, {
    message: (name, message) => {
      if (name === "memory") snapshot.take(message);
    },
  });
  try {
    const { window, wavelet } = flags;
    const features = { window, ...(wavelet && { wavelet }), ...readSpectrum(flags) };
    const inspection = await inspectNode(session, snapshot, { ...flags, features });
    if (json) printJson(inspection);
    else printText(inspectionText(inspection));
  } finally {
    await session.close();
  }
}

/** Shows the memory in a file, which names its node's options. */
function inspectFile(file: string, command: Command, json?: boolean): void {
  const isGiven = (name: string) => command.getOptionValueSource(name) === "cli";
  const other = Object.keys(command.opts()).find(
    (name) => isGiven(name) && name !== "copy" && name !== "json",
  );
  if (other !== undefined)
    throw new UserError(`--copy and --${other}: the file names its node's options; leave --${other} out`);
  const inspection = inspectCopy(file);
  if (json) printJson(inspection);
  else printText(inspectionText(inspection));
}

export function addInspect(program: Command): void {
  const command = program
    .command("inspect")
    .description("read a node's whole state, check its hash, and show dictionary, weights and counters");
  addSpectrumOptions(addNodeFileOption(addPortOption(command)))
    .option("--copy <file>", "in place of --port: a state that `evaluate --save` wrote")
    .option("--learner <name>", "the node's learner (default: as the node reports)")
    .option(
      "--budget <b>",
      "the most vectors that its learner stores (default: as the node reports)",
      wholeNumber(1),
    )
    .option("--options <json>", "further options of its learner, one JSON object", "{}")
    .option("--window <n>", "its features of each reading over the last n samples", wholeNumber(0, 65536), 0)
    .addOption(new Option("--wavelet <name>", "bands of its windows").choices(WAVELETS))
    .option("--standardise", "its features have mean 0, variance 1 (default: whichever fits)")
    .option(
      "--classes <list>",
      "the names of its classes, in the order of its labels: ok,fault are -1 and +1 (default: as the node reports)",
      namesIn,
    )
    .option("--json", "print motelearn.inspect/1, with every value")
    .action(inspect);
}
