import { type Command, Option } from "commander";
import { ClassNames } from "../../host-sim/streams/class-names.ts";
import type { Family } from "../../src/learn/family.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { WAVELETS, type Wavelet } from "../../src/signal/wavelet.ts";
import type { Message } from "../../src/wire/messages.ts";
import { optionsObject, wholeNumber, withFlag } from "../cli/arguments.ts";
import { UserError } from "../cli/exit.ts";
import { checkOptionNames, chooseFamily } from "../cli/learner-choice.ts";
import { printJson, printText } from "../cli/print.ts";
import { addSpectrumOptions, type SpectrumFlags, spectrumOf } from "../cli/spectrum-options.ts";
import { NodeCopy, optionsOf } from "../inspect/node-copy.ts";
import { copyMemory, readMemory } from "../inspect/read-memory.ts";
import { Snapshot } from "../inspect/snapshot.ts";
import { inspectionText } from "../inspect/text.ts";
import { MACHINE_CLOCK } from "../ports/clock.ts";
import { addPortOption, namedPorts, type PortFlags } from "../ports/options.ts";
import { openSession } from "../session/open-session.ts";
import type { Session } from "../session/session.ts";

interface InspectFlags extends PortFlags, SpectrumFlags {
  readonly learner?: string;
  readonly budget?: number;
  readonly options: string;
  readonly window: number;
  readonly wavelet?: Wavelet;
  readonly standardise?: boolean;
  readonly classes?: readonly string[];
  readonly json?: boolean;
}

/** The classes that the flags name; else those that the node tells. Throws a UserError for names that the learner can't have. */
async function classesOf(session: Session, family: Family, { classes: names }: InspectFlags) {
  await session.described();
  const { classes } = session;
  if (!names) return classes;
  try {
    const given = new ClassNames(names, family.task === "multiclass" || names.length > 2);
    if (classes && classes.count === given.count) return given;
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
  }
  throw new UserError(
    `--classes ${names.join(",")}: the node's learner ${family.name} has ${classes ? `${classes.count} classes` : "no classes"}; give as many distinct names`,
  );
}

async function inspectNode(session: Session, snapshot: Snapshot, flags: InspectFlags) {
  const hello = await session.met();
  const family = chooseFamily(flags.learner ?? hello.learner);
  const options = withFlag(optionsObject(flags.options), "budget", flags.budget);
  checkOptionNames(family, options);
  const { capacity } = await session.ask("statistics");
  const now = () => MACHINE_CLOCK.now();
  await readMemory(session, snapshot, now);
  const { window, wavelet, standardise } = flags;
  const features = { window, ...(wavelet && { wavelet }), ...spectrumOf(flags) };
  const words = snapshot.words.length;
  const copy = new NodeCopy(optionsOf(hello, { family, options, features, standardise, capacity, words }));
  const { state, whole } = await copyMemory(session, snapshot, copy, now);
  const { learner, ...node } = copy.options;
  const classes = await classesOf(session, family, flags);
  return {
    schema: "motelearn.inspect/1" as const,
    node: hello,
    options: { ...node, learner: learner.name },
    /** The names of its classes, in the order of their targets, where it has names. */
    ...(classes &&
      !classes.isNumbered && {
        classes: classes.names,
        targets: classes.names.map((_, place) => classes.targetAt(place)),
      }),
    ...{ sid: state.sid, seq: state.seq, labelled: state.labelled },
    hashes: copy.hashes,
    /** Whether the node has this layout; it has the learner's. */
    same: { learner: true, whole },
    ...copy.fill,
    counters: copy.counters,
    regions: copy.regions,
  };
}

export type Inspection = Awaited<ReturnType<typeof inspectNode>>;

async function inspect(flags: InspectFlags): Promise<void> {
  const ports = await namedPorts(flags);
  if (!ports) return;
  const [port] = ports;
  const { json } = flags;
  const snapshot = new Snapshot();
  const session = await openSession(port, flags, {
    message: (name, message) => {
      if (name === "memory") snapshot.take(message as unknown as Message<"memory">);
    },
  });
  try {
    const inspection = await inspectNode(session, snapshot, flags);
    if (json) printJson(inspection);
    else printText(inspectionText(inspection));
  } finally {
    await session.close();
  }
}

/** Adds `motelearn inspect`. */
export function addInspect(program: Command): void {
  const command = program
    .command("inspect")
    .description("read a node's whole state, check its hash, and show dictionary, weights and counters");
  addSpectrumOptions(addPortOption(command))
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
      (text: string) => text.split(",").map((name) => name.trim()),
    )
    .option("--json", "print motelearn.inspect/1, with every value")
    .action(inspect);
}
