import { test } from "uvu";
import * as assert from "uvu/assert";
import { Dictionary } from "../../src/dictionary/dictionary.ts";
import { ceil4, LEAVING } from "../../src/math/primitives.ts";
import { Layout } from "../../src/memory/layout.ts";
import * as fc from "../properties.ts";

const CAPACITY = 6;
const DIMENSION = 3;

/** A dictionary beside scratch for an input, a spare vector and a row of distances. */
function makeDictionary() {
  const layout = new Layout([
    ...Dictionary.regions(CAPACITY, { dimension: DIMENSION }),
    { name: "input", kind: "scratch", words: DIMENSION },
    { name: "spare", kind: "scratch", words: DIMENSION },
    { name: "out", kind: "scratch", words: ceil4(CAPACITY) },
  ]);
  const range = layout.ownRange();
  const dictionary = new Dictionary(layout, range, CAPACITY, { dimension: DIMENSION });
  const [input, spare, out] = ["input", "spare", "out"].map((name) => layout.at(name, range));
  return { layout, range, dictionary, f32: range.f32, input, spare, out };
}

type Made = ReturnType<typeof makeDictionary>;

interface Entry {
  readonly x: readonly number[];
  readonly a: number;
}

function insert({ dictionary, f32, input }: Made, { x, a }: Entry): void {
  f32.load(input, x, DIMENSION);
  dictionary.insert(input, a);
}

/** Contents, oldest first. */
function contents({ dictionary, f32, spare }: Made): Entry[] {
  const byAge = Array.from({ length: dictionary.size }, (_, i) => i).sort(
    (i, j) => dictionary.age(j) - dictionary.age(i),
  );
  return byAge.map((i) => {
    f32.fetchRow(spare, dictionary.rows, i, DIMENSION);
    return { x: [...f32.words.subarray(spare, spare + DIMENSION)], a: dictionary.coefficient(i) };
  });
}

/** Unused rows, coefficients and births are zero, to the bit. */
function unusedIsZero({ dictionary, layout, range, f32, spare }: Made): void {
  for (let i = dictionary.size; i < ceil4(CAPACITY); i++) {
    f32.fetchRow(spare, dictionary.rows, i, DIMENSION);
    for (let j = 0; j < DIMENSION; j++) assert.is(f32.bits[spare + j], 0, `row ${i}`);
    if (i >= CAPACITY) continue;
    assert.is(f32.bits[dictionary.coefficients + i], 0, `coefficient ${i}`);
    assert.is(f32.bits[layout.at("births", range) + i], 0, `birth ${i}`);
  }
}

/** Lets the birth counter begin here. */
function bornAt({ layout, range, f32 }: Made, births: number): void {
  f32.bits[layout.at("count", range) + 1] = births;
}

const vector = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: DIMENSION, maxLength: DIMENSION });
const entry = fc.tuple(vector, fc.integer({ min: -5, max: 5 })).map(([x, a]) => ({ x, a }));
const step = fc.oneof(
  fc.record({ insert: entry, evict: fc.constantFrom("oldest" as const, "smallest" as const) }),
  fc.record({ remove: fc.nat(CAPACITY - 1) }),
);
const steps = fc.array(step, { maxLength: 60 });
/** Births so far: none, or so many that the 32-bit counter wraps during the steps. */
const births = fc.constantFrom(0, 2 ** 32 - 1, 2 ** 32 - 3, 2 ** 32 - 20);

/**
 * The vector that leaves a plain list, oldest first. Among equal coefficients any may go, so the dictionary's
 * choice is passed in.
 */
function leavingFromList(list: Entry[], evict: "oldest" | "smallest", chosen: Entry): number {
  if (evict === "oldest") return 0;
  const least = Math.min(...list.map(({ a }) => Math.abs(a)));
  assert.is(Math.abs(chosen.a), least, "the coefficient that leaves is the smallest");
  return list.findIndex(({ x, a }) => a === chosen.a && x.every((value, j) => value === chosen.x[j]));
}

function leave(made: Made, list: Entry[], evict: "oldest" | "smallest"): void {
  const { dictionary, f32, spare } = made;
  const i = dictionary.leaving(LEAVING[evict]);
  f32.fetchRow(spare, dictionary.rows, i, DIMENSION);
  const chosen = { x: [...f32.words.subarray(spare, spare + DIMENSION)], a: dictionary.coefficient(i) };
  const at = Array.from({ length: dictionary.size }, (_, j) => j).filter(
    (j) => dictionary.age(j) > dictionary.age(i),
  ).length;
  const expected = leavingFromList(list, evict, chosen);
  if (evict === "oldest") assert.is(at, expected, "the oldest leaves");
  assert.equal(list[at], chosen);
  dictionary.remove(i);
  list.splice(at, 1);
}

test("behaves as a plain list, oldest first, whatever is inserted, evicted and removed", () => {
  fc.assert(
    fc.property(births, steps, (start, steps) => {
      const made = makeDictionary();
      bornAt(made, start);
      const list: Entry[] = [];
      for (const step of steps) {
        if ("insert" in step) {
          if (made.dictionary.full) leave(made, list, step.evict);
          insert(made, step.insert);
          list.push(step.insert);
        } else if (step.remove < list.length) {
          removeAt(made, list, step.remove);
        }
        assert.is(made.dictionary.size, list.length);
        assert.is(made.dictionary.full, list.length === CAPACITY);
        assert.equal(contents(made), list);
        unusedIsZero(made);
      }
    }),
    { numRuns: 300, seed: 1 },
  );
});

/** Removes row i, wherever it stands in the list. */
function removeAt(made: Made, list: Entry[], i: number): void {
  const { dictionary } = made;
  const older = Array.from({ length: dictionary.size }, (_, j) => j).filter(
    (j) => dictionary.age(j) > dictionary.age(i),
  );
  dictionary.remove(i);
  list.splice(older.length, 1);
}

test("the nearest is the least distance, the lowest row on ties", () => {
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: CAPACITY }), entry, (entries, { x }) => {
      const made = makeDictionary();
      for (const each of entries) insert(made, each);
      const distances = entries.map((each) => each.x.reduce((sum, value, j) => sum + (value - x[j]) ** 2, 0));
      made.f32.load(made.input, x, DIMENSION);
      const nearest = made.dictionary.nearest(made.input, made.out);
      assert.is(nearest, distances.indexOf(Math.min(...distances)));
      assert.equal([...made.f32.words.subarray(made.out, made.out + entries.length)], distances);
    }),
    { numRuns: 300, seed: 2 },
  );
});

test("equal contents in equal rows have equal bytes, whatever was there before", () => {
  const [fresh, used] = [makeDictionary(), makeDictionary()];
  for (let i = 0; i < CAPACITY; i++) insert(used, { x: [i, i, i], a: i });
  while (used.dictionary.size > 0) used.dictionary.remove(0);
  bornAt(used, 0);
  for (const made of [fresh, used]) insert(made, { x: [1, 2, 3], a: 0.5 });
  const state = ({ f32, layout }: Made) => [...f32.bits.subarray(0, layout.state)];
  assert.equal(state(used), state(fresh));
});

test.run();
