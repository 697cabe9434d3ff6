import { OutOfMemoryError } from "../src/math/out-of-memory.ts";
import { compileWasm, WasmF32 } from "../src/math/wasm.ts";
import { type Layout, type MemoryRange, portableRange } from "../src/memory/layout.ts";
import { OptionError } from "../src/memory/option-error.ts";

export const ARITHMETICS = ["webassembly", "typescript"] as const;
export type ArithmeticName = (typeof ARITHMETICS)[number];

/** Which implementation of the primitives a program runs on, and memory for it. All give the same bits. */
export interface Arithmetic {
  readonly name: ArithmeticName;
  /** Memory for one layout. The caller zeroes it, as learners and nodes do. */
  allocate(layout: Layout): MemoryRange;
}

/**
 * Size of a memory that small learners and nodes share (each at most a quarter of it). An engine has room for
 * about ten thousand memories, since each reserves addresses. It frees a memory once everything in it is
 * garbage, so one learner in use keeps no more than this from being freed.
 */
const SHARED_BYTES = 1 << 19;
const ALIGNMENT = 16;

const typescript: Arithmetic = { name: "typescript", allocate: portableRange };

/**
 * Takes ranges one after the other from the last memory, and makes a new memory when they no longer fit. If
 * the engine has no addresses left, it takes an ArrayBuffer, with the same results.
 */
class WasmArithmetic implements Arithmetic {
  readonly name = "webassembly";
  private readonly module = compileWasm();
  private memory: WasmF32 | undefined;
  private used = 0;

  allocate(layout: Layout): MemoryRange {
    try {
      return this.reserve(layout);
    } catch (error) {
      if (error instanceof OutOfMemoryError) return portableRange(layout);
      throw error;
    }
  }

  private reserve(layout: Layout): MemoryRange {
    if (layout.bytes > SHARED_BYTES / 4) return layout.range(new WasmF32(this.module, layout.bytes));
    if (!this.memory || this.used + layout.bytes > SHARED_BYTES) {
      this.memory = new WasmF32(this.module, SHARED_BYTES);
      this.used = 0;
    }
    const range = layout.range(this.memory, this.used);
    this.used = (this.used + layout.bytes + ALIGNMENT - 1) & -ALIGNMENT;
    return range;
  }
}

/** The arithmetic of that name; undefined where this engine can't run it. */
export function arithmeticNamed(name: ArithmeticName): Arithmetic | undefined {
  if (name === "typescript") return typescript;
  try {
    return new WasmArithmetic();
  } catch {
    return undefined;
  }
}

function choose(wanted: string | undefined): Arithmetic {
  if (wanted === undefined || wanted === "") return arithmeticNamed("webassembly") ?? typescript;
  const name = ARITHMETICS.find((known) => known === wanted);
  const chosen = name && arithmeticNamed(name);
  if (chosen) return chosen;
  const why = name ? "which this engine can't run" : `takes ${ARITHMETICS.join(" or ")}`;
  throw new OptionError(
    "environment",
    "MOTELEARN_ARITHMETIC",
    wanted,
    ARITHMETICS.join(" or "),
    `MOTELEARN_ARITHMETIC: got ${wanted}; ${why}`,
  );
}

let chosen: Arithmetic | undefined;

/**
 * The arithmetic of this program, chosen once: MOTELEARN_ARITHMETIC's, else WebAssembly where the engine has
 * it.
 */
export function arithmetic(): Arithmetic {
  chosen ??= choose(process.env.MOTELEARN_ARITHMETIC);
  return chosen;
}
