import { dirname, relative, resolve } from "node:path";
import type { Command } from "commander";
import { UserError } from "../../host/errors.ts";
import { fileHash, identity } from "../../host/identity.ts";
import { markTag } from "../../host/report/page.ts";
import { describedOptions } from "../../host/streams/description.ts";
import { Interrupt } from "../../host/terminal/interrupt.ts";
import { printJson, printLine, printNote, printText } from "../../host/terminal/print.ts";
import { catalogueWith } from "../../host-sim/catalogue/plugins.ts";
import type { NetworkRows } from "../../host-sim/runs/rows.ts";
import { filesRead } from "../../host-sim/scenario/scenario-file.ts";
import { bundleLines } from "../../lab/sweep/bundle.ts";
import { planFrom } from "../../lab/sweep/definition.ts";
import { writeTable } from "../../lab/sweep/formats.ts";
import { type IdentifiedRun, planJobs } from "../../lab/sweep/jobs.ts";
import {
  beginStore,
  noteFault,
  noteInterrupted,
  type Perform,
  performMissing,
} from "../../lab/sweep/keep.ts";
import { sweepPage } from "../../lab/sweep/page.ts";
import { performJobs } from "../../lab/sweep/perform.ts";
import { programHash, WORKER } from "../../lab/sweep/program-key.ts";
import { sweepProgress } from "../../lab/sweep/progress.ts";
import { makeResult } from "../../lab/sweep/result.ts";
import { measureExtent, type SweepPlan } from "../../lab/sweep/statistics/plan.ts";
import { RunStore } from "../../lab/sweep/store.ts";
import { makeSweep, mergedStores, type Sweep, storedRuns } from "../../lab/sweep/sweep.ts";
import { curveTable, type DoneRun, resultTable } from "../../lab/sweep/table.ts";
import { sweepText } from "../../lab/sweep/text.ts";
import { extentText } from "../../lab/sweep/wording.ts";
import { ReportFolder } from "../options/report-folder.ts";
import { addRunOptions, addSweepOptions, definitionFrom, type SweepFlags } from "../options/sweep-options.ts";

/** A sweep of more runs says so on other streams than a terminal, too. */
const LARGE = 10_000;

/** The file beside a store that keeps the finished parts of a large network. */
const partsFile = (store: string) => store.replace(/\.runs$/, ".networks");

/** On threads of this machine, or by workers on others. */
function makePerformer(
  { head }: Sweep,
  source: string,
  { plugin, threads, workers: servers, user }: SweepFlags,
  store: string,
): Perform<IdentifiedRun, NetworkRows> {
  const parts = partsFile(store);
  if (!servers)
    return (jobs, done, stop) => performJobs(jobs, { source, plugin, threads, parts }, done, stop);
  return async (jobs, done, stop) => {
    const { performOnWorkers } = await import("../../lab/sweep/machines/on-workers.ts");
    const catalogue = await catalogueWith(plugin);
    await performOnWorkers(jobs, { ...head, servers, user, source, catalogue }, done, stop);
  };
}

/** What distinguishes a sweep's files from another's of the same name. */
function identifyPlan({ name: _, ...plan }: SweepPlan): string {
  return identity(plan);
}

/** The name of a sweep's files: the given one, or one that replaces no other sweep's files. */
function outputName(plan: SweepPlan, folder: ReportFolder, { name, format }: SweepFlags): string {
  const endings = [`.${format}`, `-curves.${format}`, ".bundle.json", ".html"];
  return name ?? folder.ownName(plan.name, endings, markTag("sweep", identifyPlan(plan)));
}

/** Prints a whole sweep's results, and writes its report and tables. */
function tell(swept: Sweep, done: Iterable<DoneRun>, folder: ReportFolder, flags: SweepFlags): void {
  const { format, curves, json } = flags;
  const { plan } = swept.head;
  const own = outputName(plan, folder, flags);
  const result = makeResult(swept, done);
  if (json) printJson(result);
  else printText(sweepText(result, process.stdout.columns));
  const tables = { [own]: resultTable(plan, done) };
  if (curves) tables[`${own}-curves`] = curveTable(plan, done);
  const written = Object.entries(tables).map(([name, table]) => {
    const path = folder.path(`${name}.${format}`);
    writeTable(path, format, table);
    return `table   ${relative(process.cwd(), path)}`;
  });
  const name = `${own}.${format}`;
  const table = { name, format, sha256: fileHash(folder.path(name)) };
  const bundle = bundleLines(swept, done, result, table);
  written.push(`bundle  ${folder.writeLines(`${own}.bundle.json`, bundle)}`);
  written.push(`report  ${folder.write(`${own}.html`, sweepPage(result, identifyPlan(plan)))}`);
  if (!json) printLine("", ...written);
}

/** Throws a UserError where a table would overwrite a file that the runs read. */
function checkTables(
  runs: Sweep["runs"],
  source: string,
  name: string,
  { report, format }: SweepFlags,
): void {
  const tables = [`${name}.${format}`, `${name}-curves.${format}`].map((each) => resolve(report, each));
  const files = runs.flatMap(({ scenario }) => filesRead(scenario));
  const read = [...new Set(files)].find((path) => tables.includes(resolve(dirname(source), path)));
  if (read !== undefined)
    throw new UserError(
      `--report ${report}: the table would take the place of ${read}, which the runs read; give a --name`,
    );
}

/** Says what will be run before it is planned. Throws a ScenarioError for too many runs. */
function noteExtent(plan: SweepPlan): void {
  const extent = measureExtent(plan);
  if (extent.runs > LARGE || process.stderr.isTTY)
    printNote(`${plan.name}: ${extentText(extent, plan.decompose)}`);
}

/** Names the files whose bad rows are skipped: no figure of a sweep says so. */
function noteBadRows({ files }: Sweep["head"], source: string): void {
  for (const path of Object.keys(files))
    if (describedOptions(resolve(dirname(source), path)).badRows === "skip")
      printNote(
        `${path}: its description has bad rows skipped; motelearn import --skip-bad-rows counts them`,
      );
}

async function sweep(file: string | undefined, flags: SweepFlags): Promise<void> {
  const { plugin, shard, report, user, workers } = flags;
  if (user !== undefined && !workers) throw new UserError("--user: goes with --workers");
  const catalogue = await catalogueWith(plugin);
  const { plan, source } = planFrom(definitionFrom(file, flags), catalogue);
  noteExtent(plan);
  const swept = makeSweep(plan, programHash(WORKER, plugin), source, {}, catalogue);
  noteBadRows(swept.head, source);
  checkTables(swept.runs, source, plan.name, flags);
  const folder = new ReportFolder(report);
  const part = shard ? `.shard-${shard.part}-of-${shard.of}` : "";
  const store = new RunStore<NetworkRows>(folder.path(`${plan.name}${part}.runs`));
  const stop = new Interrupt();
  const jobs = planJobs(swept.runs, shard);
  beginStore(store, swept.head, jobs);
  await performMissing(
    jobs,
    store,
    makePerformer(swept, source, flags, store.path),
    sweepProgress,
    stop.signal,
  );
  const done = jobs.filter(({ id }) => store.has(id)).length;
  if (done < jobs.length) return noteInterrupted(done, jobs.length, store, partsFile(store.path));
  noteFault(store);
  if (shard) printLine(`runs    ${store.path}`);
  else tell(swept, storedRuns(swept.runs, store), folder, flags);
}

/**
 * Merges the stores of a sweep's parts. Throws a UserError if they belong to different sweeps, or runs are
 * missing.
 */
async function merge(stores: readonly string[], flags: SweepFlags): Promise<void> {
  const catalogue = await catalogueWith(flags.plugin);
  const { store, head } = mergedStores(stores);
  const { plan, files, program } = head;
  const swept = makeSweep(plan, program, "", files, catalogue);
  const jobs = planJobs(swept.runs);
  const missing = jobs.filter(({ id }) => !store.has(id)).length;
  if (missing > 0)
    throw new UserError(
      `sweep merge: ${missing} of ${jobs.length} runs are missing; give the stores of all parts, each of them finished`,
    );
  tell(swept, storedRuns(swept.runs, store), new ReportFolder(flags.report), flags);
}

export function addSweep(program: Command): void {
  const command = program
    .command("sweep")
    .description("run a scenario at many points, with many learners and seeds, and compare the learners")
    .argument("[sweep]", "a sweep's file, motelearn.sweep/1; flags replace its values");
  addRunOptions(addSweepOptions(command))
    .addHelpText(
      "after",
      `
The same command resumes after Ctrl-C (exit code 130), kill -9 or a power cut. It repeats only the runs that were under way, and
of a network of over 500,000 samples, or 16 MB of files, only the parts. The table is the same to the byte, with any threads,
interruptions and machines.`,
    )
    .action(sweep);
  command
    .command("merge")
    .description("merge the parts that --shard ran into the table that one machine would write, to the byte")
    .argument("<stores...>", "the parts' files, NAME.shard-PART-of-OF.runs")
    .action((stores: readonly string[], _, { parent }: Command) =>
      merge(stores, parent?.opts() as SweepFlags),
    );
}
