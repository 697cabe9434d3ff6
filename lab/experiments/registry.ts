import { nearestNames } from "../../host/suggestions.ts";
import { InputError } from "../../host-sim/runs/threads.ts";
import { AGREEMENTS } from "./agreements.ts";
import { FORGETTING_DUAL_ASCENT } from "./forgetting.ts";
import type { Experiment } from "./lib/experiment.ts";
import { LOL } from "./lol.ts";
import { OLK_BACKGROUND } from "./olk-background.ts";
import { OLK_CLASSIFICATION } from "./olk-classification.ts";
import { OLK_NOVELTY } from "./olk-novelty.ts";
import { OLK_RATES } from "./olk-rates.ts";
import { OLK_REGRESSION } from "./olk-regression.ts";
import { OSKM } from "./oskm.ts";
import { OSKM_AGREEMENT } from "./oskm-agreement.ts";
import { QKRLS } from "./qkrls.ts";
import { RLS_HMM } from "./rls-hmm.ts";
import { STANDARDISER } from "./standardiser.ts";

/** Every experiment there is, paper by paper, in the order of the report. */
export const EXPERIMENTS: readonly Experiment[] = [
  OLK_CLASSIFICATION,
  OLK_REGRESSION,
  OLK_NOVELTY,
  ...OLK_BACKGROUND,
  OLK_RATES,
  ...QKRLS,
  ...LOL,
  ...OSKM,
  OSKM_AGREEMENT,
  ...RLS_HMM,
  ...FORGETTING_DUAL_ASCENT,
  ...AGREEMENTS,
  ...STANDARDISER,
];

export function experimentNamed(id: string): Experiment {
  const found = EXPERIMENTS.find((experiment) => experiment.id === id);
  if (!found) throw new Error(`no experiment ${id}`);
  return found;
}

/** The experiments that --only names: one by its id, or all of a paper, "qkrls". All unless given. Throws a InputError. */
export function chosenExperiments(only: string | undefined): readonly Experiment[] {
  if (only === undefined) return EXPERIMENTS;
  const chosen = EXPERIMENTS.filter(({ id }) => id === only || id.startsWith(`${only}-`));
  if (chosen.length > 0) return chosen;
  const ids = EXPERIMENTS.map(({ id }) => id);
  const papers = [...new Set(ids.map((id) => id.split("-")[0]))];
  const near = nearestNames(only, [...ids, ...papers]);
  const meant = near.length > 0 ? `did you mean ${near.join(" or ")}? ` : "";
  throw new InputError(
    `--only ${only}: no such experiment; ${meant}--help lists them, and ${papers.join(", ")} take all of a paper's`,
  );
}
