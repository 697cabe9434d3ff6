import { test } from "uvu";
import * as assert from "uvu/assert";
import { program } from "./program.ts";

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

test.run();
