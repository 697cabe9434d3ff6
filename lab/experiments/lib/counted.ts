import { type Layout, type MemoryRange, PortableF32, type Primitives } from "../../../src/index.ts";

/** Multiplications, divisions and roots of a primitive, given its arguments after the offsets that come first. */
type Products = (options: readonly number[], size: number) => number;

const triangle = (n: number) => (n * (n + 1)) / 2;

/** `size`: the dictionary's size, where the primitive finds it in memory. */
const PRODUCTS: { readonly [name: string]: Products } = {
  dot: ([, , n]) => n,
  addScaled: ([, , , n]) => n,
  scale: ([, , n]) => n,
  gaussianRow: ([, , , n, d]) => n * (d + 1),
  gaussianExpansion: ([, , , , d], size) => size * (d + 2),
  nearestRow: ([, , , n, d]) => n * d,
  stepExpansion: (_, size) => size,
  symmetricProduct: ([, , , n]) => n * n,
  symmetricRankOne: ([, , , n]) => 2 * triangle(n),
  solveLower: ([, , n]) => triangle(n),
  solveLowerTransposed: ([, , n]) => triangle(n),
  solveUnitLower: ([, , , n, from]) => triangle(n) - triangle(from),
  solveUnitLowerTransposed: ([, , , , n]) => triangle(n - 1),
  pivotProduct: ([, , , n]) => n,
  deleteUnitFactorRow: ([, n, p]) => 2 * triangle(n - 1 - p) + 5 * (n - 1 - p),
};
/** These only move, compare or look up. */
const FREE = ["load", "finite", "copy", "insertVector", "removeVector", "fetchRow", "storeRow", "exp", "log"];

/** Memory for a layout whose primitives count their multiplications, divisions and roots; memory starts at zero. */
export class CountedMemory {
  readonly range: MemoryRange;
  /** Counted so far. */
  products = 0;
  /** Vectors in the dictionary: to be kept up by who counts. */
  size = 0;

  constructor(layout: Layout) {
    const own = new PortableF32(new ArrayBuffer(layout.bytes));
    this.range = layout.range(
      new Proxy<Primitives>(own, { get: (_, name) => this.property(own, String(name)) }),
    );
  }

  private property(own: PortableF32, name: string): unknown {
    const value = own[name as keyof PortableF32] as unknown;
    if (typeof value !== "function") return value;
    const products = PRODUCTS[name];
    if (!products && !FREE.includes(name)) throw new Error(`what ${name} costs isn't known`);
    return (...options: number[]) => {
      if (products) this.products += products(options, this.size);
      return value.apply(own, options);
    };
  }
}
