import { test } from "uvu";
import * as assert from "uvu/assert";
import { ClassNames } from "../../host/streams/class-names.ts";
import { OptionError } from "../../src/index.ts";
import * as fc from "../properties.ts";

const name = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text.trim() === text);
const names = fc.uniqueArray(name, { minLength: 2, maxLength: 12 });

/** What is thrown, which must be an OptionError of one line. */
function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    assert.instance(error, OptionError);
    const { message } = error as OptionError;
    assert.not.match(message, "\n");
    return message;
  }
  throw new Error("nothing was refused");
}

test("a name means its place: -1 and +1 of two, 0 to K-1 of more", () => {
  fc.assert(
    fc.property(names, (options) => {
      const classes = new ClassNames(options);
      options.forEach((each, place) => {
        const target = options.length === 2 ? 2 * place - 1 : place;
        assert.is(classes.labelTarget(each), target);
        assert.is(classes.labelTarget(` ${each} `), target);
        assert.is(classes.targetName(target), each);
      });
    }),
  );
});

test("a label that is no name is a target by its number, or no class at all", () => {
  fc.assert(
    fc.property(names, fc.double(), (options, label) => {
      const classes = new ClassNames(options);
      if (options.includes(String(label))) return;
      const targets = options.map((_, place) => classes.targetAt(place));
      const isTarget = targets.includes(label);
      assert.equal(classes.labelTarget(label), isTarget ? label : Number.NaN);
    }),
  );
});

test("every label of a recording means a class, or the recording is refused", () => {
  const label = fc.oneof(name, fc.integer({ min: -2, max: 4 }));
  fc.assert(
    fc.property(names, fc.uniqueArray(label, { minLength: 1, selector: String }), (options, labels) => {
      const classes = new ClassNames(options);
      const strangers = labels.filter((each) => Number.isNaN(classes.labelTarget(each)));
      const read = () => classes.forRecording(labels);
      if (strangers.length > 0) assert.match(refusal(read), "takes a class: ");
      else assert.is(read(), classes);
    }),
  );
});

test("a recording's own classes are its labels in order, and two recordings of the same labels have the same", () => {
  const labels = fc.uniqueArray(fc.integer({ min: -50, max: 50 }), { minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(labels, (options) => {
      const sorted = [...options].sort((a, b) => a - b);
      const classes = ClassNames.among(options);
      assert.equal(classes.names, sorted.map(String));
      assert.equal(ClassNames.among([...options, ...options].reverse()).names, classes.names);
      assert.equal(
        options.map((each) => classes.labelTarget(each)),
        options.map((each) => sorted.indexOf(each)),
      );
    }),
  );
});

test("a lone -1, 0 or 1 means what it says; any other lone label is refused", () => {
  for (const [label, target] of [
    [-1, -1],
    [0, -1],
    [1, 1],
    ["1", 1],
  ] as const)
    assert.is(ClassNames.among([label, label]).labelTarget(label), target, String(label));
  for (const label of [2, 0.5, "ok"])
    assert.match(
      refusal(() => ClassNames.among([label])),
      `got "${label}"; takes two classes or more: name them all`,
    );
  assert.match(
    refusal(() => ClassNames.among([Number.NaN])),
    'got "none"',
  );
});

test("a recording of 0 and 1 has the two classes of a node without names, in their order", () => {
  const node = ClassNames.forCount(2);
  assert.equal(
    [0, 1].map((label) => node.forRecording([0, 1]).labelTarget(label)),
    [-1, 1],
  );
  assert.equal(
    [-1, 1].map((label) => node.forRecording([-1, 1]).labelTarget(label)),
    [-1, 1],
  );
  assert.match(
    refusal(() => node.forRecording([-1, 0, 1])),
    'got "0"; takes a class: -1, 1',
  );
  const named = new ClassNames(["ok", "fault"]);
  assert.match(
    refusal(() => named.forRecording([0, 1])),
    'got "0"; takes a class: ok -1, fault +1',
  );
});

test("with K classes numbers 0 to K-1 mean themselves, whichever a recording lacks", () => {
  const classes = ClassNames.forLabels([0, 2], undefined, 4);
  assert.equal(
    [0, 2].map((label) => classes.labelTarget(label)),
    [0, 2],
  );
  assert.equal(ClassNames.forLabels([1, 2, 3], undefined, 3).names, ["1", "2", "3"]);
  assert.equal(ClassNames.forLabels(["b", "a"], undefined, 2).names, ["a", "b"]);
  assert.equal(ClassNames.forLabels(["b"], ["b", "a"]).labelTarget("b"), -1);
});

test("a multiclass learner's two classes are 0 and 1", () => {
  const classes = ClassNames.among([-1, 1]).forTask("multiclass");
  assert.equal(
    [-1, 1, 0].map((label) => classes.labelTarget(label)),
    [0, 1, 0],
  );
  assert.is(classes.text, "-1 0, 1");
});

test("names that aren't 2 to 256 distinct words are refused", () => {
  for (const options of [
    [],
    ["a"],
    ["a", "a"],
    ["a", ""],
    ["a", " b"],
    Array.from({ length: 257 }, (_, i) => `${i}`),
  ])
    assert.match(
      refusal(() => new ClassNames(options)),
      "takes 2 to 256 distinct names",
    );
});

test("its text names each class with its target, cut after eight", () => {
  assert.is(new ClassNames(["ok", "fault"]).text, "ok -1, fault +1");
  assert.is(
    new ClassNames(["not ok", "a, b", "0.5", "später"]).text,
    '"not ok" 0, "a, b" 1, 0.5 2, später 3',
  );
  assert.is(ClassNames.forCount(3).text, "0, 1, 2");
  assert.match(ClassNames.forCount(11).text, /7 and 3 more$/);
});

test.run();
