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

/** GPIOs that sensors can be on. */
export interface Pins {
  /** What the SDK's `embedded:io/analog` reads. */
  readonly analog: readonly number[];
  /** Those that can be driven, as a bus must be: not inputs alone, nor what the flash in the module takes. */
  readonly output: readonly number[];
}

export interface Board {
  /** Its core, as Espressif names it. */
  readonly core: string;
  readonly clockHz: number;
  /** The RISC-V instruction set on which costs were measured in its stead, with the chip's floating point. */
  readonly isa: "rv32imafc" | "rv32imac";
  /** What the SDK's own manifest of the board gives: no more than that. */
  readonly most: BoardMemory;
  readonly pins: Pins;
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

function from(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** ESP32 Series Datasheet, "IO Pins": 6-11 are the flash's, 34-39 inputs; 20, 24 and 28-31 don't exist. */
const ESP32_PINS: Pins = {
  analog: [0, 2, 4, ...from(12, 15), ...from(25, 27), ...from(32, 39)],
  output: [...from(0, 5), ...from(12, 19), ...from(21, 23), ...from(25, 27), 32, 33],
};

/** ESP32-S3 Series Datasheet, "IO Pins": 26-32 are the flash's, 22-25 don't exist. */
const ESP32S3_PINS: Pins = { analog: from(1, 20), output: [...from(0, 21), ...from(33, 48)] };

/** ESP32-C3 Series Datasheet, "IO Pins": 11 feeds the flash, 12-17 are its. */
const ESP32C3_PINS: Pins = { analog: from(0, 4), output: [...from(0, 10), ...from(18, 21)] };

/**
 * The boards to plan for, by target. Memory: the SDK's manifests of nodemcu, ESP32-S3 and -C3 boards. Analog pins:
 * `gADCMap` and `gADC2Map` in its modules/io/analog/esp32/_analog.c.
 */
export const BOARDS = {
  esp32: { core: "Xtensa LX6", clockHz: 240e6, isa: "rv32imafc", most: PARTS, pins: ESP32_PINS },
  esp32s3: { core: "Xtensa LX7", clockHz: 240e6, isa: "rv32imafc", most: PARTS, pins: ESP32S3_PINS },
  esp32c3: { core: "RV32IMC", clockHz: 160e6, isa: "rv32imac", most: ONE_BLOCK, pins: ESP32C3_PINS },
} as const satisfies { readonly [target: string]: Board };

export type Target = keyof typeof BOARDS;

/** Bytes of JavaScript's whole memory on a target's boards. */
export function memoryBytes(target: Target): number {
  const { static: block, chunk, heap, stack }: BoardMemory = BOARDS[target].most;
  return block || chunk.initial + SLOT_BYTES * (heap.initial + stack);
}
