import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";

const root = process.cwd();
const folder = mkdtempSync(join(tmpdir(), "motelearn-package-"));
const packed = join(folder, "package");
let files: string[] = [];

/** Packs what was built, and unpacks it into an empty folder; its dependencies are the repository's. */
test.before(() => {
  const text = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ filename, files: listed }] = JSON.parse(text);
  files = listed.map((file: { path: string }) => file.path);
  execFileSync("tar", ["-xzf", join(folder, filename), "-C", folder]);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
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

test("what the manifest and the exports name is in the package", () => {
  const { modules } = JSON.parse(readFileSync(join(packed, "manifest.json"), "utf8"));
  for (const file of modules["*"]) assert.ok(existsSync(join(packed, file)), file);
  for (const file of ["LICENSE", "README.md", "CHANGELOG.md", "NOTICE", "SPEC.md"])
    assert.ok(files.includes(file), file);
});

test("the package's program simulates", () => {
  const bin = join(packed, "tools/bin.mjs");
  const out = execFileSync(process.execPath, [bin, "simulate", "--help"], { encoding: "utf8", cwd: folder });
  assert.match(out, /simulate/);
  assert.match(execFileSync(process.execPath, [bin, "simulate"], { encoding: "utf8", cwd: folder }), /\d/);
});

test("the package's library is imported by its name", () => {
  symlinkSync(join(root, "node_modules"), join(packed, "node_modules"));
  const program = join(packed, "imports.mjs");
  writeFileSync(program, 'import { FAMILIES } from "motelearn";\nconsole.log(FAMILIES.length);\n');
  assert.ok(Number(execFileSync(process.execPath, [program], { encoding: "utf8" })) > 30);
});

test.run();
