import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FAMILIES } from "../src/learn/registry.ts";
import { TARGETS } from "../targets/boards.ts";

const root = process.cwd();

interface Drawing {
  /** The floor of each room, a folder. */
  readonly floors: { readonly [room: string]: number };
  /** The folders inside rooms. */
  readonly folders: readonly string[];
}

/**
 * The house, as ARCHITECTURE.md draws it: rooms at the tenth column, their folders at the twelfth, from the top down; BOARD is each
 * board's.
 */
function drawing(): Drawing {
  const floors: Record<string, number> = {};
  const folders: string[] = [];
  let floor = Number.NaN;
  let room = "";
  for (const line of readFileSync(join(root, "ARCHITECTURE.md"), "utf8").split("\n")) {
    const [, number, drawn] = /^(?:floor (\d+) {2,3}| {10})([\w/-]+)\/ {2,}\S/.exec(line) ?? [];
    const [, folder] = /^ {12}([\w-]+)\/ {2,}\S/.exec(line) ?? [];
    if (number) floor = Number(number);
    if (drawn) floors[drawn] = floor;
    room = drawn ?? room;
    for (const name of folder === "BOARD" ? TARGETS : folder ? [folder] : []) folders.push(`${room}/${name}`);
  }
  return { floors, folders };
}

const { floors: FLOORS, folders: FOLDERS } = drawing();
/** The highest floor of what the package exports. */
const PUBLIC = Math.max(...Object.keys(FLOORS).map((room) => (room.startsWith("src/") ? FLOORS[room] : 0)));

function foldersIn(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}`);
}

/** Files below a folder, at least one. A check of each proves nothing where there are none. */
function filesIn(folder: string, kind: RegExp): string[] {
  const files = readdirSync(join(root, folder), { recursive: true })
    .map(String)
    .filter((name) => kind.test(name) && !name.endsWith(".d.ts"))
    .map((name) => join(folder, name));
  assert.ok(files.length > 0, `${folder} has no file whose name matches ${kind}`);
  return files;
}

const sources = (folder: string) => filesIn(folder, /\.ts$/);
/** Plain JavaScript too, which runs as it is. */
const modules = (folder: string) => filesIn(folder, /\.(ts|mjs|js)$/);

/** The library's entry belongs to no room: it names what the rooms give. */
const ENTRY = "src/index.ts";

function findRoom(file: string): string {
  return Object.keys(FLOORS).find((room) => file.startsWith(`${room}/`)) ?? "no room";
}

/** What a module's text imports, without what an example in a docstring does. */
function importedBy(text: string): string[] {
  const code = text.replace(/^ *\*.*$/gm, "");
  return [...code.matchAll(/\bfrom "([^"]+)"|\bimport\("([^"]+)"\)|^import "([^"]+)"/gm)].map(
    (m) => m[1] ?? m[2] ?? m[3],
  );
}

function readImports(file: string): string[] {
  return importedBy(readFileSync(join(root, file), "utf8"));
}

const TOP = ["src", "host", "host-sim", "targets", "tools", "fleet", "lab", "cli", "dev"];

test("the drawing has every room of src/, every folder above it, and theirs", () => {
  assert.equal(Object.keys(FLOORS).sort(), [...foldersIn("src"), ...TOP.slice(1)].sort());
  assert.equal([...FOLDERS].sort(), Object.keys(FLOORS).flatMap(foldersIn).sort());
});

test("a room imports only from floors below it", () => {
  let imports = 0;
  for (const file of TOP.flatMap(modules).filter((name) => name !== ENTRY)) {
    const room = findRoom(file);
    assert.is.not(room, "no room", file);
    for (const name of readImports(file).filter((name) => name.startsWith("."))) {
      const imported = relative(root, join(root, dirname(file), name));
      const other = findRoom(imported);
      const below =
        imported === ENTRY ? FLOORS[room] > PUBLIC : other === room || FLOORS[other] < FLOORS[room];
      assert.ok(below, `${file} imports ${name}`);
      imports++;
    }
  }
  assert.ok(imports > 1000, `${imports} imports found`);
});

/** The folder of a room that holds the file; "": the room itself. */
function findFolder(file: string, room: string): string {
  const [first, ...rest] = relative(room, file).split("/");
  return rest.length > 0 ? first : "";
}

for (const room of TOP.filter((name) => name !== "src"))
  test(`a folder of ${room}/ imports only from those drawn below it, and there is no circle`, () => {
    const drawn = FOLDERS.filter((folder) => folder.startsWith(`${room}/`)).map((folder) =>
      relative(room, folder),
    );
    const imported = new Map<string, Set<string>>();
    for (const file of modules(room)) {
      const from = findFolder(file, room);
      for (const name of readImports(file).filter((each) => each.startsWith("."))) {
        const path = relative(root, join(root, dirname(file), name));
        const to = findFolder(path, room);
        if (!path.startsWith(`${room}/`) || to === from) continue;
        if (from && to) assert.ok(drawn.indexOf(from) < drawn.indexOf(to), `${file} imports ${name}`);
        imported.set(from, (imported.get(from) ?? new Set()).add(to));
      }
    }
    const own = imported.get("") ?? new Set();
    for (const folder of drawn)
      if (imported.get(folder)?.has(""))
        assert.not.ok(own.has(folder), `${room}/ and ${folder}/ import each other`);
  });

test("imports of every form are seen, imports in docstrings' examples are not", () => {
  const text = [
    '/**\n * import { Learner } from "motelearn";\n */',
    'import "./one.ts";',
    'import {\n  two,\n} from "./two.ts";',
    'export * from "./three.ts";',
    'const four = await import("./four.mjs");',
  ].join("\n");
  assert.equal(importedBy(text), ["./one.ts", "./two.ts", "./three.ts", "./four.mjs"]);
});

/** Rooms of the library: types that its functions take are exported, so that a user can name them. */
const LIBRARY = /^(src|host-sim|targets)\//;

test("what a module exports is named in another file; a type of the library needn't be", () => {
  const uses = new Map<string, number>();
  for (const file of [...TOP, "test", "examples"].flatMap(modules)) {
    const words = new Set(readFileSync(join(root, file), "utf8").match(/\w+/g));
    for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1);
  }
  let exported = 0;
  const unnamed: string[] = [];
  for (const file of TOP.flatMap(modules)) {
    const text = readFileSync(join(root, file), "utf8");
    for (const [, kind, name] of text.matchAll(
      /^export (?:abstract |async )*(const|function\*?|class|interface|type) (\w+)/gm,
    )) {
      if (LIBRARY.test(file) && /^(interface|type)$/.test(kind)) continue;
      exported++;
      if ((uses.get(name) ?? 0) <= 1) unnamed.push(`${file} exports ${name}`);
    }
  }
  assert.equal(unnamed, [], "which no other file names");
  assert.ok(exported > 1000, `${exported} exports found`);
});

test("src/ imports nothing from outside itself", () => {
  for (const file of modules("src")) {
    for (const name of readImports(file)) assert.ok(name.startsWith("."), `${file} imports ${name}`);
  }
});

test("what reaches a sample, a label, a metric or a learner uses no arithmetic that differs between engines", () => {
  const differs =
    /Math\.(exp|expm1|log|log1p|log2|log10|pow|sin|cos|tan|tanh|sinh|cosh|hypot|cbrt|random|atan2?|asin|acos)\b|\*\*[^*/]/;
  for (const file of ["src", "host", "host-sim", "lab/experiments"].flatMap(modules)) {
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .forEach((line, i) => {
        const code = line.replace(/^\s*(\/?\*|\/\/).*/, "").replace(/\/\/.*/, "");
        if (!/^host(-sim)?\/report\//.test(file)) assert.not.match(code, differs, `${file}:${i + 1}`);
      });
  }
});

test("src/ makes no buffer at module level: a preloaded module is frozen into flash", () => {
  for (const file of sources("src")) {
    const text = readFileSync(join(root, file), "utf8");
    assert.not.match(
      text,
      /^(export )?(const|let|var) .*new (Array|ArrayBuffer|DataView|\w+Array|Map|Set)\b/m,
      file,
    );
  }
});

test("src/ freezes each table at module level: of one that could change a device keeps a place in RAM", () => {
  for (const file of sources("src")) {
    const text = readFileSync(join(root, file), "utf8");
    assert.not.match(text, /^(export )?const [^=]+ = [[{]/m, file);
  }
});

/** Files that know something of certain learners, which stands in no family's record, and why. */
const KNOWING: { readonly [file: string]: string } = {
  "targets/moddable/carried.js":
    "runs in the SDK's linker before any learner; firmware-bundle.full.test compares",
  "targets/emulator/programs/subjects.ts": "the variants of learners that a chip's tests run",
  "targets/instructions.ts": "the costs of shared dictionaries were measured with OLK-C",
};

/** Folders and files that run certain learners, as they could any other: papers, benches, scenarios, usual nodes. */
const RUNNING = [
  ...["lab/experiments/", "lab/bench/", "dev/device/", "targets/examples/"],
  ...[
    "cli/commands/board.ts",
    "cli/commands/shrink.ts",
    "dev/boards-text.ts",
    "dev/docs/node-goals.ts",
    "dev/fuzz-wire-frames.ts",
  ],
  ...["dev/report/code.mjs", "dev/soak/life.ts", "dev/spec-tables.ts", "fleet/bench/bench-node.ts"],
  ...["fleet/demo/demo.ts", "host-sim/scenario/scenario.ts", "targets/emulator/programs/loops.ts"],
];
const GENERATED = ["tools/session/linked-primitives.ts"];
/** Files where `auto` is a format, a theme or a kernel's width. */
const OTHER_AUTO = [
  ...["fleet/page/app.ts", "host-sim/network/sources.ts", "host-sim/scenario/scenario-schema.ts"],
  ...["lab/shrink/case.ts", "src/kernel/kernel.ts"],
];

/** True if a file outside src/learn names a learner, or imports one's module. */
function namesLearner(file: string): boolean {
  const text = readFileSync(join(root, file), "utf8").replace(/^ *(\/?\*|\/\/).*/gm, "");
  const names = FAMILIES.map(({ name }) => name).filter(
    (name) => name !== "auto" || !OTHER_AUTO.includes(file),
  );
  if (new RegExp(`["'\`](${names.join("|")})["'\`]`).test(text)) return true;
  return readImports(file).some((name) => OF_FAMILIES.some((module) => name.endsWith(`learn/${module}`)));
}

/** The modules that registry.ts lists. */
const OF_FAMILIES = readImports("src/learn/registry.ts")
  .filter((name) => !/\/(balanced|family|frozen)\.ts$/.test(name))
  .map((name) => name.slice("./".length));

test("what is known of a learner stands in its family's record: few files outside src/learn name one", () => {
  const others = TOP.flatMap(modules).filter((file) => !file.startsWith("src/learn/"));
  const known = others.filter((file) => namesLearner(file) && !GENERATED.includes(file));
  const knowing = known.filter((file) => !RUNNING.some((name) => file.startsWith(name)));
  assert.equal(knowing.sort(), Object.keys(KNOWING).sort());
  for (const name of RUNNING)
    assert.ok(
      known.some((file) => file.startsWith(name)),
      `${name} names no learner`,
    );
});

test("properties draw their examples by test/properties.ts, whose seed is fixed", () => {
  const drawn = sources("test").filter((file) => readImports(file).includes("fast-check"));
  assert.equal(drawn, ["test/properties.ts"]);
});

test("a clock that wraps is read by nothing but the uptime that startNode makes of it", () => {
  const reads = sources("targets").filter((file) =>
    /\bTime\.ticks\b/.test(readFileSync(join(root, file), "utf8")),
  );
  assert.equal(reads, ["targets/moddable/run-firmware.ts"]);
  assert.match(
    readFileSync(join(root, reads[0]), "utf8"),
    /\bstartNode\(\{[^;]*\bclock: [^\n]*\{ now: \(\) => Time\.ticks \}/,
  );
  const boot = readFileSync(join(root, "src/start/start-node.ts"), "utf8");
  assert.is(boot.match(/options\.clock/g)?.length, 1);
  assert.match(boot, /const clock = new Uptime\(options\.clock, /);
});

test("a function is named by what it does or gives, not by what its value is of", () => {
  const named =
    /^ *(?:export |private |static |async )*(?:(?:function\*? |const )([a-z]\w*Of)(?:\(| = )|([a-z]\w*Of)\([^;]*\{$)/gm;
  const found = [...TOP, "test"].flatMap(modules).flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return [...text.matchAll(named)].map(([, name, method]) => `${file}: ${name ?? method}`);
  });
  assert.equal(found, [], "which end in Of");
});

test.run();
