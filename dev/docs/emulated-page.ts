import { readFileSync } from "node:fs";
import { makePlan } from "../../cli/commands/plan.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { BOARDS } from "../../targets/boards.ts";
import { besideFootprint, beyondPlan, figures, type LearnerRun } from "./emulated-figures.ts";
import { type ChipRun, emulatedText, type Trials } from "./emulated-text.ts";

/** What passed in Espressif's QEMU; `npm run test:idf` writes it. */
const RAN_FILE = "dev/idf/ran.json";
export const EMULATED_PAGE = "docs/emulated.md";

/** The chips of Espressif's QEMU, in the page's order. */
const CHIPS = ["esp32c3", "esp32", "esp32s3"] as const;
type Chip = (typeof CHIPS)[number];

type Dated<Results> = { readonly [Name in keyof Results]: Results[Name] & { readonly date: string } };

/** What was kept of a chip. */
interface Ran {
  readonly versions: ChipRun["versions"];
  readonly learners: { readonly [name: string]: LearnerRun };
  readonly trials: Dated<Trials>;
}

/** The node of test:idf, on that chip. */
function planFootprint(learner: string, target: Chip) {
  const { board } = makePlan({ learner, dimension: 2, options: "{}", pending: 256, window: 0, target });
  if (!board) throw new Error(`${learner}: no plan for ${target}`);
  return board;
}

function runOn(chip: Chip, { versions, learners, trials }: Ran): ChipRun {
  const kept = FAMILIES.map(({ name }) => learners[name]).filter((run) => run !== undefined);
  const results = kept.map((run) => besideFootprint(run, planFootprint(run.learner, chip)));
  const learnerNames = (list: readonly LearnerRun[]) => list.map(({ learner }) => learner);
  return {
    ...{ title: BOARDS[chip].title, versions, trials },
    ...{ ran: learnerNames(kept), ordered: learnerNames(kept.filter(({ ordered }) => ordered)) },
    ...{ figures: figures(results), ...(results[0].grows && { beyond: beyondPlan(results) }) },
  };
}

/** The text of docs/emulated.md: what was kept, beside what `plan` says now. */
export function emulatedPage(): string {
  const ran: Partial<Record<Chip, Ran>> = JSON.parse(readFileSync(RAN_FILE, "utf8"));
  const chips = CHIPS.flatMap((chip) => {
    const kept = ran[chip];
    return kept ? [{ chip, kept }] : [];
  });
  const dates = chips.flatMap(({ kept }) =>
    [...Object.values(kept.learners), ...Object.values(kept.trials)].map(({ date }) => date),
  );
  const runs = chips.map(({ chip, kept }) => runOn(chip, kept));
  return emulatedText({ date: dates.sort().at(-1) ?? "", all: FAMILIES.map(({ name }) => name), runs });
}
