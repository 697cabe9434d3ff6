// Generated from primitives.ts and f32.c by `npm run build:wasm`. Don't edit.
// biome-ignore-all format: as made
import { components } from "./primitives.ts";

/** The primitives of f32.h. */
type Name = [
  "f32_finite", "f32_dot", "f32_add_scaled", "f32_scale", "f32_copy", "f32_argmin", "f32_argmin_magnitude",
  "f32_oldest", "f32_stalest", "f32_store_row", "f32_fetch_row", "f32_store_column", "f32_add_scaled_row",
  "f32_move_row_towards", "f32_inner_products", "f32_block_products", "f32_squared_distances",
  "f32_gaussian_row", "f32_polynomial_row", "f32_gaussian_expansion", "f32_insert_vector",
  "f32_remove_vector", "f32_remove_vector_in_order", "f32_step_expansion", "f32_nearest_row",
  "f32_nearest_bytes", "f32_merge_nearest", "f32_class_scores", "f32_class_step", "f32_fourier_features",
  "f32_hinge_step", "f32_agreement_step", "f32_agree", "f32_aggressiveness", "f32_local_decision",
  "f32_local_step", "f32_window_statistics", "f32_standardise", "f32_centre", "f32_taper",
  "f32_fourier_transform", "f32_goertzel", "f32_symmetric_product", "f32_symmetric_rank_one",
  "f32_diagonal_product", "f32_diagonal_rank_one", "f32_cholesky", "f32_solve_lower",
  "f32_solve_lower_transposed", "f32_delete_factor_row", "f32_solve_unit_lower",
  "f32_solve_unit_lower_transposed", "f32_pivot_product", "f32_delete_unit_factor_row", "f32_exp", "f32_log",
  "f32_cos", "f32_sin",
][number];

/** Each takes the byte at which the words begin, if it works on them, then the primitive's numbers. A boolean comes as 0 or 1. */
export type WasmFunctions = { readonly [name in Name]: (...numbers: number[]) => number };

/** The primitives that are one call of WebAssembly. */
export abstract class WasmCalls {
  protected abstract readonly code: WasmFunctions;
  /** Byte at which the words begin. */
  protected abstract readonly m: number;

  abstract load(to: number, x: ArrayLike<number>, n: number): boolean;

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
    out: number, rows: number, x: number, slot: number, n: number, size: number, d: number, k: number,
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
    out: number, rows: number, x: number, n: number, d: number, offset: number, degree: number,
  ): void {
    this.code.f32_polynomial_row(this.m, out, rows, x, n, d, offset, degree);
  }

  gaussianExpansion(
    to: number, x: ArrayLike<number>, set: number, m: number, d: number, gamma: number, rule: number,
    term: number, scale: number,
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
    set: number, m: number, d: number, keep: number, x: number, a: number, leaving: number, threshold: number,
    counts: number, gamma: number,
  ): void {
    this.code.f32_step_expansion(this.m, set, m, d, keep, x, a, leaving, threshold, counts, gamma);
  }

  nearestRow(out: number, rows: number, x: number, n: number, d: number): number {
    return this.code.f32_nearest_row(this.m, out, rows, x, n, d);
  }

  nearestBytes(out: number, rows: number, x: number, n: number, w: number, k: number): number {
    return this.code.f32_nearest_bytes(this.m, out, rows, x, n, w, k);
  }

  mergeNearest(
    out: number, rows: number, coefficients: number, n: number, d: number, x: number, a: number,
    gamma: number,
  ): number {
    return this.code.f32_merge_nearest(this.m, out, rows, coefficients, n, d, x, a, gamma);
  }

  classScores(to: number, set: number, m: number, d: number, k: number, scale: number): number {
    return this.code.f32_class_scores(this.m, to, set, m, d, k, scale);
  }

  classStep(
    to: number, set: number, m: number, d: number, k: number, y: number, gamma: number, self: number,
    keep: number, size: number, level: number, most: number, ties: number, leaving: number, threshold: number,
    counts: number,
  ): void {
    this.code.f32_class_step(
      this.m, to, set, m, d, k, y, gamma, self, keep, size, level, most, ties, leaving, threshold, counts,
    );
  }

  fourierFeatures(out: number, rows: number, x: number, n: number, d: number): void {
    this.code.f32_fourier_features(this.m, out, rows, x, n, d);
  }

  hingeStep(
    to: number, y: number, f: number, slot: number, n: number, size: number, margin: number, step: number,
  ): void {
    this.code.f32_hinge_step(this.m, to, y, f, slot, n, size, margin, step);
  }

  agreementStep(
    to: number, p: number, v: number, u: number, slot: number, n: number, size: number, step: number,
  ): void {
    this.code.f32_agreement_step(this.m, to, p, v, u, slot, n, size, step);
  }

  agree(v: number, u: number, p: number, n: number, agents: number, stride: number): void {
    this.code.f32_agree(this.m, v, u, p, n, agents, stride);
  }

  aggressiveness(at: number, y: number, f: number, k: number): number {
    return this.code.f32_aggressiveness(this.m, at, y, f, k);
  }

  localDecision(to: number, x: ArrayLike<number>, set: number, m: number, d: number, k: number): number {
    if (!this.load(to, x, components(d))) return Number.NaN;
    return this.code.f32_local_decision(this.m, to, set, m, d, k);
  }

  localStep(
    to: number, set: number, m: number, d: number, k: number, y: number, share: number, C: number,
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
