import { type Command, Option } from "commander";
import type { Family } from "../../src/learn/family.ts";
import type { Layout } from "../../src/memory/layout.ts";
import { optionsObject, wholeNumber, withFlag } from "../arguments.ts";
import { UserError } from "../exit.ts";
import { checkOptionNames, chooseFamily, chooseForClasses, takesClasses } from "../learner-choice.ts";
import { plannedLayout } from "../planned-layout.ts";
import { printJson, printText } from "../print.ts";
import { table } from "../table.ts";

const PENDING_DEFAULT = 64;
const PENDING_MAX = 65536;

interface PlanFlags {
  readonly learner: string;
  readonly dimension?: number;
  readonly budget?: number;
  readonly classes?: number;
  readonly options: string;
  readonly pending: number;
  readonly json?: boolean;
}

function planOf(flags: PlanFlags) {
  let options = optionsObject(flags.options);
  options = withFlag(withFlag(options, "dimension", flags.dimension), "budget", flags.budget);
  const { dimension } = options;
  if (dimension === undefined) throw new UserError("plan: how many features? Give --dimension D");
  const named = chooseFamily(flags.learner);
  const classes = flags.classes ?? 2;
  if (flags.classes !== undefined && named.task !== "classification" && named.task !== "multiclass") {
    throw new UserError(
      `--classes ${classes}: learner ${named.name} is for ${named.task}, which has no classes`,
    );
  }
  const family = chooseForClasses(named, classes);
  if (flags.classes !== undefined && takesClasses(family, classes))
    options = withFlag(options, "classes", classes);
  checkOptionNames(family, options);
  const learnerLayout = family.layout(options); // names the learner in what it refuses, before the node does
  const layout = plannedLayout(family, options, dimension as number, flags.pending);
  return { family, options, learnerLayout, layout, pending: flags.pending };
}

function regionsOf(layout: Layout) {
  return layout.regions.map((region) => ({
    name: region.name,
    kind: region.kind,
    offset: layout.byteOffset(region),
    bytes: 4 * region.words,
  }));
}

function bytesByKind(layout: Layout) {
  return { state: 4 * layout.state, counters: 4 * layout.counters, scratch: 4 * layout.scratch };
}

function textOf({ family, learnerLayout, layout, pending }: ReturnType<typeof planOf>): string {
  const { state, counters, scratch } = bytesByKind(layout);
  const rows = regionsOf(layout).map(({ name, kind, offset, bytes }) => [name, kind, offset, bytes]);
  const whole =
    pending === 0 ? "alone" : `${learnerLayout.bytes} bytes, with a pending ring of ${pending} samples`;
  return [
    `${family.name}: ${family.title}, ${whole}`,
    "",
    table([...rows, ["total", "", "", layout.bytes]], {
      head: ["region", "kind", "offset", "bytes"],
      aligns: ["left", "left", "right", "right"],
    }),
    "",
    `state ${state} (hashed), counters ${counters}, scratch ${scratch}; a checkpoint takes ${state + counters} bytes`,
    ...budgetNote(family),
  ].join("\n");
}

function budgetNote(family: Family): string[] {
  return family.budgetUnused ? [`budget is unused: ${family.name} stores no vectors`] : [];
}

/** Adds `motelearn plan`. */
export function addPlan(program: Command): void {
  program
    .command("plan")
    .description("the memory of a node to the byte, region by region, before anything is made")
    .requiredOption("--learner <name>", "learner, see `motelearn learners`")
    .option("--dimension <d>", "features of a sample", wholeNumber(1))
    .option("--budget <b>", "stored vectors there is room for (default: the learner's)", wholeNumber(1))
    .option(
      "--classes <k>",
      "classes; more than two take a learner that tells them apart, else one-vs-all",
      wholeNumber(2),
    )
    .option("--options <json>", "further options of the learner, one JSON object", "{}")
    .addOption(
      new Option(
        "--pending <n>",
        "samples that may wait for a label; 0: the learner without a node around it",
      )
        .argParser(wholeNumber(0, PENDING_MAX))
        .default(PENDING_DEFAULT),
    )
    .option("--json", "print motelearn.plan/1")
    .action((flags: PlanFlags) => {
      const plan = planOf(flags);
      if (!flags.json) return printText(textOf(plan));
      printJson({
        schema: "motelearn.plan/1",
        learner: plan.family.name,
        options: plan.options,
        pending: plan.pending,
        bytes: plan.layout.bytes,
        learnerBytes: plan.learnerLayout.bytes,
        ...bytesByKind(plan.layout),
        budgetUnused: plan.family.budgetUnused === true,
        regions: regionsOf(plan.layout),
      });
    });
}
