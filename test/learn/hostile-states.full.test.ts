// Many hostile states for every learner, on TypeScript, on WebAssembly as boards call it, and by f32.c under sanitizers.
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Primitives } from "../../src/math/primitives.ts";
import { hashWords } from "../../src/memory/hash.ts";
import { makeFolder } from "../folder.ts";
import { besiege, FENCE, overfill, portable, SETTINGS } from "./hostile-states.ts";
import { RecordingWasm, SanitizedC } from "./recorded-calls.ts";

/** Hostile states of each learner, and of one with other options: `HOSTILE_STATES=10000` makes as many, in two minutes of CPU. */
const COUNT = Number(process.env.HOSTILE_STATES ?? 10);
const OTHERS = Math.ceil(COUNT / 5);
/** Words of recorded calls that are repeated at once. */
const AT_ONCE = 1 << 24;
const folder = makeFolder();

let compiled: SanitizedC | undefined;

for (const setting of SETTINGS) {
  const { state, bytes } = setting.family.layout(setting.options);
  const count = setting.name === setting.family.name ? COUNT : OTHERS;

  test(`${setting.name} survives hostile states, with the same bits in TypeScript, WebAssembly and sanitized C`, () => {
    compiled ??= new SanitizedC(folder);
    const hashState = ({ bits }: Primitives) => hashWords(bits, FENCE, state);
    const hashes: string[] = [];
    const outcome = besiege(setting, count, undefined, (f32) => hashes.push(hashState(f32)));
    assert.equal(outcome.faults.slice(0, 5), []);
    let next = 0;
    const wrong: string[] = [];
    const recording = new RecordingWasm(bytes + 8 * FENCE);
    const replay = () => {
      const fault = compiled?.replay(recording.take(), recording.bits.length, FENCE, bytes / 4);
      if (fault) wrong.push(fault);
    };
    const made = (f32: Primitives, i: number) => {
      if (hashState(f32) !== hashes[next++]) wrong.push(`state ${i}: other bits`);
      recording.sum();
      if (recording.length > AT_ONCE) replay();
    };
    const onWasm = besiege(setting, count, () => recording, made);
    replay();
    assert.equal(wrong.slice(0, 3), []);
    assert.equal(onWasm, outcome);
  });
}

test("the primitives take no more of a dictionary than it has room for, whatever it says that it holds", () => {
  compiled ??= new SanitizedC(folder);
  for (const setting of SETTINGS) {
    const { state, bytes } = setting.family.layout(setting.options);
    const hashes: string[] = [];
    const recordHash = ({ bits }: Primitives) => hashes.push(hashWords(bits, FENCE, state));
    assert.equal(overfill(setting, portable, recordHash), [], setting.name);
    const expected = hashes.splice(0);
    const recording = new RecordingWasm(bytes + 8 * FENCE);
    const made = (f32: Primitives) => {
      recordHash(f32);
      recording.sum();
    };
    assert.equal(
      overfill(setting, () => recording, made),
      [],
      setting.name,
    );
    assert.equal(hashes, expected, setting.name);
    assert.is(compiled.replay(recording.take(), recording.bits.length, FENCE, bytes / 4), "", setting.name);
  }
});

test.run();
