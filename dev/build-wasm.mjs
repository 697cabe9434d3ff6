// Writes the bindings of the primitives (see bindings.mjs), and compiles src/math/f32.c to WebAssembly, into the committed module
// src/math/f32.wasm: `npm run build:wasm`, after every change of primitives.ts, f32.c or self-test.c. Takes clang and wasm-ld
// (Debian: apt-get install clang lld); using the module takes neither.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeBindings } from "./bindings.mjs";
import { primitivesC } from "./firmware/primitives-c.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "src/math");
writeBindings(root);
const header = readFileSync(join(folder, "f32.h"), "utf8");
const source = primitivesC(root);
const names = [...header.matchAll(/\b(f32_\w+)\(/g)].map((match) => match[1]);

// The stack comes first, below the learners' memory, and is small: the primitives hardly use any.
const linker = ["--no-entry", "--import-memory", "--stack-first", "-z,stack-size=1024", "--strip-all"];
const exported = [...names, "__heap_base"].map((name) => `--export=${name}`);
const flags = [
  ...["--target=wasm32", "-std=c11", "-O3", "-msimd128", "-mbulk-memory", "-ffreestanding", "-nostdlib"],
  ...["-Wall", "-Wextra", "-Werror"],
  ...[...linker, ...exported].map((flag) => `-Wl,${flag}`),
];

/** A custom section of a module, whose name and text take less than 128 bytes. */
function customSection(name, text) {
  const content = [name.length, ...Buffer.from(name + text)];
  return Buffer.from([0, content.length, ...content]);
}

const binary = join(folder, "f32.wasm");
execFileSync("clang", [...flags, join(folder, "f32.c"), "-o", binary], { stdio: "inherit" });
const [version] = execFileSync("clang", ["--version"], { encoding: "utf8" }).split("\n");
// A test compares the source with the one that was compiled.
const hash = createHash("sha256").update(header).update(source).digest("hex");
appendFileSync(binary, customSection("source", hash));
appendFileSync(binary, customSection("compiler", version));
