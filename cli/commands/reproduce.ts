import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { DifferentStateError, InterruptedError, UserError } from "../../host/errors.ts";
import { fileHash } from "../../host/identity.ts";
import { wholeNumber } from "../../host/terminal/arguments.ts";
import { Interrupt } from "../../host/terminal/interrupt.ts";
import { printJson, printLine, printNote } from "../../host/terminal/print.ts";
import type { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { addPluginOption, catalogueWith } from "../../host-sim/catalogue/plugins.ts";
import type { NetworkRows } from "../../host-sim/runs/rows.ts";
import { type Bundle, type BundledRun, bundledRun, readBundle } from "../../lab/sweep/bundle.ts";
import { writeTable } from "../../lab/sweep/formats.ts";
import { type IdentifiedRun, planJobs } from "../../lab/sweep/jobs.ts";
import { performJobs } from "../../lab/sweep/perform.ts";
import { programHash, VERSION, WORKER } from "../../lab/sweep/program-key.ts";
import { sweepProgress } from "../../lab/sweep/progress.ts";
import { RunStore } from "../../lab/sweep/store.ts";
import { makeSweep, type Sweep, storedRuns } from "../../lab/sweep/sweep.ts";
import { resultTable } from "../../lab/sweep/table.ts";
import { threadsOption } from "../options/threads.ts";

interface ReproduceFlags {
  readonly data?: string;
  readonly runs?: number;
  readonly plugin: readonly string[];
  readonly threads: number;
  readonly json?: boolean;
}

/** Throws a UserError unless the files equal those that the bundle's runs read. */
function checkFiles({ files }: Bundle, found: Sweep["head"]["files"]): void {
  for (const [path, hash] of Object.entries(files)) {
    if (found[path] === hash) continue;
    throw new UserError(`reproduce: ${path}: has sha256 ${found[path]}; the bundle was made from ${hash}`);
  }
}

/** A number of the jobs, evenly spread. */
function sampleEvenly(jobs: readonly IdentifiedRun[], count = jobs.length): IdentifiedRun[] {
  const step = jobs.length / Math.min(count, jobs.length);
  return Array.from({ length: Math.min(count, jobs.length) }, (_, i) => jobs[Math.floor(i * step)]);
}

/** The difference between a run and the bundle's, in words; undefined: none. */
function differenceFrom(recorded: BundledRun, got: BundledRun): string | undefined {
  const node = recorded.states.findIndex(([, whole], i) => got.states[i]?.[1] !== whole);
  if (recorded.states.length !== got.states.length)
    return `${got.states.length} nodes, not ${recorded.states.length}`;
  if (node >= 0)
    return `node ${node + 1} ends in state ${got.states[node][1]}, not ${recorded.states[node][1]}`;
  return recorded.rows === got.rows ? undefined : "its states are the bundle's, but not all of its figures";
}

function runName({ task, learner, seed, point, id }: IdentifiedRun): string {
  return `run ${id} (${task}, ${learner}, point ${point.index}, seed ${seed})`;
}

/** The hash of the table that these rows make, beside whose store it is written. */
function tableHash({ table }: Bundle, { head, runs }: Sweep, store: RunStore<NetworkRows>): string {
  const path = `${store.path}.table`;
  writeTable(path, table.format, resultTable(head.plan, storedRuns(runs, store)));
  return fileHash(path);
}

/** The sweep of the bundle's plan, which is checked as untrusted input. */
function plannedBy(path: string, { plan, program }: Bundle, source: string, catalogue: Catalogue): Sweep {
  try {
    return makeSweep(plan, program, source, {}, catalogue);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UserError(`${path}: its plan can't be used (${error.message})`);
  }
}

/** The bundle's runs, planned again. Throws a UserError where its parts don't belong together. */
async function sweepOfBundle(
  path: string,
  bundle: Bundle,
  source: string,
  plugin: readonly string[],
): Promise<Sweep> {
  const sweep = plannedBy(path, bundle, source, await catalogueWith(plugin));
  checkFiles(bundle, sweep.head.files);
  const recorded = new Set(bundle.runs.map(({ run }) => run));
  const foreign = planJobs(sweep.runs).filter(({ id }) => !recorded.has(id)).length;
  if (foreign > 0)
    throw new UserError(
      `${path}: ${foreign} of its plan's runs aren't among those recorded; the bundle was changed, or its schema is another version's`,
    );
  return sweep;
}

/** What came out of runs that were performed again. */
interface Reproduction {
  readonly count: number;
  /** The runs that came out otherwise, in words. */
  readonly differences: readonly string[];
  /** The hash of the table that they make; undefined where not all were run. */
  readonly table: string | undefined;
}

/** Performs runs of a bundle again. `folder` takes them as they end; `source` is the scenario's file. */
async function performAgain(
  bundle: Bundle,
  sweep: Sweep,
  {
    plugin,
    threads,
    runs,
    source,
    folder,
  }: ReproduceFlags & { readonly source: string; readonly folder: string },
): Promise<Reproduction> {
  const recorded = new Map(bundle.runs.map((run) => [run.run, run]));
  const jobs = sampleEvenly(planJobs(sweep.runs), runs);
  const stop = new Interrupt();
  const differences: string[] = [];
  const store = new RunStore<NetworkRows>(join(folder, "runs"));
  const progress = sweepProgress(jobs.length, 0);
  const done = (job: IdentifiedRun, got: NetworkRows) => {
    store.add(job.id, got);
    const difference = differenceFrom(recorded.get(job.id) as BundledRun, bundledRun(job.id, got));
    if (difference) differences.push(`${runName(job)}: ${difference}`);
    progress.finished(job, got);
  };
  try {
    await performJobs(jobs, { source, plugin, threads }, done, stop.signal);
  } finally {
    progress.stop();
  }
  const { size: count } = store;
  if (count < jobs.length)
    throw new InterruptedError(
      `interrupted: ${count} of ${jobs.length} runs are done, ${differences.length} differ`,
    );
  return { count, differences, table: runs === undefined ? tableHash(bundle, sweep, store) : undefined };
}

/** Prints what came out. Throws a DifferentStateError unless it is the bundle's. */
function tell(
  path: string,
  bundle: Bundle,
  sameProgram: boolean,
  reproduced: Reproduction,
  json = false,
): void {
  const { count, differences, table } = reproduced;
  const isTable = table === undefined || table === bundle.table.sha256;
  if (json)
    printJson({
      schema: "motelearn.reproduce/1",
      ...{ bundle: path, version: VERSION, madeBy: bundle.version, sameProgram },
      runs: { recorded: bundle.runs.length, reproduced: count, different: differences.length },
      table: table === undefined ? null : { sha256: table, same: isTable },
      differences,
    });
  if (differences.length > 0)
    throw new DifferentStateError(`${differences.length} of ${count} runs differ; ${differences[0]}`);
  if (!isTable)
    throw new DifferentStateError(`every run is the bundle's, but ${bundle.table.name} has sha256 ${table}`);
  if (json) return;
  printLine(`${count} of ${bundle.runs.length} runs come out to the bit: states and figures`);
  if (table !== undefined) printLine(`${bundle.table.name} has sha256 ${table}, as recorded`);
}

async function reproduce(path: string, options: ReproduceFlags): Promise<void> {
  const bundle = readBundle(path);
  const source = join(options.data ?? dirname(path), "scenario");
  const sweep = await sweepOfBundle(path, bundle, source, options.plugin);
  const sameProgram = programHash(WORKER, options.plugin) === bundle.program;
  if (!sameProgram && !options.json)
    printNote(
      `made by motelearn ${bundle.version}; this is ${VERSION}, another build, held to the same bits`,
    );
  const folder = mkdtempSync(join(tmpdir(), "motelearn-reproduce-"));
  try {
    const reproduced = await performAgain(bundle, sweep, { ...options, folder, source });
    tell(path, bundle, sameProgram, reproduced, options.json);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function addReproduce(program: Command): void {
  const command = program
    .command("reproduce")
    .description("run a sweep's bundle again, and compare all bits with the recorded ones")
    .argument("<bundle>", "NAME.bundle.json, which sweep writes");
  addPluginOption(command)
    .option(
      "--data <folder>",
      "what paths of the scenario's files are relative to (default: the bundle's folder)",
    )
    .option("--runs <n>", "that many of the runs, evenly spread (default: all)", wholeNumber(1))
    .addOption(threadsOption("networks run at once; doesn't change any result"))
    .option("--json", "print motelearn.reproduce/1")
    .addHelpText("after", "\nExit code 5: a run ends in another state, or with another figure.")
    .action(reproduce);
}
