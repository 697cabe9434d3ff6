import { test } from "uvu";
import * as assert from "uvu/assert";
import { familyNamed } from "../../src/learn/registry.ts";
import { describeNode } from "../../src/node/description.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import { type NodeOptions, nodeLearner } from "../../src/node/node-options.ts";
import { REQUEST } from "../../src/node/requests.ts";
import { NODE } from "../wire/ends.ts";
import { Alone, type Came } from "./alone.ts";

const PA = familyNamed("pa")!;
const node = (more: object): NodeOptions => ({ sid: 1, channels: 2, learner: PA, options: {}, ...more });

const describe = (alone: Alone): Came[] => {
  alone.come("request", { what: REQUEST.description });
  const parts: Came[] = [];
  for (let some = alone.polled(); some.length > 0; some = alone.polled()) parts.push(...some);
  return parts.filter(({ name }) => name === "description");
};
const textIn = (parts: readonly Came[]) =>
  parts.map(({ text }) => String.fromCharCode(...(text as number[]))).join("");

test("a description goes up in parts, whole at each request, and one of no length is answered, too", () => {
  const description = describeNode(node({ classes: ["ok", "fault"], features: { window: 16 } })).padEnd(300);
  const alone = new Alone({ description }).met();
  for (let asked = 0; asked < 2; asked++) {
    const parts = describe(alone);
    assert.is(textIn(parts), description);
    let first = 0;
    for (const part of parts) {
      assert.equal([part.first, part.total], [first, 300]);
      first += (part.text as number[]).length;
    }
    assert.ok(parts.length >= 3);
  }
  const silent = describe(new Alone().met());
  assert.equal(
    silent.map(({ first, total, text }) => [first, total, text]),
    [[0, 0, []]],
  );
});

test("a request in the middle of the parts begins them again", () => {
  const description = "x".repeat(3000);
  const alone = new Alone({ description }).met();
  alone.takes = 0;
  alone.come("request", { what: REQUEST.description });
  alone.polled();
  alone.takes = Number.POSITIVE_INFINITY;
  const parts = describe(alone);
  const begins = parts.map(({ first }) => first).lastIndexOf(0);
  assert.ok(begins > 0);
  assert.is(textIn(parts.slice(begins)), description);
});

test("a description is the node's options without its session, in printable ASCII", () => {
  const text = describeNode(node({ sid: 9, classes: ["gut", "überhitzt\u{1F525}\x7f"] }));
  assert.match(text, /^[ -~]*$/);
  assert.equal(JSON.parse(text), {
    channels: 2,
    learner: "pa",
    options: {},
    classes: ["gut", "überhitzt\u{1F525}\x7f"],
  });
});

test("named classes make a learner of as many, which may say so itself", () => {
  const names = ["ok", "worn", "broken"];
  const { options } = nodeLearner(node({ classes: names }));
  assert.is(options.classes, 3);
  assert.is(nodeLayout(node({ classes: names })).bytes, nodeLayout(node({ options: { classes: 3 } })).bytes);
  nodeLayout(node({ classes: names, options: { classes: 3 } }));
  nodeLayout(node({ classes: ["ok", "fault"] }));
  assert.is(nodeLearner(node({ classes: ["ok", "fault"] })).options.classes, undefined);
});

test("names that fit no learner's classes are refused", () => {
  const refused = (more: object, message: RegExp) => assert.throws(() => nodeLayout(node(more)), message);
  refused({ classes: ["a", "b"], options: { classes: 3 } }, /node: option classes: .*takes 3 names/);
  refused({ classes: ["a", "b", "c"], options: { classes: 4 } }, /4 names/);
  refused({ classes: ["a", "b", "c"], learner: NODE.learner }, /two names with olk-c/);
  refused({ classes: ["a", "b"], learner: familyNamed("qklms") }, /its labels are numbers/);
  for (const classes of [
    [],
    ["a"],
    ["a", "a"],
    ["a", ""],
    [" a", "b"],
    ["a", 1],
    "ab",
    ["a", "b".repeat(65)],
  ])
    refused({ classes }, /distinct names/);
});

test.run();
