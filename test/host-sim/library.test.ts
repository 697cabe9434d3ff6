import { execFileSync } from "node:child_process";
import { test } from "uvu";
import * as assert from "uvu/assert";

/** What a program prints that imports the library as a user's does, by the package's name. */
function program(text: string, env: { readonly [name: string]: string } = {}) {
  const source = `import * as motelearn from "motelearn"; const { OlkC, SensorNode, Layout } = motelearn; ${text}`;
  const args = ["--expose-gc", "--input-type=module", "--eval", source];
  return JSON.parse(
    execFileSync(process.execPath, args, { encoding: "utf8", env: { ...process.env, ...env } }),
  );
}

const LEARN = `
  const learner = new OlkC({ dimension: 3, budget: 16 });
  for (let t = 0; t < 200; t++) learner.learn([Math.fround(t % 7), t % 5, t % 3], t % 2 ? 1 : -1);
  console.log(JSON.stringify([learner.range.f32.constructor.name, learner.stateHash()]));`;

test("on Node the library computes on WebAssembly without being told, to the bits of the portable path", () => {
  const [fast, hash] = program(LEARN, { MOTELEARN_ARITHMETIC: "" });
  const [portable, same] = program(LEARN, { MOTELEARN_ARITHMETIC: "typescript" });
  assert.match(fast, /^_?WasmF32$/);
  assert.match(portable, /^_?PortableF32$/);
  assert.is(hash, same);
});

test("a thousand learners share a few memories, each in a place of its own", () => {
  const [memories, overlapping] = program(`
    const learners = Array.from({ length: 1000 }, () => new OlkC({ dimension: 8, budget: 64 }));
    const memories = [...new Set(learners.map(({ range }) => range.f32.words.buffer))];
    const before = learners.map((learner) => learner.stateHash());
    learners[500].learn(new Float32Array(8), 1);
    const changed = learners.filter((learner, i) => learner.stateHash() !== before[i]);
    console.log(JSON.stringify([memories.length, changed.length]));`);
  assert.ok(memories <= 8, `${memories} memories`);
  assert.is(overlapping, 1);
});

test("learners that are garbage, large and small, are freed", () => {
  const megabytes = program(`
    for (let i = 0; i < 2000; i++) {
      new OlkC({ dimension: 64, budget: 2000 });
      for (let k = 0; k < 20; k++) new OlkC({ dimension: 8, budget: 200 });
      if (i % 200 === 0) gc();
    }
    gc();
    console.log(JSON.stringify(process.memoryUsage().rss / 2 ** 20));`);
  assert.ok(megabytes < 600, `${megabytes} MB after 1,400 MB of learners`);
});

test.run();
