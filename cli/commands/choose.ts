import { basename } from "node:path";
import { type Command, Option } from "commander";
import { cpuTime } from "../../host/cpu-time.ts";
import { InterruptedError, UserError } from "../../host/errors.ts";
import { addCsvOption, checkCsv, writeCsv } from "../../host/files/csv-files.ts";
import { checkFile } from "../../host/files/table-file.ts";
import { markTag } from "../../host/report/page.ts";
import { namedColumns } from "../../host/streams/columns.ts";
import { describedOptions } from "../../host/streams/description.ts";
import type { DataSet } from "../../host/streams/table.ts";
import { findClasses, labelsIn, noveltyRule } from "../../host/streams/targets.ts";
import { namesIn, optionsObject, positiveNumber, wholeNumbers } from "../../host/terminal/arguments.ts";
import { commandText } from "../../host/terminal/command-line.ts";
import { Interrupt } from "../../host/terminal/interrupt.ts";
import { printJson, printLine, printNote, printText } from "../../host/terminal/print.ts";
import { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { addPluginOption, catalogueWith } from "../../host-sim/catalogue/plugins.ts";
import type { LabelPath } from "../../host-sim/prequential/labelled-run.ts";
import { type NodeText, writeNodeFile } from "../../host-sim/scenario/node-file.ts";
import { fileMark, reportName } from "../../host-sim/scenario/scenario-file.ts";
import { CandidateRunner, type Passes } from "../../lab/choice/candidate-runner.ts";
import { type Candidate, type ChoiceTask, guessTask, TASKS } from "../../lab/choice/candidates.ts";
import { choiceCurves, choiceRows } from "../../lab/choice/csv.ts";
import { FileChoice } from "../../lab/choice/file-choice.ts";
import { type BoardLimits, planCosts } from "../../lab/choice/on-board.ts";
import { choicePage } from "../../lab/choice/page.ts";
import { pendingsFor } from "../../lab/choice/pendings.ts";
import { type RawTrain, readTrain } from "../../lab/choice/read-train.ts";
import { Readings } from "../../lab/choice/readings.ts";
import {
  assembleChoice,
  bestOfKinds,
  type Choice,
  type ChoiceSetup,
  type Cut,
} from "../../lab/choice/result.ts";
import type { Entry } from "../../lab/choice/search.ts";
import { searchOnThreads } from "../../lab/choice/searcher.ts";
import { choiceText } from "../../lab/choice/text.ts";
import { type Usable, usable } from "../../lab/choice/usable.ts";
import {
  addFileOptions,
  addOrderOptions,
  addSamplingOptions,
  addTrainOption,
  type DataFlags,
  shuffleSeed,
} from "../../lab/evaluation/data-options.ts";
import {
  addLabelOptions,
  checkPath,
  type LabelFlags,
  labelPath,
} from "../../lab/evaluation/label-options.ts";
import { sampleOrder } from "../../lab/evaluation/one-pass.ts";
import { checkScaleOfNode, isOfNode } from "../../lab/evaluation/scaling.ts";
import { flashCommand, flashNamed, nodeText } from "../../lab/simulation/node-texts.ts";
import { BOARDS, type Board, TARGETS, type Target } from "../../targets/boards.ts";
import { isOneVsAll } from "../../targets/planned-node.ts";
import { noteImport } from "../options/import-note.ts";
import { ReportFolder } from "../options/report-folder.ts";
import { threadsOption } from "../options/threads.ts";

const BUDGETS = [16, 32, 64, 128];
/** The board for instructions when none is named. */
const TARGET_IMPLIED: Target = "esp32c3";

interface ChooseFlags extends DataFlags, LabelFlags {
  readonly plugin: readonly string[];
  readonly target?: Target;
  readonly task?: ChoiceTask;
  readonly balanced?: boolean;
  readonly learners?: readonly string[];
  readonly budgets: readonly number[];
  readonly options: string;
  readonly features: boolean;
  readonly battery?: number;
  readonly life?: number;
  readonly seconds?: number;
  readonly threads: number;
  readonly json?: boolean;
  readonly report?: string;
  readonly csv?: string;
  readonly node?: string;
}

/** The period of the node that is written, where neither the flags nor the file have one. */
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

  readonly done = (): void => {
    this.isKnown = true;
    this.look();
  };

  private look(): void {
    if (this.isKnown && this.seconds !== undefined && cpuTime() / 1e6 >= this.seconds) this.end("seconds");
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

/** The limits of the board, as the flags and the file's period set them. Throws a UserError for a battery without a board that sleeps, or without a period. */
function readLimits(
  { target, battery: mAh, life: days }: ChooseFlags,
  periodMs: number | undefined,
): BoardLimits {
  if ((mAh === undefined) !== (days === undefined))
    throw new UserError("--battery, --life: how much, and for how long? Give --battery mAh and --life days");
  if (mAh === undefined || days === undefined) return { target: target ?? TARGET_IMPLIED, periodMs };
  if (target === undefined || periodMs === undefined)
    throw new UserError(
      "--battery: on which board, and how often does it sample? Give --target and --period ms",
    );
  const sleeps = (name: Target) => (BOARDS[name] as Board).power !== undefined;
  if (!sleeps(target))
    throw new UserError(
      `--battery: ${target} doesn't sleep deeply; takes --target ${TARGETS.filter(sleeps).join("|")}`,
    );
  return { target, periodMs, battery: { mAh, days } };
}

/** The order of the file's samples, and how their labels come. */
function readPasses(flags: ChooseFlags, path: LabelPath | undefined, each: number): Passes {
  const { repeat, novel, scale, balanced } = flags;
  const [shuffle, standardises] = [shuffleSeed(flags), scale === "node"];
  return { shuffle, repeat, novel, standardises, path, readings: each, balanced };
}

/** The classes' names in the order of the learner's labels. Undefined for numbers, and for a novelty learner unless there are two classes. */
function namesOfClasses({ task, flags }: ChoiceSetup, train: DataSet): readonly string[] | undefined {
  if (task === "regression" || !(train.labelNames || train.classes)) return undefined;
  if (task === "novelty" && !train.classes && labelsIn(train).length !== 2) return undefined;
  const { names } = findClasses(train);
  if (task === "classification" || names.length !== 2) return names;
  return noveltyRule(train, flags.novel)(names[0]) ? names : [...names].reverse();
}

/** The file of a candidate's node, where a firmware can have its learner. */
function candidateText(
  { learner, node }: Candidate,
  setup: ChoiceSetup,
  train: DataSet,
): NodeText | undefined {
  if (!Catalogue.shipped.learner(learner)) return undefined;
  const { limits, each } = setup;
  const { target, periodMs = PERIOD_MS } = limits;
  const names = namesOfClasses(setup, train);
  const named = { ...node, ...(names && { classes: names }) };
  const columns = each === 1 ? train.columns : undefined;
  const { features = [], cells } = train.roles ?? {};
  const units = columns && features.map((at) => cells?.units.get(at));
  return nodeText(learner, named, { periodMs, target, columns, units });
}

/** A choice ready to use, with the command that flashes its node. `file`: where its node is written. */
function makeUsable(
  { learner, node }: Candidate,
  choice: Choice,
  setup: ChoiceSetup,
  text: NodeText | undefined,
  file?: string,
): Usable {
  const command = text && (file === undefined ? flashCommand(text) : flashNamed(file));
  const flash = isOneVsAll(node.learner.name) || !isOfNode(setup.flags.scale) ? undefined : command;
  const project = flash && file !== undefined && projectCommand(file, node.features?.burst, setup.flags);
  const next = { ...(flash && { flash }), ...(project && { project }) };
  return usable(learner, choice, setup, node, planCosts(node, setup.limits.target), next);
}

/** The command that makes a project of a node's file; undefined where a sample has one reading of each sensor. */
function projectCommand(file: string, burst = 1, { train, rate }: DataFlags): string | undefined {
  const flags: [string, string | undefined][] = [
    ["--node", file],
    ["--rate", (rate ?? describedOptions(train).rate)?.toString()],
  ];
  return burst > 1 ? commandText("init", flags, basename(file).replace(/(\.node)?\.json$/, "")) : undefined;
}

const isTwo = (train: DataSet) => findClasses(train).count === 2;

/** The candidates of the file. */
function makeChoice(
  { train, each }: RawTrain,
  { task, balanced, path, limits, target }: ChoiceSetup,
  order: Passes,
  catalogue: Catalogue,
  { learners, budgets, options, scale, features, pending }: ChooseFlags,
): FileChoice {
  const follow = order.shuffle === null && isOfNode(scale);
  return new FileChoice({
    ...{ catalogue, task, learners, budgets, limits, scale, mustFit: target !== undefined },
    options: {
      ...(balanced && task === "classification" && isTwo(train) && { balanced }),
      ...optionsObject(options),
    },
    readings: new Readings(train, each, order.standardises),
    order: sampleOrder(train.count, order.shuffle),
    searchesFeatures: features && follow,
    pendings: pendingsFor(path, pending),
  });
}

async function choose(given: ChooseFlags): Promise<void> {
  const begin = performance.now();
  const { target, threads, novel, plugin: plugins } = given;
  const end = new SearchEnd(given.seconds);
  const catalogue = await catalogueWith(plugins);
  checkCsv(given.csv, [given.train]);
  if (given.node !== undefined) {
    checkScaleOfNode("--node", given.scale);
    checkFile(given.node, "--node");
  }
  const folder = given.report === undefined ? undefined : new ReportFolder(given.report);
  const raw = await readTrain(given);
  const { train, each, secondLabels } = raw;
  const flags = raw.columns ? { ...given, columns: raw.columns } : given;
  const limits = readLimits(flags, flags.period ?? train.periodMs);
  const task = flags.task ?? (novel === undefined ? guessTask(train) : "novelty");
  const path = labelPath(flags, flags.train, catalogue);
  checkPath(path, task);
  const balanced = flags.balanced === true;
  if (balanced && task === "regression")
    throw new UserError(
      "--balanced: the labels are numbers, which have no classes; --task classification if they are",
    );
  const setup: ChoiceSetup = { flags, path, plugins, task, balanced, target, limits, each, secondLabels };
  const order = readPasses(flags, path, each);
  const choice = makeChoice(raw, setup, order, catalogue, flags);
  const found = await searchOnThreads(choice, {
    ...{ train, task, order, plugins, threads },
    ...{ shorterOf: (candidate) => choice.withShortVectors(candidate), watch: end.done, stop: end.signal },
  });
  if (found.entries.length === 0) throw new InterruptedError("interrupted before a learner was tried");
  const [best] = bestOfKinds(found.entries);
  const trivial = new CandidateRunner(catalogue, train, order).trivial(best.candidate);
  const told = { trivial, known: choice.knownRanges(best.candidate), cut: end.cut };
  const advised: (NodeText | undefined)[] = [];
  const use = ({ candidate }: Entry, chosen: Choice) => {
    const text = candidateText(candidate, setup, train);
    advised.push(text);
    return makeUsable(candidate, chosen, setup, text, advised.length === 1 ? flags.node : undefined);
  };
  const assembled = assembleChoice(train, setup, found, told, use);
  const seconds = (performance.now() - begin) / 1000;
  const result = { ...assembled, timing: { seconds, cpuSeconds: cpuTime() / 1e6, threads } };
  if (flags.json) printJson(result);
  else printText(choiceText(result));
  await noteImport(given.train, given, train.roles && namedColumns(train.roles));
  if (flags.node !== undefined) writeNode(flags.node, advised[0]);
  if (flags.csv !== undefined) writeCsv(flags.csv, choiceRows(result), choiceCurves(result, found));
  if (!folder) return;
  const mark = fileMark(flags.train, folder.path(""));
  const name = `choose-${reportName(flags.train)}`;
  const written = folder.writeOwn(name, choicePage(result, mark), markTag("data", mark));
  if (!flags.json) printLine(`report ${written}`);
}

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
    .option(
      "--balanced",
      "count errors on each class alike, however rare it is; learners of two classes then balance them",
    )
    .option(
      "--learners <names>",
      "try only these, with commas between, see `motelearn learners` (default: all for the task)",
      namesIn,
    )
    .addOption(
      new Option("--budgets <list>", "the most vectors that a learner stores, one trial each")
        .argParser(wholeNumbers(1, 4096))
        .default(BUDGETS, BUDGETS.join(",")),
    )
    .option(
      "--options <json>",
      "options for all learners that have them, one JSON object; they aren't searched",
      "{}",
    );
  addCsvOption(addPluginOption(addFileOptions(addSamplingOptions(addLabelOptions(addOrderOptions(command))))))
    .option(
      "--seconds <s>",
      "CPU time after which the search ends with what it knows (default: it ends by itself)",
      positiveNumber,
    )
    .addOption(threadsOption("learners at once; doesn't change any result"))
    .option(
      "--node <file>",
      "write the best choice's node as a file, which flash, plan, simulate and a fleet take",
    )
    .option(
      "--no-features",
      "take the readings as they are (default: also try windows of them; of a raw recording, spectra)",
    )
    .option("--battery <mAh>", "with --life: of a node in deep sleep between two samples", positiveNumber)
    .option("--life <days>", "only learners whose node's battery lasts so long", positiveNumber)
    .option("--json", "print motelearn.choose/2")
    .option("--report <dir>", "write choose-FILE.html, with plots, into this folder")
    .action(choose);
}
