import { CODE } from "./f32-wasm.ts";
import type { Primitives } from "./primitives.ts";

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
  f32_store_row(m: number, rows: number, i: number, x: number, d: number): void;
  f32_fetch_row(m: number, x: number, rows: number, i: number, d: number): void;
  f32_store_column(m: number, rows: number, j: number, x: number, n: number, d: number): void;
  f32_dot_row(m: number, rows: number, i: number, x: number, d: number): number;
  f32_add_scaled_row(m: number, rows: number, i: number, s: number, x: number, d: number): number;
  f32_move_row_towards(m: number, rows: number, i: number, s: number, x: number, d: number): number;
  f32_inner_products(m: number, out: number, rows: number, x: number, n: number, d: number): void;
  f32_squared_distances(m: number, out: number, rows: number, x: number, n: number, d: number): void;
  f32_gaussian_row(m: number, out: number, rows: number, x: number, n: number, d: number, g: number): void;
  f32_polynomial_row(...[m, out, rows, x, n, d, offset, degree]: number[]): void;
  f32_symmetric_product(m: number, out: number, s: number, x: number, n: number): void;
  f32_symmetric_rank_one(m: number, s: number, b: number, v: number, n: number): number;
  f32_cholesky(m: number, a: number, n: number): number;
  f32_solve_lower(m: number, l: number, x: number, n: number): void;
  f32_solve_lower_transposed(m: number, l: number, x: number, n: number): void;
  f32_invert_factor(m: number, l: number, n: number): void;
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
  throw new RangeError(`memory: allocation failed: ${bytes} bytes; WebAssembly takes at most ${BYTES_MAX}`);
}

/**
 * The primitives in WebAssembly, from f32.c: the bits of `PortableF32`, many times faster on a host. What each does stands
 * in `Primitives`. The memory never grows, so its views stay good. Not for a device: XS has no WebAssembly.
 */
export class WasmF32 implements Primitives {
  readonly words: Float32Array;
  readonly bits: Uint32Array;
  private readonly code: Exports;
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
    for (let j = 0; j < n; j++) words[to + j] = x[j];
    return this.code.f32_finite(this.m, to, n) !== 0;
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

  storeRow(rows: number, i: number, x: number, d: number): void {
    this.code.f32_store_row(this.m, rows, i, x, d);
  }

  fetchRow(x: number, rows: number, i: number, d: number): void {
    this.code.f32_fetch_row(this.m, x, rows, i, d);
  }

  storeColumn(rows: number, j: number, x: number, n: number, d: number): void {
    this.code.f32_store_column(this.m, rows, j, x, n, d);
  }

  dotRow(rows: number, i: number, x: number, d: number): number {
    return this.code.f32_dot_row(this.m, rows, i, x, d);
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

  symmetricProduct(out: number, s: number, x: number, n: number): void {
    this.code.f32_symmetric_product(this.m, out, s, x, n);
  }

  symmetricRankOne(s: number, b: number, v: number, n: number): boolean {
    return this.code.f32_symmetric_rank_one(this.m, s, b, v, n) !== 0;
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

  invertFactor(l: number, n: number): void {
    this.code.f32_invert_factor(this.m, l, n);
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
