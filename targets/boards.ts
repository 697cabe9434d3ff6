/** XS memory of a board: one block for chunks, slots and stack (`static`), or a fixed part for each. */
export interface BoardMemory {
  /** Bytes of the one block that all three share; 0: each has its own. */
  readonly static: number;
  /** Bytes of chunks: strings, arrays, buffers. */
  readonly chunk: { readonly initial: number; readonly incremental: number };
  /** Slots of the heap: objects and their properties. */
  readonly heap: { readonly initial: number; readonly incremental: number };
  /** Slots of the stack. */
  readonly stack: number;
}

export interface Board {
  /** Its core, as Espressif names it. */
  readonly core: string;
  readonly clockHz: number;
  /** The RISC-V instruction set on which costs were measured in its stead, with the chip's floating point. */
  readonly isa: "rv32imafc" | "rv32imac";
  /** What the SDK's own manifest of the board gives: no more than that. */
  readonly most: BoardMemory;
}

/** Bytes of an XS slot on a 32-bit chip. */
export const SLOT_BYTES = 16;
/** What the SDK gives the task in which XS runs, besides what the C library adds. */
export const C_STACK_BYTES = 8192;
/** The partition for checkpoints, as moddable/partitions.csv has it: two slots of 256 KB. */
export const PARTITION_BYTES = 0x80000;

const PARTS: BoardMemory = {
  static: 0,
  chunk: { initial: 78_848, incremental: 0 },
  heap: { initial: 4928, incremental: 0 },
  stack: 512,
};

const ONE_BLOCK: BoardMemory = {
  static: 94_208,
  chunk: { initial: 1536, incremental: 512 },
  heap: { initial: 512, incremental: 64 },
  stack: 512,
};

/** The boards to plan for, by target. Memory: the SDK's manifests of nodemcu, ESP32-S3 and -C3 boards. */
export const BOARDS = {
  esp32: { core: "Xtensa LX6", clockHz: 240e6, isa: "rv32imafc", most: PARTS },
  esp32s3: { core: "Xtensa LX7", clockHz: 240e6, isa: "rv32imafc", most: PARTS },
  esp32c3: { core: "RV32IMC", clockHz: 160e6, isa: "rv32imac", most: ONE_BLOCK },
} as const satisfies { readonly [target: string]: Board };

export type Target = keyof typeof BOARDS;

/** Bytes of JavaScript's whole memory on a target's boards. */
export function memoryBytes(target: Target): number {
  const { static: block, chunk, heap, stack }: BoardMemory = BOARDS[target].most;
  return block || chunk.initial + SLOT_BYTES * (heap.initial + stack);
}
