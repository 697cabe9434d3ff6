// npm run test:firmware: every source of every ESP32 board's firmware, the SDK's C and ours, against the real headers of the
// Moddable SDK and ESP-IDF, with Debian's RISC-V compiler; and the firmware of nRF52840, linked, with Debian's ARM compiler and
// the nRF5 SDK. Ends with 0 if all is well, 1 if a board's firmware doesn't compile or link, 2 if this machine lacks
// something, named on a line for each of the two.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { familyNamed } from "../../../src/learn/registry.ts";
import { BOARDS, TARGETS, type Target } from "../../../targets/boards.ts";
import { firmwareManifest, sdkBoard, writeManifest } from "../../../tools/toolchain/firmware.ts";
import { type Chip, COMPILER, writeSdkconfig, writeToolchain } from "./stand-ins.ts";
import { bytesOfTables, type Tables, tablesIn } from "./tables.ts";

const root = process.cwd();
const build = join(root, "dist/firmware");
const { MODDABLE: sdk = "", IDF_PATH: idf = "", NRF_SDK_DIR: nrf = "" } = process.env;
const path = [
  process.env.PATH,
  join(sdk, "build/bin", process.platform === "darwin" ? "mac" : "lin", "release"),
  join(root, "node_modules/.bin"),
].join(":");

const ARM_COMPILER = "arm-none-eabi-gcc";
/** Bytes of flash that firmware and checkpoints share on nRF52840, and what the SDK leaves between them: build/devices/nrf52. */
const NRF52_FLASH = 0xc8000;
const NRF52_GAP = 0x2000;
/** A library of Nordic's. A copy of the nRF5 SDK on GitHub lacks it, its functions, and those that Moddable's adds to FreeRTOS' heap. */
const CRYPTOCELL = "external/nrf_cc310/lib/cortex-m4/hard-float/no-interrupts/libnrf_cc310_0.9.13.a";
const ABSENT = /^(CRYS|SaSi|CC)_|^pvPort(Calloc|Realloc)$/;

/** How many messages of the compiler are printed of a board that fails. */
const SHOWN = 10;

function run(program: string, args: readonly string[], folder = root) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    env: { ...process.env, PATH: path },
  });
  return { status: error ? -1 : status, text: `${stdout}${stderr}` };
}

type Need = readonly [ok: boolean, what: string];

const runs = (program: string, ...args: string[]) => run(program, args).status === 0;

/** The Moddable SDK, and the tools for all boards' firmware. */
function sdkNeeds(): Need[] {
  const isThere = existsSync(join(sdk, "tools/VERSION")) && sdk !== "";
  const tools: Need[] = isThere ? [[runs("which", "mcconfig"), "the SDK's tools (mcconfig), built"]] : [];
  return [
    [isThere, "MODDABLE, the folder of the Moddable SDK"],
    ...tools,
    [runs("make", "--version"), "make (Debian: make)"],
  ];
}

function esp32Needs(): Need[] {
  const isThere = existsSync(join(idf, "components/esp_system")) && idf !== "";
  const lwip = existsSync(join(idf, "components/lwip/lwip/src/include"));
  const mbedtls = existsSync(join(idf, "components/mbedtls/mbedtls/tf-psa-crypto/include"));
  const submodules: Need[] = [
    [lwip, "ESP-IDF's submodule components/lwip/lwip"],
    [mbedtls, "ESP-IDF's submodule components/mbedtls/mbedtls, with its own"],
  ];
  const picolibc = runs(COMPILER, "--specs=picolibc.specs", "--version");
  return [
    [isThere, "IDF_PATH, the folder of ESP-IDF"],
    ...(isThere ? submodules : []),
    [runs(COMPILER, "--version"), `${COMPILER} (Debian: gcc-riscv64-unknown-elf)`],
    [picolibc, "picolibc (Debian: picolibc-riscv64-unknown-elf)"],
  ];
}

function nrf52Needs(): Need[] {
  const newlib = runs(ARM_COMPILER, "--specs=nano.specs", "--version");
  return [
    [existsSync(join(nrf, "modules/nrfx")) && nrf !== "", "NRF_SDK_DIR, the folder of the nRF5 SDK"],
    [runs(ARM_COMPILER, "--version"), `${ARM_COMPILER} (Debian: gcc-arm-none-eabi)`],
    [newlib, "newlib (Debian: libnewlib-arm-none-eabi)"],
  ];
}

/** The missing tools of this machine, each in a few words. */
function missing(needs: readonly Need[]): string[] {
  return [...sdkNeeds(), ...needs].filter(([ok]) => !ok).map(([, what]) => what);
}

function describeChip(target: Target): Chip {
  const xtensa = BOARDS[target].core.startsWith("Xtensa");
  return { name: target, architecture: xtensa ? "xtensa" : "riscv", cores: xtensa ? 2 : 1 };
}

interface Manifest {
  readonly config: { readonly wire: object };
}

interface Compiled {
  readonly sources: number;
  readonly faults: readonly string[];
}

/** The result of building a board's firmware. */
type Product = "archive" | "modules";

/**
 * Makes a board's archive, or its modules only, as the SDK's makefile does, with the stand-ins, from the manifest in folder
 * `app`.
 */
function compile(target: Target, app: string, folder: string, product: Product = "archive"): Compiled {
  const platform = sdkBoard(target);
  const place = (what: string) => join(folder, what, platform, "release", basename(app));
  rmSync(join(folder, "tmp"), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const made = run("mcconfig", ["-p", platform, "-o", folder], app);
  if (made.status !== 0) return { sources: 0, faults: [`mcconfig: ${made.text.trim()}`] };
  const sdkconfig = join(place("tmp"), `xsProj-${target}`, "build/config/sdkconfig.h");
  mkdirSync(join(sdkconfig, ".."), { recursive: true });
  const chip = describeChip(target);
  writeSdkconfig(sdkconfig, chip, [
    join(sdk, `build/devices/esp32/xsProj-${target}/sdkconfig.defaults`),
    join(root, "targets/moddable/sdkconfig/sdkconfig.defaults"),
  ]);
  const prefix = join(folder, writeToolchain(folder, chip, root));
  const { status, text } = run("make", [
    ...["-k", "-f", join(place("tmp"), "makefile"), "-o", sdkconfig],
    ...[`IDF_PATH=${idf}`, "IDF_VERSION=any", `GXX_PREFIX=${prefix}`],
    product === "archive" ? join(place("bin"), `xs_${target}.a`) : join(place("tmp"), "mc.xs.c"),
  ]);
  const faults = text.split("\n").filter((line) => /\b(error|### warning):/.test(line));
  if (status !== 0 && faults.length === 0) faults.push(text.trim().split("\n").at(-1) as string);
  return { sources: (text.match(/^# cc /gm) ?? []).length, faults };
}

/** Debian's compiler and C library laid out like ARM's own archive, in which the SDK's makefile looks for headers. */
function armToolchain(folder: string): string[] {
  if (process.env.NRF52_GCC_ROOT) return [];
  const library = run(ARM_COMPILER, ["-print-libgcc-file-name"]).text.trim();
  const version = dirname(library);
  const compiler = run("which", [ARM_COMPILER]).text.trim();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "arm-none-eabi"), { recursive: true });
  mkdirSync(join(folder, "lib"));
  symlinkSync(dirname(compiler), join(folder, "bin"));
  symlinkSync("/usr/include/newlib", join(folder, "arm-none-eabi/include"));
  symlinkSync(dirname(dirname(version)), join(folder, "lib/gcc"));
  return [`NRF52_GCC_ROOT=${folder}`, `NRF52_GNU_VERSION=${basename(version)}`];
}

/** Makes the program of a board of nrf52, linked, as the SDK's makefile does, from the manifest in folder `app`. */
function link(target: Target, app: string, folder: string): Compiled {
  const platform = sdkBoard(target);
  rmSync(join(folder, "tmp"), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const made = run("mcconfig", ["-p", platform, "-o", folder], app);
  if (made.status !== 0) return { sources: 0, faults: [`mcconfig: ${made.text.trim()}`] };
  const place = join(folder, "tmp", platform, "release", basename(app));
  const program = join(place, "xs_nrf52.out");
  mkdirSync(join(dirname(place), "lib"), { recursive: true });
  const whole = existsSync(join(nrf, CRYPTOCELL));
  const linker = `${ARM_COMPILER} -Wl,--unresolved-symbols=ignore-all`;
  const { status, text } = run("make", [
    ...["-f", join(place, "makefile"), ...armToolchain(join(folder, "gcc"))],
    ...(whole ? [] : ["LIB_FILES=-lc -lnosys -lm", `LD=${linker}`]),
    program,
  ]);
  const faults = text
    .split("\n")
    .filter((line) => /\berror:|overflowed|undefined reference|### warning:/.test(line));
  if (status !== 0) faults.push(text.trim().split("\n").at(-1) as string);
  else faults.push(...findFaults(target, program));
  return { sources: (text.match(/^# (cc|library|application|asm)\b/gm) ?? []).length, faults };
}

/** Functions that a linked program lacks, and whether it leaves room for the board's checkpoints. */
function findFaults(target: Target, program: string): string[] {
  const symbols = run("arm-none-eabi-nm", ["--undefined-only", program]).text;
  const lacking = [...symbols.matchAll(/ U (\S+)/g)].map(([, name]) => name);
  const [, text, data] = /^\s*(\d+)\s+(\d+)/m.exec(run("arm-none-eabi-size", [program]).text) ?? [];
  const bytes = Number(text) + Number(data);
  const most = NRF52_FLASH - NRF52_GAP - BOARDS[target].checkpoints;
  const absent = lacking.length > 0 ? `; not in this copy of the nRF5 SDK: ${lacking.join(", ")}` : "";
  console.log(`${target}: ${bytes} bytes of flash, room for ${most}${absent}`);
  return [
    ...lacking.filter((name) => !ABSENT.test(name)).map((name) => `undefined: ${name}`),
    ...(bytes > most ? [`firmware of ${bytes} bytes: room for ${most}`] : []),
  ];
}

const sum = { passed: 0, failed: 0 };

function check(what: string, holds: boolean, { sources, faults }: Compiled): void {
  sum[holds ? "passed" : "failed"]++;
  console.log(`${holds ? "ok" : "FAIL"} ${what}: ${sources} sources, faults: ${faults.length}`);
  if (!holds) for (const fault of faults.slice(0, SHOWN)) console.log(`  ${fault}`);
}

const KEY = "000102030405060708090a0b0c0d0e0f";

/** True if the bytes or the digits of the key are in any file below a folder. */
function holdsKey(folder: string): boolean {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file))
    .some((file) => file.includes(KEY) || file.includes(Buffer.from(KEY, "hex")));
}

/** A board's keys are not in what `flash --key` builds of its firmware, and so not in what `flash --ota` sends. */
function checkKeys(target: Target): void {
  const learner = familyNamed("olk-c");
  if (!learner) throw new Error("no learner olk-c");
  const app = join(build, "keyed");
  const key = Uint8Array.from(Buffer.from(KEY, "hex"));
  const creation = BOARDS[target].most;
  const node = { sid: 1, channels: 1, learner, options: { dimension: 1 } } as const;
  const told = { periodMs: 1000, checkpointMs: 0, wire: "uart", include: [], key, labelKey: key } as const;
  const manifest = firmwareManifest(root, app, { target, node, creation, ...told }) as Manifest;
  const { config } = manifest;
  const buildWith = (wire: object) => {
    writeManifest(app, { ...manifest, config: { ...config, wire: { ...config.wire, ...wire } } });
    return compile(target, app, join(build, "keyed-build"), "modules");
  };
  for (const [what, wire, expected] of [
    ["the keys of flash --key aren't in its modules", {}, false],
    ["control: a key that the manifest has is", { key: KEY }, true],
  ] as const) {
    const found = buildWith(wire);
    const holds = found.faults.length === 0 && holdsKey(join(build, "keyed-build")) === expected;
    check(`${target}: ${what}`, holds, found);
  }
}

/** A node over MQTT and TLS, as `flash --wifi` builds it, also for an emulated board: on one board every source, on the others the modules. */
function checkMqtt(target: Target, product: Product, emulated: boolean): void {
  const learner = familyNamed("olk-c");
  if (!learner) throw new Error("no learner olk-c");
  const app = join(build, `mqtt-${target}`);
  const how = emulated ? "MQTT and TLS, over an emulated board's Ethernet" : "MQTT and TLS";
  const creation = BOARDS[target].most;
  const node = { sid: 1, channels: 1, learner, options: { dimension: 1 } } as const;
  const network = { wifi: { ssid: "plant" }, broker: { host: "broker", ca: "ca.pem" }, node: "n1" };
  const told = { periodMs: 1000, checkpointMs: 0, wire: "uart", include: [], network, emulated } as const;
  writeManifest(app, firmwareManifest(root, app, { target, node, creation, ...told }));
  const found = compile(target, app, join(build, `mqtt-build-${target}`), product);
  check(`${target}: a node over ${how}`, found.faults.length === 0, found);
}

/** The project that `motelearn init` writes builds, and so does its mod, which exports the project's sensor. */
function checkProject(target: Target): void {
  const project = join(build, "project");
  const out = join(build, "project-build");
  rmSync(project, { recursive: true, force: true });
  cpSync(join(root, "examples/own-sensor"), project, { recursive: true });
  mkdirSync(join(project, "node_modules"), { recursive: true });
  symlinkSync(root, join(project, "node_modules/motelearn"));
  const found = compile(target, project, out, "modules");
  check(`${target}: the project of init`, found.faults.length === 0, found);
  const made = run("mcrun", ["-p", sdkBoard(target), "-o", out, "mod.json"], project);
  const folder = join(out, "tmp/esp32/release/own-sensor-mod");
  const { text } = made.status === 0 ? run("make", ["-f", join(folder, "makefile"), "build"]) : made;
  const archive = join(out, "bin/esp32/release/own-sensor-mod/own-sensor-mod.xsa");
  const isMade = existsSync(archive) && readFileSync(archive).includes("SoilMoisture");
  check(`${target}: its mod`, isMade, { sources: 1, faults: isMade ? [] : [text.trim()] });
}

/** The most bytes of tables that a node with OLK-C may add to the SDK's modules. */
const NODE_TABLES_MAX = 155_648;

/** What a node of one learner, as `flash` builds it, adds to the tables of the SDK's own modules. */
function checkTables(target: Target): void {
  const folder = join(build, "bare");
  mkdirSync(folder, { recursive: true });
  const { include, platforms } = JSON.parse(
    readFileSync(join(root, "targets/moddable/manifest.json"), "utf8"),
  );
  const { defines, strip } = platforms.esp32;
  const modules = { "*": "./main" };
  writeFileSync(
    join(folder, "manifest.json"),
    JSON.stringify({ include, modules, platforms: { esp32: { defines, strip } } }),
  );
  writeFileSync(join(folder, "main.js"), "trace('bare');\n");
  const flashed = join(build, "flashed");
  const learner = familyNamed("olk-c");
  if (!learner) throw new Error("no learner olk-c");
  const options = { dimension: 1, budget: 64 };
  const features = { window: 0, standardise: true };
  const own = {
    sid: 1,
    channels: 1,
    learner,
    options,
    features,
    pending: 64,
    labelWindow: 16,
    checkpointEvery: 256,
  };
  const told = { periodMs: 1000, checkpointMs: 600_000, wire: "uart", include: [] } as const;
  const { most: creation } = BOARDS[target];
  writeManifest(flashed, firmwareManifest(root, flashed, { target, node: own, creation, ...told }));
  const [node, bare] = [flashed, folder].map((app) => {
    const out = join(build, "tables");
    const { faults } = compile(target, app, out, "modules");
    const file = join(out, "tmp", sdkBoard(target), "release", basename(app), "mc.xs.c");
    return { faults, tables: faults.length > 0 ? undefined : tablesIn(file) };
  });
  const more = (what: keyof Tables) => (node.tables?.[what] ?? Number.NaN) - (bare.tables?.[what] ?? 0);
  const added = {
    bytecode: more("bytecode"),
    slots: more("slots"),
    keys: more("keys"),
    texts: more("texts"),
    functions: more("functions"),
    environments: more("environments"),
  };
  const bytes = bytesOfTables(added);
  console.log(`${target}: ${bytes} bytes of tables are a node's with one learner:`);
  for (const [what, of] of Object.entries(added)) console.log(`  ${what.padEnd(12)} ${of}`);
  const holds = bytes <= NODE_TABLES_MAX;
  const faults = [...node.faults, ...bare.faults];
  if (!holds) faults.push(`${bytes} bytes, more than ${NODE_TABLES_MAX}`);
  check(`${target}: a node's tables`, holds, { sources: 2, faults });
}

/** Prints how many bytes each of our sources in C takes, compiled and not linked. */
function printSizes(target: Target): void {
  const folder = join(build, target, "tmp", sdkBoard(target), "release", target);
  const ours = ["src", "targets/moddable"].flatMap((place) =>
    readdirSync(join(root, place), { recursive: true, encoding: "utf8" }),
  );
  const names = ours.filter((name) => name.endsWith(".c")).map((name) => `${basename(name)}.o`);
  const objects = names.filter((name) => existsSync(join(folder, name)));
  const { text } = run(COMPILER.replace(/gcc$/, "size"), objects, folder);
  const rows = [...text.matchAll(/^\s*(\d+)\s+(\d+).*\s(\S+)\.o$/gm)];
  const sizes = rows.map(([, code, data, name]) => [name, Number(code) + Number(data)] as const);
  console.log(`${target}: C of ours, not linked: ${sizes.reduce((sum, [, bytes]) => sum + bytes, 0)} bytes`);
  for (const [name, bytes] of sizes) console.log(`  ${name.padEnd(18)} ${bytes}`);
}

/** A control: a header that is missing is found. */
function checkControl(target: Target): void {
  const app = join(build, "control");
  mkdirSync(app, { recursive: true });
  const include = join(root, "targets", target, "manifest.json");
  writeFileSync(join(app, "manifest.json"), JSON.stringify({ include, modules: { "*": "./control" } }));
  writeFileSync(join(app, "control.c"), '#include "no-such-header.h"\n');
  const found = compile(target, app, app);
  const isFound = found.faults.some((fault) => fault.includes("no-such-header.h: No such file"));
  check(`control, ${target} with a missing header`, isFound, found);
}

/** Tests the boards of a platform, unless this machine lacks something. */
function testPlatform(platform: "esp32" | "nrf52", needs: readonly Need[], make: typeof compile): Target[] {
  const lacks = missing(needs);
  if (lacks.length > 0) {
    console.error(`test:firmware: for ${platform} this machine lacks ${lacks.join("; ")}`);
    process.exitCode = 2;
    return [];
  }
  const targets = TARGETS.filter((target) => BOARDS[target].sdk.platform === platform);
  for (const target of targets) {
    const found = make(target, join(root, "targets", target), join(build, target));
    check(target, found.faults.length === 0, found);
  }
  return targets;
}

const modules = run("node", ["dev/build.mjs", "--types", "--moddable"]);
if (modules.status !== 0) throw new Error(modules.text);
const [compiled] = testPlatform("esp32", esp32Needs(), compile);
if (compiled) {
  checkKeys("esp32c3");
  for (const target of ["esp32", "esp32s3"] as const) checkMqtt(target, "modules", false);
  for (const emulated of [false, true]) checkMqtt("esp32c3", "archive", emulated);
  checkProject("esp32c3");
  checkTables("esp32c3");
  printSizes("esp32c3");
  checkControl(compiled);
}
testPlatform("nrf52", nrf52Needs(), link);
console.log(`\n${sum.passed} passed, ${sum.failed} failed`);
if (sum.failed > 0) process.exitCode = 1;
