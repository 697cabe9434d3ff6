import { gammaOfNormal } from "../kernel/kernel.ts";
import { ceil4 } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { type DefinedOptions, defineLearner, type Workspace } from "./define.ts";
import type { Family } from "./family.ts";
import {
  drawFrequencies,
  fourierFeatures,
  frequencyBudget,
  frequencySeed,
  nameFourierFeature,
} from "./fourier-features.ts";
import { real } from "./options.ts";
import { withResidual } from "./residual.ts";
import { type DecisionTerms, featureTerms, regionValues } from "./terms.ts";

const RFF_KLMS_OPTIONS = frozen({
  budget: frequencyBudget,
  width: real(
    { default: 0.25, above: 0 },
    "sigma of the kernel, in median distances between standardised inputs, sqrt(2 (d - 0.6))",
  ),
  eta: real({ default: 0.3, above: 0, below: 2 }, "eta, share of its error that a label removes"),
  seed: frequencySeed,
});

type RffKlmsOptions = DefinedOptions<typeof RFF_KLMS_OPTIONS>;
type Work = Workspace<RffKlmsOptions, "frequencies" | "w" | "offset" | "z">;

/** The width, in median distances, of `gammaOfNormal`. */
const HALF = 0.5;

/** Writes z of the input. */
function computeFeatures({ f32, at, input, options }: Work): void {
  fourierFeatures(f32, at.z, at.frequencies, input, options.budget, options.dimension);
}

const FOURIER_TERMS: DecisionTerms = frozen({
  weights: ["w", "offset"],
  terms(learner) {
    const features = featureTerms(learner, nameFourierFeature);
    const [offset] = regionValues(learner, "offset");
    return [features, [{ of: "offset", weight: offset, by: 1, place: features.length }]];
  },
});

/**
 * Random Fourier features stand in for the Gaussian kernel, and least mean squares learns on them, and an offset. The frequencies u_i are
 * drawn once, from the normal distribution of deviation 1 / sigma. No sample is stored. x and y are clipped, see `OutlierLimit`.
 *
 *     z(x) = [cos(u_1.x), sin(u_1.x), ..., cos(u_D.x), sin(u_D.x)];   f(x) = w.z(x) + b
 *     e = y - f(x);   w <- w + (eta / 2) e z(x) / D;   b <- b + (eta / 2) e
 *
 * When to use it: A curve where each label has to take the same time. It stores no samples. Standardise the inputs. `qkrls` and `krls-t`
 * learn more from each label.
 *
 * @see Bouboulis, Pougkakiotis, Theodoridis: Efficient KLMS and KRLS algorithms: a random Fourier feature perspective. IEEE SSP, 2016
 */
export const RFF_KLMS: readonly Family[] = withResidual([
  defineLearner({
    name: "rff-klms",
    task: "regression",
    title: "Kernel least mean squares on random features",
    paper:
      "Bouboulis, Pougkakiotis, Theodoridis: Efficient KLMS and KRLS algorithms: a random Fourier feature perspective. IEEE SSP, 2016",
    options: RFF_KLMS_OPTIONS,
    bounded: true,
    traits: {
      searched: [
        { option: "width", values: [0.25, 0.5, 1, 2] },
        { option: "eta", values: [0.1, 0.3, 1] },
      ],
      decision: FOURIER_TERMS,
    },
    state: ({ budget, dimension }) => ({
      frequencies: ceil4(budget) * dimension,
      w: 2 * budget,
      offset: 1,
    }),
    scratch: ({ budget }) => ({ z: ceil4(2 * budget) }),
    start({ f32, at, options }) {
      const { budget, dimension, seed, width } = options;
      const deviation = (Math.sqrt(2 * gammaOfNormal(dimension)) * HALF) / width;
      drawFrequencies(f32, at.frequencies, dimension, seed, deviation, 0, budget);
    },
    predict(work) {
      const { f32, at, options } = work;
      computeFeatures(work);
      return f32.dot(at.w, at.z, 2 * options.budget) + f32.words[at.offset];
    },
    update({ f32, at, options }, y, decision) {
      const { budget, eta } = options;
      const step = (eta / 2) * (y - decision);
      const offset = Math.fround(f32.words[at.offset] + step);
      if (offset - offset !== 0 || !f32.addScaled(at.w, step / budget, at.z, 2 * budget)) return false;
      f32.words[at.offset] = offset;
      return true;
    },
  }),
]);
