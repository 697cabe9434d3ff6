import { Crc32 } from "./crc32.ts";
import code from "./f32.wasm" with { type: "bytes" };
import { OutOfMemoryError } from "./out-of-memory.ts";
import type { Primitives } from "./primitives.ts";
import { WasmCalls, type WasmFunctions } from "./wasm-calls.ts";

// Types of WebAssembly, as far as used: TypeScript has them only together with a browser's.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => WasmModule;
  Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  Instance: new (module: WasmModule, imports: object) => { readonly exports: unknown };
};

declare const compiled: unique symbol;
/** The compiled module: one serves any number of memories. */
export interface WasmModule {
  readonly [compiled]: true;
}

interface Exports extends WasmFunctions {
  readonly __heap_base: { readonly value: number };
}

const PAGE = 65536;
/** The offset of a byte is a signed 32-bit number in C. */
const BYTES_MAX = 0x7ffe0000;

/** Compiles the module. Throws where the engine has no WebAssembly, or none with vectors. */
export function compileWasm(): WasmModule {
  return new WebAssembly.Module(code);
}

/** A memory with room for that many bytes and the stack, which never grows. */
function reserve(bytes: number): InstanceType<typeof WebAssembly.Memory> {
  const pages = Math.ceil((bytes + PAGE) / PAGE);
  try {
    if (bytes <= BYTES_MAX) return new WebAssembly.Memory({ initial: pages, maximum: pages });
  } catch {
    // The engine has no room: reported below, as for too many bytes.
  }
  throw new OutOfMemoryError(bytes, `; WebAssembly takes at most ${BYTES_MAX}`);
}

/**
 * The primitives in WebAssembly, from f32.c: the bits of `PortableF32`, many times faster on a host. `Primitives` states
 * each. The memory never grows, so its views stay good. Not for a device: XS has no WebAssembly.
 */
export class WasmF32 extends WasmCalls implements Primitives {
  readonly words: Float32Array;
  readonly bits: Uint32Array;
  protected readonly code: Exports;
  /** Bytes that the module doesn't see may lie anywhere. */
  private readonly crc = new Crc32();
  /** Byte at which the words begin: after the stack. */
  protected readonly m: number;

  /** @param bytes of the memory that `words` views, a multiple of 4; zero at first. */
  constructor(module: WasmModule, bytes: number) {
    super();
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
}
