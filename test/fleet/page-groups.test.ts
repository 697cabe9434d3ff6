import { test } from "uvu";
import * as assert from "uvu/assert";
import type { GroupState, NodeState } from "../../fleet/api/node-state.ts";
import { findConditions } from "../../fleet/page/condition.ts";
import { groupTexts, judgeHelp, judgeText, modelText } from "../../fleet/page/group-words.ts";

const node = (name: string, together: Partial<GroupState>): NodeState => ({
  name,
  port: "x",
  connected: true,
  waiting: 0,
  asking: 0,
  when: { heard: 0 },
  together: { group: 0, ...together },
});

const HELPS = { labels: 9, isTrusted: true, isAlike: true, candidate: "light" };
const ODD = { ...HELPS, isTrusted: false, isAlike: false, candidate: "own", error: 0.5, limit: 0.14 };
const NEW = { labels: 0, isTrusted: true, isAlike: true, candidate: "group", judges: true };

test("a group's text says who helps whom, and who is left out and why", () => {
  const [a, b, odd, fresh] = [node("a", HELPS), node("b", HELPS), node("odd", ODD), node("new", NEW)];
  assert.equal(groupTexts([a, b, odd, fresh], true), [
    "a and b help each other, and new, which has no answers yet.",
    "odd is left out: its answers contradict the others' model.",
  ]);
  assert.equal(groupTexts([a, fresh, node("newer", NEW)], true), [
    "a helps new and newer, which have no answers yet.",
  ]);
  assert.is(
    groupTexts([a, b, odd, node("odd 2", ODD)], true)[1],
    "odd and odd 2 are left out: their answers contradict the others' model.",
  );
  assert.equal(groupTexts([a], true), ["a learns from its own answers alone, each several times."]);
  assert.equal(groupTexts([fresh, node("newer", {})], true), [
    "No answers yet: the first ones will help all.",
  ]);
  assert.match(groupTexts([a, b], false)[0], /^The group is off: /);
  const many = Array.from({ length: 40 }, (_, i) => node(`n${i + 1}`, HELPS));
  assert.equal(groupTexts(many, true), ["n1, n2, n3, n4, n5 and 35 more help each other."]);
});

test("one that takes no models isn't said to be helped", () => {
  const old = node("old", { why: "it takes no models; flash it with the option fleetBudget" });
  assert.equal(groupTexts([node("a", HELPS), node("b", HELPS), old], true), ["a and b help each other."]);
  assert.equal(judgeHelp(old.together as GroupState).text, "doesn't help");
  assert.is(
    modelText(old.together as GroupState),
    "none: it takes no models; flash it with the option fleetBudget",
  );
});

test("a node of a group that is off keeps its model", () => {
  assert.is(
    modelText({ group: 0, ...NEW, why: "its group is off" }),
    "group: the group's, for all alike; no newer one: its group is off",
  );
});

test("a node's place in its group is in words: its help, its model, who judges", () => {
  const texts = [HELPS, ODD, NEW, {}].map((its) => {
    const group = { group: 0, ...its };
    const { text, why } = judgeHelp(group);
    return [text, why, modelText(group), judgeText(group)];
  });
  assert.equal(texts, [
    ["helps", undefined, "light: the group's, slightly fitted to its own answers", "its own learner"],
    [
      "left out",
      "50.0 % of its answers contradict the others' model; the limit is 14.0 %",
      "own: from its own answers alone, as they contradict the others' model",
      "its own learner",
    ],
    ["no answers yet", undefined, "group: the group's, for all alike", "the fleet's model"],
    ["no answers yet", undefined, "none yet", "its own learner"],
  ]);
});

test("the overview says who is left out of its group, or unlike it", () => {
  const kinds = (its: object) =>
    findConditions(node("a", its), 0).map(({ kind, text }) => `${kind}: ${text}`);
  assert.equal(kinds(ODD), ["apart: left out of its group"]);
  assert.equal(kinds({ ...HELPS, isAlike: false }), ["apart: unlike its group"]);
  assert.equal(kinds(HELPS), ["learning: fine"]);
});

test.run();
