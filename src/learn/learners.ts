// Made from the registry by `npm run build:options`: don't edit.
// The classes of the learners, for programs.
export { Arow } from "./arow.ts";
export { Auto } from "./auto.ts";
export { AutoR } from "./auto-r.ts";
export { Bsgd } from "./bsgd.ts";
export { ConfidenceWeighted, ConfidenceWeightedVariance } from "./confidence-weighted.ts";
export { DualAga, DualGreedy, DualRho } from "./dual-ascent.ts";
export { Fogd } from "./fogd.ts";
export { Forgetron } from "./forgetron.ts";
export { KernelPerceptron, KernelPerceptronR } from "./kernel-perceptron.ts";
export { Knn } from "./knn.ts";
export { KrlsAld, KrlsAldDiscard, KrlsNovelty, KrlsSurprise } from "./krls.ts";
export { KrlsT } from "./krls-t.ts";
export { ILol, Lol } from "./lol.ts";
export { Nogd } from "./nogd.ts";
export { NormaC, NormaN, NormaR } from "./norma.ts";
export { OlkC, OlkN, OlkR } from "./olk.ts";
export { OlkDrift } from "./olk-drift.ts";
export { Oskm } from "./oskm.ts";
export { PassiveAggressive } from "./passive-aggressive.ts";
export { Pegasos } from "./pegasos.ts";
export { Perceptron } from "./perceptron.ts";
export { Projectron, ProjectronPlusPlus } from "./projectron.ts";
export { Qkapa } from "./qkapa.ts";
export { Qklms } from "./qklms.ts";
export { Qkrls } from "./qkrls.ts";
export { RlsHmm } from "./rls-hmm.ts";
export { Scw1, Scw2 } from "./soft-confidence-weighted.ts";
