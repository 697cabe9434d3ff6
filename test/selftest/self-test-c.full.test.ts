// Compares the self-test's calls in C, which boards have, with those in TypeScript; the C calls must also
// detect a faulty FPU.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { primitivesC } from "../../dev/firmware/primitives-c.mjs";
import { PortableF32 } from "../../src/math/f32.ts";
import { firstDifference, selfTest, selfTestBytes, UNLINKED } from "../../src/selftest/self-test.ts";
import { makeFolder } from "../folder.ts";
import { OPTIONS, PRIMITIVES } from "./tested.ts";

/** Words of the memory: the self-test's, some before them, and one behind that no call may touch. */
const WORDS = selfTestBytes(OPTIONS) / 4;
const DRIVER = `
#include "${resolve("src/selftest/self-test.h")}"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int32_t at = atoi(argv[argc - 1]);
  float *memory = calloc(at + ${WORDS}, 4);
  uint32_t hashes[${PRIMITIVES.length} + 1] = {0};
  for (int32_t first = 0; first < 1000; first += 10) self_test_batch(memory, at, first, hashes);
  for (int32_t i = 0; i < ${PRIMITIVES.length}; i++) printf("%u ", hashes[i]);
  free(memory);
}
`;
const folder = makeFolder();

/** The hashes in C, in the memory from that word, with that text of f32.c. */
function hashesInC(at: number, text: string, flags: readonly string[] = []): number[] {
  const [driver, primitives, program] = ["driver.c", "f32.c", "program"].map((name) => join(folder, name));
  writeFileSync(driver, DRIVER);
  writeFileSync(primitives, text.replace('"f32.h"', JSON.stringify(resolve("src/math/f32.h"))));
  const sources = [driver, primitives, resolve("src/selftest/self-test.c")];
  execFileSync("cc", ["-O1", "-Wall", "-Wextra", "-Werror", ...flags, ...sources, "-lm", "-o", program]);
  return execFileSync(program, [String(at)], { encoding: "utf8" })
    .trim()
    .split(" ")
    .map(Number);
}

/** The hashes of TypeScript's self-test. */
function hashesAt(at: number): Uint32Array {
  const f32 = new PortableF32(new ArrayBuffer(4 * (at + WORDS)));
  return selfTest(OPTIONS, { f32, state: at, counters: 0, scratch: 0 });
}

const source = primitivesC(process.cwd());

test("each primitive has the hash in C that it has in TypeScript, wherever it works, and no call leaves its memory", () => {
  const checked = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
  for (const [at, flags] of [
    [0, checked],
    [6, []],
  ] as const) {
    const hashes = hashesInC(at, source, flags);
    assert.is(hashes.length, PRIMITIVES.length);
    assert.is(firstDifference([...hashes, 0], [...hashesAt(at).slice(0, -1), 0]), undefined);
  }
});

test("a firmware that links each second primitive has the same hashes of those: no hash covers what another call left", () => {
  for (const [linked, first] of [
    ["0x5555555555555555ull", 0],
    ["0xaaaaaaaaaaaaaaaaull", 1],
  ] as const) {
    const hashes = hashesInC(0, source, [`-DSELF_TEST_LINKED=${linked}`]);
    const all = hashesAt(0);
    const others = PRIMITIVES.filter((_, i) => i % 2 === first && hashes[i] !== all[i]);
    assert.equal(others, []);
    assert.ok(PRIMITIVES.every((_, i) => i % 2 === first || hashes[i] === UNLINKED));
  }
});

/** A chip's or compiler's possible change of an operation, and the first primitive whose hash shows it. */
const FAULTS = [
  [
    "a product and a sum that are rounded once",
    "s[j] = s[j] + p[j] * q[j];",
    "s[j] = __builtin_fmaf(p[j], q[j], s[j]);",
    "dot",
  ],
  [
    "a subnormal number taken for 0",
    "if (x == 0) return -__builtin_inff();",
    "if (x < 0x1p-126f) return -__builtin_inff();",
    "log",
  ],
  [
    "numbers added in another order",
    "return (s[0] + s[2]) + (s[1] + s[3]);",
    "return ((s[0] + s[1]) + s[2]) + s[3];",
    "dot",
  ],
] as const;

for (const [what, right, wrong, name] of FAULTS) {
  test(`in C the self-test sees ${what}`, () => {
    assert.ok(source.includes(right), right);
    const hashes = hashesInC(0, source.replaceAll(right, wrong));
    assert.is(firstDifference([...hashes, 0], [...hashesAt(0).slice(0, -1), 0]), name);
  });
}

test.run();
