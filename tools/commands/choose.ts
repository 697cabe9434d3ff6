import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import cliProgress from "cli-progress";
import { type Command, InvalidArgumentError, Option } from "commander";
import { runOnThreads } from "../../host-sim/sweep/threads.ts";
import { BOARDS, type Target } from "../../targets/boards.ts";
import { type ChoiceTask, candidatesFor, TASKS } from "../choice/candidates.ts";
import { medianGamma } from "../choice/kernel-width.ts";
import { choicePage } from "../choice/page.ts";
import { readTrain } from "../choice/read-train.ts";
import { assembleChoice } from "../choice/result.ts";
import { taskOf } from "../choice/task.ts";
import { choiceText } from "../choice/text.ts";
import type { Trial, Tried } from "../choice/try.ts";
import { optionsObject, wholeNumber } from "../cli/arguments.ts";
import {
  addFileOptions,
  addOrderOptions,
  addTrainOption,
  type DataFlags,
  shuffleOf,
} from "../cli/data-options.ts";
import { addPluginOption, catalogueWith } from "../cli/plugins.ts";
import { printJson, printLine, printText } from "../cli/print.ts";
import { ReportFolder } from "../cli/report-folder.ts";

const BUDGETS = [16, 32, 64, 128];
/** Whose instructions are counted where no board is named. */
const TARGET_IMPLIED: Target = "esp32c3";

interface ChooseFlags extends DataFlags {
  readonly plugin: readonly string[];
  readonly target?: Target;
  readonly task?: ChoiceTask;
  readonly budgets: readonly number[];
  readonly options: string;
  readonly threads: number;
  readonly json?: boolean;
  readonly report?: string;
}

function budgetList(text: string): number[] {
  const read = wholeNumber(1, 4096);
  const budgets = text.split(",").map((part) => {
    try {
      return read(part);
    } catch {
      throw new InvalidArgumentError("Takes whole numbers 1..4096 with commas between: 16,32,64.");
    }
  });
  return [...new Set(budgets)].sort((a, b) => a - b);
}

async function tryAll(trials: readonly Trial[], flags: ChooseFlags): Promise<Tried[]> {
  const { train, shuffle, repeat, scale, novel, format, columns, label, header, plugin } = flags;
  const data = { train, shuffle, repeat, scale, novel, format, columns, label, header, plugin };
  const bar = new cliProgress.SingleBar(
    {
      format: "trying {bar} {value}/{total} learners, {duration_formatted}",
      stream: process.stderr,
      hideCursor: false,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(trials.length, 0);
  try {
    const startWorker = () =>
      new Worker(new URL("./choose-worker.js", import.meta.url), { workerData: data });
    return await runOnThreads<Trial, Tried>(trials, flags.threads, startWorker, {
      done: () => bar.increment(),
    });
  } finally {
    bar.stop();
  }
}

async function choose(flags: ChooseFlags): Promise<void> {
  const begin = performance.now();
  const { budgets, target, scale, threads, repeat, novel } = flags;
  const options = optionsObject(flags.options);
  const catalogue = await catalogueWith(flags.plugin);
  const train = await readTrain(flags);
  const task = flags.task ?? (novel === undefined ? taskOf(train) : "novelty");
  const gamma = options.kernel === undefined ? medianGamma(train) : null;
  const kernel = gamma === null ? null : { type: "gaussian", gamma };
  const costsOf = target ?? TARGET_IMPLIED;
  const found = candidatesFor({ catalogue, train, task, budgets, options, kernel, target, costsOf });
  const folder = flags.report === undefined ? undefined : new ReportFolder(flags.report);
  const tried = await tryAll(found.candidates, flags);
  const passes = { shuffle: shuffleOf(flags), repeat, novel };
  const assembled = assembleChoice(train, { task, scale, kernel, target, costsOf }, passes, found, tried);
  const result = { ...assembled, timing: { seconds: (performance.now() - begin) / 1000, threads } };
  if (flags.json) printJson(result);
  else printText(choiceText(result));
  const written = folder?.write("choose.html", choicePage(result));
  if (written && !flags.json) printLine(`report ${written}`);
}

/** Adds `motelearn choose`. */
export function addChoose(program: Command): void {
  const command = program
    .command("choose")
    .description("every learner on a data file, and which of them are worth their bytes and instructions");
  addTrainOption(command)
    .addOption(
      new Option(
        "--target <board>",
        "only learners whose node fits that board (default: all; instructions: esp32c3)",
      ).choices(Object.keys(BOARDS)),
    )
    .addOption(
      new Option(
        "--task <task>",
        "what the labels are (default: words and at most 32 whole numbers are classes; --novel: novelty)",
      ).choices(TASKS),
    )
    .addOption(
      new Option("--budgets <list>", "stored vectors there is room for, one trial each")
        .argParser(budgetList)
        .default(BUDGETS, BUDGETS.join(",")),
    )
    .option(
      "--options <json>",
      "options for all learners that have them, one JSON object; a Gaussian kernel is otherwise as wide as the " +
        "median distance between samples",
      "{}",
    );
  addPluginOption(addFileOptions(addOrderOptions(command)))
    .option(
      "--threads <n>",
      "learners at once; doesn't change any result",
      wholeNumber(1, 256),
      availableParallelism(),
    )
    .option("--json", "print motelearn.choose/1")
    .option("--report <dir>", "write choose.html there, with the plots drawn")
    .action(choose);
}
