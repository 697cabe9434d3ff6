import type costs from "./costs.json";

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
  /** The pins that the SDK's `embedded:io/analog` reads. */
  readonly analog: readonly number[];
  /** The output pins, which a bus needs: neither input-only pins nor the pins of the module's flash. */
  readonly output: readonly number[];
}

/** A chip's current. */
export interface Power {
  /** Milliamperes while its CPU runs, with every peripheral's clock on. */
  readonly awakeMa: number;
  /** Microamperes in deep sleep, with its timer and RTC memory on. */
  readonly asleepUa: number;
  /** The data sheet with these figures. */
  readonly source: string;
}

/** Bytes of RTC memory that the firmware gives a node: see moddable/deep-sleep.c. */
export const SLEEP_MEMORY_BYTES = 7168;

/** The heap that a chip's Wi-Fi leaves. */
export interface Wifi {
  /** Bytes of heap free once it has an address; undefined where nobody publishes that. */
  readonly heap?: number;
  readonly source?: string;
}

/** Milliseconds in which a board's flash erases a sector of 4 KB. The firmware waits for that. */
export interface Erase {
  readonly usualMs: number;
  readonly mostMs: number;
  /** The data sheet with these figures. */
  readonly source: string;
}

/** How the Moddable SDK builds for a board. */
export interface BoardSdk {
  readonly platform: "esp32" | "pico" | "nrf52";
  /** The SDK's name of the usual board, by which it knows pins and memory; "": the bare platform. */
  readonly board: string;
  /** The usual board with Wi-Fi, where `board` has none. */
  readonly wifiBoard?: string;
  /** The toolchain's objdump. */
  readonly objdump: string;
  /** The package of ESP-IDF with the chip's emulator, Espressif's QEMU. */
  readonly qemu?: `qemu-${string}`;
}

/** A UART that carries the wire: its number and its pins. */
export interface WirePins {
  readonly port: number;
  readonly transmit: number;
  readonly receive: number;
}

/** One target. The files in its folder follow from it: `npm run build:boards`. */
export interface Board {
  /** Its chip or module, as its maker calls it. */
  readonly title: string;
  /** Its core, by its maker's name. */
  readonly core: string;
  readonly clockHz: number;
  /**
   * The emulated chip (emulator/chips.mjs) that stands in for it in measurements: one with its instruction
   * set, or its floating point. A Cortex-M33 takes as many instructions as a Cortex-M4F, to within 0.1 %:
   * `npm run test:device` counts both.
   */
  readonly chip: keyof typeof costs.instructions;
  /** The memory in the SDK's own manifest of the board, which is the most there is. */
  readonly most: BoardMemory;
  readonly pins: Pins;
  readonly sdk: BoardSdk;
  /** The UART of a debug build, beside the debugger's, and the UART of a release. */
  readonly wire: { readonly debug: WirePins; readonly release: WirePins };
  /** The analog pin of the usual sensor. */
  readonly sensor: number;
  /** Bytes of flash for checkpoints, two slots. */
  readonly checkpoints: number;
  readonly erase: Erase;
  /** Milliseconds after which the watchdog restarts a board whose other tasks never run: see moddable/sdkconfig. None: none is on. */
  readonly watchdogMs?: number;
  /** None: the firmware has no deep sleep there. */
  readonly power?: Power;
  /** Its Wi-Fi's figures, where known. */
  readonly wifi?: Wifi;
  /** Pins of the chip's own USB (USB-Serial/JTAG), if it has one. */
  readonly usb?: readonly [number, number];
}

/** Bytes of an XS slot on a 32-bit chip. */
export const SLOT_BYTES = 16;
/**
 * Stack of the task in which XS runs: the SDK's, without what the C library adds; on nrf52 from
 * moddable/manifest.json.
 */
export const C_STACK_BYTES = 8192;
/** CONFIG_ESP_TASK_WDT_TIMEOUT_S of moddable/sdkconfig/sdkconfig.defaults. */
const ESP_WATCHDOG_MS = 5000;
/** Two slots of 256 KB: on ESP32 from moddable/partitions.csv, on pico from moddable/manifest.json. */
const CHECKPOINTS = 0x80000;
/** On nRF52840, from moddable/manifest.json: firmware and checkpoints share 800 KB. */
const NRF52_CHECKPOINTS = 0x10000;

/** Of the modules' flash. */
export const ESP_ERASE: Erase = {
  ...{ usualMs: 70, mostMs: 500 },
  source: "ESP32-C3-MINI-1 Datasheet v2.2, Table 6-8",
};
/** The Pico's flash is a W25Q16JV (its schematic). */
const PICO_ERASE: Erase = {
  ...{ usualMs: 45, mostMs: 400 },
  source: "Winbond W25Q16JV data sheet, AC characteristics, tSE",
};
/** The Pico 2's is a W25Q32RV (Pico 2 data sheet, section 1), whose data sheet we haven't seen. */
const PICO2_ERASE: Erase = {
  ...PICO_ERASE,
  source: "Winbond W25Q16JV data sheet, tSE, taken for the W25Q32RV of a Pico 2",
};
/** The specification has one figure, and the CPU stands still meanwhile. */
const NRF52_ERASE: Erase = {
  ...{ usualMs: 85, mostMs: 85 },
  source: "nRF52840 Product Specification v1.11, NVMC, tERASEPAGE",
};

const PARTS: BoardMemory = {
  static: 0,
  chunk: { initial: 78_848, incremental: 0 },
  heap: { initial: 4928, incremental: 0 },
  stack: 576,
};

const ONE_BLOCK: BoardMemory = {
  static: 94_208,
  chunk: { initial: 1536, incremental: 512 },
  heap: { initial: 512, incremental: 64 },
  stack: 576,
};

const LARGE_BLOCK: BoardMemory = { ...ONE_BLOCK, static: 131_072 };

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

const ESP32_POWER: Power = {
  awakeMa: 68,
  asleepUa: 10,
  source: "ESP32 Series Datasheet v5.2, Table 4-2: modem-sleep at 240 MHz, deep sleep",
};

const ESP32S3_POWER: Power = {
  awakeMa: 65.9,
  asleepUa: 7,
  source: "ESP32-S3-WROOM-1 Datasheet v1.8, Tables 6-6 and 6-7: modem-sleep at 240 MHz, one core; deep sleep",
};

const ESP32C3_POWER: Power = {
  awakeMa: 28,
  asleepUa: 5,
  source: "ESP32-C3-MINI-1 Datasheet v2.2, Tables 6-6 and 6-7: modem-sleep at 160 MHz, deep sleep",
};

/**
 * Espressif's esp-techpedia, "Memory Usage Comparison": example Station with its default sdkconfig, IDF
 * release/v5.5.
 */
function wifiWith(kib: number): Wifi {
  return {
    heap: 1024 * kib,
    source: 'Espressif, esp-techpedia, "Memory Usage Comparison": Station, IDF 5.5',
  };
}

/**
 * nRF52840 Product Specification 1.7, 6.23.2 and 7.1, port 0: 0 and 1 are the crystal's, 9 and 10 NFC's, 18
 * the reset's, 17 and 19 to 23 the development kit's flash.
 */
const NRF52840_PINS: Pins = {
  analog: [2, 3, 4, 5, 28, 29, 30, 31],
  output: [...from(2, 8), ...from(11, 16), ...from(24, 31)],
};

/** RP2040 Datasheet, 1.4.3; RP2350 Datasheet, 1.2.3 (RP2350A): 23 to 25 and 29 are the board's own. */
const PICO_PINS: Pins = { analog: [26, 27, 28], output: [...from(0, 22), ...from(26, 28)] };

/**
 * The boards to plan for, by target. Memory: the SDK's manifests of nodemcu, ESP32-S3 and -C3, of pico and
 * nrf52. Analog pins: its modules/io/analog.
 */
export const BOARDS = {
  esp32: {
    title: "ESP32",
    core: "Xtensa LX6",
    clockHz: 240e6,
    chip: "rv32imafc",
    most: PARTS,
    pins: ESP32_PINS,
    sdk: { platform: "esp32", board: "nodemcu", objdump: "xtensa-esp32-elf-objdump", qemu: "qemu-xtensa" },
    wire: { debug: { port: 1, transmit: 17, receive: 16 }, release: { port: 0, transmit: 1, receive: 3 } },
    sensor: 34,
    checkpoints: CHECKPOINTS,
    erase: ESP_ERASE,
    watchdogMs: ESP_WATCHDOG_MS,
    power: ESP32_POWER,
    wifi: wifiWith(230),
  },
  esp32s3: {
    title: "ESP32-S3",
    core: "Xtensa LX7",
    clockHz: 240e6,
    chip: "rv32imafc",
    most: PARTS,
    pins: ESP32S3_PINS,
    sdk: { platform: "esp32", board: "esp32s3", objdump: "xtensa-esp32s3-elf-objdump", qemu: "qemu-xtensa" },
    wire: { debug: { port: 1, transmit: 17, receive: 18 }, release: { port: 0, transmit: 43, receive: 44 } },
    sensor: 1,
    checkpoints: CHECKPOINTS,
    erase: ESP_ERASE,
    watchdogMs: ESP_WATCHDOG_MS,
    power: ESP32S3_POWER,
    wifi: wifiWith(273),
    usb: [19, 20],
  },
  esp32c3: {
    title: "ESP32-C3",
    core: "RV32IMC",
    clockHz: 160e6,
    chip: "rv32imac",
    most: ONE_BLOCK,
    pins: ESP32C3_PINS,
    sdk: { platform: "esp32", board: "esp32c3", objdump: "riscv32-esp-elf-objdump", qemu: "qemu-riscv32" },
    wire: { debug: { port: 1, transmit: 4, receive: 5 }, release: { port: 0, transmit: 21, receive: 20 } },
    sensor: 0,
    checkpoints: CHECKPOINTS,
    erase: ESP_ERASE,
    watchdogMs: ESP_WATCHDOG_MS,
    power: ESP32C3_POWER,
    wifi: wifiWith(219),
    usb: [18, 19],
  },
  pico: {
    title: "RP2040",
    core: "RP2040: Cortex-M0+",
    clockHz: 125e6,
    chip: "m0plus",
    most: LARGE_BLOCK,
    pins: PICO_PINS,
    sdk: { platform: "pico", board: "", wifiBoard: "pico_w", objdump: "arm-none-eabi-objdump" },
    wire: { debug: { port: 0, transmit: 0, receive: 1 }, release: { port: 0, transmit: 0, receive: 1 } },
    sensor: 26,
    checkpoints: CHECKPOINTS,
    erase: PICO_ERASE,
  },
  pico2: {
    title: "RP2350",
    core: "RP2350: Cortex-M33",
    clockHz: 150e6,
    chip: "m4f",
    most: LARGE_BLOCK,
    pins: PICO_PINS,
    sdk: { platform: "pico", board: "pico_2", wifiBoard: "pico_2_w", objdump: "arm-none-eabi-objdump" },
    wire: { debug: { port: 0, transmit: 0, receive: 1 }, release: { port: 0, transmit: 0, receive: 1 } },
    sensor: 26,
    checkpoints: CHECKPOINTS,
    erase: PICO2_ERASE,
  },
  nrf52840: {
    title: "nRF52840",
    core: "Cortex-M4F",
    clockHz: 64e6,
    chip: "m4f",
    most: LARGE_BLOCK,
    pins: NRF52840_PINS,
    sdk: { platform: "nrf52", board: "dk", objdump: "arm-none-eabi-objdump" },
    wire: { debug: { port: 0, transmit: 6, receive: 8 }, release: { port: 0, transmit: 6, receive: 8 } },
    sensor: 3,
    checkpoints: NRF52_CHECKPOINTS,
    erase: NRF52_ERASE,
  },
} as const satisfies { readonly [target: string]: Board };

export type Target = keyof typeof BOARDS;

/** All of them, in that order. */
export const TARGETS = Object.keys(BOARDS) as readonly Target[];

/** Bits a second of a wire, unless a manifest has others. */
const BAUD = 115_200;

/** `config` of a target's board: the UART of its wire. It lies in a file of its own, which others include. */
export function wireConfig(target: Target) {
  const { debug, release } = BOARDS[target].wire;
  return { wire: { debug: { ...debug, baud: BAUD }, release: { ...release, baud: BAUD } } };
}

/** `config.sensors` of a target's usual firmware. */
export function usualSensors(target: Target) {
  return [{ analog: BOARDS[target].sensor }];
}

/** Bytes of JavaScript's whole memory on a target's boards. */
export function memoryBytes(target: Target): number {
  const { static: block, chunk, heap, stack }: BoardMemory = BOARDS[target].most;
  return block || chunk.initial + SLOT_BYTES * (heap.initial + stack);
}
