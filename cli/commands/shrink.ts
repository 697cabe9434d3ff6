import { existsSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { UserError } from "../../host/errors.ts";
import { writeFault } from "../../host/files/write-fault.ts";
import { wholeNumber } from "../../host/terminal/arguments.ts";
import { commandText } from "../../host/terminal/command-line.ts";
import { Interrupt } from "../../host/terminal/interrupt.ts";
import { printJson, printLine, printNote } from "../../host/terminal/print.ts";
import type { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { addPluginOption, catalogueWith } from "../../host-sim/catalogue/plugins.ts";
import type { NodeMaker } from "../../host-sim/network/simulated-node.ts";
import type { ByteUart } from "../../host-sim/network/uart.ts";
import { parseScenario } from "../../host-sim/scenario/scenario.ts";
import { scenarioFile } from "../../host-sim/scenario/scenario-file.ts";
import { type Case, readCase, writeCase } from "../../lab/shrink/case.ts";
import { withOpenStream } from "../../lab/shrink/explicit.ts";
import { Property } from "../../lab/shrink/property.ts";
import { reduce } from "../../lab/shrink/reduce.ts";
import { type CaseSize, measureCase, sizeText } from "../../lab/shrink/size.ts";
import { Trials } from "../../lab/shrink/trials.ts";
import { TARGETS, type Target } from "../../targets/boards.ts";
import { NodeOnXs } from "../../targets/emulator/node-on-xs.ts";
import { machineFor } from "../../tools/toolchain/xs-engine.ts";

interface ShrinkFlags {
  readonly while: string;
  readonly seed?: number;
  readonly out?: string;
  readonly runs: number;
  readonly target: Target;
  readonly plugin: readonly string[];
  readonly json?: boolean;
}

async function xsMaker(target: Target): Promise<NodeMaker> {
  const machine = await machineFor(target);
  return {
    framing: "bytes",
    make: (parts) => new NodeOnXs(machine, { ...parts, uart: parts.uart as ByteUart }),
  };
}

/**
 * The case with its stream written out as a file, if it still fails; else unchanged, as is an invalid
 * scenario.
 */
async function openCase(read: Case, file: string, trials: Trials, catalogue: Catalogue): Promise<Case> {
  let scenario: ReturnType<typeof parseScenario>;
  try {
    scenario = parseScenario(JSON.stringify(read.scenario), file, catalogue);
  } catch {
    return read;
  }
  const open = await withOpenStream(read, scenario, file);
  return (await trials.stillFails(open)) ? open : read;
}

/** A case, and the run's line on stderr, or "". */
interface CaseOutcome extends CaseSize {
  readonly message: string;
}

function describeCase(one: Case, trials: Trials): CaseOutcome {
  return { ...measureCase(one), message: trials.failureMessage(one) };
}

/** Prints what became smaller, and with which message each fails: another failure may hold the property, too. */
function tell(from: CaseOutcome, to: CaseOutcome, trials: Trials, out: string, json = false): void {
  const repeat = commandText("simulate", [], join(out, "scenario.json"));
  if (json) printJson({ schema: "motelearn.shrink/1", out, runs: trials.runs, from, to, repeat });
  if (json) return;
  const messages = from.message === "" ? [] : [`was     ${from.message}`, `is      ${to.message}`];
  printLine(`from    ${sizeText(from)}`, `to      ${sizeText(to)}`, ...messages);
  printLine(`after   ${trials.runs} runs`, `repeat  ${repeat}`);
}

/** Writes into the folder of --out. Throws a UserError where the system refuses. */
function writeOut(out: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new UserError(`--out ${out}: ${writeFault(out, error)}`);
  }
}

/** Throws a UserError for a folder that exists, or can't be made; it isn't made yet. */
function checkNewFolder(out: string): void {
  if (out === "") throw new UserError("--out: takes a folder's name; got an empty one");
  if (existsSync(out)) throw new UserError(`--out ${out}: exists; give a new folder, or remove it`);
  let parent = dirname(resolve(out));
  while (!existsSync(parent)) parent = dirname(parent);
  writeOut(out, () => rmdirSync(mkdtempSync(join(parent, ".shrink-"))));
}

async function shrink(named: string | undefined, options: ShrinkFlags): Promise<void> {
  const property = new Property(options.while);
  const catalogue = await catalogueWith(options.plugin);
  const file = scenarioFile(named);
  const out = options.out ?? `${basename(file, ".json")}-shrunk`;
  checkNewFolder(out);
  const read = readCase(file, options.seed);
  const maker = property.needsXs ? await xsMaker(options.target) : undefined;
  const folder = mkdtempSync(join(tmpdir(), "motelearn-shrink-"));
  try {
    const trials = new Trials(property, folder, catalogue, maker, options.runs);
    new Interrupt().onStop(() => trials.stop());
    await trials.begin(read);
    const small = await reduce(await openCase(read, file, trials, catalogue), (one) =>
      trials.stillFails(one),
    );
    writeOut(out, () => writeCase(small, out));
    tell(describeCase(read, trials), describeCase(small, trials), trials, out, options.json);
    if (trials.isStopped) printNote(`motelearn: stopped after ${trials.runs} runs; it may shrink further`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function addShrink(program: Command): void {
  const command = program
    .command("shrink")
    .description("find a smaller scenario that still fails, to report a fault with it")
    .argument(
      "[scenario]",
      "a scenario file, or one that ships: four-motes (default), one-scene, bearings, alike",
    )
    .requiredOption("--while <expression>", "a condition on the run, in JavaScript; see below");
  addPluginOption(command)
    .option("--seed <n>", "seed of everything random, instead of the scenario's", wholeNumber(0, 0xffffffff))
    .option("--out <folder>", "folder to make for the smaller scenario (default: NAME-shrunk)")
    .option("--runs <n>", "runs of the scenario at most", wholeNumber(1, 1_000_000), 1000)
    .addOption(
      new Option("--target <board>", "whose memory each node has on XS").choices(TARGETS).default("esp32c3"),
    )
    .option("--json", "print motelearn.shrink/1")
    .addHelpText(
      "after",
      `
The expression may use
  exit      exit code of simulate
  message   its line on stderr, or ""
  result    what simulate --json prints; undefined where it fails
  learners  every learner's result, with its node's name
  xs        these four values of a run on XS (Linux, needs cc)
  differs   whether states on Node and on XS differ
such as
  --while 'learners.some((each) => each.learner === "pa" && each.metrics.error > 0.2)'
  --while 'exit === 2 && message.includes("budget")'
It removes tasks, learners, nodes, samples and keys, and lowers numbers, in a fixed order: the same command finds the same scenario.
Ctrl-C keeps the smallest scenario so far (exit code 130).`,
    )
    .action(shrink);
}
