// The sources of XS from the npm package @agoric/xsnap, and their objects: fetched at the pinned version,
// checked against the pinned hash, kept in dist/emulator. They are LGPL; see NOTICE.
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PACKAGE = "@agoric/xsnap@0.15.0";
const INTEGRITY =
  "sha512-ZBm4DZxbtfacxMHVVdJjZi0Y8zOxN77vpu1WwI5RWfPkaRh0aHkz/dVdTGKXalDNzWfz183lljKxlxl3/h0n+A==";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const cache = join(root, "dist/emulator");
const machine = join(root, "targets/emulator/machine");
const xs = join(cache, "package/moddable/xs");
const run = promisify(execFile);

/** The compiler's own first message about what is wrong, of all that it said. */
export function compilerFault({ stderr = "", message }) {
  const lines = `${stderr}`.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /\berror\b|undefined reference|cannot find/i.test(line)) ?? lines[0] ?? message;
}

/** Runs a compiler. Throws an Error with its own message, in one line. */
async function compile(compiler, args) {
  try {
    await run(compiler, args);
  } catch (error) {
    throw new Error(`${compiler}: ${compilerFault(error).trim()}`);
  }
}

function fileIntegrity(file) {
  return `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
}

/** Fetches the engine unless it is there. Throws if the download's hash isn't the pinned one. */
function fetchEngine() {
  const file = join(cache, "agoric-xsnap-0.15.0.tgz");
  mkdirSync(cache, { recursive: true });
  if (existsSync(file) && fileIntegrity(file) === INTEGRITY && existsSync(xs)) return;
  execFileSync("npm", ["pack", PACKAGE, "--silent"], { cwd: cache, stdio: ["ignore", "ignore", "inherit"] });
  const got = fileIntegrity(file);
  if (got !== INTEGRITY) {
    rmSync(file);
    throw new Error(`${PACKAGE}: got ${got}; takes ${INTEGRITY}`);
  }
  rmSync(join(cache, "package"), { recursive: true, force: true });
  execFileSync("tar", ["xzf", file], { cwd: cache });
}

const NEVER = ["xsSnapshot", "xsLockdown"];
const PARSER = ["xsLexical", "xsSyntaxical", "xsTree", "xsScope", "xsCode", "xsScript", "xsSourceMap"];

function engineSources(parser) {
  const left = parser ? NEVER : [...NEVER, ...PARSER];
  return readdirSync(join(xs, "sources"))
    .filter((name) => name.endsWith(".c") && !left.includes(name.slice(0, -2)))
    .map((name) => join(xs, "sources", name));
}

/** Without mxBoundsCheck a deep recursion overruns the stack silently. */
const DEFINES = [
  "INCLUDE_XSPLATFORM=1",
  'XSPLATFORM="platform.h"',
  "mxRun=1",
  "mxNoConsole=1",
  "mxBoundsCheck=1",
  "mxInstrument=1",
];

export const engineSource = (name) => join(xs, "sources", name);

/** Where a source's object lies: its path in the package as one name, since several are called the same. */
export function objectPath(folder, source) {
  return join(folder, `${relative(root, source).replaceAll("/", "-")}.o`);
}

/** Milliseconds between two words about what goes on. */
const SAY_MS = 2000;

/** Says how much of a long piece of work is done, but not often. */
export function makeProgress(say, what, total) {
  let done = 0;
  let saidAt = performance.now();
  return () => {
    done++;
    if (performance.now() - saidAt < SAY_MS || done === total) return;
    saidAt = performance.now();
    say(`${what}: ${done} of ${total}`);
  };
}

async function compileAll(sources, folder, compiler, flags, say) {
  const waiting = [...sources];
  const next = makeProgress(say, `${compiler}: files compiled`, sources.length);
  async function work() {
    for (let source = waiting.pop(); source; source = waiting.pop()) {
      await compile(compiler, [...flags, "-c", source, "-o", objectPath(folder, source)]);
      next();
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/** Compiles the engine's objects if compiler, flags, platform or version changed. Returns whether it did. */
async function compileEngine(folder, { compiler, flags, parser }, say) {
  const version = execFileSync(compiler, ["--version"], { encoding: "utf8" });
  const platform = readFileSync(join(machine, "platform.h"), "utf8");
  const key = JSON.stringify([INTEGRITY, version, flags, parser, platform]);
  const stamp = join(folder, "key");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === key) return false;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await compileAll(engineSources(parser), folder, compiler, [...flags, "-w"], say);
  writeFileSync(stamp, key);
  return true;
}

function objects(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".o"))
    .map((name) => join(folder, name));
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, path = parentPath, name }) => join(path, name));
}

/** A machine's sources without the engine; each of the library's has a header of its name. */
function buildKey({ main, link, ownFlags }, flags) {
  const hash = createHash("sha512");
  const library = [...OURS, ...NATIVES];
  const files = [
    ...filesIn(machine),
    ...filesIn(join(root, "src/math/f32")),
    ...library,
    ...library.map((file) => file.replace(/c$/, "h")),
    ...main.filter((file) => file.startsWith("/")),
  ];
  for (const file of files) hash.update(file).update(readFileSync(file));
  return JSON.stringify([hash.digest("base64"), main, link, ownFlags, flags]);
}

/** The library's C, and its bindings to XS, in the SDK as here. */
const OURS = ["src/math/f32.c", "src/node/ledger.c", "src/selftest/self-test.c", "src/wire/frame.c"].map(
  (name) => join(root, name),
);
const NATIVES = ["native-f32.c", "native-frames.c", "native-ledger.c"].map((name) =>
  join(root, "targets/moddable", name),
);
const OWN = [
  "block.c",
  "flash.c",
  "run.c",
  "natives_host.c",
  "natives_f32.c",
  "natives_frames.c",
  "natives_ledger.c",
  ...NATIVES,
];

/**
 * Compiles engine, machine and primitives, and links them: `name` is a folder of the cache and the program in
 * it, `build` has compiler, flags, defines, parser (whether the machine can parse), main (sources more), link
 * (flags), and where several programs share the folder's engine the program's variant. `say` gets lines while that takes long. Returns
 * the program's path. Throws an Error with the compiler's message if it can't.
 */
export async function buildMachine(name, build, say = () => {}) {
  fetchEngine();
  const folder = join(cache, name);
  const engine = join(folder, "engine");
  const namePath = (what) => join(folder, [what, ...(build.variant ? [build.variant] : [])].join("-"));
  const own = namePath("own");
  const include = [machine, ...["includes", "platforms", "sources"].map((part) => join(xs, part))];
  const defines = [...DEFINES, ...build.defines].map((define) => `-D${define}`);
  const flags = [...build.flags, "-fno-common", ...defines, ...include.map((path) => `-I${path}`)];
  const program = namePath(name);
  const anew = await compileEngine(engine, { ...build, flags }, say);
  const key = buildKey(build, flags);
  const stamp = namePath("key");
  const made = existsSync(stamp) && readFileSync(stamp, "utf8") === key && existsSync(program);
  if (made && !anew) return program;
  rmSync(stamp, { force: true });
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  const sources = [...OWN, ...build.main].map((file) => (file.startsWith("/") ? file : join(machine, file)));
  await compileAll(sources, own, build.compiler, [...flags, ...(build.ownFlags ?? []), "-w"], say);
  await compileAll(OURS, own, build.compiler, [...build.flags, "-O2", "-Wall"], say);
  await compile(build.compiler, [
    ...build.flags,
    ...objects(engine),
    ...objects(own),
    ...build.link,
    "-o",
    program,
  ]);
  writeFileSync(stamp, key);
  return program;
}

/**
 * Runs a script with that argument on the Linux machine. Returns the exit code, and the lines of stdout and
 * stderr.
 */
export function runLinux(program, script, argument, options = []) {
  return new Promise((done) => {
    execFile(program, [...options, script, JSON.stringify(argument)], (error, stdout, stderr) => {
      const lines = (text) => text.split("\n").filter((line) => line !== "");
      done({ code: error ? (error.code ?? 1) : 0, lines: lines(stdout), errors: lines(stderr) });
    });
  });
}

/** The machine as a Linux program. `say` gets lines while that takes long. */
export function buildLinux(say) {
  const build = {
    compiler: "cc",
    flags: ["-O2"],
    defines: ["mxParse=1", "mxMetering=1", "mxSloppy=1"],
    parser: true,
    main: ["linux.c", "pipe.c"],
    link: ["-lm", "-lpthread", "-ldl"],
  };
  return buildMachine("linux", build, say);
}
