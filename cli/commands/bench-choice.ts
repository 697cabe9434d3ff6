import { readFileSync, writeFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { UserError } from "../../host/errors.ts";
import { withMarkedPart } from "../../host/files/marked-part.ts";
import { suggestion } from "../../host/suggestions.ts";
import { listOf, namesIn, share, wholeNumber } from "../../host/terminal/arguments.ts";
import { printJson, printNote, printText } from "../../host/terminal/print.ts";
import { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { measureRegret, type Regret, type RegretSetup } from "../../lab/bench/choice/regret.ts";
import { CHOICE_SETS } from "../../lab/bench/choice/sets.ts";
import { regretMarkdown, regretText } from "../../lab/bench/choice/text.ts";
import { threadsOption } from "../options/threads.ts";

/** Options of `bench --choice`. */
export interface ChoiceFlags extends RegretSetup {
  readonly seeds: readonly number[];
  readonly sets?: readonly string[];
  readonly delays: readonly number[];
  readonly wrong: number;
  readonly markdown?: string;
  readonly threads: number;
  readonly json?: boolean;
}

/** Seeds not used to choose the search's constants, which used 1 to 5. */
const CHOICE_SEEDS = [11, 12, 13];

/** Those that `choose` tries. */
const CHOICE_BUDGETS = [16, 32, 64, 128];

/** Benches `choose`, set by set; on a terminal, a line on stderr reports each finished one. */
export async function benchChoice(flags: ChoiceFlags): Promise<undefined> {
  const { seeds, sets, draws, delays, wrong, samples, budgets, threads, json, markdown } = flags;
  const page = markdown === undefined ? undefined : readPage(markdown);
  const known = CHOICE_SETS.map(({ name }) => name);
  const unknown = sets?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UserError(`--sets ${unknown}: no such set${suggestion(unknown, known)}`);
  const wanted = CHOICE_SETS.filter(({ name }) => sets?.includes(name) ?? true);
  const results: Regret[] = [];
  const cases = wanted.flatMap((set) =>
    delays.flatMap((delay) => seeds.map((seed) => ({ set, seed, labels: { delay, wrong } }))),
  );
  const catalogue = Catalogue.shipped;
  for (const { set, seed, labels } of cases) {
    results.push(await measureRegret(set, seed, { catalogue, labels, budgets, samples, draws, threads }));
    if (process.stderr.isTTY) printNote(`${results.length} of ${cases.length} files done`);
  }
  if (json) printJson({ schema: "motelearn.bench-choice/1", results });
  else printText(regretText(results, samples));
  if (page === undefined || markdown === undefined) return;
  const part = regretMarkdown(results, { samples, draws, budgets });
  writeFileSync(markdown, withMarkedPart(page, CHOICE_PART, part));
}

/** The line of a page after which the table of `--choice` is written. */
const CHOICE_PART = "<!-- bench --choice --markdown writes from here -->";

/** The page, tried before the bench runs. Throws a UserError for one without the part. */
function readPage(file: string): string {
  try {
    const page = readFileSync(file, "utf8");
    withMarkedPart(page, CHOICE_PART, "");
    return page;
  } catch (error) {
    throw new UserError(`--markdown ${file}: ${(error as Error).message}`);
  }
}

export function addChoiceOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--seeds <list>", "with --choice or --novelty: seeds of the files")
        .argParser(listOf(wholeNumber(0, 0xffffffff)))
        .default(CHOICE_SEEDS, CHOICE_SEEDS.join(",")),
    )
    .option("--sets <list>", "with --choice: only these sets", namesIn)
    .addOption(
      new Option("--delays <list>", "with --choice: samples between a sample and its label")
        .argParser(listOf(wholeNumber(0, 65534)))
        .default([0], "0"),
    )
    .option("--wrong <share>", "with --choice: share of labels of classes that are wrong", share, 0)
    .option(
      "--samples <n>",
      "with --choice or --novelty: samples of a file",
      wholeNumber(500, 1_000_000),
      10_000,
    )
    .addOption(
      new Option("--budgets <list>", "with --choice: budgets that are tried")
        .argParser(listOf(wholeNumber(0, 0xffff)))
        .default(CHOICE_BUDGETS, CHOICE_BUDGETS.join(",")),
    )
    .option(
      "--markdown <file>",
      "with --choice: also write tables, with each learner's error, into this page, between its marks",
    )
    .option("--draws <n>", "with --choice: draws of fresh samples", wholeNumber(1, 100), 8)
    .addOption(threadsOption("with --choice: learners at once"));
}
