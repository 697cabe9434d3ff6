import { Crc32 } from "./crc32.ts";
import { CODE } from "./f32-wasm.ts";
import { OutOfMemoryError } from "./out-of-memory.ts";
import { components, type Primitives } from "./primitives.ts";

// What is used of WebAssembly and of base64: TypeScript has their types only together with a browser's.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => WasmModule;
  Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  Instance: new (module: WasmModule, imports: object) => { readonly exports: unknown };
};
declare function atob(text: string): string;

declare const compiled: unique symbol;
/** The compiled module: one serves any number of memories. */
export interface WasmModule {
  readonly [compiled]: true;
}

/** What f32.h declares; `m` is the byte at which the words begin. A boolean comes as 0 or 1. */
interface Exports {
  readonly __heap_base: { readonly value: number };
  f32_finite(m: number, a: number, n: number): number;
  f32_dot(m: number, a: number, b: number, n: number): number;
  f32_add_scaled(m: number, y: number, s: number, x: number, n: number): number;
  f32_scale(m: number, x: number, s: number, n: number): void;
  f32_copy(m: number, to: number, from: number, n: number): void;
  f32_argmin(m: number, a: number, n: number): number;
  f32_argmin_magnitude(m: number, a: number, n: number): number;
  f32_oldest(m: number, b: number, now: number, n: number): number;
  f32_stalest(...[m, last, uses, now, after, n]: number[]): number;
  f32_store_row(m: number, rows: number, i: number, x: number, d: number): void;
  f32_fetch_row(m: number, x: number, rows: number, i: number, d: number): void;
  f32_store_column(m: number, rows: number, j: number, x: number, n: number, d: number): void;
  f32_add_scaled_row(m: number, rows: number, i: number, s: number, x: number, d: number): number;
  f32_move_row_towards(m: number, rows: number, i: number, s: number, x: number, d: number): number;
  f32_inner_products(m: number, out: number, rows: number, x: number, n: number, d: number): void;
  f32_block_products(...[m, out, rows, x, slot, n, size, d, k]: number[]): void;
  f32_squared_distances(m: number, out: number, rows: number, x: number, n: number, d: number): void;
  f32_gaussian_row(m: number, out: number, rows: number, x: number, n: number, d: number, g: number): void;
  f32_polynomial_row(...[m, out, rows, x, n, d, offset, degree]: number[]): void;
  f32_gaussian_expansion(...[m, x, set, c, d, gamma, rule, term, scale]: number[]): number;
  f32_insert_vector(m: number, set: number, c: number, d: number, x: number, a: number): void;
  f32_remove_vector(m: number, set: number, c: number, d: number, i: number): void;
  f32_remove_vector_in_order(m: number, set: number, c: number, d: number, i: number): void;
  f32_step_expansion(...[m, set, c, d, keep, x, a, leaving, threshold, counts, gamma]: number[]): void;
  f32_nearest_row(m: number, out: number, rows: number, x: number, n: number, d: number): number;
  f32_merge_nearest(...[m, out, rows, coefficients, n, d, x, a, gamma]: number[]): number;
  f32_class_scores(...[m, to, set, c, d, k, scale]: number[]): number;
  f32_class_step(
    ...[
      m,
      to,
      set,
      c,
      d,
      k,
      y,
      gamma,
      self,
      keep,
      size,
      level,
      most,
      ties,
      leaving,
      threshold,
      counts,
    ]: number[]
  ): void;
  f32_fourier_features(m: number, out: number, rows: number, x: number, n: number, d: number): void;
  f32_hinge_step(...[m, to, y, f, slot, n, size, margin, step]: number[]): void;
  f32_agreement_step(...[m, to, p, v, u, slot, n, size, step]: number[]): void;
  f32_agree(...[m, v, u, p, n, agents, stride]: number[]): void;
  f32_local_decision(m: number, to: number, set: number, c: number, d: number, k: number): number;
  f32_local_step(...[m, to, set, c, d, k, y, share, C, before]: number[]): number;
  f32_window_statistics(...[m, to, ring, place, n, size]: number[]): number;
  f32_standardise(...[m, s, x, d, horizon, stepAfter]: number[]): number;
  f32_centre(m: number, to: number, x: number, n: number): number;
  f32_taper(m: number, x: number, n: number): void;
  f32_fourier_transform(m: number, x: number, n: number): void;
  f32_goertzel(m: number, x: number, n: number, c: number): number;
  f32_symmetric_product(m: number, out: number, s: number, x: number, n: number): void;
  f32_symmetric_rank_one(m: number, s: number, b: number, v: number, n: number): number;
  f32_diagonal_product(...[m, out, s, x, n]: number[]): void;
  f32_diagonal_rank_one(...[m, s, b, v, n]: number[]): number;
  f32_cholesky(m: number, a: number, n: number): number;
  f32_solve_lower(m: number, l: number, x: number, n: number): void;
  f32_solve_lower_transposed(m: number, l: number, x: number, n: number): void;
  f32_delete_factor_row(...[m, l, n, i, b, r]: number[]): void;
  f32_solve_unit_lower(...[m, to, l, x, n, from]: number[]): void;
  f32_solve_unit_lower_transposed(...[m, to, order, l, x, n]: number[]): void;
  f32_pivot_product(...[m, out, l, x, n]: number[]): void;
  f32_delete_unit_factor_row(...[m, l, n, p, b, s]: number[]): number;
  f32_exp(x: number): number;
  f32_log(x: number): number;
  f32_cos(x: number): number;
  f32_sin(x: number): number;
}

const PAGE = 65536;
/** The offset of a byte is a signed 32-bit number in C. */
const BYTES_MAX = 0x7ffe0000;

/** Compiles the module. Throws where the engine has no WebAssembly, or none with vectors. */
export function compileWasm(): WasmModule {
  return new WebAssembly.Module(Uint8Array.from(atob(CODE), (character) => character.charCodeAt(0)));
}

/** A memory with room for that many bytes and the stack, which never grows. */
function reserve(bytes: number): InstanceType<typeof WebAssembly.Memory> {
  const pages = Math.ceil((bytes + PAGE) / PAGE);
  try {
    if (bytes <= BYTES_MAX) return new WebAssembly.Memory({ initial: pages, maximum: pages });
  } catch {
    // The engine has no room: said below, as for too many.
  }
  throw new OutOfMemoryError(bytes, `; WebAssembly takes at most ${BYTES_MAX}`);
}

/**
 * The primitives in WebAssembly, from f32.c: the bits of `PortableF32`, many times faster on a host. What each does stands
 * in `Primitives`. The memory never grows, so its views stay good. Not for a device: XS has no WebAssembly.
 */
export class WasmF32 implements Primitives {
  readonly words: Float32Array;
  readonly bits: Uint32Array;
  private readonly code: Exports;
  /** Bytes that the module doesn't see may lie anywhere. */
  private readonly crc = new Crc32();
  /** Byte at which the words begin: after the stack. */
  private readonly m: number;

  /** @param bytes of the memory that `words` views, a multiple of 4; zero at first. */
  constructor(module: WasmModule, bytes: number) {
    const memory = reserve(bytes);
    this.code = new WebAssembly.Instance(module, { env: { memory } }).exports as Exports;
    this.m = (this.code.__heap_base.value + 15) & ~15;
    this.words = new Float32Array(memory.buffer, this.m, bytes >> 2);
    this.bits = new Uint32Array(memory.buffer, this.m, bytes >> 2);
  }

  load(to: number, x: ArrayLike<number>, n: number): boolean {
    const { words } = this;
    if (x.length !== n) return false;
    for (let j = 0; j < n; j++) words[to + j] = x[j];
    return this.code.f32_finite(this.m, to, n) !== 0;
  }

  crc32(bytes: Uint8Array, from: number, to: number, before: number): number {
    return this.crc.crc32(bytes, from, to, before);
  }

  finite(a: number, n: number): boolean {
    return this.code.f32_finite(this.m, a, n) !== 0;
  }

  dot(a: number, b: number, n: number): number {
    return this.code.f32_dot(this.m, a, b, n);
  }

  addScaled(y: number, s: number, x: number, n: number): boolean {
    return this.code.f32_add_scaled(this.m, y, s, x, n) !== 0;
  }

  scale(x: number, s: number, n: number): void {
    this.code.f32_scale(this.m, x, s, n);
  }

  copy(to: number, from: number, n: number): void {
    this.code.f32_copy(this.m, to, from, n);
  }

  argmin(a: number, n: number): number {
    return this.code.f32_argmin(this.m, a, n);
  }

  argminMagnitude(a: number, n: number): number {
    return this.code.f32_argmin_magnitude(this.m, a, n);
  }

  oldest(b: number, now: number, n: number): number {
    return this.code.f32_oldest(this.m, b, now, n);
  }

  stalest(last: number, uses: number, now: number, after: number, n: number): number {
    return this.code.f32_stalest(this.m, last, uses, now, after, n);
  }

  storeRow(rows: number, i: number, x: number, d: number): void {
    this.code.f32_store_row(this.m, rows, i, x, d);
  }

  fetchRow(x: number, rows: number, i: number, d: number): void {
    this.code.f32_fetch_row(this.m, x, rows, i, d);
  }

  storeColumn(rows: number, j: number, x: number, n: number, d: number): void {
    this.code.f32_store_column(this.m, rows, j, x, n, d);
  }

  addScaledRow(rows: number, i: number, s: number, x: number, d: number): boolean {
    return this.code.f32_add_scaled_row(this.m, rows, i, s, x, d) !== 0;
  }

  moveRowTowards(rows: number, i: number, s: number, x: number, d: number): boolean {
    return this.code.f32_move_row_towards(this.m, rows, i, s, x, d) !== 0;
  }

  innerProducts(out: number, rows: number, x: number, n: number, d: number): void {
    this.code.f32_inner_products(this.m, out, rows, x, n, d);
  }

  blockProducts(
    out: number,
    rows: number,
    x: number,
    slot: number,
    n: number,
    size: number,
    d: number,
    k: number,
  ): void {
    this.code.f32_block_products(this.m, out, rows, x, slot, n, size, d, k);
  }

  squaredDistances(out: number, rows: number, x: number, n: number, d: number): void {
    this.code.f32_squared_distances(this.m, out, rows, x, n, d);
  }

  gaussianRow(out: number, rows: number, x: number, n: number, d: number, gamma: number): void {
    this.code.f32_gaussian_row(this.m, out, rows, x, n, d, gamma);
  }

  polynomialRow(
    out: number,
    rows: number,
    x: number,
    n: number,
    d: number,
    offset: number,
    degree: number,
  ): void {
    this.code.f32_polynomial_row(this.m, out, rows, x, n, d, offset, degree);
  }

  gaussianExpansion(
    to: number,
    x: ArrayLike<number>,
    set: number,
    m: number,
    d: number,
    gamma: number,
    rule: number,
    term: number,
    scale: number,
  ): number {
    if (!this.load(to, x, components(d))) return Number.NaN;
    return this.code.f32_gaussian_expansion(this.m, to, set, m, d, gamma, rule, term, scale);
  }

  insertVector(set: number, m: number, d: number, x: number, a: number): void {
    this.code.f32_insert_vector(this.m, set, m, d, x, a);
  }

  removeVector(set: number, m: number, d: number, i: number): void {
    this.code.f32_remove_vector(this.m, set, m, d, i);
  }

  removeVectorInOrder(set: number, m: number, d: number, i: number): void {
    this.code.f32_remove_vector_in_order(this.m, set, m, d, i);
  }

  stepExpansion(
    set: number,
    m: number,
    d: number,
    keep: number,
    x: number,
    a: number,
    leaving: number,
    threshold: number,
    counts: number,
    gamma: number,
  ): void {
    this.code.f32_step_expansion(this.m, set, m, d, keep, x, a, leaving, threshold, counts, gamma);
  }

  nearestRow(out: number, rows: number, x: number, n: number, d: number): number {
    return this.code.f32_nearest_row(this.m, out, rows, x, n, d);
  }

  mergeNearest(
    out: number,
    rows: number,
    coefficients: number,
    n: number,
    d: number,
    x: number,
    a: number,
    gamma: number,
  ): number {
    return this.code.f32_merge_nearest(this.m, out, rows, coefficients, n, d, x, a, gamma);
  }

  classScores(to: number, set: number, m: number, d: number, k: number, scale: number): number {
    return this.code.f32_class_scores(this.m, to, set, m, d, k, scale);
  }

  classStep(
    to: number,
    set: number,
    m: number,
    d: number,
    k: number,
    y: number,
    gamma: number,
    self: number,
    keep: number,
    size: number,
    level: number,
    most: number,
    ties: number,
    leaving: number,
    threshold: number,
    counts: number,
  ): void {
    this.code.f32_class_step(
      this.m,
      to,
      set,
      m,
      d,
      k,
      y,
      gamma,
      self,
      keep,
      size,
      level,
      most,
      ties,
      leaving,
      threshold,
      counts,
    );
  }

  fourierFeatures(out: number, rows: number, x: number, n: number, d: number): void {
    this.code.f32_fourier_features(this.m, out, rows, x, n, d);
  }

  hingeStep(
    to: number,
    y: number,
    f: number,
    slot: number,
    n: number,
    size: number,
    margin: number,
    step: number,
  ): void {
    this.code.f32_hinge_step(this.m, to, y, f, slot, n, size, margin, step);
  }

  agreementStep(
    to: number,
    p: number,
    v: number,
    u: number,
    slot: number,
    n: number,
    size: number,
    step: number,
  ): void {
    this.code.f32_agreement_step(this.m, to, p, v, u, slot, n, size, step);
  }

  agree(v: number, u: number, p: number, n: number, agents: number, stride: number): void {
    this.code.f32_agree(this.m, v, u, p, n, agents, stride);
  }

  localDecision(to: number, x: ArrayLike<number>, set: number, m: number, d: number, k: number): number {
    if (!this.load(to, x, components(d))) return Number.NaN;
    return this.code.f32_local_decision(this.m, to, set, m, d, k);
  }

  localStep(
    to: number,
    set: number,
    m: number,
    d: number,
    k: number,
    y: number,
    share: number,
    C: number,
    before: number,
  ): number {
    return this.code.f32_local_step(this.m, to, set, m, d, k, y, share, C, before);
  }

  windowStatistics(to: number, ring: number, place: number, n: number, size: number): boolean {
    return this.code.f32_window_statistics(this.m, to, ring, place, n, size) !== 0;
  }

  standardise(s: number, x: number, d: number, horizon: number, stepAfter: number): boolean {
    return this.code.f32_standardise(this.m, s, x, d, horizon, stepAfter) !== 0;
  }

  centre(to: number, x: number, n: number): boolean {
    return this.code.f32_centre(this.m, to, x, n) !== 0;
  }

  taper(x: number, n: number): void {
    this.code.f32_taper(this.m, x, n);
  }

  fourierTransform(x: number, n: number): void {
    this.code.f32_fourier_transform(this.m, x, n);
  }

  goertzel(x: number, n: number, c: number): number {
    return this.code.f32_goertzel(this.m, x, n, c);
  }

  symmetricProduct(out: number, s: number, x: number, n: number): void {
    this.code.f32_symmetric_product(this.m, out, s, x, n);
  }

  symmetricRankOne(s: number, b: number, v: number, n: number): boolean {
    return this.code.f32_symmetric_rank_one(this.m, s, b, v, n) !== 0;
  }

  diagonalProduct(out: number, s: number, x: number, n: number): void {
    this.code.f32_diagonal_product(this.m, out, s, x, n);
  }

  diagonalRankOne(s: number, b: number, v: number, n: number): boolean {
    return this.code.f32_diagonal_rank_one(this.m, s, b, v, n) !== 0;
  }

  cholesky(a: number, n: number): boolean {
    return this.code.f32_cholesky(this.m, a, n) !== 0;
  }

  solveLower(l: number, x: number, n: number): void {
    this.code.f32_solve_lower(this.m, l, x, n);
  }

  solveLowerTransposed(l: number, x: number, n: number): void {
    this.code.f32_solve_lower_transposed(this.m, l, x, n);
  }

  deleteFactorRow(l: number, n: number, i: number, b: number, r: number): void {
    this.code.f32_delete_factor_row(this.m, l, n, i, b, r);
  }

  solveUnitLower(to: number, l: number, x: number, n: number, from: number): void {
    this.code.f32_solve_unit_lower(this.m, to, l, x, n, from);
  }

  solveUnitLowerTransposed(to: number, order: number, l: number, x: number, n: number): void {
    this.code.f32_solve_unit_lower_transposed(this.m, to, order, l, x, n);
  }

  pivotProduct(out: number, l: number, x: number, n: number): void {
    this.code.f32_pivot_product(this.m, out, l, x, n);
  }

  deleteUnitFactorRow(l: number, n: number, p: number, b: number, s: number): number {
    return this.code.f32_delete_unit_factor_row(this.m, l, n, p, b, s);
  }

  exp(x: number): number {
    return this.code.f32_exp(x);
  }

  log(x: number): number {
    return this.code.f32_log(x);
  }

  cos(x: number): number {
    return this.code.f32_cos(x);
  }

  sin(x: number): number {
    return this.code.f32_sin(x);
  }
}
