import { gaussianGamma } from "../kernel/kernel.ts";
import { normal } from "../math/normal.ts";
import { ceil4 } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { Layout, type MemoryRange } from "../memory/layout.ts";
import type { Family } from "./family.ts";
import { COUNT, commonRegions, Learner } from "./learner.ts";
import { dimension, type Given, kernel, real, type Settled, settle, whole } from "./options.ts";

const FOGD_OPTIONS = frozen({
  dimension,
  budget: whole(
    { default: 64, min: 1, max: 4096 },
    "D, random frequencies u_i: w has 2 D components, no vectors are stored",
  ),
  kernel: kernel({ type: "gaussian", p: 1 }),
  eta: real({ default: 0.1, above: 0 }, "eta, step size"),
  seed: whole({ default: 1, min: 0, max: 2147483647 }, "seed from which the frequencies are drawn"),
});

function settleFogd(given: { readonly [name: string]: unknown }): Settled<typeof FOGD_OPTIONS> {
  const settled = settle("fogd", FOGD_OPTIONS, given);
  if (settled.kernel.type !== "gaussian") {
    throw new RangeError(
      `fogd: option kernel: got ${JSON.stringify(settled.kernel)}; takes a Gaussian, whose frequencies can be drawn`,
    );
  }
  return settled;
}

function fogdLayout({ dimension, budget }: Settled<typeof FOGD_OPTIONS>): Layout {
  return new Layout([
    { name: "frequencies", kind: "state", words: ceil4(budget) * dimension },
    { name: "w", kind: "state", words: 2 * budget },
    ...commonRegions(dimension),
    { name: "z", kind: "scratch", words: ceil4(2 * budget) },
  ]);
}

/**
 * Fourier online gradient descent: random features in place of support vectors. For the kernel
 * exp(-gamma |u-v|^2) the frequencies u_i, i = 1..D, are drawn once from the normal distribution of
 * variance 2 gamma, so that z(u).z(v) / D is about the kernel:
 *
 *     z(x) = [cos(u_1.x), sin(u_1.x), cos(u_2.x), ...];   f(x) = w.z(x);   if y f(x) < 1: w += eta y z(x)
 *
 * An x with |u_i.x| > 8192 is refused (`predict`: NaN; `learn`: counted as `overflowed`).
 */
export class Fogd extends Learner {
  private readonly options: Settled<typeof FOGD_OPTIONS>;
  private readonly frequencies = this.layout.at("frequencies", this.range);
  private readonly w = this.layout.at("w", this.range);
  /** Word of z of the input: scratch. */
  private readonly z = this.layout.at("z", this.range);

  constructor(options: Given<typeof FOGD_OPTIONS> & { memory?: MemoryRange }) {
    const settled = settleFogd(options);
    const layout = fogdLayout(settled);
    super("classification", settled.dimension, layout, options.memory ?? layout.ownRange());
    this.options = settled;
    this.draw();
  }

  get size(): number {
    return 0;
  }

  get capacity(): number {
    return 0;
  }

  private draw(): void {
    const { f32, frequencies, dimension, options } = this;
    const deviation = Math.sqrt(2 * gaussianGamma(options.kernel as { p?: number }));
    for (let i = 0; i < options.budget; i++) {
      for (let j = 0; j < dimension; j++) {
        f32.words[frequencies + 4 * dimension * (i >> 2) + 4 * j + (i & 3)] =
          deviation * normal(f32, options.seed, i * dimension + j);
      }
    }
  }

  predict(x: ArrayLike<number>): number {
    if (!this.f32.load(this.input, x, this.dimension)) return Number.NaN;
    const { budget } = this.options;
    this.f32.fourierFeatures(this.z, this.frequencies, this.input, budget, this.dimension);
    const f = this.f32.dot(this.w, this.z, 2 * budget);
    return f - f === 0 ? f : Number.NaN;
  }

  protected update(y: number, decision: number): void {
    const { budget, eta } = this.options;
    if (y * decision >= 1) return;
    if (!this.f32.addScaled(this.w, eta * y, this.z, 2 * budget)) this.tally(COUNT.overflowed);
  }
}

export const FOGD: readonly Family[] = frozen([
  {
    name: "fogd",
    task: "classification",
    title: "Fourier online gradient descent",
    paper:
      "Lu, Hoi, Wang, Zhao, Liu: Large scale online kernel learning. Journal of Machine Learning Research 17, 2016",
    options: FOGD_OPTIONS,
    layout: (given) => fogdLayout(settleFogd(given)),
    create: (given) => new Fogd(given),
  },
]);
