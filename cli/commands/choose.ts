import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";
import { InterruptedError } from "../../host/errors.ts";
import { addCsvOption, checkCsv, writeCsv } from "../../host/files/csv-files.ts";
import { checkFile } from "../../host/files/table-file.ts";
import { markTag } from "../../host/report/page.ts";
import { optionsObject, positiveNumber, wholeNumber } from "../../host/terminal/arguments.ts";
import { Interrupt } from "../../host/terminal/interrupt.ts";
import { printJson, printLine, printNote, printText } from "../../host/terminal/print.ts";
import { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { addPluginOption, catalogueWith } from "../../host-sim/catalogue/plugins.ts";
import { type NodeText, writeNodeFile } from "../../host-sim/scenario/node-file.ts";
import { fileMark, reportName } from "../../host-sim/scenario/scenario-file.ts";
import { CandidateRunner } from "../../lab/choice/candidate-runner.ts";
import { type ChoiceTask, candidatesFor, shorterOf, TASKS } from "../../lab/choice/candidates.ts";
import { choiceCurves, choiceRows } from "../../lab/choice/csv.ts";
import { nodeOf, planned, standardises } from "../../lab/choice/on-board.ts";
import { choicePage } from "../../lab/choice/page.ts";
import { knownRanges } from "../../lab/choice/ranges.ts";
import { readTrain } from "../../lab/choice/read-train.ts";
import { assembleChoice, type Choice, type ChoiceSetup, type Cut } from "../../lab/choice/result.ts";
import type { Entry } from "../../lab/choice/search.ts";
import { cpuSeconds, searchOnThreads } from "../../lab/choice/searcher.ts";
import { taskOf } from "../../lab/choice/task.ts";
import { choiceText } from "../../lab/choice/text.ts";
import { unitsOf } from "../../lab/choice/units.ts";
import { usable } from "../../lab/choice/usable.ts";
import {
  addFileOptions,
  addOrderOptions,
  addTrainOption,
  type DataFlags,
  shuffleOf,
} from "../../lab/evaluation/data-options.ts";
import { prepare } from "../../lab/evaluation/evaluation.ts";
import {
  addLabelOptions,
  checkPath,
  type LabelFlags,
  labelPath,
} from "../../lab/evaluation/label-options.ts";
import { orderOf } from "../../lab/evaluation/one-pass.ts";
import { scaledRows } from "../../lab/evaluation/scaling.ts";
import { flashCommand, flashNamed, nodeText } from "../../lab/simulation/node-texts.ts";
import { NODE_OPTIONS } from "../../src/node/node.ts";
import { TARGETS, type Target } from "../../targets/boards.ts";
import { ReportFolder } from "../options/report-folder.ts";

const BUDGETS = [16, 32, 64, 128];
/** The board for instructions when none is named. */
const TARGET_IMPLIED: Target = "esp32c3";

interface ChooseFlags extends DataFlags, LabelFlags {
  readonly plugin: readonly string[];
  readonly target?: Target;
  readonly task?: ChoiceTask;
  readonly budgets: readonly number[];
  readonly options: string;
  readonly seconds?: number;
  readonly threads: number;
  readonly json?: boolean;
  readonly report?: string;
  readonly csv?: string;
  readonly node?: string;
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

/** A node's usual period, for the command that flashes one. */
const PERIOD_MS = 1000;

/** How often --seconds is checked, milliseconds. */
const LOOK_MS = 50;

/** Ends the search early: at Ctrl-C, or after --seconds of CPU time, but not before one candidate is done. */
class SearchEnd {
  cut: Cut | null = null;
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;
  private isKnown = false;

  constructor(private readonly seconds: number | undefined) {
    new Interrupt().onStop(() => this.end("interrupted"));
    if (seconds !== undefined) setInterval(() => this.look(), LOOK_MS).unref();
  }

  /** A candidate is done. */
  readonly done = (): void => {
    this.isKnown = true;
    this.look();
  };

  private look(): void {
    if (this.isKnown && this.seconds !== undefined && cpuSeconds() >= this.seconds) this.end("seconds");
  }

  private end(cut: Cut): void {
    this.cut ??= cut;
    this.controller.abort();
  }
}

/** Writes the file of the best choice's node, where a firmware can have it. */
function writeNode(file: string, node: NodeText | undefined): void {
  if (node) writeNodeFile(file, node, "--node");
  else printNote(`--node ${file}: not written: the best choice is a plugin's, which no firmware has`);
}

async function choose(flags: ChooseFlags): Promise<void> {
  const begin = performance.now();
  const { budgets, target, threads, repeat, novel, plugin: plugins } = flags;
  const end = new SearchEnd(flags.seconds);
  const options = optionsObject(flags.options);
  const catalogue = await catalogueWith(plugins);
  checkCsv(flags.csv, [flags.train]);
  if (flags.node !== undefined) checkFile(flags.node, "--node");
  const folder = flags.report === undefined ? undefined : new ReportFolder(flags.report);
  const train = await readTrain(flags);
  const task = flags.task ?? (novel === undefined ? taskOf(train) : "novelty");
  const path = labelPath(flags, flags.train, catalogue);
  checkPath(path, task);
  const setup: ChoiceSetup = { flags, path, plugins, task, target, costsOf: target ?? TARGET_IMPLIED };
  const isNodes = flags.scale === "node";
  const first = orderOf(train.count, shuffleOf(flags));
  const units = unitsOf(isNodes ? scaledRows(train, "node", first) : train, task);
  const known = knownRanges(train, flags.scale, options);
  const pending = path?.pending ?? NODE_OPTIONS.pending.default;
  const wanted = { ...setup, catalogue, train, budgets, options, pending, units, known };
  const { candidates, leftOut } = candidatesFor(wanted);
  const order = { shuffle: shuffleOf(flags), repeat, novel, standardises: isNodes, path };
  const trivial = new CandidateRunner(catalogue, train, order).trivial(candidates[0]);
  const found = await searchOnThreads(candidates, {
    ...{ train, task, order, plugins, threads },
    ...{ shorterOf: (candidate) => shorterOf(candidate, wanted), watch: end.done, stop: end.signal },
  });
  if (found.entries.length === 0) throw new InterruptedError("interrupted before a learner was tried");
  const advised: (NodeText | undefined)[] = [];
  const use = ({ candidate: { learner, options } }: Entry, choice: Choice) => {
    const made = prepare({ family: chooseFamily(learner, catalogue), options, train });
    const classes = train.labelNames || train.classes ? made.classes?.names : undefined;
    const node = { ...nodeOf(made, pending, standardises(flags.scale)), ...(classes && { classes }) };
    const place = { periodMs: PERIOD_MS, target: setup.costsOf, columns: train.columns };
    const text = Catalogue.shipped.learner(learner) && nodeText(learner, node, place);
    advised.push(text);
    const named = advised.length === 1 ? flags.node : undefined;
    const flash = text && (named === undefined ? flashCommand(text) : flashNamed(named));
    return usable(learner, choice, setup, planned(made, pending, setup.costsOf, flags.scale), flash);
  };
  const assembled = assembleChoice(train, setup, found, leftOut, { trivial, known, cut: end.cut }, use);
  const seconds = (performance.now() - begin) / 1000;
  const result = { ...assembled, timing: { seconds, cpuSeconds: cpuSeconds(), threads } };
  if (flags.json) printJson(result);
  else printText(choiceText(result));
  if (flags.node !== undefined) writeNode(flags.node, advised[0]);
  if (flags.csv !== undefined) writeCsv(flags.csv, choiceRows(result), choiceCurves(result, found));
  if (!folder) return;
  const mark = fileMark(flags.train, folder.path(""));
  const name = `choose-${reportName(flags.train)}`;
  const written = folder.writeOwn(name, choicePage(result, mark), markTag("data", mark));
  if (!flags.json) printLine(`report ${written}`);
}

/** Adds `motelearn choose`. */
export function addChoose(program: Command): void {
  const command = program
    .command("choose")
    .description(
      "search learners and options on a data file: print the best, and cheaper ones that are as good",
    );
  addTrainOption(command)
    .addOption(
      new Option(
        "--target <board>",
        "only learners whose node fits that board (default: all; instructions: esp32c3)",
      ).choices(TARGETS),
    )
    .addOption(
      new Option(
        "--task <task>",
        "what the labels are (default: words and at most 32 whole numbers are classes; --novel: novelty)",
      ).choices(TASKS),
    )
    .addOption(
      new Option("--budgets <list>", "the most vectors that a learner stores, one trial each")
        .argParser(budgetList)
        .default(BUDGETS, BUDGETS.join(",")),
    )
    .option(
      "--options <json>",
      "options for all learners that have them, one JSON object; they aren't searched",
      "{}",
    );
  addCsvOption(addPluginOption(addFileOptions(addLabelOptions(addOrderOptions(command)))))
    .option(
      "--seconds <s>",
      "CPU time after which the search ends with what it knows (default: it ends by itself)",
      positiveNumber,
    )
    .option(
      "--threads <n>",
      "learners at once; doesn't change any result",
      wholeNumber(1, 256),
      availableParallelism(),
    )
    .option(
      "--node <file>",
      "write the best choice's node as a file, which flash, plan, simulate and a fleet take",
    )
    .option("--json", "print motelearn.choose/2")
    .option("--report <dir>", "write choose-FILE.html, with plots, into this folder")
    .action(choose);
}
