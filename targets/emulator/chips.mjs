// The emulated chips: each one's C compiler flags and QEMU machine.
import { spawnSync } from "node:child_process";

const machine = (name) => new URL(`machine/${name}`, import.meta.url).pathname;
const symbols = (values) => Object.entries(values).map(([name, value]) => `-Wl,--defsym=${name}=${value}`);

/** A C program's console, arguments and exit code are QEMU's. */
const SEMIHOSTED = ["--crt0=semihost", "--oslib=semihost"];
/** Output goes to a file, since a full pipe loses characters. */
const toDebugger = (file) => ["-chardev", `file,id=printed,path=${file}`];

/** RAM for everything: the machine's block of 94,208 bytes, the C stack, and the engine's tables. */
const RAM = "160K";
const C_STACK = "16K";

const RISCV = {
  prefix: "riscv64-unknown-elf-",
  specs: "picolibc.specs",
  packages: { compiler: "gcc-riscv64-unknown-elf", library: "picolibc-riscv64-unknown-elf" },
  qemu: { program: "qemu-system-riscv32", package: "qemu-system-misc" },
  machine: ["-machine", "virt", "-m", "16M"],
  load: "-bios",
  printing: toDebugger,
  noWire: ["-serial", "none"],
  console: ["chardev=printed"],
  /**
   * An instruction counts as a nanosecond. Without `sleep=off` the counter includes host time before the
   * first instruction. Converting a different number to a double takes different instructions, so counts
   * differed by one or two.
   */
  counted: ["-icount", "shift=0,sleep=off"],
  host: 0x80f00000,
  bank: (file) => ({ options: ["-drive", `if=pflash,unit=1,format=raw,file=${file}`], words: [] }),
  writeTrap: 7,
};

function rv32(isa, abi, like, fuses) {
  const place = [...symbols({ __ram_size: RAM, __stack_size: C_STACK }), "-T", machine("virt/virt.ld")];
  return {
    ...RISCV,
    like,
    fuses,
    flags: [`-march=${isa}`, `-mabi=${abi}`],
    program: { sources: [], link: [...SEMIHOSTED, ...place] },
    firmware: {
      folder: "virt",
      defines: { TABLES: "0x80400000u", TABLES_END: "0x80800000u" },
      // This gcc needs the counter extension named explicitly, and has no libraries for an ISA with it.
      flags: [`-march=${isa}_zicsr`],
      link: place,
    },
  };
}

const ARM = {
  prefix: "arm-none-eabi-",
  specs: "picolibc.specs",
  packages: { compiler: "gcc-arm-none-eabi", library: "picolibc-arm-none-eabi" },
  qemu: { program: "qemu-system-arm", package: "qemu-system-arm" },
  load: "-kernel",
  printing: toDebugger,
  noWire: ["-serial", "none"],
  console: ["chardev=printed"],
  counted: ["-icount", "shift=6,sleep=off"], // see machine/mps2/chip.c
  bank: (file) => ({ options: [], words: [file] }),
  writeTrap: 4,
};

function placeMemory({ flash, flashSize, ram, ramSize, stack }) {
  const place = {
    __flash: flash,
    __flash_size: flashSize,
    __ram: ram,
    __ram_size: ramSize,
    __stack_size: stack,
  };
  return [...symbols(place), "-T", "picolibc.ld"];
}

/** A core with its floating point, if any, on a machine of QEMU; `place`: where code and RAM lie. */
function cortex(core, machine, like, { fpu, place = MPS2 } = {}) {
  const float = fpu ? ["-mfloat-abi=hard", `-mfpu=${fpu}`] : [];
  const link = placeMemory({ flashSize: "4M", ramSize: "256K", stack: "4K", ...place });
  return {
    ...ARM,
    like,
    fuses: fpu && "vfma.f32",
    machine: ["-machine", ...[machine].flat()],
    flags: [`-mcpu=cortex-${core}`, "-mthumb", ...float],
    program: { sources: [], link: [...SEMIHOSTED, ...link] },
  };
}

/**
 * The same with the needs of the machine's firmware: tables and the host's input lie in the board's 16 MB of
 * `more` RAM.
 */
function withFirmware(chip, place, more, board) {
  const hex = (address) => `0x${address.toString(16)}u`;
  return {
    ...chip,
    host: more + 0xf00000,
    firmware: {
      folder: "mps2",
      defines: {
        ...{ FLASH: place.flash, FLASH_END: `(${place.flash} + 0x400000)` },
        ...{ TABLES: hex(more), TABLES_END: hex(more + 0x400000) },
        ...board,
      },
      flags: [],
      link: placeMemory({ flashSize: "4M", ramSize: RAM, stack: C_STACK, ...place }),
    },
  };
}

const MPS2 = { flash: "0x0", ram: "0x20000000" };
const M4F = cortex("m4", "mps2-an386", "nRF52840: Cortex-M4F", { fpu: "fpv4-sp-d16" });
/**
 * The same in the older core's instructions, which a Cortex-M3 also runs: no emulated M0+ has room for the
 * machine.
 */
const M0PLUS = cortex("m0plus", "mps2-an385", "RP2040: Cortex-M0+");
const AN386 = { PERIPHERALS: "0x40000000", UART_AT: "0x4000", TICK_NS: 40, TIMER_IRQ: 8, UART_IRQ: 0 };

/** Secure addresses, where the chip starts. */
const SECURE = { flash: "0x10000000", ram: "0x38000000" };
const M33 = cortex("m33", "mps2-an505", "RP2350: Cortex-M33", { fpu: "fpv5-sp-d16", place: SECURE });
const AN505 = { PERIPHERALS: "0x50000000", UART_AT: "0x200000", TICK_NS: 50, TIMER_IRQ: 3, UART_IRQ: 32 };

const MICROBIT = ["microbit", "-global", "nrf51-soc.sram-size=65536"];
const SMALL = { ...MPS2, flashSize: "256K", ramSize: "64K" };

/**
 * The ESP8266's core. Debian's compiler for it has neither start nor arithmetic: they are in machine/lx106.
 */
const LX106 = {
  prefix: "xtensa-lx106-elf-",
  specs: "/usr/lib/xtensa-lx106-elf/picolibc.specs",
  packages: { compiler: "gcc-xtensa-lx106", library: "picolibc-xtensa-lx106-elf" },
  qemu: { program: "qemu-system-xtensa", package: "qemu-system-misc" },
  load: "-kernel",
  printing: (file) => ["-serial", `file:${file}`],
  noWire: [],
  console: ["arg=program"],
  like: "ESP8266: Xtensa",
  flags: ["-mlongcalls"],
  machine: ["-machine", "sim", "-cpu", "lx106"],
  program: {
    sources: ["start.c", "arithmetic.c"].map((name) => machine(`lx106/${name}`)),
    link: ["-nostartfiles", "-T", machine("lx106/sim.ld")],
  },
};

/**
 * By name. `like`: a chip with the core; `flags`: the compiler's; `program`: link options of a C program;
 * `firmware`: link options of the machine in a fixed block, where it runs; `writeTrap`: the trap of a write
 * to flash; `fuses`: the fused multiply-add instruction, if the chip has one.
 */
export const CHIPS = {
  rv32imac: rv32("rv32imac", "ilp32", "ESP32-C3: RISC-V"),
  rv32imafc: rv32("rv32imafc", "ilp32f", "RISC-V with the floating point of ESP32 and ESP32-S3", "fmadd.s"),
  m0: cortex("m0", MICROBIT, "Cortex-M0", { place: SMALL }),
  m0plus: withFirmware(M0PLUS, MPS2, 0x21000000, AN386),
  m3: cortex("m3", "mps2-an385", "Cortex-M3"),
  m4f: withFirmware(M4F, MPS2, 0x21000000, AN386),
  m7: cortex("m7", "mps2-an500", "Cortex-M7", { fpu: "fpv5-d16" }),
  m33: withFirmware(M33, SECURE, 0x80000000, AN505),
  lx106: LX106,
};

/** Chips on which the machine runs. */
export const FIRMWARE_CHIPS = Object.keys(CHIPS).filter((name) => CHIPS[name].firmware);

function runs(program, ...args) {
  return spawnSync(program, [...args, "--version"], { stdio: "ignore" }).status === 0;
}

/** The Debian packages that a chip needs and this machine lacks. */
export function missingPackages(name) {
  const { prefix, specs, packages, qemu } = CHIPS[name];
  return [
    [packages.compiler, runs(`${prefix}gcc`)],
    [packages.library, runs(`${prefix}gcc`, `--specs=${specs}`)],
    [qemu.package, runs(qemu.program)],
  ]
    .filter(([, there]) => !there)
    .map(([missing]) => missing);
}

/**
 * One line about missing Debian packages that the command needs for these chips; undefined if none are
 * missing.
 */
export function lackMessage(command, names) {
  const missing = [...new Set(names.flatMap(missingPackages))];
  if (missing.length === 0) return undefined;
  return `${command} lacks ${missing.join(", ")}: apt-get install -y ${missing.join(" ")}`;
}
