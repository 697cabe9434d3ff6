import { test } from "uvu";
import * as assert from "uvu/assert";
import { Catalogue, type Plugin, PluginError } from "../../host-sim/catalogue/catalogue.ts";
import { defineLearner } from "../../src/learn/define.ts";
import { real } from "../../src/learn/options.ts";

const record = {
  name: "constant",
  task: "regression",
  title: "A constant",
  paper: "None",
  options: {},
  state: () => ({ b: 1 }),
  predict: () => 0,
  update: () => true,
} as const;
const constant = defineLearner(record);
const sag = { doc: "x", options: [], make: () => ({ apply: () => true }) };

test("what a plugin brings comes behind what ships, which stays as it was", () => {
  const { shipped } = Catalogue;
  const catalogue = shipped.with({ learners: [constant], signalStages: { sag } }, "here");
  assert.is(catalogue.learner("constant"), constant);
  assert.is(shipped.learner("constant"), undefined);
  assert.equal(catalogue.learners.slice(0, -1), shipped.learners);
  assert.equal(Object.keys(catalogue.signalStages), [...Object.keys(shipped.signalStages), "sag"]);
  assert.equal(catalogue.labelNoises, shipped.labelNoises);
});

// biome-ignore lint/suspicious/noExplicitAny: what comes from outside is anything.
type Anything = any;

/** A plugin with one learner, the constant with something else in its record or listing. */
const defined = (change: Anything) => ({ learners: [defineLearner({ ...record, ...change })] });
const listed = (change: Anything) => ({ learners: [{ ...constant, ...change }] });
const stage = (change: Anything, name = "sag") => ({ signalStages: { [name]: { ...sag, ...change } } });
const option = (change: Anything) => stage({ options: [{ name: "a", doc: "x", ...change }] });

const FAULTS: Record<string, [plugin: Anything, ...parts: string[]]> = {
  "brings nothing": [{ learner: constant }, "exports nothing", "learners, signalStages or labelNoises"],
  "has no list": [{ learners: 3 }, "learners: takes a list"],
  "has no family": [{ learners: [null] }, "defineLearner()"],
  "has a name that ships": [defined({ name: "pa" }), "learner pa", "give it another"],
  "has a name twice": [{ learners: [constant, constant] }, "learner constant", "give it another"],
  "has a name of other letters": [defined({ name: "My Learner" }), '"My Learner"', "lower-case"],
  "has no task": [defined({ task: "clustering" }), "learner constant: task: got clustering", "regression"],
  "has no title": [defined({ title: undefined }), "title: got undefined"],
  "has a paper of two lines": [defined({ paper: "a\nb" }), "paper: got", "a line of text"],
  "has no create": [listed({ create: 1 }), "create: takes a function"],
  "has an option that isn't one": [defined({ options: { eta: 0.1 } }), "option eta", "real()"],
  "has a default outside its range": [
    defined({ options: { eta: real({ default: 2, max: 1 }, "eta") } }),
    "option eta: its default 2 isn't what it takes, a number <= 1",
  ],
  "has no dimension": [listed({ options: {} }), "dimension is missing"],
  "has a layout that throws": [
    defined({
      state() {
        throw new Error("no room");
      },
    }),
    "layout: throws no room",
  ],
  "has a layout that is none": [listed({ layout: () => 3 }), "layout: returned 3"],
  "has stages that are none": [{ labelNoises: 3 }, "labelNoises: takes an object"],
  "has a stage that ships": [stage({}, "noise"), "signalStages: noise", "give it another"],
  "has a stage that is none": [{ labelNoises: { odd: undefined } }, "labelNoises: odd: doc"],
  "has a stage without make": [stage({ make: undefined }), "sag: make: takes a function"],
  "has a stage without options": [stage({ options: undefined }), "sag: options: takes a list"],
  "has a stage of other letters": [stage({}, "a-b"), "a-b: takes a name of one word"],
  "has a stage's option without name": [option({ name: undefined }), "sag: option name: got undefined"],
  "has a stage's option without type": [option({}), "sag: option a: type", "number"],
  "has a stage's option without meaning": [option({ type: "number", doc: "" }), "option a: doc"],
  "has a stage's option without range": [option({ type: "number" }), "option a: min and max"],
  "has a stage's choice without words": [option({ type: "choice" }), "option a: values"],
  "has a stage's option outside its range": [
    option({ type: "number", min: 0, max: 1, default: 2 }),
    "option a: default: got 2, takes a number in 0..1",
  ],
  "has a stage's option twice": [
    stage({
      options: [1, 2].map(() => ({ name: "a", doc: "x", type: "number", min: 0, max: 1, default: 0 })),
    }),
    "option a: stands there twice",
  ],
};

for (const [what, [plugin, ...parts]] of Object.entries(FAULTS)) {
  test(`a plugin that ${what} is refused in one line`, () => {
    try {
      Catalogue.shipped.with(plugin as Plugin, "here.mjs");
    } catch (error) {
      assert.instance(error, PluginError);
      const { message } = error as Error;
      assert.match(message, /^here\.mjs: [^\n]+$/);
      for (const part of parts) assert.ok(message.includes(part), `"${message}" says ${part}`);
      return;
    }
    assert.unreachable("it was taken");
  });
}

test.run();
