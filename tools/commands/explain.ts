import type { Command } from "commander";
import { printable } from "../../host-sim/printable.ts";
import { type DataSet, type MissingReport, readTable } from "../../host-sim/streams/index.ts";
import { optionsObject, wholeNumber, withFlag } from "../cli/arguments.ts";
import { addFileOptions, type DataFlags, readingOf } from "../cli/data-options.ts";
import { UserError } from "../cli/exit.ts";
import { checkOptionNames, chooseFamily } from "../cli/learner-choice.ts";
import { printJson, printText } from "../cli/print.ts";
import { table } from "../cli/table.ts";
import { prepare, targetsOf } from "../evaluation/evaluation.ts";
import { Explainer, type Explanation } from "../evaluation/explanation.ts";
import { missingLine } from "../evaluation/missing.ts";
import { samplesOf } from "../evaluation/one-pass.ts";
import { scaleLike } from "../evaluation/scaling.ts";

interface ExplainFlags extends Omit<DataFlags, "shuffle" | "repeat" | "train"> {
  readonly learner: string;
  readonly log: string;
  readonly at: number;
  readonly options: string;
  readonly budget?: number;
  readonly json?: boolean;
}

const DIGITS = 6;

async function readLog(flags: ExplainFlags): Promise<DataSet> {
  const { log, at } = flags;
  const data = await readTable(log, readingOf(flags));
  if (at > data.count) throw new UserError(`--at ${at}: ${log} has ${data.count} samples`);
  return data;
}

/** Learns the samples before the one asked for, in the order of the file, and takes its prediction apart. */
async function explanationOf(flags: ExplainFlags) {
  const named = chooseFamily(flags.learner);
  const given = withFlag(optionsObject(flags.options), "budget", flags.budget);
  const train = await readLog(flags);
  scaleLike(train, flags.scale, []);
  const prepared = prepare({ family: named, options: given, train });
  const { family, options } = prepared;
  checkOptionNames(family, options);
  const targets = targetsOf(train, prepared, { train, novel: flags.novel });
  const { inputs } = samplesOf(train, targets, prepared.classes?.count ?? 2);
  const lambda = Number(options.lambda ?? family.options.lambda?.default ?? 1);
  const explainer = new Explainer(family.create(options), family.name, lambda);
  const input = inputs[flags.at - 1];
  if (input.some(Number.isNaN))
    throw new UserError(`--at ${flags.at}: that sample of ${flags.log} lacks a reading; take another`);
  for (let row = 0; row < flags.at - 1; row++) explainer.learn(inputs[row], targets[row], row + 1);
  return {
    learner: family.name,
    file: flags.log,
    at: flags.at,
    ...(train.missing && { missing: train.missing }),
    ...explainer.explain(input, train),
  };
}

function number(value: number): string {
  return String(Number(value.toPrecision(DIGITS)));
}

function textOf(explanation: Explanation & Named): string {
  const { learner, file, at, missing, decision, parts, sum, after, bits } = explanation;
  const largest = [...parts].sort((a, b) => Math.abs(b.part) - Math.abs(a.part));
  const rows = largest.map((part) => [
    ...[part.of, number(part.part), number(part.weight), number(part.by)],
    ...[part.sample ?? "never", part.label ?? "", part.source || ""],
  ]);
  return [
    printable(`${learner} on sample ${at} of ${file}: decision ${number(decision)}`),
    ...(missing ? [missingLine(missing)] : []),
    "",
    table(rows, {
      head: ["of", "part", "weight", "times", "sample", "label", "source"],
      aligns: ["left", "right", "right", "right", "right", "left", "right"],
    }),
    "",
    `sum of the parts ${number(sum)}${after.map((step) => `, ${step}`).join("")}: bits ${bits}, those of the decision`,
  ].join("\n");
}

interface Named {
  readonly learner: string;
  readonly file: string;
  readonly at: number;
  readonly missing?: MissingReport;
}

/** Adds `motelearn explain`. */
export function addExplain(program: Command): void {
  const command = program
    .command("explain")
    .description(
      "explain a prediction: the part of each stored vector or weight, and the source of its label",
    )
    .requiredOption("--learner <name>", "a kernel expansion or linear learner, see `motelearn learners`")
    .requiredOption(
      "--log <file>",
      "samples and labels, in the order of learning: CSV, NDJSON or LIBSVM, or a log of `monitor`",
    )
    .requiredOption(
      "--at <n>",
      "the sample to explain, from 1, of those that have a label; those before it are learned; rows that --missing skips don't count",
      wholeNumber(1),
    )
    .option("--options <json>", "options of the learner, one JSON object", "{}")
    .option(
      "--budget <b>",
      "the most vectors that a learner stores (default: the learner's)",
      wholeNumber(1),
    );
  addFileOptions(command)
    .option("--json", "print motelearn.explain/1")
    .action(async (flags: ExplainFlags) => {
      const explanation = await explanationOf(flags);
      if (flags.json) printJson({ schema: "motelearn.explain/1", ...explanation });
      else printText(textOf(explanation));
    });
}
