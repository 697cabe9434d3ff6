import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";

/** The house: a room imports only from floors below it, and from itself. */
const FLOORS: Record<string, number> = {
  "src/math": 0,
  "src/memory": 1,
  "src/kernel": 2,
  "src/dictionary": 2,
  "src/learn": 3,
  "src/signal": 3,
  "src/wire": 4,
  "src/store": 4,
  "src/selftest": 4,
  "src/node": 5,
  "src/peer": 6,
  "host-sim": 7,
  targets: 7,
  experiments: 8,
  tools: 9,
};
const root = process.cwd();

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
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/\bfrom "([^"]+)"|\bimport\("([^"]+)"\)|^import "([^"]+)"/gm)].map(
    (m) => m[1] ?? m[2] ?? m[3],
  );
}

test("a room imports only from floors below it", () => {
  for (const file of ["src", "host-sim", "targets", "experiments", "tools"]
    .flatMap(sources)
    .filter((name) => name !== ENTRY)) {
    const room = roomOf(file);
    assert.is.not(room, "no room", file);
    for (const name of importsOf(file).filter((name) => name.startsWith("."))) {
      const imported = relative(root, join(root, dirname(file), name));
      const other = roomOf(imported);
      const below = imported === ENTRY ? FLOORS[room] > 6 : other === room || FLOORS[other] < FLOORS[room];
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

test.run();
