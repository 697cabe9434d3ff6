import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";

/**
 * A kernel as an option. The Gaussian's width is given in exactly one of three forms, each named as in its paper:
 * `p`: exp(-|u-v|^2 / p^2) (OLK); `sigma`: exp(-|u-v|^2 / (2 sigma^2)) (QKRLS, forgetting dual ascent);
 * `gamma`: exp(-gamma |u-v|^2). With `width: "auto"` in their place sigma is found from the first inputs, see `WidthProbe`.
 * The polynomial is (offset + u.v)^degree, offset = 1 unless given.
 */
export type KernelOption =
  | {
      /** The Gaussian of the distance between two vectors. Its width is exactly one of the keys below. */
      readonly type: "gaussian";
      /** Width in exp(-|u-v|^2 / p^2), in the units of the features, > 0. */
      readonly p?: number;
      /** Width in exp(-|u-v|^2 / (2 sigma^2)), in the units of the features, > 0. */
      readonly sigma?: number;
      /** Factor in exp(-gamma |u-v|^2), 1 / the features' units squared, > 0. */
      readonly gamma?: number;
      /** The node finds sigma from its first inputs. */
      readonly width?: "auto";
    }
  | {
      /** (offset + u.v)^degree */
      readonly type: "polynomial";
      /** A whole number, 1..16. */
      readonly degree: number;
      /** -1e6..1e6; default 1. */
      readonly offset?: number;
    }
  | {
      /** u.v */
      readonly type: "linear";
    };

/** Kernel values against stored rows. All offsets are in words; `out` takes ceil4(n) words. */
export interface Kernel {
  /** out_i = k(row i, x), i < n. */
  row(out: number, rows: number, x: number, n: number): void;
  /** k(x, x), float32. */
  self(x: number): number;
}

export class Gaussian implements Kernel {
  constructor(
    private readonly f32: Primitives,
    private readonly form: number,
    readonly gamma: number,
  ) {}

  row(out: number, rows: number, x: number, n: number): void {
    this.f32.gaussianRow(out, rows, x, n, this.form, this.gamma);
  }

  self(): number {
    return 1;
  }
}

/**
 * gamma of a Gaussian as wide as half the median distance between standard normal vectors: 2 over the median squared distance, which is
 * 2 (d - .6), within 2 % from d = 2 on.
 */
export function gammaOfNormal(dimension: number): number {
  return 1 / (dimension - 0.6);
}

/** A Gaussian whose sigma lies in the word `width`. */
export class FoundGaussian implements Kernel {
  constructor(
    private readonly f32: Primitives,
    private readonly form: number,
    private readonly width: number,
  ) {}

  /** Infinity until the learner finds sigma. */
  get gamma(): number {
    const sigma = this.f32.words[this.width];
    return 1 / (2 * sigma * sigma);
  }

  row(out: number, rows: number, x: number, n: number): void {
    this.f32.gaussianRow(out, rows, x, n, this.form, this.gamma);
  }

  self(): number {
    return 1;
  }
}

class Polynomial implements Kernel {
  constructor(
    private readonly f32: Primitives,
    private readonly dimension: number,
    readonly degree: number,
    readonly offset: number,
  ) {}

  row(out: number, rows: number, x: number, n: number): void {
    this.f32.polynomialRow(out, rows, x, n, this.dimension, this.offset, this.degree);
  }

  self(x: number): number {
    const base = Math.fround(Math.fround(this.offset) + this.f32.dot(x, x, this.dimension));
    let power = base;
    for (let p = 1; p < this.degree; p++) power = Math.fround(power * base);
    return power;
  }
}

export class Linear implements Kernel {
  constructor(
    private readonly f32: Primitives,
    private readonly dimension: number,
  ) {}

  row(out: number, rows: number, x: number, n: number): void {
    this.f32.innerProducts(out, rows, x, n, this.dimension);
  }

  self(x: number): number {
    return this.f32.dot(x, x, this.dimension);
  }
}

/** gamma of a Gaussian option, in double precision; NaN unless exactly one width is given. */
export function gaussianGamma(option: {
  readonly p?: number;
  readonly sigma?: number;
  readonly gamma?: number;
}): number {
  const { p, sigma, gamma } = option;
  const options = (p === undefined ? 0 : 1) + (sigma === undefined ? 0 : 1) + (gamma === undefined ? 0 : 1);
  if (options !== 1) return Number.NaN;
  if (p !== undefined) return 1 / (p * p);
  if (sigma !== undefined) return 1 / (2 * sigma * sigma);
  return gamma as number;
}

/** True if the option asks for a width from the first inputs. */
export function findsWidth(option: KernelOption): boolean {
  return option.type === "gaussian" && option.width !== undefined;
}

/** The kernel of a checked option (see `kernelFault`), for rows of this form. Only a Gaussian takes rows of 16 bits. */
export function makeKernel(f32: Primitives, form: number, option: KernelOption): Kernel {
  if (option.type === "linear") return new Linear(f32, form);
  if (option.type === "polynomial") return new Polynomial(f32, form, option.degree, option.offset ?? 1);
  return new Gaussian(f32, form, gaussianGamma(option));
}

/** The keys of each kernel's option, and of a Gaussian's with a width to find. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = frozen({
  gaussian: ["type", "p", "sigma", "gamma"],
  polynomial: ["type", "degree", "offset"],
  linear: ["type"],
});
const FINDING: readonly string[] = frozen([...ALLOWED.gaussian, "width"]);

/**
 * Checks a kernel option. Returns undefined if it is valid, else a text that says what would be right. `width: "auto"` is
 * valid only for a learner that can find a width.
 */
export function kernelFault(option: unknown, auto = false): string | undefined {
  const found = auto ? ` or {"type":"gaussian","width":"auto"}` : "";
  const form = `{"type":"gaussian","p"|"sigma"|"gamma":width > 0}${found} or {"type":"polynomial","degree":1..16} or {"type":"linear"}`;
  if (typeof option !== "object" || option === null) return form;
  const options = option as Record<string, unknown>;
  const type = typeof options.type === "string" ? options.type : "";
  if (!Object.hasOwn(ALLOWED, type)) return form;
  const allowed = auto && type === "gaussian" ? FINDING : ALLOWED[type];
  const keys = Object.keys(options);
  for (let i = 0; i < keys.length; i++) if (!allowed.includes(keys[i])) return form;
  if (type === "gaussian" && options.width !== undefined) {
    const alone = options.p === undefined && options.sigma === undefined && options.gamma === undefined;
    return options.width === "auto" && alone ? undefined : form;
  }
  if (type === "gaussian") {
    const gamma = gaussianGamma(options);
    const width = options.p ?? options.sigma ?? options.gamma;
    const whole = typeof width === "number" && width > 0 && Math.fround(gamma) > 0;
    return whole && gamma <= 3.4e38 ? undefined : form;
  }
  if (type === "polynomial") {
    const degree = options.degree;
    const offset = options.offset ?? 1;
    const good = Number.isInteger(degree) && (degree as number) >= 1 && (degree as number) <= 16;
    return good && typeof offset === "number" && Math.abs(offset) <= 1e6 ? undefined : form;
  }
  return undefined;
}
