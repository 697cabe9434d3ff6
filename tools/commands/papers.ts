import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import cliProgress from "cli-progress";
import type { Command } from "commander";
import { ORIGINS, PapersData } from "../../experiments/lib/data.ts";
import type { Experiment } from "../../experiments/lib/experiment.ts";
import { renderPapersReport } from "../../experiments/lib/report/page.ts";
import { assembleResult } from "../../experiments/lib/result.ts";
import { missingFiles, monteCarloRuns, type Outcome, runExperiments } from "../../experiments/lib/run.ts";
import { papersCurves, papersRows } from "../../experiments/lib/table.ts";
import { renderPapers } from "../../experiments/lib/text.ts";
import { chosenExperiments, EXPERIMENTS } from "../../experiments/registry.ts";
import { wholeNumber } from "../cli/arguments.ts";
import { addCsvOption, checkCsv, writeCsv } from "../cli/csv-files.ts";
import { UserError } from "../cli/exit.ts";
import { Interrupt } from "../cli/interrupt.ts";
import { printJson, printLine, printText } from "../cli/print.ts";
import { ReportFolder } from "../cli/report-folder.ts";

interface Given {
  readonly only?: string;
  readonly runs?: number;
  readonly data?: string;
  readonly threads: number;
  readonly json?: boolean;
  readonly report?: string;
  readonly csv?: string;
}

function openData(folder: string | undefined): PapersData {
  if (folder !== undefined && !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(`--data ${folder}: no such folder; give one that holds what --help lists`);
  }
  return new PapersData(folder);
}

/** Each data set's files, and where they are to be had. */
function dataHelp(): string {
  const files = new Set(EXPERIMENTS.flatMap(({ files = [] }) => files));
  const sets = Object.entries(ORIGINS).map(([folder, origin]) => {
    const own = [...files].filter((file) => file.startsWith(`${folder}/`));
    return `  ${own.join(", ")}\n      ${origin}`;
  });
  const frames =
    "  frames/*.pgm\n      a clip of one's own for OLK's Examples 4 and 5, which is generated without it";
  return `\nFiles looked for in --data:\n${[...sets, frames].join("\n")}`;
}

/** With --only an experiment whose data are missing is the user's error; otherwise the report says so. */
function checkData(only: string | undefined, experiments: readonly Experiment[], data: PapersData): void {
  if (only === undefined || experiments.some((each) => missingFiles(each, data).length === 0)) return;
  const missing = [...new Set(experiments.flatMap((each) => missingFiles(each, data)))];
  throw new UserError(`--only ${only}: needs ${missing.join(", ")} in ${data.place}`);
}

async function runAll(
  experiments: readonly Experiment[],
  data: PapersData,
  given: Given,
  stop: AbortSignal,
): Promise<Outcome[]> {
  const allRuns = monteCarloRuns(experiments, data, given.runs);
  const bar = new cliProgress.SingleBar(
    {
      format: "rerunning {bar} {value}/{total} runs, {duration_formatted}",
      stream: process.stderr,
      hideCursor: false,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(allRuns.length, 0);
  try {
    const worker = new URL("./papers-worker.js", import.meta.url);
    const startWorker = () => new Worker(worker, { workerData: data.folder });
    return await runExperiments(
      experiments,
      allRuns,
      given.threads,
      startWorker,
      () => bar.increment(),
      stop,
    );
  } finally {
    bar.stop();
  }
}

async function papers(given: Given): Promise<void> {
  const stop = new AbortController();
  new Interrupt().onStop(() => stop.abort());
  const experiments = chosenExperiments(given.only);
  const data = openData(given.data);
  checkData(given.only, experiments, data);
  checkCsv(given.csv);
  const folder = given.report === undefined ? undefined : new ReportFolder(given.report);
  const begin = process.hrtime.bigint();
  const outcomes = await runAll(experiments, data, given, stop.signal);
  const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
  const result = assembleResult(outcomes, data, seconds, given.threads);
  if (given.csv !== undefined) writeCsv(given.csv, papersRows(result), papersCurves(result));
  if (given.json) printJson(result);
  else printText(renderPapers(result, Math.min(120, process.stdout.columns ?? 120)));
  const written = folder?.write("papers.html", renderPapersReport(result));
  if (written && !given.json) printLine(`report ${written}`);
}

/** Adds `motelearn papers`. */
export function addPapers(program: Command): void {
  const command = program
    .command("papers")
    .description("rerun the papers' experiments: published figures beside ours, with a verdict in words");
  addCsvOption(command)
    .option("--only <ID>", "one experiment, or all of one paper, such as qkrls")
    .option("--runs <N>", "Monte Carlo runs of each, instead of its own number", wholeNumber(1, 10_000))
    .option("--data <DIR>", "folder of the data sets that can't be generated")
    .option(
      "--threads <N>",
      "runs at once; doesn't change any result",
      wholeNumber(1, 256),
      availableParallelism(),
    )
    .option("--json", "print motelearn.papers/1")
    .option("--report <DIR>", "write papers.html there, with the figures drawn")
    .addHelpText(
      "after",
      `\nExperiments:\n${EXPERIMENTS.map(({ id, paper, title }) => `  ${id}\n      ${paper}, ${title}`).join("\n")}`,
    )
    .addHelpText("after", dataHelp())
    .action(papers);
}
