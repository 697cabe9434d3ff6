// Writes the bindings of the primitives (see bindings.mjs), and compiles src/math/f32.c to WebAssembly, into the committed module
// src/math/f32-wasm.ts: `npm run build:wasm`, after every change of primitives.ts, f32.c or self-test.c. Takes clang and wasm-ld (Debian: apt-get install clang lld); using the module takes neither.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeBindings } from "./bindings.mjs";
import { primitivesC } from "./firmware/primitives-c.mjs";

const LINE = 100;
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

const temporary = mkdtempSync(join(tmpdir(), "motelearn-wasm-"));
try {
  const binary = join(temporary, "f32.wasm");
  execFileSync("clang", [...flags, join(folder, "f32.c"), "-o", binary], { stdio: "inherit" });
  const version = execFileSync("clang", ["--version"], { encoding: "utf8" }).split("\n")[0];
  const hash = createHash("sha256").update(header).update(source).digest("hex");
  const code = readFileSync(binary).toString("base64");
  const lines = code.match(new RegExp(`.{1,${LINE}}`, "g")).map((line) => `  "${line}"`);
  writeFileSync(
    join(folder, "f32-wasm.ts"),
    `// Generated from f32.c by \`npm run build:wasm\` (${version}). Don't edit.

/** SHA-256 of f32.h and of f32.c with its parts, one after the other, as they were compiled. */
export const SOURCE_HASH = "${hash}";

/** The module in base64. It imports \`env.memory\`; a function takes the byte at which the words begin first. */
// biome-ignore format: long by nature
export const CODE =
${lines.join(" +\n")};
`,
  );
} finally {
  rmSync(temporary, { recursive: true });
}
