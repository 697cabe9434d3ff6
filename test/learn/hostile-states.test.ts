import { test } from "uvu";
import * as assert from "uvu/assert";
import { BindingWasm } from "./binding-wasm.ts";
import {
  besiege,
  Fenced,
  GIVEN,
  overfill,
  portable,
  SETTINGS,
  type Setting,
  savedStates,
} from "./hostile-states.ts";

const COUNT = Number(process.env.HOSTILE ?? 100);

for (const setting of SETTINGS) {
  test(`${setting.name} takes back what it saved`, () => {
    const one = new Fenced(setting, portable);
    for (const state of savedStates(setting)) assert.ok(one.load(state), one.fault);
  });

  test(`${setting.name} refuses a hostile state, or goes on within its memory in states that it could have saved`, () => {
    const { accepted, faults, refused } = besiege(setting, COUNT);
    assert.equal(faults.slice(0, 5), []);
    assert.ok(refused > 0 && accepted > 0, `${refused} refused, ${accepted} accepted`);
  });
}

test("a step ends, whatever number of labels a state says that it has learned, with the same bits in C", () => {
  for (const setting of SETTINGS.filter(({ family }) => /^(olk-c|dual-aga|ova:olk-c)$/.test(family.name))) {
    const whole = setting.family.layout(setting.options);
    const probe = whole.regions.find(({ name }) => name.endsWith("probe"));
    const state = savedStates(setting).at(-1) as Uint32Array;
    for (const labels of probe ? [0x7ffffffd, 0x80000001, 0xc0000004, 0xfffffffb] : []) {
      state[probe?.offset ?? 0] = labels;
      const [one, other] = [portable, (bytes: number) => new BindingWasm(bytes)].map((makeMemory) => {
        const fenced = new Fenced(setting, makeMemory);
        assert.ok(fenced.load(state), fenced.fault);
        for (let t = 0; t < 6; t++) fenced.step({ x: Float32Array.of(t, 1, -1), y: t % 2 });
        for (let t = 0; t < 6; t++) fenced.step({ x: Float32Array.of(t, -1, 1), y: t % 2 ? 1 : -1 });
        return fenced.save();
      });
      assert.equal(other, one, `${setting.name}, ${labels} labels`);
    }
  }
});

test("a step ends though nothing checked a state that lacks a centre's row", () => {
  const qkrls = SETTINGS.filter(({ family }) => family.name === "qkrls");
  for (const setting of qkrls)
    assert.equal(
      overfill(setting, portable, () => {}),
      [],
      setting.name,
    );
});

/** The last state of a learner with these words in a region, after one label on each arithmetic. */
function afterLabel(name: string, region: string, words: readonly number[]): (Uint32Array | undefined)[] {
  const setting = SETTINGS.find((each) => each.name === name) as Setting;
  const [wanted] = setting.family.layout(setting.options).regions.filter((each) => each.name === region);
  const state = savedStates(setting).at(-1) as Uint32Array;
  state.set(words, wanted.offset);
  return [portable, (bytes: number) => new BindingWasm(bytes)].map((makeMemory) => {
    const one = new Fenced(setting, makeMemory);
    assert.ok(one.load(state), one.fault);
    for (let t = 0; t < 20; t++) {
      one.step({ x: Float32Array.of(t % 3, 1, -1), y: t % 2 ? 1 : -1 });
      assert.ok(one.isSound, one.fault);
    }
    return one.save();
  });
}

test("estimated rates that exclude a label leave the class' probability as it is", () => {
  const [one, other] = afterLabel("rls-hmm", "flips.estimates", [0, 0x43100000, 0, 0, 0, 0, 0]);
  assert.equal(other, one);
});

test("NORMA without an offset leaves its word as it came, as C does", () => {
  const [one, other] = afterLabel(`norma-c with ${JSON.stringify(GIVEN)}`, "bias", [0x80000000]);
  assert.equal(other, one);
});

test.run();
