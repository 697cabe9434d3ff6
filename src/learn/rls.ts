import { packedWords } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { type DefinedOptions, defineLearner, type Workspace } from "./define.ts";
import type { Family } from "./family.ts";
import { bias, decide, inputWidth, loadWithOffset } from "./linear.ts";
import { real } from "./options.ts";
import { withResidual } from "./residual.ts";
import { LINEAR_TERMS } from "./terms.ts";
import { SEARCHED } from "./traits.ts";

const RLS_OPTIONS = frozen({
  bias,
  forgetting: real(
    { default: 0.999, above: 0.5, max: 1 },
    "lambda, what a label counts one label later: w follows about the last 1 / (1 - lambda) labels; 1: the last million",
  ),
  regularization: real(
    { default: 0.01, above: 0 },
    "delta, weight of |w|^2, which forgetting doesn't reduce: so w stays finite where inputs don't vary",
  ),
});

type RlsOptions = DefinedOptions<typeof RLS_OPTIONS>;
type Work = Workspace<RlsOptions, "w" | "factor" | "turn" | "row" | "gain" | "kept">;

/** Largest lambda: with a longer memory, rounding would lose a label. */
const MOST_KEPT = 1 - 1 / 1048576;
/** The largest |x|^2 and y^2: sums over a million labels stay within float32. */
const LARGEST_SQUARE = 1e30;

/** L'L <- L'L + x x' for the first n components of the x in `row`, which it spoils: plane rotations of x with L's rows, the last first. */
function rotateIn({ f32, at }: Work, n: number): void {
  const { words } = f32;
  for (let i = n - 1; i >= 0; i--) {
    const q = words[at.row + i];
    if (q === 0) continue;
    const line = at.factor + packedWords(i);
    const p = words[line + i];
    const r = Math.sqrt(p * p + q * q);
    f32.copy(at.kept, line, i + 1);
    f32.scale(line, p / r, i + 1);
    f32.addScaled(line, q / r, at.row, i + 1);
    f32.scale(at.row, p / r, i);
    f32.addScaled(at.row, -q / r, at.kept, i);
  }
}

/** Adds the equation w.x = y of error e of the x in `row`, whose components beyond the first n are 0: w <- w + (L'L)^-1 x e, with the new L. */
function addEquation(work: Work, n: number, e: number): boolean {
  const { f32, at, options } = work;
  const width = inputWidth(options);
  f32.copy(at.gain, at.row, width);
  rotateIn(work, n);
  f32.solveLowerTransposed(at.factor, at.gain, width);
  f32.solveLower(at.factor, at.gain, width);
  return f32.addScaled(at.w, e, at.gain, width);
}

/** Adds the prior's equation of one weight, w_j = 0, as heavy as the part that forgetting took off the prior of all. Weights take turns. */
function renewPrior(work: Work, lambda: number): boolean {
  const { f32, at, options } = work;
  const width = inputWidth(options);
  const j = f32.bits[at.turn];
  f32.bits[at.turn] = j + 1 < width ? j + 1 : 0;
  const root = Math.fround(Math.sqrt(width * (1 - lambda) * options.regularization));
  f32.words.fill(0, at.row, at.row + width);
  f32.words[at.row + j] = root;
  return addEquation(work, j + 1, -root * f32.words[at.w + j]);
}

/**
 * The linear function of least squared error on the last labels, older ones counting less. L is a triangular factor of the weighted sum of
 * x x'. Float32 keeps its accuracy through a million labels, however much the inputs depend on each other, as no inverse is stored. Each
 * label also adds an equation w_j = 0 of weight n (1 - lambda) delta, j taking turns among the n weights, in place of what forgetting takes
 * off delta. x and y are clipped, see `OutlierLimit`.
 *
 *     w minimises sum_i lambda^(t-i) (y_i - w.x_i)^2 + delta |w|^2
 *     [L; 0] <- rotations of [sqrt(lambda) L; x'];   w <- w + L^-1 L'^-1 x (y - w.x)
 *
 * When to use it: The first learner to try for numbers. A forecast from the last readings is often close to linear, and `forgetting`
 * follows the seasons.
 *
 * @see Gentleman, Kung: Matrix triangularization by systolic arrays. Proceedings of SPIE 298, 1981
 */
export const RLS: readonly Family[] = withResidual([
  defineLearner({
    name: "rls",
    task: "regression",
    title: "Recursive least squares by rotations, linear",
    paper: "Gentleman, Kung: Matrix triangularization by systolic arrays. Proceedings of SPIE 298, 1981",
    options: RLS_OPTIONS,
    bounded: true,
    traits: {
      searched: [{ option: "forgetting", values: [0.99, 0.999, 1] }, SEARCHED.residual],
      decision: LINEAR_TERMS,
    },
    state(options) {
      const width = inputWidth(options);
      return { w: width, factor: packedWords(width), turn: 1 };
    },
    holds: (options) => ({ turn: [inputWidth(options) - 1] }),
    scratch(options) {
      const width = inputWidth(options);
      return { row: width, gain: width, kept: width };
    },
    start({ f32, at, options }) {
      const width = inputWidth(options);
      for (let i = 0; i < width; i++)
        f32.words[at.factor + packedWords(i) + i] = Math.sqrt(options.regularization);
    },
    predict: decide,
    update(work, y, decision) {
      const { f32, at, options } = work;
      const width = inputWidth(options);
      const lambda = options.forgetting < MOST_KEPT ? options.forgetting : MOST_KEPT;
      const row = loadWithOffset(work);
      if (!(f32.dot(row, row, width) <= LARGEST_SQUARE) || !(y * y <= LARGEST_SQUARE)) return false;
      f32.scale(at.factor, Math.sqrt(lambda), packedWords(width));
      return addEquation(work, width, y - decision) && renewPrior(work, lambda);
    },
  }),
]);
