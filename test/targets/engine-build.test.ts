import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";

const { compilerFault, makeProgress } = await import(join(process.cwd(), "targets/emulator/engine.mjs"));

test("what a compiler says is wrong is its own first error, not the command", () => {
  const stderr = [
    "In file included from xs.c:1:",
    "xs.c:3:10: fatal error: xsAll.h: No such file or directory",
    "compilation terminated.",
  ].join("\n");
  const message = "Command failed: cc -O2 -c xs.c";
  assert.is(compilerFault({ stderr, message }), "xs.c:3:10: fatal error: xsAll.h: No such file or directory");
  const linked =
    "/usr/bin/ld: a.o: in function `main':\na.c:2: undefined reference to `f'\ncollect2: ld returned 1";
  assert.is(compilerFault({ stderr: linked, message }), "a.c:2: undefined reference to `f'");
  assert.is(compilerFault({ stderr: "cc: out of luck\n", message }), "cc: out of luck");
  assert.is(compilerFault({ message: "spawn cc ENOENT" }), "spawn cc ENOENT");
});

test("long work says how much is done, every two seconds at most, and not at its end", () => {
  const clock = performance.now;
  let now = 0;
  performance.now = () => now;
  try {
    const said: string[] = [];
    const next = makeProgress((line: string) => void said.push(line), "files", 10);
    for (let i = 0; i < 10; i++) {
      now += 900;
      next();
    }
    assert.equal(said, ["files: 3 of 10", "files: 6 of 10", "files: 9 of 10"]);
  } finally {
    performance.now = clock;
  }
});

test.run();
