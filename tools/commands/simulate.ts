import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import cliProgress from "cli-progress";
import type { Command } from "commander";
import { jobsOf, runJobs } from "../../host-sim/jobs.ts";
import { renderReport } from "../../host-sim/report/page.ts";
import { renderTable } from "../../host-sim/report/terminal.ts";
import type { SimulateResult } from "../../host-sim/result.ts";
import { assemble } from "../../host-sim/results.ts";
import { readScenario, type Scenario } from "../../host-sim/scenario.ts";
import { describeSchema } from "../../host-sim/scenario-schema.ts";
import { wholeNumber } from "../arguments.ts";
import { UserError } from "../exit.ts";
import { printJson, printText } from "../print.ts";

interface Given {
  readonly seed?: number;
  readonly json?: boolean;
  readonly report: string;
  readonly threads: number;
  readonly timing?: boolean;
}

/** The package's folder: the bundle lies in its dist/. */
const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)));
const SHIPPED = join(PACKAGE, "host-sim/scenarios");
const DEFAULT = join(SHIPPED, "four-motes.json");

/** The scenario file that a command line names: a path, or the name of one that ships. */
function scenarioFile(named: string | undefined): string {
  if (named === undefined) return DEFAULT;
  return /^[a-z-]+$/.test(named) ? join(SHIPPED, `${named}.json`) : named;
}

function repeatCommand(named: string | undefined, seed: number): string {
  return `npx motelearn simulate${named === undefined ? "" : ` ${named}`} --seed ${seed}`;
}

async function run(
  scenario: Scenario,
  file: string,
  threads: number,
): Promise<Awaited<ReturnType<typeof runJobs>>> {
  const jobs = jobsOf(scenario, file);
  const bar = new cliProgress.SingleBar(
    {
      format: "simulating {bar} {value}/{total} networks, {duration_formatted}",
      stream: process.stderr,
      hideCursor: false,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(jobs.length, 0);
  try {
    return await runJobs(jobs, threads, new URL("./worker.js", import.meta.url), () => bar.increment());
  } finally {
    bar.stop();
  }
}

function writeReport(result: SimulateResult, folder: string): string {
  const file = join(folder, `${result.scenario}-seed-${result.seed}.html`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, renderReport(result));
  } catch (error) {
    throw new UserError(
      `--report ${folder}: can't be written (${(error as NodeJS.ErrnoException).code}); give a folder`,
    );
  }
  return relative(process.cwd(), file) || file;
}

async function simulate(
  named: string | undefined,
  { seed, json, report, threads, timing }: Given,
): Promise<void> {
  const file = scenarioFile(named);
  const read = readScenario(file);
  const scenario = seed === undefined ? read : { ...read, seed };
  const begin = process.hrtime.bigint();
  const outcomes = await run(scenario, file, threads);
  const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
  const repeat = repeatCommand(named, scenario.seed);
  const result = assemble(scenario, outcomes, repeat, timing ? { seconds, threads } : undefined);
  const written = writeReport(result, report);
  if (json) {
    printJson(result);
    return;
  }
  printText(renderTable(result, { columns: Math.max(80, process.stdout.columns ?? 120) }));
  printText(`\nreport  ${written}\nrepeat  ${result.repeat}`);
}

/** Adds `motelearn simulate`. */
export function addSimulate(program: Command): void {
  program
    .command("simulate")
    .description("replay streams through a network of nodes that learn from late, lost and wrong labels")
    .argument("[scenario]", "a scenario file, or one that ships: four-motes (default), one-scene")
    .option("--seed <N>", "seed of everything random, instead of the scenario's", wholeNumber(0, 0xffffffff))
    .option("--json", "print motelearn.simulate/1")
    .option("--report <DIR>", "folder for the HTML report", "reports")
    .option(
      "--threads <N>",
      "networks run at once; doesn't change any result",
      wholeNumber(1, 256),
      availableParallelism(),
    )
    .option(
      "--timing",
      "tell wall-clock figures too, which differ from run to run; without it two runs are byte-identical",
    )
    .addHelpText("after", `\nA scenario is one JSON file:\n${describeSchema().join("\n")}`)
    .action(simulate);
}
