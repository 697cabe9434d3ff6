import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";

const root = process.cwd();

/** The house, as ARCHITECTURE.md draws it: the floor of each room, a folder. */
function floorsDrawn(): Record<string, number> {
  const floors: Record<string, number> = {};
  let floor = Number.NaN;
  for (const line of readFileSync(join(root, "ARCHITECTURE.md"), "utf8").split("\n")) {
    const [, number, room] = /^(?:floor (\d+))?\s{3,}([\w/-]+)\/ {2,}/.exec(line) ?? [];
    if (number) floor = Number(number);
    if (room) floors[room] = floor;
  }
  return floors;
}

const FLOORS = floorsDrawn();
/** The highest floor of what the package exports. */
const PUBLIC = Math.max(...Object.keys(FLOORS).map((room) => (room.startsWith("src/") ? FLOORS[room] : 0)));

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
    .map((name) => join(folder, name));
}

/** The library's entry belongs to no room: it names what the rooms give. */
const ENTRY = "src/index.ts";

function roomOf(file: string): string {
  return Object.keys(FLOORS).find((room) => file.startsWith(`${room}/`)) ?? "no room";
}

function importsOf(file: string): string[] {
  // An example in a docstring imports as a user does.
  const text = readFileSync(join(root, file), "utf8").replace(/^ *\*.*$/gm, "");
  return [...text.matchAll(/\bfrom "([^"]+)"|\bimport\("([^"]+)"\)|^import "([^"]+)"/gm)].map(
    (m) => m[1] ?? m[2] ?? m[3],
  );
}

const TOP = ["src", "host-sim", "targets", "experiments", "tools"];

test("the drawing has every room of src/ and every folder that is above it", () => {
  const rooms = readdirSync(join(root, "src"), { withFileTypes: true }).filter((e) => e.isDirectory());
  const folders = rooms.map(({ name }) => `src/${name}`);
  assert.equal(Object.keys(FLOORS).sort(), [...folders, ...TOP.slice(1)].sort());
});

test("a room imports only from floors below it", () => {
  for (const file of TOP.flatMap(sources).filter((name) => name !== ENTRY)) {
    const room = roomOf(file);
    assert.is.not(room, "no room", file);
    for (const name of importsOf(file).filter((name) => name.startsWith("."))) {
      const imported = relative(root, join(root, dirname(file), name));
      const other = roomOf(imported);
      const below =
        imported === ENTRY ? FLOORS[room] > PUBLIC : other === room || FLOORS[other] < FLOORS[room];
      assert.ok(below, `${file} imports ${name}`);
    }
  }
});

test("src/ imports nothing from outside itself", () => {
  for (const file of sources("src")) {
    for (const name of importsOf(file)) assert.ok(name.startsWith("."), `${file} imports ${name}`);
  }
});

test("what reaches a sample, a label, a metric or a learner uses no arithmetic that differs between engines", () => {
  const differs =
    /Math\.(exp|expm1|log|log1p|log2|log10|pow|sin|cos|tan|tanh|sinh|cosh|hypot|cbrt|random|atan2?|asin|acos)\b|\*\*[^*/]/;
  for (const file of ["src", "host-sim", "experiments"].flatMap(sources)) {
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .forEach((line, i) => {
        const code = line.replace(/^\s*(\/?\*|\/\/).*/, "").replace(/\/\/.*/, "");
        if (!/^(host-sim|experiments\/lib)\/report\//.test(file))
          assert.not.match(code, differs, `${file}:${i + 1}`);
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

test("a clock that wraps is read by nothing but the uptime that startNode makes of it", () => {
  const reads = sources("targets").filter((file) =>
    /\bTime\.ticks\b/.test(readFileSync(join(root, file), "utf8")),
  );
  assert.equal(reads, ["targets/moddable/run-firmware.ts"]);
  assert.match(
    readFileSync(join(root, reads[0]), "utf8"),
    /= startNode\(\{[^;]*\bclock: [^\n]*\{ now: \(\) => Time\.ticks \}/,
  );
  const boot = readFileSync(join(root, "src/start/start-node.ts"), "utf8");
  assert.is(boot.match(/options\.clock/g)?.length, 1);
  assert.match(boot, /const clock = new Uptime\(options\.clock, /);
});

test.run();
