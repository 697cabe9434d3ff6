// Bytes of the C that any firmware of ours has: compiled for an ESP32-C3's instruction set as the SDK compiles it, and what a linker
// keeps of that for one learner. Compilers differ, so the figures are printed and never judged.
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { cache, root } from "../../targets/emulator/engine.mjs";

const PREFIX = "riscv64-unknown-elf-";
const SOURCES = [
  ...["src/math/f32.c", "src/node/ledger.c", "src/wire/frame.c"],
  ...["native-f32.c", "native-frames.c", "native-ledger.c"].map((name) => `targets/moddable/${name}`),
];
const FLAGS = ["-march=rv32imac_zicsr", "-mabi=ilp32", "--specs=picolibc.specs", "-Os", "-w"];
const SECTIONS = ["-ffunction-sections", "-fdata-sections", "-fno-common"];
const DEFINES = ["INCLUDE_XSPLATFORM=1", 'XSPLATFORM="platform.h"', "mxRun=1", "mxNoConsole=1"];

function compile(sources, folder) {
  const xs = join(cache, "package/moddable/xs");
  const headers = ["includes", "platforms", "sources"].map((part) => `-I${join(xs, part)}`);
  const include = [`-I${join(root, "targets/emulator/machine")}`, ...headers];
  const given = [...FLAGS, ...SECTIONS, ...DEFINES.map((name) => `-D${name}`), ...include, "-c"];
  return Promise.all(
    sources.map(async (source) => {
      const object = join(folder, `${basename(source, ".c")}.o`);
      await promisify(execFile)(`${PREFIX}gcc`, [...given, source, "-o", object]);
      return object;
    }),
  );
}

function measureBytes(files) {
  const text = execFileSync(`${PREFIX}size`, files, { encoding: "utf8" });
  return [...text.matchAll(/^\s*(\d+)\s+(\d+)/gm)].reduce((sum, [, code, data]) => sum + +code + +data, 0);
}

/** Bytes that the linker keeps for a learner's module: of the functions that it names, and all that they call. */
function linkObjects(objects, module, file) {
  const names = [...readFileSync(module, "utf8").matchAll(/native\("(motelearn_\w+)"\)/g)];
  const roots = [...new Set(names.map(([, name]) => name))].flatMap((name) => ["-u", name]);
  const given = ["-m", "elf32lriscv", "-r", "--gc-sections", ...roots, ...objects, "-o", file];
  execFileSync(`${PREFIX}ld`, given);
  return measureBytes([file]);
}

/** A line for each of those learners, whose modules lie in that folder; one line where the compiler is missing. */
export async function linkedText(modules, learners) {
  const asked = spawnSync(`${PREFIX}gcc`, ["-dumpversion"], { encoding: "utf8" });
  if (asked.status !== 0) return `C of a firmware: not known, as ${PREFIX}gcc isn't there`;
  const folder = join(root, "dist/report/c");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const ours = SOURCES.map((source) => join(root, source));
  const objects = await compile(ours, folder);
  const [whole, ...tests] = await compile(
    [join(root, "src/selftest/self-test.c"), ...learners.map((name) => join(modules, `${name}-test.c`))],
    folder,
  );
  const kept = learners.map((name, i) => {
    return `${name} ${linkObjects([...objects, tests[i]], join(modules, `${name}.js`), join(folder, name))}`;
  });
  const all = measureBytes([...objects, whole]);
  return `C of a firmware beside the board's own, rv32imac, gcc ${asked.stdout.trim()}: ${all} B compiled; linked for one learner: ${kept.join(", ")}; not judged`;
}
