/**
 * Stand-ins for parts of Espressif's toolchain where only its headers exist: configuration, C library,
 * compiler.
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A chip as ESP-IDF names it, and its architecture. */
export interface Chip {
  readonly name: string;
  readonly architecture: "xtensa" | "riscv";
  readonly cores: 1 | 2;
}

export const COMPILER = "riscv64-unknown-elf-gcc";

/** Defaults of ESP-IDF's Kconfig files that headers take for granted and the SDK's `sdkconfig.defaults` leave out. */
const KCONFIG = {
  BOOTLOADER_LOG_LEVEL: 0,
  LOG_DEFAULT_LEVEL: 0,
  LOG_MAXIMUM_LEVEL: 0,
  FREERTOS_MAX_TASK_NAME_LEN: 16,
  FREERTOS_TASK_NOTIFICATION_ARRAY_ENTRIES: 1,
  FREERTOS_TIMER_QUEUE_LENGTH: 10,
  FREERTOS_TIMER_TASK_PRIORITY: 1,
  FREERTOS_TIMER_TASK_STACK_DEPTH: 2048,
  FREERTOS_TIMER_SERVICE_TASK_NAME: '"Tmr Svc"',
  FREERTOS_TIMER_SERVICE_TASK_CORE_AFFINITY: "0x7fffffff",
  FREERTOS_NO_AFFINITY: "0x7fffffff",
  FREERTOS_QUEUE_REGISTRY_SIZE: 0,
  FREERTOS_THREAD_LOCAL_STORAGE_POINTERS: 1,
  SOC_RTC_FAST_MEM_SUPPORTED: 1,
  LWIP_ENABLE: 1,
  LWIP_IPV4: 1,
  LWIP_IPV6: 1,
  LWIP_IPV6_NUM_ADDRESSES: 3,
  LWIP_TCP_OVERSIZE_MSS: 1,
  LWIP_DHCP_COARSE_TIMER_SECS: 1,
  MBEDTLS_PK_PARSE_C: 1,
  MBEDTLS_X509_CRT_PARSE_C: 1,
  MBEDTLS_X509_USE_C: 1,
  ESP_WIFI_TX_BUFFER_TYPE: 1,
  ESP_WIFI_DYNAMIC_RX_MGMT_BUF: 0,
  ESP_WIFI_ESPNOW_MAX_ENCRYPT_NUM: 7,
};

/** The settings of `sdkconfig.defaults` files as macros: `y` is 1, `n` is none, a later line wins. */
function settings(files: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of files.flatMap((file) => readFileSync(file, "utf8").split("\n"))) {
    const [, name, value] = /^CONFIG_(\w+)=(.+)$/.exec(line.trim()) ?? [];
    if (name) found.set(name, value === "y" ? "1" : value);
  }
  return found;
}

/** Writes the `sdkconfig.h` that ESP-IDF's Kconfig would make of those files, as far as the firmware's headers ask. */
export function writeSdkconfig(path: string, chip: Chip, defaults: readonly string[]): void {
  const options = {
    ...KCONFIG,
    IDF_TARGET: `"${chip.name}"`,
    [`IDF_TARGET_${chip.name.toUpperCase()}`]: 1,
    [`IDF_TARGET_ARCH_${chip.architecture.toUpperCase()}`]: 1,
    FREERTOS_NUMBER_OF_CORES: chip.cores,
    FREERTOS_UNICORE: chip.cores === 1 ? 1 : "n",
    ...Object.fromEntries(settings(defaults)),
  };
  const macros = Object.entries(options).filter(([, value]) => value !== "n");
  writeFileSync(path, macros.map(([name, value]) => `#define CONFIG_${name} ${value}\n`).join(""));
}

/** Parts of newlib that picolibc lacks; ESP-IDF's headers include newlib's. */
function writeHeaders(folder: string): void {
  mkdirSync(join(folder, "sys"), { recursive: true });
  writeFileSync(join(folder, "reent.h"), "#include <sys/reent.h>\n");
  writeFileSync(join(folder, "sys/reent.h"), "struct _reent { int _errno; };\n");
}

function writeProgram(path: string, lines: readonly string[]): void {
  writeFileSync(path, `#!/bin/sh\n${lines.join("\n")}\n`);
  chmodSync(path, 0o755);
}

/**
 * Writes a toolchain `stand-in-elf-*` for a chip into a folder; returns the prefix that the SDK's makefile takes. A source of
 * `own` is compiled, with every function declared, to RISC-V code where that is the chip's. All others go through the
 * compiler's front end only: it finds missing headers, wrong types and calls, and no code is made of them. For Xtensa the
 * front end reads ESP-IDF's headers of that chip.
 */
export function writeToolchain(folder: string, chip: Chip, own: string): string {
  const headers = join(folder, "include");
  writeHeaders(headers);
  const riscv = chip.architecture === "riscv";
  const machine = "-mabi=ilp32 -march=rv32imc_zicsr_zifencei";
  const macros = `-D__NEWLIB__=4 ${riscv ? "" : "-U__riscv -D__XTENSA__ -D__xtensa__"}`;
  writeProgram(join(folder, "stand-in-elf-gcc"), [
    "mode=-fsyntax-only",
    "for word; do",
    "  shift",
    '  case "$before $word" in "-o "*) object=$word ;; esac',
    '  case "$word" in',
    `    ${own}/*.c) mode="${riscv ? "" : "-fsyntax-only "}-Werror=implicit-function-declaration" ;;`,
    "  esac",
    '  case "$word" in',
    "    -march=*|-mlongcalls|-mtext-section-literals) ;;",
    '    *) set -- "$@" "$word" ;;',
    "  esac",
    "  before=$word",
    "done",
    `${COMPILER} --specs=picolibc.specs ${machine} ${macros} -idirafter '${headers}' "$@" $mode && touch "$object"`,
  ]);
  writeProgram(join(folder, "stand-in-elf-ar"), ['touch "$2"']);
  return "stand-in";
}
