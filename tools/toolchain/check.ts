import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { arithmeticNamed } from "../../host/arithmetic.ts";
import { fileWord } from "../../host/terminal/command-line.ts";
import type { Target } from "../../targets/boards.ts";
import { parseAddress } from "../ports/address.ts";
import { portFault } from "../ports/fault.ts";
import { listPorts } from "../ports/list.ts";
import { qemuPackage, qemuProgram } from "./espressif-qemu.ts";

/** Something that a machine has or lacks. */
export interface Check {
  readonly name: string;
  readonly purpose: string;
  readonly ok: boolean;
  /** What was found: a version, a place. */
  readonly found?: string;
  /** How to get it, if it is missing. */
  readonly cure?: string;
}

/** The SDK with which the firmware was built: the oldest that is known to work. */
const SDK_VERSION = "8.2.3";
const TYPESCRIPT_VERSION = "6";
const NODE_VERSION = "20";
const DOCUMENTS = "https://github.com/Moddable-OpenSource/moddable/blob/public/documentation";
const SDK_DOCUMENT = `${DOCUMENTS}/Moddable%20SDK%20-%20Getting%20Started.md`;
const IDF_DOCUMENT = `${DOCUMENTS}/devices/esp32.md`;
/** The ESP-IDF version that the SDK requires, unless its own file names another. */
const IDF_VERSION = "v6.0";

/** The first line that a program prints; undefined if it can't be run or fails. */
function firstLine(program: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync(program, args, { encoding: "utf8" });
  return status === 0 ? (stdout.split("\n")[0]?.trim() ?? "") : undefined;
}

function parseVersion(version: string): number[] {
  return (/\d+(\.\d+)*/.exec(version)?.[0] ?? "0").split(".").map(Number);
}

/** True if a version is at least another, number by number. */
export function isAtLeast(version: string, least: string): boolean {
  const [ours, wanted] = [parseVersion(version), parseVersion(least)];
  const differs = wanted.findIndex((number, i) => (ours[i] ?? 0) !== number);
  return differs < 0 || (ours[differs] ?? 0) > wanted[differs];
}

/** A check that finds something or lacks it. */
function check(name: string, purpose: string, found: string | undefined, cure: string): Check {
  return found === undefined ? lacks(name, purpose, cure) : { name, purpose, ok: true, found };
}

function lacks(name: string, purpose: string, cure: string): Check {
  return { name, purpose, ok: false, cure };
}

function wrong(name: string, purpose: string, found: string, cure: string): Check {
  return { name, purpose, ok: false, found, cure };
}

export function checkNode(): Check {
  const { node } = process.versions;
  const [purpose, cure] = ["everything", `install Node ${NODE_VERSION} or later: https://nodejs.org`];
  if (!isAtLeast(node, NODE_VERSION)) return wrong("Node", purpose, node, cure);
  return check("Node", purpose, `${node}, ${availableParallelism()} threads`, cure);
}

export function checkWebAssembly(): Check {
  const found = arithmeticNamed("webassembly") && "yes";
  const cure =
    "take a Node build for a 64-bit processor; without it the same bits come slower, from TypeScript";
  return check("WebAssembly SIMD", "speed of simulate and evaluate", found, cure);
}

/** Of a program that says its version. */
function debianCheck(name: string, purpose: string, packages: string, program: string, ...args: string[]) {
  const version = firstLine(program, ...args, "--version");
  return check(name, purpose, version, `Debian, Ubuntu: apt-get install ${packages}`);
}

/** Compilers and emulators: for `simulate --engine xs`, the tests on the emulated chip, and maintainers. */
export function checkCompilers(): Check[] {
  const emulator = "board, npm run test:device: firmware on an emulated chip";
  const wasm = "maintainers: npm run build:wasm";
  const riscv = "riscv64-unknown-elf-gcc";
  return [
    debianCheck("C compiler", "simulate --engine xs, npm run test:engine", "gcc libc6-dev", "cc"),
    debianCheck("RISC-V compiler", emulator, "gcc-riscv64-unknown-elf", riscv),
    debianCheck("picolibc", emulator, "picolibc-riscv64-unknown-elf", riscv, "--specs=picolibc.specs"),
    debianCheck("QEMU", emulator, "qemu-system-misc", "qemu-system-riscv32"),
    debianCheck("clang", wasm, "clang", "clang"),
    debianCheck("wasm-ld", wasm, "lld", "wasm-ld"),
  ];
}

const FLASHING = "flash";

function isOnPath(program: string): boolean {
  const { PATH = "" } = process.env;
  return PATH.split(":").some((place) => place && existsSync(join(place, program)));
}

function sdkVersion(folder: string): string | undefined {
  const file = join(folder, "tools/VERSION");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

export function checkSdk(): Check {
  const name = "Moddable SDK";
  const folder = process.env.MODDABLE;
  if (!folder) return lacks(name, FLASHING, `install it and set MODDABLE to its folder: ${SDK_DOCUMENT}`);
  const version = sdkVersion(folder);
  if (!version) return lacks(name, FLASHING, `MODDABLE is ${folder}: no SDK there; ${SDK_DOCUMENT}`);
  const found = `${version} in ${folder}`;
  if (!isAtLeast(version, SDK_VERSION))
    return wrong(name, FLASHING, found, `take ${SDK_VERSION} or later: ${SDK_DOCUMENT}`);
  if (isOnPath("mcconfig")) return check(name, FLASHING, found, "");
  const tools = join(folder, "build/bin", process.platform === "darwin" ? "mac" : "lin", "release");
  return wrong(name, FLASHING, found, `mcconfig isn't on PATH: build the SDK's tools, and add ${tools}`);
}

/** The ESP-IDF version that the SDK requires. */
function wantedIdf(folder: string | undefined): string {
  const file = join(folder ?? "", "build/devices/esp32/manifest.json");
  if (!folder || !existsSync(file)) return IDF_VERSION;
  return /"EXPECTED_ESP_IDF"\s*:\s*"([^"]+)"/.exec(readFileSync(file, "utf8"))?.[1] ?? IDF_VERSION;
}

/** The vendor SDK for chips other than Espressif's: a folder named by a variable. */
const VENDOR_SDKS = {
  pico: { name: "Pico SDK", variable: "PICO_SDK_DIR", holds: "pico_sdk_init.cmake" },
  nrf52: { name: "nRF5 SDK", variable: "NRF_SDK_DIR", holds: "modules/nrfx" },
} as const;

export function checkVendorSdk(platform: keyof typeof VENDOR_SDKS): Check {
  const { name, variable, holds } = VENDOR_SDKS[platform];
  const page = `${DOCUMENTS}/devices/${platform}.md`;
  const folder = process.env[variable];
  if (!folder) return lacks(name, FLASHING, `install it and set ${variable} to its folder: ${page}`);
  if (existsSync(join(folder, holds))) return check(name, FLASHING, folder, "");
  return lacks(name, FLASHING, `${variable} is ${folder}: no ${name} there; ${page}`);
}

export function checkIdf(): Check {
  const name = "ESP-IDF";
  const folder = process.env.IDF_PATH;
  const wanted = wantedIdf(process.env.MODDABLE);
  if (!folder)
    return lacks(name, FLASHING, `install ${wanted} and set IDF_PATH to its folder: ${IDF_DOCUMENT}`);
  const version = firstLine("git", "-C", folder, "describe", "--always", "--abbrev=0");
  if (version === undefined)
    return lacks(name, FLASHING, `IDF_PATH is ${folder}: no git clone of ESP-IDF there; ${IDF_DOCUMENT}`);
  const found = `${version} in ${folder}`;
  const checkout = `git -C ${fileWord(folder)} checkout ${wanted}, then its install.sh`;
  if (version !== wanted) return wrong(name, FLASHING, found, `the SDK wants ${wanted}: ${checkout}`);
  if (isOnPath("idf.py")) return check(name, FLASHING, found, "");
  const path = join(folder, "export.sh");
  return wrong(name, FLASHING, found, `idf.py isn't on PATH: source ${path}, in each new shell`);
}

/** Espressif's QEMU for a target: other builds of QEMU don't know its chip. */
export function checkEspressifQemu(target: Target): Check {
  const [name, purpose] = ["Espressif's QEMU", `flash --emulate --target ${target}`];
  const wanted = qemuPackage(target);
  const tools = join(process.env.IDF_PATH ?? "$IDF_PATH", "tools/idf_tools.py");
  const cure = `python ${tools} install ${wanted}, then source export.sh again`;
  const program = qemuProgram(wanted);
  const version = firstLine(program, "--version");
  const { stdout } = spawnSync(program, ["-M", "help"], { encoding: "utf8" });
  if (version === undefined || new RegExp(`^${target}\\s`, "m").test(stdout))
    return check(name, purpose, version, cure);
  return wrong(name, purpose, `${version} has no ${target}`, cure);
}

/** The program with which ESP-IDF makes a board's stored keys: a Python module that isn't part of it. */
export function checkKeyGenerator(): Check {
  const name = "esp_idf_nvs_partition_gen";
  const found = firstLine("python", "-c", `import ${name}; print("found")`);
  const cure = `ESP-IDF's Python lacks it: python -m pip install ${name.replaceAll("_", "-")}`;
  return check(name, "flash --key, --label-key, --wifi", found, cure);
}

/** ESP-IDF's Mbed TLS with TF-PSA-Crypto: submodules, of ESP-IDF 6 or later. */
export function checkMbedTls(): Check {
  const folder = join(process.env.IDF_PATH || "$IDF_PATH", "components/mbedtls");
  const found = existsSync(join(folder, "mbedtls/tf-psa-crypto/include")) ? folder : undefined;
  const cure = "git -C $IDF_PATH submodule update --init --recursive components/mbedtls";
  return check("ESP-IDF's Mbed TLS", "flash --wifi with broker.ca", found, cure);
}

export function checkTypeScript(): Check {
  const name = "TypeScript";
  const cure = `mcconfig runs tsc ${TYPESCRIPT_VERSION} or later from PATH: npm install -g typescript`;
  const version = firstLine("tsc", "--version");
  if (version === undefined || isAtLeast(version, TYPESCRIPT_VERSION))
    return check(name, FLASHING, version, cure);
  return wrong(name, FLASHING, version, cure);
}

/** Checks that the user may read and write a serial device. */
export function checkDevice(path: string): Check {
  const [name, purpose] = [path, "flash, labels, monitor, record"];
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return { name, purpose, ok: true, found: "may be read and written" };
  } catch (error) {
    const { message } = portFault(path, parseAddress(path), error as NodeJS.ErrnoException);
    return { name, purpose, ok: false, cure: message.slice(path.length + 2) };
  }
}

/** The serial devices of this machine, each with its permissions. */
export async function checkPorts(): Promise<Check[]> {
  const found = await listPorts();
  if (found.length > 0) return found.map(({ path }) => checkDevice(path));
  const cure = "connect the board with a cable that carries data; some need a driver (CP210x, CH34x)";
  return [lacks("serial device", "flash, labels, monitor, record", cure)];
}
