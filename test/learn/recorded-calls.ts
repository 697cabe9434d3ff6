import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { BindingWasm } from "./binding-wasm.ts";

/** Kinds of entries: words that changed; a call; what all words come to. */
const [CHANGE, CALL, SUM] = [1, 2, 3];
const HEADER = readFileSync("src/math/f32.h", "utf8");
const BOUND = "f32_bound";
/** The functions of a memory: the first of their parameters. */
const CODES = [...HEADER.matchAll(/^\w+ (f32_\w+)\((?:const )?float \*m, ([^)]*)\);$/gm)].map(
  ([, name, list]) => ({ name, types: list.split(",").map(parseType) }),
);
function parseType(parameter: string): string {
  return parameter.includes(BOUND) ? BOUND : parameter.trim().split(" ")[0];
}

/** FNV-1a by words, as the driver takes it. */
function checksum(bits: Uint32Array): number {
  let sum = 0x811c9dc5;
  for (const word of bits) sum = Math.imul(sum ^ word, 0x01000193);
  return sum >>> 0;
}

/** WebAssembly, with bound calls as a board has them, that records each call, and all words that changed before it. */
export class RecordingWasm extends BindingWasm {
  private readonly shadow: Uint32Array;
  private entries = new Uint32Array(1 << 16);
  private used = 0;
  private readonly number = new Float64Array(1);
  private readonly halves = new Uint32Array(this.number.buffer);

  constructor(range: number) {
    super(range);
    this.shadow = this.bits.slice();
    const { code } = this as unknown as { code: Record<string, (...options: number[]) => number> };
    const wrapped = CODES.map(({ name, types }, id) => [name, this.recorded(id, types, code[name])] as const);
    Object.assign(this, { code: { ...code, ...Object.fromEntries(wrapped) } });
  }

  private recorded(id: number, types: readonly string[], call: (...options: number[]) => number) {
    const { byteOffset } = this.bits;
    return (m: number, ...options: number[]) => {
      this.note();
      this.put(CALL, id);
      types.forEach((type, i) => {
        this.number[0] = type === BOUND ? (options[i] - byteOffset) / 4 : options[i];
        this.put(...this.halves);
      });
      const result = call(m, ...options);
      this.shadow.set(this.bits);
      return result;
    };
  }

  /** Records the words that changed since the last call. */
  private note(): void {
    const { bits, shadow } = this;
    for (let i = 0; i < bits.length; i++) {
      if (bits[i] === shadow[i]) continue;
      const from = i;
      while (i < bits.length && bits[i] !== shadow[i]) i++;
      this.put(CHANGE, from, i - from, ...bits.subarray(from, i));
    }
    shadow.set(bits);
  }

  private put(...words: number[]): void {
    if (this.used + words.length > this.entries.length) {
      const longer = new Uint32Array(2 * (this.used + words.length));
      longer.set(this.entries.subarray(0, this.used));
      this.entries = longer;
    }
    this.entries.set(words, this.used);
    this.used += words.length;
  }

  /** Records what all words come to. */
  sum(): void {
    this.note();
    this.put(SUM, checksum(this.bits));
  }

  /** Words of the entries so far. */
  get length(): number {
    return this.used;
  }

  /** The entries so far, which it forgets. */
  take(): Uint32Array {
    const entries = this.entries.slice(0, this.used);
    this.used = 0;
    this.shadow.fill(0); // as the memory that repeats the next ones begins
    return entries;
  }
}

/** Types of a driver that repeats recorded calls on f32.c; it ends with 1 where a sum differs. */
function writeDriver(): string {
  const options = (type: string, i: number) =>
    type === BOUND ? `bound(m, a[${i}])` : type === "double" ? `a[${i}]` : `(${type})(int64_t)a[${i}]`;
  const cases = CODES.map(
    ({ name, types }, id) => `case ${id}: ${name}(m, ${types.map(options).join(", ")}); break;`,
  );
  const counts = CODES.map(({ types }) => types.length);
  return `
#include ${JSON.stringify(resolve("src/math/f32.h"))}
#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const int counts[] = {${counts.join(", ")}};
static f32_bound kept;
static const f32_bound *bound(const float *m, double at) {
  memcpy(&kept, m + (int)at, sizeof kept);
  return &kept;
}
static uint32_t next(FILE *in) {
  uint32_t word = 0;
  return fread(&word, 4, 1, in) == 1 ? word : 0;
}
static void call(float *m, uint32_t id, const double *a) {
  switch (id) {
    ${cases.join("\n    ")}
  }
}
/* A file of entries; words of memory, of the fence before and after the learner's own, and the learner's own. */
int main(int argc, char **argv) {
  if (argc != 5) return 2;
  FILE *in = fopen(argv[1], "rb");
  int words = atoi(argv[2]), fence = atoi(argv[3]), own = atoi(argv[4]), sums = 0;
  float *m = calloc(words, 4);
  for (uint32_t kind; (kind = next(in)) != 0;) {
    if (kind == ${CHANGE}) {
      uint32_t from = next(in), count = next(in);
      for (uint32_t i = 0; i < count; i++) {
        uint32_t word = next(in);
        memcpy(m + from + i, &word, 4);
      }
    } else if (kind == ${CALL}) {
      double a[20];
      uint32_t id = next(in);
      if (fread(a, 8, counts[id], in) != (size_t)counts[id]) return 2;
      ASAN_POISON_MEMORY_REGION(m + 2, 4 * (fence - 2)); /* a width that is none lies at word 0 */
      ASAN_POISON_MEMORY_REGION(m + fence + own, 4 * fence);
      call(m, id, a);
      ASAN_UNPOISON_MEMORY_REGION(m, 4 * words);
    } else {
      uint32_t sum = 0x811c9dc5;
      for (int i = 0; i < words; i++) {
        uint32_t word;
        memcpy(&word, m + i, 4);
        sum = (sum ^ word) * 0x01000193;
      }
      sums++;
      if (sum != next(in)) {
        printf("other words after state %d\\n", sums);
        return 1;
      }
    }
  }
  fclose(in);
  free(m);
  return 0;
}
`;
}

/** f32.c under sanitizers of addresses and undefined behaviour, which repeats recorded calls. */
export class SanitizedC {
  private readonly program: string;

  /** Throws where there is no C compiler. @param flags more of the compiler's. */
  constructor(
    private readonly folder: string,
    flags: readonly string[] = [],
  ) {
    const driver = join(folder, "replay.c");
    this.program = join(folder, `replay${flags.join("")}`);
    writeFileSync(driver, writeDriver());
    const checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g", "-O1"];
    const sources = [driver, resolve("src/math/f32.c")];
    execFileSync("cc", ["-std=c11", ...checks, ...flags, ...sources, "-lm", "-o", this.program]);
  }

  /** Repeats the calls; what went wrong, or nothing. */
  replay(entries: Uint32Array, words: number, fence: number, own: number): string {
    const file = join(this.folder, "calls");
    writeFileSync(file, entries);
    try {
      execFileSync(this.program, [file, words, fence, own].map(String), { stdio: "pipe", encoding: "utf8" });
      return "";
    } catch (error) {
      const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
      return `${stdout}${stderr}`.slice(0, 2000);
    }
  }
}
