// Generated from primitives.ts and f32.c by `npm run build:wasm`. Don't edit.
// biome-ignore-all format: as made
import type { BoundArguments } from "../../src/math/bound.ts";
import type { BoundCall, Primitives } from "../../src/math/primitives.ts";
import type { Ledger, LedgerSource } from "../../src/node/ledger.ts";
import type { FrameBytes, FrameSource } from "../../src/wire/frame-bytes.ts";
import { NATIVE_FRAMES } from "./native-frames.ts";
import { nativeLedger } from "./native-ledger.ts";

/** Methods of native-f32.c, which finds the memory by `this`, whose first property is `words`. */
class NativeF32 implements Primitives, FrameSource, LedgerSource {
  readonly words: Float32Array;
  readonly bits: Uint32Array;

  constructor(buffer: ArrayBuffer) {
    this.words = new Float32Array(buffer);
    this.bits = new Uint32Array(buffer);
  }

  get frames(): FrameBytes {
    return NATIVE_FRAMES;
  }

  ledger(at: number): Ledger {
    return nativeLedger(this, at);
  }

  load(to: number, x: ArrayLike<number>, n: number): boolean {
    return native("motelearn_load").call(this, to, x, n);
  }

  gaussianExpansion(
    to: number, x: ArrayLike<number>, set: number, m: number, d: number, gamma: number, rule: number,
    term: number, scale: number,
  ): number {
    return native("motelearn_gaussianExpansion").call(this, to, x, set, m, d, gamma, rule, term, scale);
  }

  stepExpansion(
    set: number, m: number, d: number, keep: number, x: number, a: number, leaving: number, threshold: number,
    counts: number, gamma: number,
  ): void {
    native("motelearn_stepExpansion").call(this, set, m, d, keep, x, a, leaving, threshold, counts, gamma);
  }

  localDecision(to: number, x: ArrayLike<number>, set: number, m: number, d: number, k: number): number {
    return native("motelearn_localDecision").call(this, to, x, set, m, d, k);
  }

  localStep(
    to: number, set: number, m: number, d: number, k: number, y: number, share: number, C: number,
    before: number,
  ): number {
    return native("motelearn_localStep").call(this, to, set, m, d, k, y, share, C, before);
  }

  crc32(bytes: Uint8Array, from: number, to: number, before: number): number {
    return native("motelearn_crc32").call(this, bytes, from, to, before);
  }

  finite(a: number, n: number): boolean {
    return native("motelearn_finite").call(this, a, n);
  }

  dot(a: number, b: number, n: number): number {
    return native("motelearn_dot").call(this, a, b, n);
  }

  addScaled(y: number, s: number, x: number, n: number): boolean {
    return native("motelearn_addScaled").call(this, y, s, x, n);
  }

  scale(x: number, s: number, n: number): void {
    native("motelearn_scale").call(this, x, s, n);
  }

  copy(to: number, from: number, n: number): void {
    native("motelearn_copy").call(this, to, from, n);
  }

  argmin(a: number, n: number): number {
    return native("motelearn_argmin").call(this, a, n);
  }

  argminMagnitude(a: number, n: number): number {
    return native("motelearn_argminMagnitude").call(this, a, n);
  }

  oldest(b: number, now: number, n: number): number {
    return native("motelearn_oldest").call(this, b, now, n);
  }

  stalest(last: number, uses: number, now: number, after: number, n: number): number {
    return native("motelearn_stalest").call(this, last, uses, now, after, n);
  }

  storeRow(rows: number, i: number, x: number, d: number): void {
    native("motelearn_storeRow").call(this, rows, i, x, d);
  }

  fetchRow(x: number, rows: number, i: number, d: number): void {
    native("motelearn_fetchRow").call(this, x, rows, i, d);
  }

  storeColumn(rows: number, j: number, x: number, n: number, d: number): void {
    native("motelearn_storeColumn").call(this, rows, j, x, n, d);
  }

  addScaledRow(rows: number, i: number, s: number, x: number, d: number): boolean {
    return native("motelearn_addScaledRow").call(this, rows, i, s, x, d);
  }

  moveRowTowards(rows: number, i: number, s: number, x: number, d: number): boolean {
    return native("motelearn_moveRowTowards").call(this, rows, i, s, x, d);
  }

  innerProducts(out: number, rows: number, x: number, n: number, d: number): void {
    native("motelearn_innerProducts").call(this, out, rows, x, n, d);
  }

  blockProducts(
    out: number, rows: number, x: number, slot: number, n: number, size: number, d: number, k: number,
  ): void {
    native("motelearn_blockProducts").call(this, out, rows, x, slot, n, size, d, k);
  }

  squaredDistances(out: number, rows: number, x: number, n: number, d: number): void {
    native("motelearn_squaredDistances").call(this, out, rows, x, n, d);
  }

  gaussianRow(out: number, rows: number, x: number, n: number, d: number, gamma: number): void {
    native("motelearn_gaussianRow").call(this, out, rows, x, n, d, gamma);
  }

  polynomialRow(
    out: number, rows: number, x: number, n: number, d: number, offset: number, degree: number,
  ): void {
    native("motelearn_polynomialRow").call(this, out, rows, x, n, d, offset, degree);
  }

  insertVector(set: number, m: number, d: number, x: number, a: number): void {
    native("motelearn_insertVector").call(this, set, m, d, x, a);
  }

  removeVector(set: number, m: number, d: number, i: number): void {
    native("motelearn_removeVector").call(this, set, m, d, i);
  }

  removeVectorInOrder(set: number, m: number, d: number, i: number): void {
    native("motelearn_removeVectorInOrder").call(this, set, m, d, i);
  }

  nearestRow(out: number, rows: number, x: number, n: number, d: number): number {
    return native("motelearn_nearestRow").call(this, out, rows, x, n, d);
  }

  nearestBytes(out: number, rows: number, x: number, n: number, w: number, k: number): number {
    return native("motelearn_nearestBytes").call(this, out, rows, x, n, w, k);
  }

  hingeStep(
    to: number, y: number, f: number, slot: number, n: number, size: number, margin: number, step: number,
  ): void {
    native("motelearn_hingeStep").call(this, to, y, f, slot, n, size, margin, step);
  }

  agreementStep(
    to: number, p: number, v: number, u: number, slot: number, n: number, size: number, step: number,
  ): void {
    native("motelearn_agreementStep").call(this, to, p, v, u, slot, n, size, step);
  }

  agree(v: number, u: number, p: number, n: number, agents: number, stride: number): void {
    native("motelearn_agree").call(this, v, u, p, n, agents, stride);
  }

  aggressiveness(at: number, y: number, f: number, k: number): number {
    return native("motelearn_aggressiveness").call(this, at, y, f, k);
  }

  windowStatistics(to: number, ring: number, place: number, n: number, size: number): boolean {
    return native("motelearn_windowStatistics").call(this, to, ring, place, n, size);
  }

  standardise(s: number, x: number, d: number, horizon: number, stepAfter: number): boolean {
    return native("motelearn_standardise").call(this, s, x, d, horizon, stepAfter);
  }

  centre(to: number, x: number, n: number): boolean {
    return native("motelearn_centre").call(this, to, x, n);
  }

  taper(x: number, n: number): void {
    native("motelearn_taper").call(this, x, n);
  }

  fourierTransform(x: number, n: number): void {
    native("motelearn_fourierTransform").call(this, x, n);
  }

  goertzel(x: number, n: number, c: number): number {
    return native("motelearn_goertzel").call(this, x, n, c);
  }

  symmetricProduct(out: number, s: number, x: number, n: number): void {
    native("motelearn_symmetricProduct").call(this, out, s, x, n);
  }

  symmetricRankOne(s: number, b: number, v: number, n: number): boolean {
    return native("motelearn_symmetricRankOne").call(this, s, b, v, n);
  }

  cholesky(a: number, n: number): boolean {
    return native("motelearn_cholesky").call(this, a, n);
  }

  solveLower(l: number, x: number, n: number): void {
    native("motelearn_solveLower").call(this, l, x, n);
  }

  solveLowerTransposed(l: number, x: number, n: number): void {
    native("motelearn_solveLowerTransposed").call(this, l, x, n);
  }

  deleteFactorRow(l: number, n: number, i: number, b: number, r: number): void {
    native("motelearn_deleteFactorRow").call(this, l, n, i, b, r);
  }

  solveUnitLower(to: number, l: number, x: number, n: number, from: number): void {
    native("motelearn_solveUnitLower").call(this, to, l, x, n, from);
  }

  solveUnitLowerTransposed(to: number, order: number, l: number, x: number, n: number): void {
    native("motelearn_solveUnitLowerTransposed").call(this, to, order, l, x, n);
  }

  pivotProduct(out: number, l: number, x: number, n: number): void {
    native("motelearn_pivotProduct").call(this, out, l, x, n);
  }

  deleteUnitFactorRow(l: number, n: number, p: number, b: number, s: number): number {
    return native("motelearn_deleteUnitFactorRow").call(this, l, n, p, b, s);
  }

  diagonalProduct(out: number, s: number, x: number, n: number): void {
    native("motelearn_diagonalProduct").call(this, out, s, x, n);
  }

  diagonalRankOne(s: number, b: number, v: number, n: number): boolean {
    return native("motelearn_diagonalRankOne").call(this, s, b, v, n);
  }

  mergeNearest(
    out: number, rows: number, coefficients: number, n: number, d: number, x: number, a: number,
    gamma: number,
  ): number {
    return native("motelearn_mergeNearest").call(this, out, rows, coefficients, n, d, x, a, gamma);
  }

  fourierFeatures(out: number, rows: number, x: number, n: number, d: number): void {
    native("motelearn_fourierFeatures").call(this, out, rows, x, n, d);
  }

  classScores(to: number, set: number, m: number, d: number, k: number, scale: number): number {
    return native("motelearn_classScores").call(this, to, set, m, d, k, scale);
  }

  classStep(
    to: number, set: number, m: number, d: number, k: number, y: number, gamma: number, self: number,
    keep: number, size: number, level: number, most: number, ties: number, leaving: number, threshold: number,
    counts: number,
  ): void {
    native("motelearn_classStep").call(
      this, to, set, m, d, k, y, gamma, self, keep, size, level, most, ties, leaving, threshold, counts,
    );
  }

  exp(x: number): number {
    return native("motelearn_exp").call(this, x);
  }

  log(x: number): number {
    return native("motelearn_log").call(this, x);
  }

  cos(x: number): number {
    return native("motelearn_cos").call(this, x);
  }

  sin(x: number): number {
    return native("motelearn_sin").call(this, x);
  }

  bindExpansion(given: BoundArguments): BoundCall {
    return native("motelearn_bindExpansion").call(this, given);
  }

  bindExpansionStep(given: BoundArguments): BoundCall {
    return native("motelearn_bindExpansionStep").call(this, given);
  }

  bindLocal(given: BoundArguments): BoundCall {
    return native("motelearn_bindLocal").call(this, given);
  }

  bindLocalStep(given: BoundArguments): BoundCall {
    return native("motelearn_bindLocalStep").call(this, given);
  }

  bindClasses(given: BoundArguments): BoundCall {
    return native("motelearn_bindClasses").call(this, given);
  }

  bindClassStep(given: BoundArguments): BoundCall {
    return native("motelearn_bindClassStep").call(this, given);
  }

  testBatch(at: number, first: number, hashes: Uint32Array): void {
    native("motelearn_testBatch").call(this, at, first, hashes);
  }
}

/** The primitives of f32.c on the XS of the Moddable SDK. */
export function nativeF32(buffer: ArrayBuffer): Primitives {
  return new NativeF32(buffer);
}
