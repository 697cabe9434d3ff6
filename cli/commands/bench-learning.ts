import { Worker } from "node:worker_threads";
import { type Command, InvalidArgumentError, Option } from "commander";
import { UserError } from "../../host/errors.ts";
import { identity } from "../../host/identity.ts";
import { markTag } from "../../host/report/page.ts";
import { listOf, positiveNumber, wholeNumber, wholeNumbers } from "../../host/terminal/arguments.ts";
import { Interrupt } from "../../host/terminal/interrupt.ts";
import { printJson, printLine, printText } from "../../host/terminal/print.ts";
import { fileMark } from "../../host-sim/scenario/scenario-file.ts";
import { benchmarkForecast, type Forecast, forecastText } from "../../lab/bench/forecasts.ts";
import { type Flips, ONE_CLASS, ORDERS, type Order } from "../../lab/bench/learning/conditions.ts";
import { chooseEntrants, listGrids, listRefusals } from "../../lab/bench/learning/entrants.ts";
import { assembleMemory } from "../../lab/bench/learning/memory.ts";
import { memoryText } from "../../lab/bench/learning/memory-text.ts";
import { benchLearningPage } from "../../lab/bench/learning/page.ts";
import {
  byFlips,
  type Grid,
  nameOfRun,
  nameRuns,
  planRuns,
  type Setting,
} from "../../lab/bench/learning/plan.ts";
import { assembleBench, type BenchResult, type Find } from "../../lab/bench/learning/result.ts";
import type { Outcome } from "../../lab/bench/learning/run.ts";
import { chosenSets, type LearningSet, type LeftOut, setLines } from "../../lab/bench/learning/sets.ts";
import { benchText } from "../../lab/bench/learning/text.ts";
import { SERIES_SOURCES, seriesIn } from "../../lab/bench/series.ts";
import { SCALES, type Scale } from "../../lab/evaluation/scaling.ts";
import { checkDataFolder } from "../../lab/experiments/lib/data.ts";
import { noteFault, noteInterrupted, onThreads, performMissing } from "../../lab/sweep/keep.ts";
import { programHash } from "../../lab/sweep/program-key.ts";
import { RunBars } from "../../lab/sweep/run-bars.ts";
import { RunStore } from "../../lab/sweep/store.ts";
import { ReportFolder } from "../options/report-folder.ts";
import { threadsOption } from "../options/threads.ts";

/** The default grid, ten minutes on two cores, and the grid of --all. */
const USUAL = { seeds: 3, rows: 4000 };
const ALL = { seeds: 5, rows: 10_000, learners: ["all"] };
const BUDGETS = [32, 64, 128];
const DELAYS = [0, 30, 200];
const FLIPS: readonly Flips[] = [0, 0.2, 0.4, ONE_CLASS];
const KILOBYTE = 1024;

interface BenchFlags {
  readonly data?: string;
  readonly set: readonly string[];
  readonly only?: readonly string[];
  readonly learners?: readonly string[];
  readonly budget: readonly number[];
  /** Kilobytes. */
  readonly memory?: readonly number[];
  readonly delay: readonly number[];
  readonly flips: readonly Flips[];
  readonly order: readonly Order[];
  readonly seeds?: number;
  readonly rows?: number;
  readonly scale: Scale;
  readonly loss: number;
  readonly prefix: number;
  readonly until?: number;
  readonly grid: boolean;
  readonly all?: boolean;
  readonly forecasts?: boolean;
  readonly seconds?: number;
  readonly threads: number;
  readonly json?: boolean;
  readonly report: string;
}

const WORKER = new URL("./bench-learning-worker.js", import.meta.url);

function share(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value < 1) return value;
  throw new InvalidArgumentError("Takes a number >= 0 and < 1.");
}

function flipsList(text: string): Flips[] {
  return listOf((part) => (part === ONE_CLASS ? ONE_CLASS : share(part)))(text).sort(byFlips);
}

function order(text: string): Order {
  const found = ORDERS.find((each) => each === text);
  if (found) return found;
  throw new InvalidArgumentError(`Takes ${ORDERS.join(" or ")}, or both with a comma between.`);
}

function readSetting({ data, set, rows, all, scale, loss, prefix, until, memory }: BenchFlags): Setting {
  checkDataFolder(data);
  const most = rows ?? (all ? ALL : USUAL).rows;
  if (most <= 2 * prefix)
    throw new UserError(`--rows ${most}: with --prefix ${prefix} takes at least ${2 * prefix + 1}`);
  const labels = { loss, ...(until !== undefined && { until }) };
  const sources = { data, files: set };
  return { sources, rows: most, scale, prefix, ...labels, inBytes: memory !== undefined };
}

/** The grid to run, and the sets that it leaves out. */
async function makeGrid(
  options: BenchFlags,
  setting: Setting,
): Promise<{ grid: Grid; leftOut: readonly LeftOut[] }> {
  const { only, all = false, learners, budget, memory, delay, flips, order, seeds, grid } = options;
  const isUsual = (set: LearningSet) => (memory && !all ? (set.fresh ?? false) : all || !set.long);
  const { sets, leftOut } = await chosenSets(setting.sources, setting, only, isUsual);
  const named = chooseEntrants(learners ?? (all ? ALL.learners : undefined), memory !== undefined);
  const refused: LeftOut[] = [];
  const entrants = [...named, ...(grid && !memory ? listGrids(named) : [])].map((entrant) => {
    const refusals = memory ? [] : listRefusals(entrant, budget);
    for (const { budget, why } of entrant.gridOf === undefined ? refusals : [])
      refused.push({ of: `${entrant.name}, budget ${budget}`, why });
    return refusals.length === 0 ? entrant : { ...entrant, refuses: refusals.map((each) => each.budget) };
  });
  return {
    grid: {
      sets,
      entrants,
      budgets: memory?.map((kilobytes) => KILOBYTE * kilobytes) ?? budget,
      delays: delay,
      flips,
      orders: ORDERS.filter((each) => order.includes(each)),
      seeds: seeds ?? (all ? ALL : USUAL).seeds,
    },
    leftOut: [...leftOut, ...refused],
  };
}

/** Forecasts of each series that can be read. */
async function benchForecasts(options: BenchFlags): Promise<void> {
  const { sources, rows } = readSetting(options);
  const { series, folder } = seriesIn(sources.data);
  const forecasts: Forecast[] = [];
  for (const each of series) forecasts.push(await benchmarkForecast(each, folder, rows));
  if (options.json) printJson({ schema: "motelearn.bench-forecasts/1", forecasts });
  else printText(forecastText(forecasts));
}

async function benchLearning(options: BenchFlags): Promise<void> {
  if (options.forecasts) {
    await benchForecasts(options);
    return;
  }
  const begin = performance.now();
  const setting = readSetting(options);
  const { grid, leftOut } = await makeGrid(options, setting);
  const folder = new ReportFolder(options.report);
  const kept = new RunStore<Outcome>(folder.path("learning.ndjson"));
  const runs = nameRuns(planRuns(grid), grid.sets, setting, programHash(WORKER));
  const stop = new AbortController();
  const interrupt = new Interrupt();
  interrupt.onStop(() => stop.abort());
  const timer = options.seconds && setTimeout(() => stop.abort(), 1000 * options.seconds);
  const startWorker = () => new Worker(WORKER, { workerData: setting });
  const makeProgress = (total: number, before: number) => new RunBars("learning", total, before);
  try {
    await performMissing(runs, kept, onThreads(options.threads, startWorker), makeProgress, stop.signal);
  } finally {
    if (timer) clearTimeout(timer);
  }
  const done = runs.filter(({ id }) => kept.has(id));
  const outcomes = new Map(done.map((run) => [nameOfRun(run), kept.find(run.id)]));
  const find: Find = (cell, entrant, budget, seed) =>
    outcomes.get(nameOfRun({ ...cell, entrant, budget, seed }));
  const counted = { done: done.length, planned: runs.length };
  const timing = { seconds: (performance.now() - begin) / 1000, threads: options.threads };
  if (options.memory) {
    const result = assembleMemory(grid, setting, leftOut, counted, find);
    if (options.json) printJson({ ...result, timing });
    else printText(memoryText(result));
  } else {
    const result = assembleBench(grid, setting, leftOut, counted, find);
    tell({ ...result, timing }, identifySources(grid.sets, folder), folder, options.json);
  }
  if (interrupt.asked) noteInterrupted(counted.done, counted.planned, kept);
  else noteFault(kept);
}

/** What distinguishes the report on these sets from one on others. */
function identifySources(sets: readonly LearningSet[], folder: ReportFolder): string {
  return identity(
    sets.map(({ name, files }) => [name, ...files.map((file) => fileMark(file, folder.path("")))]),
  );
}

function tell(result: BenchResult, mark: string, folder: ReportFolder, json = false): void {
  if (json) printJson(result);
  else printText(benchText(result));
  const written = folder.writeOwn("learning", benchLearningPage(result, mark), markTag("data", mark));
  if (!json) printLine("", `report  ${written}`);
}

export function addBenchLearning(program: Command): void {
  program
    .command("bench-learning")
    .description(
      "compare learners with default options on streams whose labels come late, lost and wrong: error against trivial predictors and the best in hindsight",
    )
    .option("--data <DIR>", "folder of the recorded sets; without it only generated ones are run")
    .option(
      "--set <FILE>",
      "a set of your own, as evaluate reads it: FILE[:label=COLUMN][:columns=LIST]; may be given several times; then only these unless --only",
      (file: string, before: readonly string[]) => [...before, file],
      [] as readonly string[],
    )
    .option("--only <SETS>", "these sets, with commas between", listOf(String))
    .option(
      "--learners <NAMES>",
      "NAME[:OPTION=VALUE]..., with commas between, or all; `width` is a Gaussian's in median distances, or auto; sources=known passes it the rates of --flips",
      listOf(String),
    )
    .addOption(
      new Option("--budget <LIST>", "the most vectors that a learner stores")
        .argParser(wholeNumbers(1, 4096))
        .default(BUDGETS, BUDGETS.join(",")),
    )
    .addOption(
      new Option(
        "--memory <LIST>",
        "kilobytes instead of vectors: each entrant has the most vectors that fit; adds methods of others, on sets that no option was chosen on, with --only on others",
      )
        .argParser(wholeNumbers(1, 1024))
        .conflicts("budget"),
    )
    .addOption(
      new Option("--delay <LIST>", "samples between a prediction and its label")
        .argParser(wholeNumbers(0, 10_000))
        .default(DELAYS, DELAYS.join(",")),
    )
    .addOption(
      new Option("--flips <LIST>", "shares of labels that are wrong; one: of one class only")
        .argParser(flipsList)
        .default(FLIPS, FLIPS.join(",")),
    )
    .addOption(
      new Option("--order <LIST>", "order of the samples; a set without an order in time is only shuffled")
        .argParser(listOf(order))
        .default(ORDERS, ORDERS.join(",")),
    )
    .option("--seeds <N>", `runs of each, with seeds 1..N (default: ${USUAL.seeds})`, wholeNumber(1, 1000))
    .option("--rows <N>", `rows of a set at most (default: ${USUAL.rows})`, wholeNumber(10))
    .addOption(
      new Option("--scale <how>", "readings standardised as a node does, or as evaluate does")
        .choices(SCALES)
        .default("node"),
    )
    .addOption(new Option("--loss <share>", "share of labels that never come").argParser(share).default(0.1))
    .addOption(
      new Option(
        "--until <share>",
        "share of the samples that get a label, from the first on; the others alone are scored (default: all get one)",
      ).argParser(share),
    )
    .addOption(
      new Option("--prefix <N>", "first samples that aren't scored, on whose inputs widths are chosen")
        .argParser(wholeNumber(0, 100_000))
        .default(100),
    )
    .option(
      "--no-grid",
      "leave out the small grid of each learner's options, which runs where labels are prompt and correct",
    )
    .option(
      "--all",
      `the whole grid: all sets and learners, --seeds ${ALL.seeds}, --rows ${ALL.rows} unless given; takes hours`,
    )
    .option(
      "--forecasts",
      `instead: errors of forecasts, of the committee for numbers beside persistence, RLS and every learner of numbers; --data then has clones of ${SERIES_SOURCES}`,
    )
    .option(
      "--seconds <N>",
      "end after this many seconds, with the runs that are done; the same command continues",
      positiveNumber,
    )
    .addOption(threadsOption("runs at once; doesn't change any result", "N"))
    .option(
      "--json",
      "print motelearn.bench-learning/1, with --memory bench-memory/1, with --forecasts bench-forecasts/1",
    )
    .option(
      "--report <DIR>",
      "folder of learning.html, and of learning.ndjson, which keeps the runs",
      "reports",
    )
    .addHelpText("after", `\nSets:\n${setLines().join("\n")}`)
    .action(benchLearning);
}
