import { existsSync } from "node:fs";
import type { Command } from "commander";
import { FailedCheckError, UserError } from "../../host/errors.ts";
import { printable } from "../../host/printable.ts";
import { wholeNumber } from "../../host/terminal/arguments.ts";
import { printJson, printLine, printText } from "../../host/terminal/print.ts";
import { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { addPluginOption, catalogueWith } from "../../host-sim/catalogue/plugins.ts";
import { PROPERTIES } from "../../host-sim/conformance/properties.ts";
import type { Family, UserOptions } from "../../src/learn/family.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";

const CLASSES = 3;

interface CheckFlags {
  readonly plugin: readonly string[];
  readonly seed: number;
  readonly json?: boolean;
}

/** A learner for the battery, with the options that it needs. */
interface Candidate {
  readonly family: Family;
  readonly given: UserOptions;
}

/** One property of one candidate. */
interface Outcome {
  readonly learner: string;
  readonly options: UserOptions;
  readonly property: string;
  readonly passed: boolean;
  /** The place where the property fails, and the actual result. */
  readonly fault?: string;
}

/** The learner; a classifier with two classes, with several of its own, and one-vs-all. */
function listCandidates(family: Family): Candidate[] {
  const options = { classes: CLASSES };
  if (family.task === "multiclass") return [{ family, given: options }];
  return [
    { family, given: {} },
    ...(family.manyClasses ? [{ family, given: options }] : []),
    ...(family.task === "classification" ? [{ family: oneVsAllFamily(family), given: options }] : []),
  ];
}

function checkProperty(
  { family, given }: Candidate,
  property: (typeof PROPERTIES)[number],
  seed: number,
): Outcome {
  const what = { learner: family.name, options: given, property: property.title };
  try {
    property.check(family, given, seed);
    return { ...what, passed: true };
  } catch (error) {
    return { ...what, passed: false, fault: (error as Error).message.replace(/\s*\n\s*/g, " ") };
  }
}

function outcomeText({ property, passed, fault }: Outcome): string {
  return passed ? `  passed  ${property}` : `  FAILED  ${property}\n          ${printable(fault ?? "")}`;
}

function candidateName({ family, given }: Candidate): string {
  return Object.keys(given).length > 0 ? `${family.name} with ${JSON.stringify(given)}` : family.name;
}

/** The learners of the file, or the learner of that name. */
async function loadLearners(named: string, plugin: readonly string[]): Promise<readonly Family[]> {
  const isFile = /[./\\]/.test(named) || (existsSync(named) && !Catalogue.shipped.learner(named));
  if (!isFile) return [chooseFamily(named, await catalogueWith(plugin))];
  const others = await catalogueWith(plugin);
  const { learners } = await catalogueWith([...plugin, named]);
  const own = learners.filter((family) => !others.learners.includes(family));
  if (own.length === 0)
    throw new UserError(`${named}: exports no learner; give a module that exports learners`);
  return own;
}

async function check(named: string, { plugin, seed, json }: CheckFlags): Promise<void> {
  const outcomes: Outcome[] = [];
  for (const candidate of (await loadLearners(named, plugin)).flatMap(listCandidates)) {
    if (!json) printLine(`${candidateName(candidate)}: ${candidate.family.title}`);
    for (const property of PROPERTIES) {
      const outcome = checkProperty(candidate, property, seed);
      outcomes.push(outcome);
      if (!json) printText(outcomeText(outcome));
    }
  }
  const failed = outcomes.filter(({ passed }) => !passed);
  if (json) printJson({ schema: "motelearn.check/1", checked: named, seed, outcomes });
  else printText(`\n${outcomes.length - failed.length} of ${outcomes.length} checks passed, seed ${seed}`);
  if (failed.length === 0) return;
  const names = [...new Set(failed.map(({ learner }) => learner))];
  throw new FailedCheckError(
    `${names.join(", ")}: ${failed.length} of ${outcomes.length} checks failed with seed ${seed}; first: ${failed[0].property}`,
  );
}

export function addCheck(program: Command): void {
  const command = program
    .command("check")
    .description("check a learner for the properties that every shipped learner has; exit 6 if a check fails")
    .argument("<learner>", "a module that exports learners, or the name of a learner");
  addPluginOption(command)
    .option("--seed <n>", "seed of the samples", wholeNumber(0, 0xffffffff), 1)
    .option("--json", "print motelearn.check/1")
    .action(check);
}
