import { readFileSync } from "node:fs";
import { makePlan } from "../../cli/commands/plan.ts";
import type { PlanFlags } from "../../cli/options/node-options.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { BOARDS } from "../../targets/boards.ts";
import options from "../idf/options.json";
import { besideFootprint, beyondPlan, figures, type LearnerRun } from "./emulated-figures.ts";
import { type ChipRun, emulatedText, type TrialResults, type Trials } from "./emulated-text.ts";

/** What passed in Espressif's QEMU; `npm run test:idf` writes it. */
const RAN_FILE = "dev/idf/ran.json";
export const EMULATED_PAGE = "docs/emulated.md";

/** The chips of Espressif's QEMU, in the page's order. */
const CHIPS = ["esp32c3", "esp32", "esp32s3"] as const;
type Chip = (typeof CHIPS)[number];

/** As the suite keeps a node with options: like a learner's run. */
type OptionsRun = Omit<LearnerRun, "date">;
/** The parts that run such a node, and its options. */
const OPTIONS: { readonly [part in "balanced" | "parts"]: NodeFlags } = options;

/** As the suite keeps it: with the bytes that XS took, and those of the certificate of the broker's authority. */
interface TlsRun extends Omit<TrialResults["tls"], "xs"> {
  readonly xs: { readonly measured: number; readonly certificate: number };
}

type Dated<Results> = { readonly [Name in keyof Results]: Results[Name] & { readonly date: string } };

/** What was kept of a chip. */
interface Ran {
  readonly versions: ChipRun["versions"];
  readonly learners: { readonly [name: string]: LearnerRun };
  readonly trials: Dated<
    Omit<Trials, "tls" | keyof typeof OPTIONS> & { readonly tls?: TlsRun } & {
      readonly [part in keyof typeof OPTIONS]?: OptionsRun;
    }
  >;
}

/** A node's wire, default a UART, and its options, default none. */
type NodeFlags = Partial<Pick<PlanFlags, "wifi" | "tls" | "options" | "window" | "node">>;

/** The node of test:idf, on that chip. */
function planFootprint(learner: string, target: Chip, more: NodeFlags = {}) {
  const node = { learner, dimension: 2, options: "{}", pending: 256, window: 0 };
  const { board } = makePlan({ ...node, ...more, target });
  if (!board) throw new Error(`${learner}: no plan for ${target}`);
  return board;
}

/** The longest certificate of an authority, which the plan counts; bytes. */
const AUTHORITY_BYTES = 2048;

/** What TLS took beside what `plan` says now, with a certificate as long as it was. */
function besideTlsPlan(chip: Chip, { xs, ...others }: TlsRun): TrialResults["tls"] {
  const run = { learner: others.learner, bytes: 0, measured: { chunks: xs.measured, slots: 0, turn: 0 } };
  const footprint = planFootprint(others.learner, chip, { wifi: true, tls: true });
  const { grows, planned } = besideFootprint(run, footprint);
  const bytes = planned.chunks + planned.slots - AUTHORITY_BYTES + xs.certificate;
  return { ...others, xs: { planned: bytes, ...(grows && { measured: xs.measured }) } };
}

/** What a node with options took beside what `plan` says now. */
function besideOptionsPlan(chip: Chip, run: OptionsRun, flags: NodeFlags): TrialResults["balanced"] {
  const { learner, bytes } = run;
  const footprint = planFootprint(learner, chip, flags);
  const { grows, planned, measured } = besideFootprint(run, footprint);
  const together = planned.chunks + planned.slots;
  return { learner, bytes, planned: together, ...(grows && { measured: measured.chunks + measured.slots }) };
}

function runOn(chip: Chip, { versions, learners, trials: { tls, balanced, parts, ...plain } }: Ran): ChipRun {
  const trials = {
    ...plain,
    ...(balanced && { balanced: besideOptionsPlan(chip, balanced, OPTIONS.balanced) }),
    ...(parts && { parts: besideOptionsPlan(chip, parts, OPTIONS.parts) }),
    ...(tls && { tls: besideTlsPlan(chip, tls) }),
  };
  const kept = FAMILIES.map(({ name }) => learners[name]).filter((run) => run !== undefined);
  const results = kept.map((run) => besideFootprint(run, planFootprint(run.learner, chip)));
  const learnerNames = (list: readonly LearnerRun[]) => list.map(({ learner }) => learner);
  return {
    ...{ title: BOARDS[chip].title, versions, trials },
    ...{ ran: learnerNames(kept), ordered: learnerNames(kept.filter(({ ordered }) => ordered)) },
    ...{ figures: figures(results), ...(results[0]?.grows && { beyond: beyondPlan(results) }) },
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
