import { frozen } from "../memory/frozen.ts";
import { AROW } from "./arow.ts";
import { AUTO } from "./auto-family.ts";
import { AUTO_R } from "./auto-r.ts";
import { offerBalance } from "./balanced.ts";
import { BSGD } from "./bsgd.ts";
import { CONFIDENCE_WEIGHTED } from "./confidence-weighted.ts";
import type { Family } from "./family.ts";
import { FOGD } from "./fogd.ts";
import { FORGETRON } from "./forgetron.ts";
import { GRADIENT_ASCENT } from "./gradient-ascent.ts";
import { GREEDY_ASCENT } from "./greedy-ascent.ts";
import { KERNEL_PERCEPTRON } from "./kernel-perceptron.ts";
import { KNN } from "./knn.ts";
import { KRLS } from "./krls.ts";
import { KRLS_DISCARD } from "./krls-discard.ts";
import { KRLS_T } from "./krls-t.ts";
import { LOGISTIC } from "./logistic.ts";
import { LOL } from "./lol.ts";
import { NAIVE_BAYES } from "./naive-bayes.ts";
import { NLMS } from "./nlms.ts";
import { NOGD } from "./nogd.ts";
import { NORMA } from "./norma.ts";
import { OLK } from "./olk.ts";
import { OLK_DRIFT } from "./olk-drift.ts";
import { OSKM } from "./oskm.ts";
import { PASSIVE_AGGRESSIVE } from "./passive-aggressive.ts";
import { PEGASOS } from "./pegasos.ts";
import { PERCEPTRON } from "./perceptron.ts";
import { PROJECTRON } from "./projectron.ts";
import { QKAPA } from "./qkapa.ts";
import { QKLMS } from "./qklms.ts";
import { QKRLS } from "./qkrls.ts";
import { RFF_KLMS } from "./rff-klms.ts";
import { RLS } from "./rls.ts";
import { RLS_HMM } from "./rls-hmm.ts";
import { ROBUST_Z } from "./robust-z.ts";
import { SOFT_CONFIDENCE_WEIGHTED } from "./soft-confidence-weighted.ts";

/** All learners; every listed one is tested, planned, benchmarked and offered. */
export const FAMILIES: readonly Family[] = frozen(
  [
    ...AUTO,
    ...AUTO_R,
    ...OLK,
    ...OLK_DRIFT,
    ...QKRLS,
    ...QKLMS,
    ...QKAPA,
    ...KRLS,
    ...KRLS_DISCARD,
    ...KRLS_T,
    ...RLS,
    ...NLMS,
    ...RFF_KLMS,
    ...LOL,
    ...PASSIVE_AGGRESSIVE,
    ...PERCEPTRON,
    ...PEGASOS,
    ...CONFIDENCE_WEIGHTED,
    ...SOFT_CONFIDENCE_WEIGHTED,
    ...AROW,
    ...LOGISTIC,
    ...NAIVE_BAYES,
    ...KNN,
    ...OSKM,
    ...RLS_HMM,
    ...GRADIENT_ASCENT,
    ...GREEDY_ASCENT,
    ...NORMA,
    ...ROBUST_Z,
    ...KERNEL_PERCEPTRON,
    ...FORGETRON,
    ...PROJECTRON,
    ...BSGD,
    ...NOGD,
    ...FOGD,
  ].map(offerBalance),
);

/** The family of that name, or undefined. */
export function familyNamed(name: string): Family | undefined {
  return FAMILIES.find((family) => family.name === name);
}
