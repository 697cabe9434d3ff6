import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";

const root = process.cwd();

function textOf(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

/** The primitives by name, with the number of their arguments. */
function primitives(): Record<string, number> {
  const found = textOf("src/math/primitives.ts").matchAll(/^ {2}(\w+)\(([^)]*)\): \w+;$/gm);
  return Object.fromEntries([...found].map(([, name, given]) => [name, given.match(/\w+: /g)?.length ?? 0]));
}

test("every primitive has its C function for XS, with as many arguments", () => {
  const lines = [...textOf("targets/moddable/native-f32.h").matchAll(/\tNATIVE\((\w+), (\d+),/g)];
  assert.equal(Object.fromEntries(lines.map(([, name, length]) => [name, Number(length)])), primitives());
});

test("the class for Moddable hands every primitive's arguments on, in their order", () => {
  const methods = textOf("targets/moddable/native-f32.ts").matchAll(
    /^ {2}(\w+)\(([^)]*)\): \w+ \{\n.*native\("motelearn_(\w+)"\)\.call\(this, ([^)]*)\);$/gm,
  );
  const found: Record<string, number> = {};
  for (const [, name, parameters, called, given] of methods) {
    const names = [...parameters.matchAll(/(\w+): /g)].map((m) => m[1]);
    assert.equal([called, given], [name, names.join(", ")]);
    found[name] = names.length;
  }
  assert.equal(found, primitives());
});

test("the root manifest has every room of src/, and what it names is there", () => {
  const { modules } = JSON.parse(textOf("manifest.json"));
  for (const { name } of readdirSync(join(root, "src"), { withFileTypes: true }).filter((e) =>
    e.isDirectory(),
  )) {
    const room = `dist/moddable/src/${name}/*`;
    assert.is(modules[`motelearn/${room}`], `./${room}`);
  }
  for (const file of modules["*"]) assert.ok(existsSync(join(root, file)), file);
});

test.run();
