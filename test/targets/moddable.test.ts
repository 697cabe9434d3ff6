import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { MESSAGES, RESET_REASONS } from "../../src/wire/messages.ts";
import { TARGETS } from "../../targets/boards.ts";

const root = process.cwd();
const { bindings } = await import(join(root, "dev/bindings.mjs"));

function readText(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

test("the primitives' bindings for WebAssembly and XS follow from their declarations", () => {
  for (const [path, text] of Object.entries<string>(bindings(root)))
    assert.ok(text === readText(path), `${path}: run npm run build:wasm`);
});

/** The methods of `FrameBytes` by name, with the number of their arguments. */
function frameBytes(): Record<string, number> {
  const [, text] = /export interface FrameBytes \{(.*?)\n\}/s.exec(readText("src/wire/frame-bytes.ts")) ?? [];
  const found = (text ?? "").matchAll(/^ {2}(\w+)\(([^)]*)\): \w+;$/gm);
  return Object.fromEntries([...found].map(([, name, given]) => [name, given.match(/\w+: /g)?.length ?? 0]));
}

test("what is done to a frame's bytes has its C function for XS, and the class for Moddable hands its arguments on", () => {
  const lines = [...readText("targets/moddable/native-frames.h").matchAll(/\tNATIVE\((\w+), (\d+),/g)];
  const methods = readText("targets/moddable/native-frames.ts").matchAll(
    /^ {2}(\w+)\(([^)]*)\): \w+ \{\n.*native\("motelearn_frame_(\w+)"\)\.call\(this, ([^)]*)\);$/gm,
  );
  const found: Record<string, number> = {};
  for (const [, name, parameters, called, given] of methods) {
    const names = [...parameters.matchAll(/(\w+): /g)].map((m) => m[1]);
    assert.equal([called, given], [name, names.join(", ")]);
    found[name] = names.length;
  }
  const expected = frameBytes();
  assert.is(Object.keys(expected).length, 10);
  assert.equal(found, expected);
  assert.equal(Object.fromEntries(lines.map(([, name, length]) => [name, Number(length)])), expected);
});

test("what a node writes down has its C function for XS, and the class for Moddable hands its arguments on", () => {
  const lines = [...readText("targets/moddable/native-ledger.h").matchAll(/\tNATIVE\((\w+), (\d+),/g)];
  const methods = readText("targets/moddable/native-ledger.ts").matchAll(
    /^ {2}(\w+)\(([^)]*)\): \w+ \{\n.*native\("motelearn_ledger_(\w+)"\)\.call\(this(?:, )?([^)]*)\);$/gm,
  );
  const found: Record<string, number> = {};
  for (const [, name, parameters, called, given] of methods) {
    const names = [...parameters.matchAll(/(\w+): /g)].map((m) => m[1]);
    assert.equal([called, given], [name, names.join(", ")]);
    found[name] = names.length;
  }
  assert.equal(found, { push: 0, take: 5, finish: 3 });
  assert.equal(Object.fromEntries(lines.map(([, name, length]) => [name, Number(length)])), found);
});

test("every C function that a module calls by name is there", () => {
  const files = readdirSync("targets/moddable");
  const texts = (end: string) =>
    files.filter((name) => name.endsWith(end)).map((name) => readText(`targets/moddable/${name}`));
  const called = texts(".ts").flatMap((text) => [...text.matchAll(/native\("(?!motelearn_)(\w+)"\)/g)]);
  const defined = texts(".c").flatMap((text) => [...text.matchAll(/^void (\w+)\(xsMachine\* the\)/gm)]);
  const names = (found: readonly RegExpExecArray[]) => [...new Set(found.map(([, name]) => name))].sort();
  assert.equal(names(called), names(defined));
});

test("board.c gives each reason that ESP-IDF knows the code by which the wire names it", () => {
  const names = {
    ...{ POWERON: "power-on", EXT: "external pin", SW: "software", PANIC: "panic" },
    ...{ INT_WDT: "interrupt watchdog", TASK_WDT: "task watchdog", WDT: "other watchdog" },
    ...{ DEEPSLEEP: "deep sleep", BROWNOUT: "brown-out", SDIO: "SDIO", USB: "USB", JTAG: "JTAG" },
    ...{ EFUSE: "efuse error", PWR_GLITCH: "power glitch", CPU_LOCKUP: "CPU lock-up" },
  };
  const codes = readText("targets/moddable/board.c").matchAll(/\[ESP_RST_(\w+)\] = (\d+)/g);
  const found = Object.fromEntries([...codes].map(([, name, code]) => [name, RESET_REASONS[Number(code)]]));
  assert.equal(found, names);
});

/** What a module imports at run time, relative to it, as paths from the project's root. */
function readImports(file: string): string[] {
  const found = readText(file).matchAll(/^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)";/gm);
  return [...found].map(([, path]) => join(file, "..", path));
}

/** Those that are imported from there on, but for the rooms of src/, which the root manifest has. */
function closure(file: string, into = new Set<string>()): Set<string> {
  if (into.has(file) || file.startsWith("src/")) return into;
  into.add(file);
  for (const imported of readImports(file)) closure(imported, into);
  return into;
}

test("the manifests have every module that the Linux program's imports", () => {
  const manifest = "targets/linux/manifest.json";
  const text =
    readText("manifest.json") + readText(manifest).replaceAll('"../emulator/', '"targets/emulator/');
  for (const file of closure("targets/linux/main.ts")) {
    const name = file.replace(/\.ts$/, "");
    const places = [`/${name}"`, `"./${basename(name)}"`, `"${dirname(name)}/*"`];
    assert.ok(
      places.some((place) => text.includes(place)),
      `${manifest}: ${name}`,
    );
  }
});

interface Leaf {
  readonly doc?: string;
  readonly type: string;
  readonly most?: number;
}

test("a board's table leaves out what its class has the same, and no element of a list", async () => {
  const { leanTable } = await import(join(root, "targets/moddable/lean-tables.js"));
  class Kind {
    constructor(
      readonly own: number,
      readonly usual: string,
    ) {}
  }
  Object.assign(Kind.prototype, { usual: "none" });
  const list: (Kind | undefined)[] = leanTable([undefined, new Kind(1, "none"), new Kind(2, "some")], []);
  assert.equal(
    list.map((one) => one && [one.own, one.usual, Object.keys(one).length]),
    [undefined, [1, "none", 1], [2, "some", 2]],
  );
  assert.ok(0 in list);
});

test("on a board the table of messages is the same but for its texts, frozen, with one record for all fields alike", async () => {
  const { leanTable, UNREAD } = await import(join(root, "targets/moddable/lean-tables.js"));
  const plain = (texts: boolean) =>
    JSON.parse(JSON.stringify(MESSAGES), (key, value) => (!texts && key === "doc" ? undefined : value));
  const table = leanTable(plain(true), UNREAD);
  assert.equal(table, plain(false));
  assert.not.equal(table, plain(true));
  const fields = Object.values<{ fields: Record<string, Leaf> }>(table).flatMap((one) =>
    Object.values(one.fields),
  );
  assert.ok([table, table.hello, ...fields].every(Object.isFrozen));
  assert.ok(fields.length > 100 && new Set(fields).size < 20, `${fields.length}: ${new Set(fields).size}`);
  assert.is(new Set(fields.map((field) => JSON.stringify(field))).size, new Set(fields).size);
});

test("the root manifest has every room of src/, and what it names is there", () => {
  const { modules } = JSON.parse(readText("manifest.json"));
  for (const { name } of readdirSync(join(root, "src"), { withFileTypes: true }).filter((e) =>
    e.isDirectory(),
  )) {
    const room = `dist/moddable/src/${name}/*`;
    assert.is(modules[`motelearn/${room}`], `./${room}`);
  }
  for (const file of modules["*"]) assert.ok(existsSync(join(root, file)), file);
});

test("manifests that others include describe no node and no sensor: mcconfig merges such, option by option", () => {
  const targets = TARGETS;
  const names = ["firmware", "manifest", "mqtt-client", "mqtt", "mqtt-ethernet", "tls"];
  const included = names.map((name) => `targets/moddable/${name}.json`);
  for (const file of [...included, ...targets.map((target) => `targets/${target}/board.json`)]) {
    const { config = {} } = JSON.parse(readText(file));
    assert.equal([config.node, config.sensors], [undefined, undefined], file);
  }
  for (const target of targets) {
    const { config } = JSON.parse(readText(`targets/${target}/manifest.json`));
    assert.ok(config.sensors.length > 0, target);
  }
});

test.run();
