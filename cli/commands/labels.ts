import type { Command } from "commander";
import { DeviceError, UserError } from "../../host/errors.ts";
import { namesIn, wholeNumber } from "../../host/terminal/arguments.ts";
import { Interrupt } from "../../host/terminal/interrupt.ts";
import { printNote } from "../../host/terminal/print.ts";
import { addReadingOptions, type FileFlags, fileReading } from "../../lab/evaluation/data-options.ts";
import { keyReader } from "../../tools/keys/key-file.ts";
import { fileSamples, readRecording } from "../../tools/labels/file-supply.ts";
import { LabelDelivery } from "../../tools/labels/label-delivery.ts";
import type { StoredSamples } from "../../tools/labels/memory-supply.ts";
import { Reporter } from "../../tools/labels/report.ts";
import { findNode, openSource, type SourceOptions } from "../../tools/labels/source.ts";
import { addPortOptions, namedPorts, type PortFlags } from "../../tools/ports/options.ts";
import { noteImport } from "../options/import-note.ts";
import { namesOrFile } from "../options/node-file.ts";

interface LabelsFlags extends PortFlags, FileFlags, Omit<SourceOptions, "from" | "reading"> {
  readonly baud: number;
  readonly giveUp: number;
  readonly labelKey?: Uint8Array;
  readonly from?: string;
  readonly node?: readonly string[];
  readonly samples?: string;
  readonly window: number;
  readonly retrain?: string;
  readonly played?: boolean;
  readonly follow?: boolean;
  readonly json?: boolean;
}

/** The source's node for a port: by --node, in the order of the ports; else by place. */
function wantedNode(nodes: readonly string[] | undefined, index: number): string | number {
  const name = nodes?.[index];
  if (name === undefined) return index + 1;
  return /^\d+$/.test(name) ? Number(name) : name;
}

async function readSamples(flags: LabelsFlags, wanted: string | number): Promise<StoredSamples | undefined> {
  const { samples: file } = flags;
  if (file === undefined) return undefined;
  return fileSamples(findNode([...(await readRecording(file, fileReading(flags)))], wanted, file));
}

async function labels(flags: LabelsFlags): Promise<void> {
  const ports = await namedPorts(flags);
  if (!ports) return;
  const { from, node, follow = false, json = false, baud, reset, retrain } = flags;
  if (retrain !== undefined && ports.length > 1)
    throw new UserError("--retrain: keeps the lessons of one node; give one --port");
  if (from === undefined) {
    throw new UserError(
      "no --from; takes tcp://HOST:PORT, unix:PATH, a device, a recorded stream or fusion:SCENARIO",
    );
  }
  const source = await openSource({ ...flags, from, reading: fileReading(flags) });
  ports.forEach((_, index) => {
    source.check(wantedNode(node, index));
  });
  await noteImport(from, flags, source.columns);
  const stop = new Interrupt();
  const faults: Error[] = [];
  const handOver = async (port: string, index: number) => {
    const wanted = wantedNode(node, index);
    const samples = await readSamples(flags, wanted);
    const reporter = new Reporter(port, json);
    await new LabelDelivery({
      ...{ ...flags, port, serial: { baud, reset }, source, wanted, samples, follow, stop, reporter },
    }).run();
  };
  await Promise.all(ports.map((port, index) => handOver(port, index).catch((error) => faults.push(error))));
  if (stop.asked) return;
  // The message about wrong data takes precedence over one about a missing source.
  const first = faults.find((error) => !(error instanceof DeviceError)) ?? faults[0];
  for (const fault of faults) if (fault !== first) printNote(`motelearn: ${fault.message}`);
  if (first) throw first;
}

export function addLabels(program: Command): void {
  const command = program
    .command("labels")
    .description("send labels and recorded samples to nodes, each once, until a checkpoint holds them");
  addReadingOptions(addPortOptions(command))
    .option(
      "--from <source>",
      "labels: a fusion centre at tcp://HOST:PORT, unix:PATH or a device; a recorded stream; fusion:SCENARIO",
    )
    .option(
      "--node <name...>",
      "a port's node at the source, by name or place from 1 (default: port 1 is node 1); or a node's file, FILE.json, from which keys and class names follow",
      namesOrFile(command),
    )
    .option("--samples <file>", "recorded stream to feed, instead of the source's samples")
    .option(
      "--ahead <n>",
      "recorded stream: samples fed before the node answers a label",
      wholeNumber(1, 65536),
      8,
    )
    .option("--novel <label>", "recorded stream, for a novelty learner: the label of a novelty")
    .option("--seed <n>", "fusion: instead of the scenario's", wholeNumber(0, 0xffffffff))
    .option("--task <name>", "fusion: the scenario's task (default: its first)")
    .option("--learner <name>", "fusion: the task's learner (default: its first)")
    .option(
      "--classes <list>",
      "recorded stream, for a node that names no classes: their names, in the order of its targets: ok,fault are -1 and +1; of three and more 0, 1, 2",
      namesIn,
    )
    .option(
      "--label-key <file>",
      "tag labels that come without a tag, by the node's label key: see `motelearn key`",
      keyReader("--label-key"),
    )
    .option(
      "--retrain <file>",
      "train models for a node with fleetBudget from all its labels at once, and send them among these; the file keeps labels and features for the next time",
    )
    .option(
      "--played",
      "recorded stream: the node plays it, as `flash --emulate --from` has it; compare its state with this machine's",
    )
    .option("--window <n>", "labels on their way at once", wholeNumber(1, 1024), 16)
    .option("--follow", "keep running when all labels are durable")
    .option("--json", "print what happens as NDJSON, motelearn.labels/1")
    .action(labels);
}
