import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type Command, Option } from "commander";
import { cpuTime } from "../../host/cpu-time.ts";
import { DoesNotFitError, UserError } from "../../host/errors.ts";
import { addCsvOption, checkCsv, writeCsv } from "../../host/files/csv-files.ts";
import { makeFolder } from "../../host/files/make-folder.ts";
import { printable } from "../../host/printable.ts";
import { markTag } from "../../host/report/page.ts";
import { FORMATS } from "../../host/streams/formats.ts";
import { wholeNumber } from "../../host/terminal/arguments.ts";
import { commandText } from "../../host/terminal/command-line.ts";
import { Interrupt } from "../../host/terminal/interrupt.ts";
import { printDocument, printJson, printLine, printNote, printText } from "../../host/terminal/print.ts";
import { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { addPluginOption, catalogueWith } from "../../host-sim/catalogue/plugins.ts";
import type { NetworkOutcome } from "../../host-sim/network/network.ts";
import { renderReport } from "../../host-sim/report/page.ts";
import { stopLines } from "../../host-sim/report/stops.ts";
import { renderTable } from "../../host-sim/report/terminal.ts";
import { timingText } from "../../host-sim/report/timing.ts";
import { assemble } from "../../host-sim/runs/results.ts";
import { planRuns } from "../../host-sim/runs/runs.ts";
import { writeNodeFile } from "../../host-sim/scenario/node-file.ts";
import { nodeJsonSchema } from "../../host-sim/scenario/node-schema.ts";
import { readScenario, type Scenario } from "../../host-sim/scenario/scenario.ts";
import { fileMark, filesRead, reportName, scenarioFile } from "../../host-sim/scenario/scenario-file.ts";
import { scenarioJsonSchema } from "../../host-sim/scenario/scenario-schema.ts";
import { describeSchema } from "../../host-sim/scenario/schema-text.ts";
import type { SimulateResult, Timing } from "../../host-sim/scoring/result.ts";
import { simulatedCurves, simulatedRows } from "../../lab/simulation/csv.ts";
import { KeptPieces, piecesKey } from "../../lab/simulation/kept-pieces.ts";
import { type Flashable, flashable, flashCommand, flashNamed } from "../../lab/simulation/node-texts.ts";
import { type DoneParts, finishedPart, performKept } from "../../lab/simulation/perform.ts";
import { TARGETS, type Target } from "../../targets/boards.ts";
import { engineName, machineFor } from "../../tools/toolchain/xs-engine.ts";
import { noteImport } from "../options/import-note.ts";
import { ReportFolder } from "../options/report-folder.ts";
import { threadsOption } from "../options/threads.ts";

interface SimulateFlags {
  readonly plugin: readonly string[];
  readonly seed?: number;
  readonly json?: boolean;
  readonly schema?: "scenario" | "node";
  readonly report: string;
  readonly threads: number;
  readonly timing?: boolean;
  readonly allNodes?: boolean;
  readonly csv?: string;
  readonly nodes?: string;
  readonly engine: "node" | "xs";
  readonly target?: Target;
}

function repeatCommand(
  named: string | undefined,
  seed: number,
  onXs: Target | undefined,
  plugin: readonly string[],
): string {
  return commandText(
    "simulate",
    [
      ["--seed", `${seed}`],
      ["--engine", onXs && "xs"],
      ["--target", onXs],
      ...plugin.map((file): [string, string] => ["--plugin", file]),
    ],
    named,
  );
}

const WORKER = new URL("./worker.js", import.meta.url);

/** The files that determine a run's outcomes: streams, states, plugins and the program. */
function listFiles(scenario: Scenario, file: string, plugin: readonly string[]): string[] {
  const read = filesRead(scenario).map((path) => resolve(dirname(file), path));
  return [...read, ...plugin, fileURLToPath(WORKER)];
}

/** Reports an interrupted run's progress on stderr. */
function sayInterrupted({ path, fault }: KeptPieces, { text, isBegun }: DoneParts): void {
  const kept = fault
    ? `, and couldn't be kept: ${path}: ${fault}`
    : `; ${path} keeps them, and the same command continues from there`;
  printNote(`motelearn: interrupted: ${text} are done${isBegun ? kept : ""}`);
}

/**
 * Throws a UserError for a node that sleeps, a keyed line, and a plugin's learner: an XS machine has the
 * shipped learners only.
 */
function refuseOnXs({ tasks, node, link }: Scenario, catalogue: Catalogue, plugin: readonly string[]): void {
  if ([node, ...tasks.map((task) => task.node)].some((each) => each?.sleep))
    throw new UserError("--engine xs: node.sleep is simulated on Node only; leave one of them out");
  if (link.framing === "keyed")
    throw new UserError('--engine xs: link.framing "keyed" is simulated on Node only; leave one of them out');
  for (const { learner } of tasks.flatMap(({ learners }) => learners)) {
    if (Catalogue.shipped.learner(learner) || !catalogue.learner(learner)) continue;
    throw new UserError(`--engine xs: learner ${learner} of --plugin ${plugin.join(", ")} runs on Node only`);
  }
}

/** The scenario with the given seed. Throws a UserError where the engine can't run it. */
function chosenScenario(
  file: string,
  { seed, engine, target, plugin }: SimulateFlags,
  catalogue: Catalogue,
): Scenario {
  const read = readScenario(file, catalogue);
  const scenario = seed === undefined ? read : { ...read, seed };
  if (engine === "node" && target) throw new UserError("--target: goes with --engine xs");
  if (engine === "xs") refuseOnXs(scenario, catalogue, plugin);
  return scenario;
}

async function simulate(named: string | undefined, options: SimulateFlags): Promise<void> {
  const { report, threads, timing, engine, plugin, target = "esp32c3" } = options;
  const file = scenarioFile(named);
  const catalogue = await catalogueWith(plugin);
  if (options.schema) {
    printDocument(options.schema === "node" ? nodeJsonSchema() : scenarioJsonSchema(catalogue));
    return;
  }
  const scenario = chosenScenario(file, options, catalogue);
  const folder = new ReportFolder(report);
  const files = listFiles(scenario, file, plugin);
  checkCsv(options.csv, [file, ...files]);
  const machine = engine === "xs" ? await machineFor(target) : undefined;
  const begin = process.hrtime.bigint();
  const key = piecesKey([scenario, engine, target], files);
  const name = `${reportName(file)}-seed-${scenario.seed}`;
  const mark = fileMark(file, folder.path(""));
  const kept = new KeptPieces(folder.path(`${name}.${mark}.networks`), key);
  const stop = new Interrupt();
  const startWorker = () => new Worker(WORKER, { workerData: { machine, plugin } });
  const done = await performKept(planRuns(scenario, file), kept, threads, startWorker, stop.signal);
  const part = finishedPart(scenario, done.outcomes);
  if (part.outcomes.length === 0) return sayInterrupted(kept, done);
  const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
  const result = assemble(
    part.scenario,
    part.outcomes,
    repeatCommand(named, scenario.seed, machine && target, plugin),
    timing ? measureTiming(part.outcomes, seconds, threads) : undefined,
    machine && { name: engineName(target), arithmetic: "c" },
  );
  const write = () => {
    if (options.csv !== undefined) writeCsv(options.csv, simulatedRows(result), simulatedCurves(result));
    return folder.writeOwn(name, renderReport(result, mark), markTag("scenario", mark));
  };
  await noteStream(scenario, file, part.outcomes);
  tell(result, write, options, () => flashable(part.scenario, result, file, catalogue, target));
  if (!done.isWhole) return sayInterrupted(kept, done);
  kept.remove();
  checkStops(result, target);
}

/** Notes what `import` would find in the first file of a scenario's stream. */
async function noteStream(
  { stream }: Scenario,
  source: string,
  outcomes: readonly NetworkOutcome[],
): Promise<void> {
  const { files, format, columns, label } = stream;
  const [node] = outcomes.flatMap(({ nodes }) => nodes);
  if (files.length === 0) return;
  const chosen = {
    format: FORMATS.find((each) => each === format),
    ...(columns.length > 0 && { columns }),
    ...(label !== "" && { label }),
  };
  await noteImport(resolve(dirname(source), files[0].path), chosen, node?.result.columns);
}

/** The time and memory of a run until its outcomes were complete. */
function measureTiming(outcomes: readonly NetworkOutcome[], seconds: number, threads: number): Timing {
  const cpuSeconds = cpuTime() / 1e6;
  const samples = outcomes.flatMap(({ nodes }) => nodes).reduce((sum, { result }) => sum + result.samples, 0);
  const peakMib = process.resourceUsage().maxRSS / 1024;
  return { seconds, threads, cpuSeconds, samplesPerCpuSecond: samples / cpuSeconds, peakMib };
}

/** Prints the result, then writes its table and report, then prints how to flash the nodes. */
function tell(
  result: SimulateResult,
  write: () => string,
  { json, allNodes, nodes }: SimulateFlags,
  named: () => readonly Flashable[],
): void {
  const columns = Math.max(80, process.stdout.columns ?? 120);
  if (json) printJson(result);
  else printText(renderTable(result, { columns, allNodes }));
  const written = write();
  const flash = named().map(
    (each) => [each, nodes === undefined ? flashCommand(each.node) : writtenNode(nodes, each)] as const,
  );
  if (json) return;
  const took = result.timing ? [`timing  ${timingText(result.timing)}`] : [];
  printLine("", `engine  ${result.engine}`, ...took, `report  ${written}`, `repeat  ${result.repeat}`);
  for (const [{ task, learner }, command] of flash)
    printLine(`flash   ${printable(`${task}, ${learner}`)}: ${command}`);
}

/** Writes a node's file into the folder; returns the command that flashes it. */
function writtenNode(folder: string, { task, learner, node }: Flashable): string {
  const name = `${task}-${learner}`.replace(/[^\p{L}\p{N}_.=-]+/gu, "-");
  const file = join(folder, `${name}.node.json`);
  makeFolder(folder);
  writeNodeFile(file, node, "--nodes");
  return flashNamed(file);
}

/** Throws a DoesNotFitError where a node's memory was full. */
function checkStops(result: SimulateResult, target: Target): void {
  const stopped = stopLines(result);
  if (stopped.length === 0) return;
  const more = stopped.length > 1 ? `; and ${stopped.length - 1} more, which the report lists` : "";
  throw new DoesNotFitError(`${engineName(target)}: ${stopped[0]}${more}`);
}

/** What `--help scenario` prints beside `--help`: each key of a scenario. */
function helpOnScenarios(program: Command & { readonly rawArgs?: readonly string[] }): string {
  const isAsked = program.rawArgs?.at(-1) === "scenario";
  return isAsked
    ? `\nA scenario is one JSON file:\n${describeSchema().join("\n")}`
    : "\nA scenario is one JSON file: `motelearn simulate --help scenario` lists its keys.";
}

export function addSimulate(program: Command): void {
  const command = program
    .command("simulate")
    .description("replay streams through a network of nodes that learn from late, lost and wrong labels")
    .argument(
      "[scenario]",
      "a scenario file, or one that ships: four-motes (default), one-scene, bearings, alike",
    );
  addCsvOption(addPluginOption(command))
    .option("--seed <n>", "seed of everything random, instead of the scenario's", wholeNumber(0, 0xffffffff))
    .option("--json", "print motelearn.simulate/1")
    .option("--all-nodes", "print each node of a network of more than 12, not totals and the worst nodes")
    .addOption(
      new Option(
        "--schema [files]",
        "print the JSON Schema of scenario files, or of node files, and simulate nothing",
      )
        .choices(["scenario", "node"])
        .preset("scenario"),
    )
    .option(
      "--nodes <folder>",
      "write the file of each learner's node into this folder, TASK-LEARNER.node.json",
    )
    .option("--report <folder>", "folder for the HTML report, SCENARIO-FILE-seed-SEED.html", "reports")
    .addOption(threadsOption("threads that share the networks and their nodes; changes no result"))
    .addOption(
      new Option(
        "--engine <name>",
        "what the nodes run on: this program, or XS in a device's memory (Linux, needs cc)",
      )
        .choices(["node", "xs"])
        .default("node"),
    )
    .addOption(
      new Option(
        "--target <board>",
        "with --engine xs, the board whose memory each node has (default: esp32c3)",
      ).choices(TARGETS),
    )
    .option(
      "--timing",
      "also print time, CPU and memory, which differ from run to run; without it two runs print the same bytes",
    )
    .addHelpText(
      "after",
      `\nCtrl-C prints the networks that are done (exit code 130). The same command resumes, within a network and after kill -9, too.\nExit code 3: a node ran out of memory; the results cover the time before. Exit code 2: --engine xs without a cc.`,
    )
    .addHelpText("after", ({ command: asked }) => helpOnScenarios(asked.parent ?? asked))
    .action(simulate);
}
