import { Worker } from "node:worker_threads";
import type { Command } from "commander";
import { UserError } from "../../host/errors.ts";
import { addCsvOption, checkCsv, writeCsv } from "../../host/files/csv-files.ts";
import { wholeNumber } from "../../host/terminal/arguments.ts";
import { Interrupt } from "../../host/terminal/interrupt.ts";
import { printJson, printLine, printText } from "../../host/terminal/print.ts";
import { PAPERS_WORKER, papersJobs, papersProgress } from "../../lab/experiments/jobs.ts";
import { checkDataFolder, ORIGINS, PapersData } from "../../lab/experiments/lib/data.ts";
import type { Experiment, RunMeasures } from "../../lab/experiments/lib/experiment.ts";
import { renderPapersReport } from "../../lab/experiments/lib/page.ts";
import { assembleResult, type PapersResult } from "../../lab/experiments/lib/result.ts";
import { missingFiles, runAll } from "../../lab/experiments/lib/run.ts";
import { papersCurves, papersRows } from "../../lab/experiments/lib/table.ts";
import { renderPapers } from "../../lab/experiments/lib/text.ts";
import { chosenExperiments, EXPERIMENTS } from "../../lab/experiments/registry.ts";
import { beginStore, noteFault, noteInterrupted, onThreads, performMissing } from "../../lab/sweep/keep.ts";
import { programHash, VERSION } from "../../lab/sweep/program-key.ts";
import { RunStore } from "../../lab/sweep/store.ts";
import { ReportFolder } from "../options/report-folder.ts";
import { threadsOption } from "../options/threads.ts";

interface PapersFlags {
  readonly only?: string;
  readonly runs?: number;
  readonly data?: string;
  readonly threads: number;
  readonly json?: boolean;
  readonly report: string;
  readonly csv?: string;
}

/** Each data set's files, and where they are to be had in which form. */
function dataHelp(): string {
  const files = new Set(EXPERIMENTS.flatMap(({ files = [], optional = [] }) => [...files, ...optional]));
  const sets = Object.entries(ORIGINS).map(([folder, origin]) => {
    const own = [...files].filter((file) => file.split("/")[0] === folder);
    return `  ${own.join(", ")}\n      ${origin}`;
  });
  return `\nFiles looked for in --data:\n${sets.join("\n")}`;
}

const VERDICTS = `
Verdicts: "doesn't hold": a claim that the figure or table is shown for comes out the other way round. "holds": every claim comes out, and our
figures are level with the published ones. "behind": of the rest, where a claim that it is shown for isn't shown, a figure of the paper's own
method is worse than published, or fewer than two claims come out. "holds in part": what is left. Claims are decided by the 95 % intervals of
differences, paired by seed; figures by a z test with the standard errors of both sides, which errs in 5 % of all tables.`;

/** With --only, an experiment without its data is a user error; otherwise the report mentions it. */
function checkData(only: string | undefined, experiments: readonly Experiment[], data: PapersData): void {
  if (only === undefined || experiments.some((each) => missingFiles(each, data).length === 0)) return;
  const missing = [...new Set(experiments.flatMap((each) => missingFiles(each, data)))];
  throw new UserError(`--only ${only}: data are missing; ${data.lacking(missing)}`);
}

/** Prints the runs' results, and writes table and report. */
function tell(result: PapersResult, folder: ReportFolder, { csv, json }: PapersFlags): void {
  if (json) printJson(result);
  else printText(renderPapers(result, Math.min(120, process.stdout.columns ?? 120)));
  if (csv !== undefined) writeCsv(csv, papersRows(result), papersCurves(result));
  const written = folder.write("papers.html", renderPapersReport(result));
  if (!json) printLine(`report ${written}`);
}

async function papers(options: PapersFlags): Promise<void> {
  const { only, runs, threads, report, csv } = options;
  const stop = new Interrupt();
  const experiments = chosenExperiments(only);
  checkDataFolder(options.data);
  const data = new PapersData(options.data);
  checkData(only, experiments, data);
  checkCsv(csv);
  const folder = new ReportFolder(report);
  const store = new RunStore<RunMeasures>(folder.path("papers.runs"));
  const begin = process.hrtime.bigint();
  const jobs = papersJobs(experiments, data, runs);
  const program = programHash(PAPERS_WORKER);
  beginStore(store, { schema: "motelearn.papers-runs/1", version: VERSION, program }, jobs);
  const startWorker = () => new Worker(PAPERS_WORKER, { workerData: data.folder });
  await performMissing(jobs, store, onThreads(threads, startWorker), papersProgress, stop.signal);
  const outcomes = runAll(experiments, jobs, ({ id }) => store.find(id));
  const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
  tell(assembleResult(outcomes, data, seconds, threads), folder, options);
  const done = jobs.filter(({ id }) => store.has(id)).length;
  if (done < jobs.length) noteInterrupted(done, jobs.length, store);
  else noteFault(store);
}

export function addPapers(program: Command): void {
  const command = program
    .command("papers")
    .description("rerun the papers' experiments: published figures beside ours, with a verdict in words");
  addCsvOption(command)
    .option("--only <ID>", "one experiment, or all of one paper, such as qkrls")
    .option("--runs <N>", "Monte Carlo runs of each, instead of its own number", wholeNumber(1, 10_000))
    .option("--data <DIR>", "folder of the data sets that can't be generated")
    .addOption(threadsOption("runs at once; doesn't change any result", "N"))
    .option("--json", "print motelearn.papers/1")
    .option(
      "--report <DIR>",
      "folder of papers.html, with the figures drawn, and of the runs that are done",
      "reports",
    )
    .addHelpText(
      "after",
      `\nExperiments:\n${EXPERIMENTS.map(({ id, paper, title }) => `  ${id}\n      ${paper}, ${title}`).join("\n")}`,
    )
    .addHelpText("after", dataHelp())
    .addHelpText("after", VERDICTS)
    .addHelpText(
      "after",
      `
The same command resumes after Ctrl-C (exit code 130), kill -9 or a power cut, and repeats only the runs that were under way. If an
experiment, its data or the program's code changed, its runs are repeated: another build, even of the same version, repeats all.`,
    )
    .action(papers);
}
