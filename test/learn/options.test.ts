import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { classesText, className, docText, optionsText, WITH_CLASS } from "../../dev/options-text.ts";
import * as motelearn from "../../src/index.ts";
import type { Family } from "../../src/learn/family.ts";
import { choice, flag, real, resolveOptions, whole } from "../../src/learn/options.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { NODE_OPTIONS } from "../../src/node/node-options.ts";

const TABLE = {
  dimension: whole({ min: 1, max: 8 }, "components"),
  C: real({ default: 1, above: 0, below: 10 }, "weight"),
  rule: choice(["fixed", "free"], "fixed", "rule"),
  forget: flag(true, "whether"),
};

test("what isn't given takes its default", () => {
  assert.equal(resolveOptions("x", TABLE, { dimension: 3 }), {
    dimension: 3,
    C: 1,
    rule: "fixed",
    forget: true,
  });
});

test("an error carries whose option it is, what it got and what it takes; a value of any kind is shown on one line", () => {
  const circle: { self?: object } = {};
  circle.self = circle;
  for (const [got, shown] of [
    [circle, "[object Object]"],
    [7n, "7"],
    [undefined, "nothing"],
    ["a\nb", '"a\\nb"'],
    ["a".repeat(200), `"${"a".repeat(119)}...`],
  ]) {
    const error = new OptionError("x", "C", got, "a number");
    assert.is(error.message, `x: option C: got ${shown}; takes a number`);
    assert.equal([error.owner, error.option, error.takes, error.name], ["x", "C", "a number", "OptionError"]);
    assert.is(error.got, got);
  }
});

test("what can't be used is refused with the option, what it got and what it takes", () => {
  const cases: [object, string][] = [
    [{}, "x: option dimension: got nothing; takes a whole number >= 1 and <= 8"],
    [{ dimension: 2.5 }, "x: option dimension: got 2.5; takes a whole number >= 1 and <= 8"],
    [{ dimension: 2, C: null }, "x: option C: got null; takes a number > 0 and < 10"],
    [{ dimension: 2, C: Number.NaN }, "x: option C: got NaN; takes a number > 0 and < 10"],
    [{ dimension: 2, C: "1" }, 'x: option C: got "1"; takes a number > 0 and < 10'],
    [{ dimension: 2, C: [1] }, "x: option C: got [1]; takes a number > 0 and < 10"],
    [{ dimension: 2, rule: 68 }, "x: option rule: got 68; takes one of fixed, free"],
    [{ dimension: 2, forget: 1 }, "x: option forget: got 1; takes true or false"],
    [{ dimension: 2, c: 1 }, "x: no option c; takes dimension, C, rule, forget"],
  ];
  for (const [given, message] of cases) {
    assert.throws(
      () => resolveOptions("x", TABLE, given as Record<string, unknown>),
      (error: Error) =>
        error instanceof OptionError && error instanceof RangeError && error.message === message,
      message,
    );
  }
});

/** Every option of every learner, with the learner's name. */
function everyOption(see: (family: Family, name: string, option: Family["options"][string]) => void): void {
  for (const family of FAMILIES) {
    for (const [name, option] of Object.entries(family.options)) see(family, name, option);
  }
}

test("the interfaces that editors show are made from the learners' tables: npm run build:options", () => {
  assert.is(readFileSync("src/learn/learner-options.ts", "utf8"), optionsText());
});

test("programs import the class of each learner: npm run build:options", () => {
  assert.is(readFileSync("src/learn/learners.ts", "utf8"), classesText());
  for (const family of WITH_CLASS)
    assert.ok(family.create({ dimension: 2 }) instanceof Reflect.get(motelearn, className(family)));
});

test("a node's interface says the range and the default of each option", () => {
  const source = readFileSync("src/node/node-options.ts", "utf8");
  for (const [name, option] of Object.entries(NODE_OPTIONS)) {
    const [, comment] =
      new RegExp(`/\\*\\* ([^*]*) \\*/\\n  readonly ${name}\\??: [^;]+;`).exec(source) ?? [];
    const right = docText(option).slice(option.doc.length);
    assert.ok(comment?.endsWith(right), `${name}: "${comment}" ends with "${right}"`);
  }
});

test("options have one casing: words in camelCase, or C, as the field calls the weight of the loss", () => {
  everyOption((family, name, { takes, kind }) => {
    assert.match(name, /^([a-z]+([A-Z][a-z]+)*|C)$/, family.name);
    if (kind === "choice") assert.not.match(takes, /\b\d/, `${family.name}.${name}: no equation numbers`);
  });
});

test.run();
