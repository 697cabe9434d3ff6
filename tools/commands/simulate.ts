import { availableParallelism } from "node:os";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type Command, Option } from "commander";
import { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import type { NetworkOutcome } from "../../host-sim/network/network.ts";
import { markTag, renderReport } from "../../host-sim/report/page.ts";
import { stopLines } from "../../host-sim/report/stops.ts";
import { renderTable } from "../../host-sim/report/terminal.ts";
import { timingText } from "../../host-sim/report/timing.ts";
import type { SimulateResult, Timing } from "../../host-sim/result.ts";
import { readScenario, type Scenario } from "../../host-sim/scenario.ts";
import { describeSchema, scenarioJsonSchema } from "../../host-sim/scenario-schema.ts";
import { performNetworks } from "../../host-sim/sweep/pieces.ts";
import { assemble } from "../../host-sim/sweep/results.ts";
import { runsOf } from "../../host-sim/sweep/runs.ts";
import { TARGETS, type Target } from "../../targets/boards.ts";
import type { Machine } from "../../targets/emulator/node-on-xs.ts";
import { wholeNumber } from "../cli/arguments.ts";
import { addCsvOption, checkCsv, writeCsv } from "../cli/csv-files.ts";
import { DoesNotFitError, UserError } from "../cli/exit.ts";
import { Interrupt } from "../cli/interrupt.ts";
import { addPluginOption, catalogueWith } from "../cli/plugins.ts";
import { printDocument, printJson, printLine, printNote, printText } from "../cli/print.ts";
import { ReportFolder } from "../cli/report-folder.ts";
import { reportName, scenarioFile, scenarioMark } from "../cli/scenario-file.ts";
import { simulatedCurves, simulatedRows } from "../simulation/csv.ts";
import { finishedPart } from "../simulation/finished.ts";
import { KeptNetworks, keyOf } from "../simulation/kept-networks.ts";
import { SimulationProgress } from "../simulation/progress.ts";
import { machineFor, nameOf } from "../toolchain/xs-engine.ts";

interface Given {
  readonly plugin: readonly string[];
  readonly seed?: number;
  readonly json?: boolean;
  readonly schema?: boolean;
  readonly report: string;
  readonly threads: number;
  readonly timing?: boolean;
  readonly allNodes?: boolean;
  readonly csv?: string;
  readonly engine: "node" | "xs";
  readonly target?: Target;
}

/** The package's folder: the bundle lies in its dist/. */
const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)));
function repeatCommand(
  named: string | undefined,
  seed: number,
  onXs: Target | undefined,
  plugin: readonly string[],
): string {
  const plugins = plugin.map((file) => ` --plugin ${file}`).join("");
  const on = onXs ? ` --engine xs --target ${onXs}` : "";
  return `npx motelearn simulate${named === undefined ? "" : ` ${named}`} --seed ${seed}${on}${plugins}`;
}

/** A run's scenario and options. */
interface Run {
  readonly scenario: Scenario;
  readonly file: string;
  readonly threads: number;
  readonly machine: Machine | undefined;
  readonly plugin: readonly string[];
  readonly kept: KeptNetworks;
}

const WORKER = new URL("./worker.js", import.meta.url);

/** The files that determine a run's outcomes: streams, plugins and the program. */
function filesOf({ stream }: Scenario, file: string, plugin: readonly string[]): string[] {
  const streams = stream.type === "files" ? stream.files.map(({ path }) => resolve(dirname(file), path)) : [];
  return [...streams, ...plugin, fileURLToPath(WORKER)];
}

/** Runs the networks that aren't stored yet, until all are done or `stop`. */
async function run(
  { scenario, file, threads, machine, plugin, kept }: Run,
  stop: AbortSignal,
): Promise<void> {
  const runs = runsOf(scenario, file);
  const places = [...runs.keys()].filter((place) => !kept.outcomes.has(place));
  if (places.length < runs.length && process.stderr.isTTY)
    printNote(`${kept.path}: ${runs.length - places.length} of ${runs.length} networks are done`);
  const progress = new SimulationProgress(runs.length, runs.length - places.length);
  const todo = places.map((place) => runs[place]);
  const startWorker = () => new Worker(WORKER, { workerData: { machine, plugin } });
  try {
    const reached = (i: number, share: number) => progress.reached(i, share);
    const done = (i: number, outcome: NetworkOutcome) => {
      kept.add(places[i], outcome);
      progress.finished(i);
    };
    await performNetworks(todo, threads, startWorker, { reached, done }, stop);
  } finally {
    progress.stop();
  }
}

/** Reports an interrupted run's progress on stderr. */
function sayInterrupted({ path, outcomes, fault }: KeptNetworks, networks: number): void {
  const done = `interrupted: ${outcomes.size} of ${networks} networks are done`;
  const kept =
    outcomes.size === 0
      ? ""
      : fault
        ? `, and couldn't be kept in ${path} (${fault})`
        : `; ${path} keeps them, and the same command continues from there`;
  printNote(`motelearn: ${done}${kept}`);
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

async function simulate(named: string | undefined, given: Given): Promise<void> {
  const { seed, report, threads, timing, engine, plugin, target = "esp32c3" } = given;
  const file = scenarioFile(named);
  const catalogue = await catalogueWith(plugin);
  if (given.schema) {
    printDocument(scenarioJsonSchema(catalogue));
    return;
  }
  const read = readScenario(file, catalogue);
  const scenario = seed === undefined ? read : { ...read, seed };
  if (engine === "node" && given.target) throw new UserError("--target: goes with --engine xs");
  if (engine === "xs") refuseOnXs(scenario, catalogue, plugin);
  const folder = new ReportFolder(report);
  checkCsv(given.csv);
  const machine = engine === "xs" ? await machineFor(target, PACKAGE) : undefined;
  const begin = process.hrtime.bigint();
  const key = keyOf([scenario, engine, target], filesOf(scenario, file, plugin));
  const name = `${reportName(file)}-seed-${scenario.seed}`;
  const mark = scenarioMark(file, folder.path(""));
  const kept = new KeptNetworks(folder.path(`${name}.${mark}.networks`), key);
  const stop = new AbortController();
  new Interrupt().onStop(() => stop.abort());
  await run({ scenario, file, threads, machine, plugin, kept }, stop.signal);
  const networks = runsOf(scenario, file).length;
  const isWhole = kept.outcomes.size === networks;
  const part = finishedPart(scenario, kept.outcomes);
  if (part.outcomes.length === 0) return sayInterrupted(kept, networks);
  const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
  const result = assemble(
    part.scenario,
    part.outcomes,
    repeatCommand(named, scenario.seed, machine && target, plugin),
    timing ? timingOf(part.outcomes, seconds, threads) : undefined,
    machine && { name: nameOf(target), arithmetic: "c" },
  );
  if (given.csv !== undefined) writeCsv(given.csv, simulatedRows(result), simulatedCurves(result));
  const write = () => folder.writeOwn(name, renderReport(result, mark), markTag(mark));
  tell(result, write, given);
  if (!isWhole) return sayInterrupted(kept, networks);
  kept.remove();
  checkStops(result, target);
}

/** The time and memory of a run until its outcomes were complete. */
function timingOf(outcomes: readonly NetworkOutcome[], seconds: number, threads: number): Timing {
  const { user, system } = process.cpuUsage();
  const cpuSeconds = (user + system) / 1e6;
  const samples = outcomes.flatMap(({ nodes }) => nodes).reduce((sum, { result }) => sum + result.samples, 0);
  const peakMib = process.resourceUsage().maxRSS / 1024;
  return { seconds, threads, cpuSeconds, samplesPerCpuSecond: samples / cpuSeconds, peakMib };
}

/** Prints the result, then writes its report. */
function tell(result: SimulateResult, write: () => string, { json, allNodes }: Given): void {
  const columns = Math.max(80, process.stdout.columns ?? 120);
  if (json) printJson(result);
  else printText(renderTable(result, { columns, allNodes }));
  const written = write();
  if (json) return;
  const took = result.timing ? [`timing  ${timingText(result.timing)}`] : [];
  printLine("", `engine  ${result.engine}`, ...took, `report  ${written}`, `repeat  ${result.repeat}`);
}

/** Throws a DoesNotFitError where a node's memory was full. */
function checkStops(result: SimulateResult, target: Target): void {
  const stopped = stopLines(result);
  if (stopped.length === 0) return;
  const more = stopped.length > 1 ? `; and ${stopped.length - 1} more, which the report lists` : "";
  throw new DoesNotFitError(`${nameOf(target)}: ${stopped[0]}${more}`);
}

/** Adds `motelearn simulate`. */
export function addSimulate(program: Command): void {
  const command = program
    .command("simulate")
    .description("replay streams through a network of nodes that learn from late, lost and wrong labels")
    .argument("[scenario]", "a scenario file, or one that ships: four-motes (default), one-scene, bearings");
  addCsvOption(addPluginOption(command))
    .option("--seed <n>", "seed of everything random, instead of the scenario's", wholeNumber(0, 0xffffffff))
    .option("--json", "print motelearn.simulate/1")
    .option("--all-nodes", "print each node of a network of more than 12, not totals and the worst nodes")
    .option("--schema", "print the JSON Schema of scenario files, and simulate nothing")
    .option("--report <folder>", "folder for the HTML report, SCENARIO-FILE-seed-SEED.html", "reports")
    .option(
      "--threads <n>",
      "threads, over which networks and the nodes of each are spread; changes no result",
      wholeNumber(1, 256),
      availableParallelism(),
    )
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
        "with --engine xs, whose memory each node has; esp32c3 unless given",
      ).choices(TARGETS),
    )
    .option(
      "--timing",
      "print time, CPU and memory too, which differ from run to run; without it two runs are byte-identical",
    )
    .addHelpText(
      "after",
      `\nCtrl-C ends it with the networks that are done (exit code 130), and the same command continues from there.\nExit code 3: a node's memory was full; the results hold what came before. Without cc: exit code 2.`,
    )
    .addHelpText("after", `\nA scenario is one JSON file:\n${describeSchema().join("\n")}`)
    .action(simulate);
}
