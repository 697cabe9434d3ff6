// Made from the learners' tables of options by `npm run build:options`: don't edit.
// biome-ignore-all format: as made
import type { ComponentRange } from "../dictionary/grid.ts";
import type { KernelOption } from "../kernel/kernel.ts";
import type { MemoryRange } from "../memory/layout.ts";
import type { FlipRates } from "./label-noise.ts";

/** Parameters of every learner's constructor. */
interface EveryLearner {
  /** The learner's memory: `layout.range(memory)`. Default: a memory of its own. */
  readonly memory?: MemoryRange;
}

/** Options that several learners have, with one meaning, range and default. */
interface SharedOptions {
  /** d, components of an input. A whole number >= 1 and <= 4096. Required. */
  readonly dimension: number;
  /**
   * K, classes: 2 takes labels -1 and +1, more take labels 0..K-1. A whole number >= 2 and <= 256. Default 2.
   */
  readonly classes?: number;
  /**
   * limit of labels' magnitudes |y|, in multiples of the level that one in 128 exceeds; a larger one is
   * clipped to it; 1e30: no limit. A number >= 1. Default 4.
   */
  readonly outlierLimit?: number;
  /** stored vectors there is room for. A whole number >= 1 and <= 4096. Default 64. */
  readonly budget?: number;
  /**
   * kernel k(u, v). {"type":"gaussian","p"|"sigma"|"gamma":width > 0} or {"type":"gaussian","width":"auto"}
   * or {"type":"polynomial","degree":1..16} or {"type":"linear"}. Default {"type":"gaussian","width":"auto"}.
   */
  readonly kernel?: KernelOption;
  /**
   * form of stored vectors: float32; or 16 bits in a grid over `ranges`, half the bytes, with kernel rows in
   * whole numbers, which cost far less where there is no floating-point unit. Takes a Gaussian kernel. One of
   * float32, q15. Default "float32".
   */
  readonly storage?: "float32" | "q15";
  /**
   * ranges of the components, for storage "q15": a value outside counts as the end of the range. A node gives
   * its own ranges, or +-5 if it standardises. [least, largest] of each component, or one of all. Default [].
   */
  readonly ranges?: readonly ComponentRange[];
  /** added to the diagonal of the kernel matrix. A number > 0. Default 0.01. */
  readonly regularization?: number;
  /** Thr_sv, vectors with a smaller |coefficient| are forgotten. A number >= 0. Default 0. */
  readonly forgetThreshold?: number;
  /**
   * at the full budget: the oldest vector leaves, the one with the smallest coefficient, the new one is
   * declined, or the one with the smallest coefficient merges with the nearest of its sign; where the kernel
   * isn't Gaussian, merge is oldest. One of oldest, smallest, refuse, merge. Default "merge".
   */
  readonly evict?: "oldest" | "smallest" | "refuse" | "merge";
  /**
   * C, weight of the loss and bound of a coefficient; 0: from the errors, 0.1 to 2. A number >= 0. Default 0.
   */
  readonly C?: number;
  /**
   * error rates of the labels of source 0 (unknown), 1, ...: the share of +1 that it calls -1, and of -1 that
   * it calls +1; none: labels are trusted. At most 256 of [missed, false alarms], each 0 to 0.49. Default [].
   */
  readonly sources?: readonly FlipRates[];
  /**
   * epsilon, quantization size: an input this near to a centre counts as that centre. A number >= 0. Default
   * 0.4.
   */
  readonly epsilon?: number;
  /**
   * distance, in quantization sizes epsilon, up to which an input counts as its nearest centre while the
   * codebook is full; a farther one is declined. A number >= 1. Default 8.
   */
  readonly reach?: number;
  /**
   * samples without a use, for each use it had (16 at most), after which a vector leaves a full dictionary
   * for a new one. A whole number >= 1 and <= 16777216. Default 256.
   */
  readonly staleAfter?: number;
  /**
   * k, prototypes, at most the budget; 0: as many as the budget. A whole number >= 0 and <= 4096. Default 0.
   */
  readonly prototypes?: number;
  /**
   * n_i counts a sample before it moves the prototype (which so is its samples' mean), or after, as Algorithm
   * 1 prints. One of macqueen, literal. Default "macqueen".
   */
  readonly count?: "macqueen" | "literal";
  /** b, offset of f (bias term): the weight of a constant 1 appended to x. True or false. Default true. */
  readonly bias?: boolean;
  /** a, variance of each weight at the start, Sigma = a I. A number > 0. Default 1. */
  readonly initialVariance?: number;
  /**
   * Sigma: full, d(d+1)/2 numbers; or its diagonal, d numbers, and each step drops the rest. One of full,
   * diagonal. Default "full".
   */
  readonly covariance?: "full" | "diagonal";
  /** eta, least probability that a sample is classified correctly. A number > 0.5 and < 1. Default 0.8. */
  readonly confidence?: number;
  /** whether old coefficients may shrink by 1 - eta. True or false. Default false. */
  readonly forget?: boolean;
  /**
   * eta, distance from the stored vectors' span, in feature space, up to which a mistake is projected onto
   * it. A number > 0. Default 0.1.
   */
  readonly projectionThreshold?: number;
}

type Shared<Option extends keyof SharedOptions> = EveryLearner & Pick<SharedOptions, Option>;

/** Options of `Auto`: `auto`, Committee for late, lost and wrong labels. */
export interface AutoOptions extends Shared<"dimension" | "classes"> {
  /**
   * vectors of the kernel expansion. Nearest neighbours have four samples for each vector, at a byte a
   * component. A whole number >= 1 and <= 4096. Default 32.
   */
  readonly budget?: number;
  /**
   * early samples, every third, whose kernel values are inputs of a linear member. A whole number >= 1 and <=
   * 256. Default 22.
   */
  readonly landmarks?: number;
  /** labels from which the class of each of them is estimated. A whole number >= 1 and <= 64. Default 12. */
  readonly lag?: number;
  /**
   * bytes that it may take at most, counters and scratch included. It has the parts above, smaller where they
   * must be, and more neighbours in what they leave; where not even the smallest fit, members that fit, see
   * `Committee`, as always with several classes: these members take no budget, landmarks or lag; 0: the parts
   * above, or with several classes 8192 bytes, or twice what the least members take. 0, or a whole number >=
   * 1024 and <= 65536. Default 0.
   */
  readonly bytes?: number;
}

/** Options of `AutoR`: `auto-r`, Committee for numbers and forecasts. */
export interface AutoROptions extends Shared<"dimension" | "outlierLimit"> {
  /**
   * stored vectors of the kernel member that there is room for. A whole number >= 1 and <= 4096. Default 20.
   */
  readonly budget?: number;
}

/** Options of `OlkC`: `olk-c`, OLK, classification. */
export interface OlkCOptions
  extends Shared<"dimension" | "budget" | "kernel" | "storage" | "ranges" | "forgetThreshold" | "evict" | "C" | "sources"> {
  /** r, weight of 1/2 |f|^2: old coefficients shrink by 1/(1+r) a sample. A number >= 0. Default 0.00003. */
  readonly regularization?: number;
}

/** Options of `OlkR`: `olk-r`, OLK, regression. */
export interface OlkROptions
  extends Shared<"dimension" | "budget" | "kernel" | "storage" | "ranges" | "forgetThreshold" | "evict"> {
  /** r, weight of 1/2 |f|^2: old coefficients shrink by 1/(1+r) a sample. A number >= 0. Default 0.00003. */
  readonly regularization?: number;
  /** C, weight of the loss and bound of a coefficient. A number > 0. Default 0.3. */
  readonly C?: number;
  /** epsilon, half-width of the tube in which an error costs nothing. A number >= 0. Default 0.1. */
  readonly epsilon?: number;
}

/** Options of `OlkN`: `olk-n`, OLK, novelty detection. */
export interface OlkNOptions
  extends Shared<"dimension" | "budget" | "kernel" | "storage" | "ranges" | "forgetThreshold" | "evict"> {
  /** r, weight of 1/2 |f|^2: old coefficients shrink by 1/(1+r) a sample. A number >= 0. Default 0.01. */
  readonly regularization?: number;
  /** C, weight of the loss and upper bound of a step. A number > 0. Default 0.5. */
  readonly C?: number;
  /** nu, lower bound of a step, at most C. A number >= 0. Default 0.1. */
  readonly nu?: number;
  /**
   * rho, offset of the score: fixed at 0, which (69), the paper's rule, comes to; or the exact optimum (68)
   * at each sample. One of fixed, optimal. Default "fixed".
   */
  readonly rule?: "fixed" | "optimal";
}

/** Options of `OlkDrift`: `olk-drift`, OLK, classification, with forgetting that is found. */
export interface OlkDriftOptions extends Shared<"dimension" | "kernel" | "storage" | "ranges" | "C"> {
  /** vectors there is room for in each dictionary. A whole number >= 1 and <= 4096. Default 64. */
  readonly budget?: number;
  /** r of the steady function: it shrinks by 1/(1+r) a sample. A number >= 0. Default 0.00003. */
  readonly regularization?: number;
  /**
   * a dictionary for each tracking function, in place of one for all three: more memory, fewer errors where
   * the boundary moves fast. True or false. Default false.
   */
  readonly apart?: boolean;
}

/** Options of `Qkrls`: `qkrls`, Quantized kernel recursive least squares. */
export interface QkrlsOptions
  extends Shared<"dimension" | "budget" | "kernel" | "storage" | "ranges" | "epsilon" | "reach" | "outlierLimit" | "staleAfter"> {
  /**
   * gamma, weight of |f|^2, at least 10 budget 2^-24, which is what float32 resolves. A number > 0. Default
   * 0.01.
   */
  readonly regularization?: number;
  /**
   * samples of a centre after which its row of the factor is recomputed. A whole number >= 1 and <=
   * 2147483648. Default 16.
   */
  readonly refresh?: number;
}

/** Options of `Qklms`: `qklms`, Quantized kernel least mean squares. */
export interface QklmsOptions
  extends Shared<"dimension" | "budget" | "kernel" | "storage" | "ranges" | "epsilon" | "reach" | "outlierLimit" | "staleAfter"> {
  /** eta, step size. A number > 0. Default 0.5. */
  readonly eta?: number;
  /**
   * when the budget is full and no centre is stale: refuse declines the input; merge merges the centre of
   * least |coefficient| with the nearest of its sign, and the input becomes a centre. If the kernel isn't
   * Gaussian, merge is refuse. One of refuse, merge. Default "refuse".
   */
  readonly evict?: "refuse" | "merge";
}

/** Options of `Qkapa`: `qkapa`, Quantized kernel affine projection. */
export interface QkapaOptions
  extends Shared<"dimension" | "budget" | "kernel" | "epsilon" | "reach" | "outlierLimit" | "staleAfter"> {
  /** eta, step size; in mode gradient stable below 2/W for a Gaussian. A number > 0. Default 0.08. */
  readonly eta?: number;
  /**
   * W, sliding window: latest samples that each step projects on. A whole number >= 1 and <= 256. Default 20.
   */
  readonly windowSize?: number;
  /**
   * a step down the gradient of the window's errors (KAPA-1), or Newton's step (KAPA-2). One of gradient,
   * newton. Default "gradient".
   */
  readonly mode?: "gradient" | "newton";
  /** mode newton: added to the diagonal of the window's kernel matrix. A number > 0. Default 0.1. */
  readonly regularization?: number;
}

/** Options of `KrlsAld`: `krls-ald`, Kernel recursive least squares, ALD. */
export interface KrlsAldOptions
  extends Shared<"dimension" | "budget" | "kernel" | "outlierLimit" | "staleAfter"> {
  /**
   * nu, threshold on the squared residual delta: an input is stored if delta > nu. A number >= 0. Default
   * 0.04.
   */
  readonly nu?: number;
}

/** Options of `KrlsNovelty`: `krls-novelty`, KRLS, simple discard by novelty. */
export interface KrlsNoveltyOptions
  extends Shared<"dimension" | "budget" | "kernel" | "outlierLimit" | "staleAfter" | "regularization"> {
  /** delta_1, distance from the nearest centre beyond which an input is novel. A number >= 0. Default 0.3. */
  readonly noveltyDistance?: number;
  /** delta_2, magnitude of the a priori error beyond which it is. A number >= 0. Default 0.1. */
  readonly noveltyError?: number;
}

/** Options of `KrlsSurprise`: `krls-surprise`, KRLS, simple discard by surprise. */
export interface KrlsSurpriseOptions
  extends Shared<"dimension" | "budget" | "kernel" | "outlierLimit" | "staleAfter" | "regularization"> {
  /**
   * T_1, surprise above which a sample is abnormal. With a T_1 below 0, such as the paper's -0.1, inputs far
   * from all centres are abnormal, too. A number. Default 200.
   */
  readonly abnormalAbove?: number;
  /** T_2, surprise below which a sample is redundant; at most T_1. A number. Default -1. */
  readonly redundantBelow?: number;
}

/** Options of `KrlsAldDiscard`: `krls-ald-discard`, KRLS, simple discard by ALD. */
export interface KrlsAldDiscardOptions
  extends Shared<"dimension" | "budget" | "kernel" | "outlierLimit" | "staleAfter" | "regularization"> {
  /** nu, threshold on the residual r: an input is stored if r > nu. A number >= 0. Default 0.04. */
  readonly nu?: number;
}

/** Options of `KrlsT`: `krls-t`, Kernel recursive least-squares tracker. */
export interface KrlsTOptions extends Shared<"dimension" | "kernel" | "outlierLimit" | "staleAfter"> {
  /** stored vectors there is room for. A whole number >= 1 and <= 4096. Default 40. */
  readonly budget?: number;
  /**
   * lambda, share of what is known of f that a label later is still known; 1: no forgetting. A number > 0.5
   * and <= 1. Default 0.998.
   */
  readonly forgetting?: number;
  /**
   * models side by side, weighed by how well each predicts: 3: lambda is 1, `forgetting` and its tenth power;
   * 2: without the last; 1: `forgetting` alone. A whole number >= 1 and <= 3. Default 3.
   */
  readonly rates?: number;
  /** s, variance of a label's noise, as a share of f's variance. A number > 0. Default 0.02. */
  readonly noise?: number;
  /**
   * nu, threshold on the squared residual delta: an input is stored if delta > nu. A number >= 0. Default
   * 0.01.
   */
  readonly nu?: number;
}

/** Options of `Lol`: `lol`, LOL, local online learning. */
export interface LolOptions
  extends Shared<"dimension" | "budget" | "storage" | "ranges" | "prototypes" | "count" | "classes" | "sources"> {
  /**
   * C, weight of the loss and largest step; 0: from the errors, 0.1 / d to 2 / d. A number >= 0. Default 0.
   */
  readonly C?: number;
  /** lambda, weight of |w|^2: how far prototypes have weights of their own. A number > 0. Default 1. */
  readonly lambda?: number;
}

/** Options of `ILol`: `i-lol`, I-LOL, independent local online learning. */
export interface ILolOptions
  extends Shared<"dimension" | "budget" | "storage" | "ranges" | "prototypes" | "count" | "classes" | "sources"> {
  /**
   * C, weight of the loss and largest step; 0: from the errors, 0.1 / d to 2 / d. A number >= 0. Default 0.
   */
  readonly C?: number;
}

/** Options of `PassiveAggressive`: `pa`, Passive-aggressive, PA-I, linear. */
export interface PassiveAggressiveOptions extends Shared<"dimension" | "bias" | "classes"> {
  /**
   * C, weight of the loss and largest step; 0: from the errors, 0.1 / d to 2 / d. A number >= 0. Default 0.
   */
  readonly C?: number;
}

/** Options of `Perceptron`: `perceptron`, Perceptron, linear. */
export interface PerceptronOptions extends Shared<"dimension"> {
  /** eta, step size. A number > 0. Default 1. */
  readonly eta?: number;
  /**
   * T, samples in which the step shrinks by a factor e: eta exp(-t/T) at the t-th; 0 = off: it stays eta. A
   * number >= 0. Default 0.
   */
  readonly decaySamples?: number;
  /** whether f has an offset b. True or false. Default true. */
  readonly bias?: boolean;
  /**
   * limit of inputs' lengths |x|, in multiples of the level that one in 128 exceeds; a larger one is clipped
   * to it; 1e30: no limit. A number >= 1. Default 4.
   */
  readonly outlierLimit?: number;
}

/** Options of `Pegasos`: `pegasos`, Pegasos, linear. */
export interface PegasosOptions extends Shared<"dimension" | "bias"> {
  /** lambda, weight of 1/2 |w|^2; the t-th step is 1/(lambda t). A number > 0. Default 0.01. */
  readonly lambda?: number;
  /**
   * whether w is projected onto |w| <= 1/sqrt(lambda), where the optimum lies. True or false. Default true.
   */
  readonly project?: boolean;
}

/** Options of `ConfidenceWeighted`: `cw`, Confidence-weighted, exact, linear. */
export interface ConfidenceWeightedOptions
  extends Shared<"dimension" | "bias" | "initialVariance" | "covariance" | "confidence"> {
  /**
   * limit of inputs' lengths |x|, in multiples of the level that one in 128 exceeds; a larger one is clipped
   * to it; 1e30: no limit. A number >= 1. Default 4.
   */
  readonly outlierLimit?: number;
}

/** Options of `ConfidenceWeightedVariance`: `cw-var`, Confidence-weighted, variance form, linear. */
export interface ConfidenceWeightedVarianceOptions
  extends Shared<"dimension" | "bias" | "initialVariance" | "covariance" | "confidence"> {
  /**
   * limit of inputs' lengths |x|, in multiples of the level that one in 128 exceeds; a larger one is clipped
   * to it; 1e30: no limit. A number >= 1. Default 4.
   */
  readonly outlierLimit?: number;
}

/** Options of `Scw1`: `scw-1`, Soft confidence-weighted, SCW-I, linear. */
export interface Scw1Options
  extends Shared<"dimension" | "bias" | "initialVariance" | "covariance" | "confidence"> {
  /**
   * limit of inputs' lengths |x|, in multiples of the level that one in 128 exceeds; a larger one is clipped
   * to it; 1e30: no limit. A number >= 1. Default 4.
   */
  readonly outlierLimit?: number;
  /** C, weight of the loss. A number > 0. Default 1. */
  readonly C?: number;
}

/** Options of `Scw2`: `scw-2`, Soft confidence-weighted, SCW-II, linear. */
export interface Scw2Options
  extends Shared<"dimension" | "bias" | "initialVariance" | "covariance" | "confidence"> {
  /**
   * limit of inputs' lengths |x|, in multiples of the level that one in 128 exceeds; a larger one is clipped
   * to it; 1e30: no limit. A number >= 1. Default 4.
   */
  readonly outlierLimit?: number;
  /** C, weight of the loss. A number > 0. Default 1. */
  readonly C?: number;
}

/** Options of `Arow`: `arow`, Adaptive regularization of weights, AROW, linear. */
export interface ArowOptions extends Shared<"dimension" | "bias" | "covariance" | "sources"> {
  /**
   * limit of inputs' lengths |x|, in multiples of the level that one in 128 exceeds; a larger one is clipped
   * to it; 1e30: no limit. A number >= 1. Default 4.
   */
  readonly outlierLimit?: number;
  /**
   * a, variance of each weight at the start, Sigma = a I. With sources the default is at most 10 / dimension.
   * A number > 0. Default 1.
   */
  readonly initialVariance?: number;
  /** r, variance of a margin's noise: the larger, the smaller the steps. A number > 0. Default 1. */
  readonly noiseVariance?: number;
  /**
   * lambda, each label divides Sigma by it, as long as its trace is smaller than at the start; 1: no
   * forgetting. With sources it divides by less, the more often labels are wrong, and the default is 0.997. A
   * number > 0.5 and <= 1. Default 1.
   */
  readonly forgetting?: number;
}

/** Options of `Knn`: `knn`, k nearest neighbours in 8 bits. */
export interface KnnOptions extends Shared<"dimension" | "classes"> {
  /** W, stored samples there is room for. A whole number >= 1 and <= 16384. Default 256. */
  readonly budget?: number;
  /** k, the nearest samples that vote. A whole number >= 1 and <= 64. Default 5. */
  readonly k?: number;
  /**
   * each of them counts the same, and the nearest decides a tie; or each counts 1 / (1 + D), D its squared
   * distance in steps of the grid. One of majority, distance. Default "majority".
   */
  readonly vote?: "majority" | "distance";
  /**
   * the samples that are stored: all, or those that were predicted wrongly. One of all, errors. Default
   * "all".
   */
  readonly keep?: "all" | "errors";
  /**
   * ranges of the components: a value outside counts as the end of the range. A node gives its own ranges, or
   * +-5 if it standardises. [least, largest] of each component, or one of all. Default [[-5,5]].
   */
  readonly ranges?: readonly ComponentRange[];
}

/** Options of `Oskm`: `oskm`, osKM, online stochastic kernel machine. */
export interface OskmOptions extends Shared<"dimension"> {
  /**
   * M = tau + tau_p - 1, samples in the ring; so the window tau is budget - agents + 1. A whole number >= 1
   * and <= 4096. Default 64.
   */
  readonly budget?: number;
  /**
   * kernel k(u, v). {"type":"gaussian","p"|"sigma"|"gamma":width > 0} or {"type":"polynomial","degree":1..16}
   * or {"type":"linear"}. Default {"type":"linear"}.
   */
  readonly kernel?: KernelOption;
  /** tau_p, agents: samples over which a label persists. A whole number >= 1 and <= 4096. Default 10. */
  readonly agents?: number;
  /** tau_e, points at which the agents should agree. A whole number >= 1 and <= 4096. Default 10. */
  readonly agreementPoints?: number;
  /** eta, step size, at most 1/lambda. A number > 0. Default 0.7. */
  readonly eta?: number;
  /** lambda, weight of 1/2 |f|^2. A number >= 0. Default 0.1. */
  readonly lambda?: number;
  /** rho, weight of the agreement. A number >= 0. Default 0.1. */
  readonly rho?: number;
  /** rounds of the alternating directions a sample. A whole number >= 1 and <= 100. Default 3. */
  readonly rounds?: number;
  /**
   * gradient with respect to the function, which without agreement is NORMA's; or to the coefficients, as
   * (15). One of function, coefficients. Default "function".
   */
  readonly mode?: "function" | "coefficients";
  /**
   * the agents agree at the newest samples of all, as (11), or each at its own newest. One of shared, own.
   * Default "shared".
   */
  readonly points?: "shared" | "own";
  /** hinge loss over the window: the sum, as (15), or the mean, as (8). One of sum, mean. Default "sum". */
  readonly loss?: "sum" | "mean";
  /** s_j: the Frobenius norm of (9), or 1. One of frobenius, none. Default "frobenius". */
  readonly norm?: "frobenius" | "none";
}

/** Options of `RlsHmm`: `rls-hmm`, RLS on labels smoothed by a hidden Markov model. */
export interface RlsHmmOptions extends Shared<"dimension" | "bias"> {
  /**
   * limit of inputs' lengths |x|, in multiples of the level that one in 128 exceeds; a larger one is clipped
   * to it; 1e30: no limit. A number >= 1. Default 4.
   */
  readonly outlierLimit?: number;
  /** weight of |w|^2: P = I / regularization at the start. A number > 0. Default 2. */
  readonly regularization?: number;
  /**
   * L, samples whose labels are still revised, the newest included. A whole number >= 1 and <= 64. Default 8.
   */
  readonly lag?: number;
  /**
   * R_0, first value of R, the variance of a label's residual from w.x. A number >= 0.02 and <= 1000000.
   * Default 1.
   */
  readonly initialNoiseVariance?: number;
  /** samples that R_0 weighs as much as. A whole number >= 1 and <= 1000000. Default 20. */
  readonly prior?: number;
  /** most samples over which R is averaged. A whole number >= 1 and <= 1000000. Default 400. */
  readonly horizon?: number;
}

/** Options of `DualRho`: `dual-rho`, Dual ascent with forgetting, fixed step (rho-GA). */
export interface DualRhoOptions
  extends Shared<"dimension" | "budget" | "kernel" | "storage" | "ranges" | "C" | "forget" | "evict" | "sources"> {
  /** rho, step along the gradient. A number > 0. Default 25. */
  readonly rho?: number;
  /**
   * plain: rho, which may overshoot; safe: not beyond the maximum along the gradient nor a bound. One of
   * safe, plain. Default "safe".
   */
  readonly step?: "safe" | "plain";
}

/** Options of `DualAga`: `dual-aga`, Dual ascent with forgetting, adaptive gradient (AGA). */
export interface DualAgaOptions
  extends Shared<"dimension" | "budget" | "kernel" | "storage" | "ranges" | "C" | "forget" | "evict" | "sources"> {
}

/** Options of `DualGreedy`: `dual-greedy`, Dual ascent with forgetting, greedy. */
export interface DualGreedyOptions
  extends Shared<"dimension" | "budget" | "kernel" | "storage" | "ranges" | "C" | "forget" | "evict" | "sources"> {
}

/** Options of `NormaC`: `norma-c`, NORMA, classification. */
export interface NormaCOptions
  extends Shared<"dimension" | "budget" | "kernel" | "storage" | "ranges" | "evict" | "sources"> {
  /** eta, step size, less than 1/lambda; 0: from the errors, 0.1 to 2. A number >= 0. Default 0. */
  readonly eta?: number;
  /**
   * lambda, weight of 1/2 |f|^2: old coefficients shrink by 1 - eta lambda a sample. A number >= 0. Default
   * 0.00006.
   */
  readonly lambda?: number;
  /** rho, margin below which a sample is learned from; with nu, its first value. A number. Default 1. */
  readonly rho?: number;
  /**
   * nu, share of samples to fall short of the margin, which rho then follows; 0 = off: rho is fixed. A number
   * >= 0 and <= 1. Default 0.
   */
  readonly nu?: number;
  /** whether f has an offset b. True or false. Default false. */
  readonly bias?: boolean;
}

/** Options of `NormaR`: `norma-r`, NORMA, regression. */
export interface NormaROptions
  extends Shared<"dimension" | "budget" | "kernel" | "storage" | "ranges" | "evict"> {
  /** eta, step size, less than 1/lambda. A number > 0. Default 0.1. */
  readonly eta?: number;
  /**
   * lambda, weight of 1/2 |f|^2: old coefficients shrink by 1 - eta lambda a sample. A number >= 0. Default
   * 0.0003.
   */
  readonly lambda?: number;
  /**
   * epsilon, half-width of the tube in which nothing is learned; with nu, its first value. A number >= 0.
   * Default 0.1.
   */
  readonly epsilon?: number;
  /**
   * nu, share of samples to lie outside the tube, which epsilon then follows; 0 = off: epsilon is fixed. A
   * number >= 0 and <= 1. Default 0.
   */
  readonly nu?: number;
}

/** Options of `NormaN`: `norma-n`, NORMA, novelty detection. */
export interface NormaNOptions extends Shared<"dimension" | "budget" | "kernel" | "storage" | "ranges"> {
  /** eta, step size; lambda is 1. A number > 0 and < 1. Default 0.1. */
  readonly eta?: number;
  /** rho, first value of the level below which a sample is novel. A number. Default 0. */
  readonly rho?: number;
  /** nu, share of samples to be called novel. A number > 0 and <= 1. Default 0.1. */
  readonly nu?: number;
  /**
   * at the full budget: the oldest vector leaves, the one with the smallest coefficient, the new one is
   * declined, or the one with the smallest coefficient merges with the nearest of its sign; where the kernel
   * isn't Gaussian, merge is oldest. One of oldest, smallest, refuse, merge. Default "oldest".
   */
  readonly evict?: "oldest" | "smallest" | "refuse" | "merge";
}

/** Options of `KernelPerceptron`: `kernel-perceptron`, Kernel perceptron. */
export interface KernelPerceptronOptions
  extends Shared<"dimension" | "budget" | "kernel" | "storage" | "ranges" | "evict" | "sources"> {
  /** eta, coefficient of a vector: scales f, changes no decision. A number > 0. Default 1. */
  readonly eta?: number;
}

/** Options of `KernelPerceptronR`: `kernel-perceptron-r`, Kernel perceptron, regression. */
export interface KernelPerceptronROptions
  extends Shared<"dimension" | "budget" | "kernel" | "storage" | "ranges" | "evict"> {
  /** eta, step size. A number > 0. Default 0.1. */
  readonly eta?: number;
  /** epsilon, half-width of the tube in which nothing is learned. A number >= 0. Default 0.1. */
  readonly epsilon?: number;
}

/** Options of `Forgetron`: `forgetron`, Forgetron, self-tuned. */
export interface ForgetronOptions extends Shared<"dimension" | "budget" | "kernel"> {
}

/** Options of `Projectron`: `projectron`, Projectron. */
export interface ProjectronOptions
  extends Shared<"dimension" | "budget" | "kernel" | "projectionThreshold" | "staleAfter" | "sources"> {
}

/** Options of `ProjectronPlusPlus`: `projectron-pp`, Projectron++. */
export interface ProjectronPlusPlusOptions
  extends Shared<"dimension" | "budget" | "kernel" | "projectionThreshold" | "staleAfter" | "sources"> {
}

/** Options of `Bsgd`: `bsgd`, Budgeted stochastic gradient descent. */
export interface BsgdOptions
  extends Shared<"dimension" | "budget" | "kernel" | "storage" | "ranges" | "sources"> {
  /** lambda, weight of 1/2 |f|^2; 0: 0.1 / sqrt(t) after t samples. A number >= 0. Default 0. */
  readonly lambda?: number;
  /**
   * at the full budget: the vector of least |coefficient| merges with another, for which the kernel must be
   * Gaussian; or it is removed. One of merge, remove. Default "merge".
   */
  readonly maintenance?: "merge" | "remove";
}

/** Options of `Nogd`: `nogd`, Nystroem online gradient descent. */
export interface NogdOptions extends Shared<"dimension" | "budget" | "kernel" | "staleAfter" | "sources"> {
  /** k, eigenvectors of the kernel matrix that are kept. A whole number >= 1 and <= 4096. Default 16. */
  readonly rank?: number;
  /** eta, coefficient of a vector while there is room. A number > 0. Default 0.5. */
  readonly eta?: number;
  /** eta_w, step size of w, on the features z, afterwards. A number > 0. Default 0.5. */
  readonly etaFeatures?: number;
  /**
   * when the kernel matrix is decomposed: spread over the labels after the one that fills the budget; or
   * once, at that label, which takes long. One of spread, once. Default "spread".
   */
  readonly eigenproblem?: "spread" | "once";
}

/** Options of `Fogd`: `fogd`, Fourier online gradient descent. */
export interface FogdOptions extends Shared<"dimension" | "kernel" | "classes" | "sources"> {
  /**
   * D, random frequencies u_i: w has 2 D components, no vectors are stored. A whole number >= 1 and <= 4096.
   * Default 64.
   */
  readonly budget?: number;
  /** eta, step size; z has length sqrt(D); 0: from the errors, 0.1 / D to 2 / D. A number >= 0. Default 0. */
  readonly eta?: number;
  /** seed from which the frequencies are drawn. A whole number >= 0 and <= 2147483647. Default 1. */
  readonly seed?: number;
}
