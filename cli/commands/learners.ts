import type { Command } from "commander";
import { arithmetic } from "../../host/arithmetic.ts";
import { printable } from "../../host/printable.ts";
import { printJson, printText } from "../../host/terminal/print.ts";
import { table } from "../../host/terminal/table.ts";
import { chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { addPluginOption, catalogueWith } from "../../host-sim/catalogue/plugins.ts";
import { type Family, takesBudget } from "../../src/learn/family.ts";

const NAME_WIDTH = 16;
const TEXT_WIDTH = 80;
const LEGEND =
  "*: several classes without one-vs-all. budget: its default. `motelearn learners NAME` prints a learner's options.";
const LIST_HEAD = ["learner", "learns", "budget", "what it is"];

function describe(family: Family) {
  return {
    name: family.name,
    task: family.task,
    title: family.title,
    paper: family.paper,
    takesBudget: takesBudget(family),
    manyClasses: family.manyClasses === true,
    options: Object.entries(family.options).map(([name, option]) => ({
      name,
      kind: option.kind,
      default: option.default ?? null,
      takes: option.takes,
      doc: option.doc,
    })),
  };
}

function familyText(family: Family): string {
  const notes = [
    ...(takesBudget(family) ? [] : ["stores no vectors, takes no budget"]),
    ...(family.manyClasses ? ["takes several classes by itself: option classes"] : []),
  ];
  const rows = describe(family).options.map((option) => {
    const first = option.default === null ? "must be given" : `default ${JSON.stringify(option.default)}`;
    return [option.name, [option.doc, `${option.takes}; ${first}`]];
  });
  return [
    printable(`${family.name}: ${family.title} (${[family.task, ...notes].join("; ")})`),
    table([["", family.paper]], { widths: [2, NAME_WIDTH + TEXT_WIDTH] }),
    table(rows, { widths: [NAME_WIDTH, TEXT_WIDTH] }).replace(/^/gm, "  "),
  ].join("\n");
}

/** One line for each learner. Papers and options are in `learners NAME`. */
function familyTable(families: readonly Family[]): string {
  const rows = families.map((family) => [
    family.name,
    family.manyClasses ? `${family.task} *` : family.task,
    takesBudget(family) ? String(family.options.budget.default) : "",
    family.title,
  ]);
  return table(rows, { head: LIST_HEAD, aligns: ["left", "left", "right", "left"] });
}

export function addLearners(program: Command): void {
  const command = program
    .command("learners")
    .description("list the learners, or one with its options, their ranges and defaults, and its paper")
    .argument("[name]", "print this learner's options");
  addPluginOption(command)
    .option("--json", "print motelearn.learners/1")
    .action(async (name: string | undefined, { json, plugin }: { json?: boolean; plugin: string[] }) => {
      const catalogue = await catalogueWith(plugin);
      const families = name === undefined ? catalogue.learners : [chooseFamily(name, catalogue)];
      const { name: running } = arithmetic();
      const learners = families.map(describe);
      if (json) printJson({ schema: "motelearn.learners/1", arithmetic: running, learners });
      else if (name === undefined) printText(`${familyTable(families)}\n\n${LEGEND}\narithmetic: ${running}`);
      else printText(`${familyText(families[0])}\n\narithmetic: ${running}`);
    });
}
