import { writeFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { UserError } from "../../host/errors.ts";
import { ClassNames } from "../../host/streams/class-names.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { fileSupply, readRecording } from "../../tools/labels/file-supply.ts";
import { makeTaughtNode, type TaughtNode } from "../../tools/labels/taught-node.ts";
import type { NodeDescription } from "../../tools/session/description.ts";
import type { Hello } from "../../tools/session/hello.ts";
import { inFolder } from "./stations.ts";

const NUMBERED: TaughtNode = { task: "classification", classes: ClassNames.forCount(2), pending: 64 };
const named = (...names: string[]): TaughtNode => ({ ...NUMBERED, classes: new ClassNames(names) });
let files = 0;

/** What a file with these labels teaches that node, and the mapping that it prints. */
async function taught(labels: readonly (string | number)[], pupil: TaughtNode, novel?: string, ahead = 8) {
  const file = inFolder(`labels-${++files}.csv`);
  writeFileSync(file, `a,b,label\n${labels.map((label, i) => `${i},1,${label}\n`).join("")}`);
  const data = (await readRecording(file)).get("")!;
  const supply = fileSupply("", data, pupil, { novel, ahead });
  const targets = labels.map((_, i) => supply.label(i + 1)?.y).filter((y) => y !== undefined);
  return { targets, mapping: supply.mapping, supply };
}

const refused = async (
  labels: readonly (string | number)[],
  pupil: TaughtNode,
  what: RegExp,
  novel?: string,
) => {
  const error = await taught(labels, pupil, novel).catch((error) => error);
  assert.instance(error, UserError, `${labels} were taught as ${error.targets}`);
  assert.match(error.message, what);
};

test("a file's labels mean the node's classes, however few of them the file has", async () => {
  for (const [labels, pupil, targets, mapping] of [
    [[1, 1], NUMBERED, [1, 1], "-1, 1"],
    [[-1, -1], NUMBERED, [-1, -1], "-1, 1"],
    [[1, -1, "+1"], NUMBERED, [1, -1, 1], "-1, 1"],
    [[0, 1, 1], NUMBERED, [-1, 1, 1], "0 -1, 1"],
    [["ok", "ok"], named("ok", "fault"), [-1, -1], "ok -1, fault +1"],
    [["ok", "ok"], named("fault", "ok"), [1, 1], "fault -1, ok +1"],
    [["fault", "", "ok"], named("ok", "fault"), [1, -1], "ok -1, fault +1"],
    [[0, 2, 0], { ...NUMBERED, classes: ClassNames.forCount(3) }, [0, 2, 0], "0, 1, 2"],
    [["b", "c"], named("a", "b", "c"), [1, 2], "a 0, b 1, c 2"],
    [[3, 5], named("3", "4", "5"), [0, 2], "3 0, 4 1, 5 2"],
  ] as const) {
    const found = await taught(labels, pupil);
    assert.equal([found.targets, found.mapping], [targets, mapping], `${labels}`);
  }
});

test("labels that are none of the node's classes are refused with the classes that were tried, and the remedy", async () => {
  await refused(
    ["ok", "fault"],
    NUMBERED,
    /label fault, ok: the node's classes are -1, 1; name .* --classes/,
  );
  await refused([0, 2], NUMBERED, /label 0, 2: the node's classes are -1, 1/);
  await refused([1, 2, 3], { ...NUMBERED, classes: ClassNames.forCount(3) }, /label 3: .* are 0, 1, 2/);
  await refused([0.5, 1], NUMBERED, /label 0\.5: /);
  await refused(
    ["ok", "worn"],
    named("ok", "fault"),
    /label worn: the node's classes are ok -1, fault \+1; /,
  );
  await refused([0, 1], named("ok", "fault"), /label 0: the node's classes are ok -1, fault \+1/);
  await refused(["a", "b"], { task: "regression", pending: 64 }, /estimates numbers; .*--label/);
  await refused(["a", "b"], { pending: 64 }, /which classes are they\? Give --classes/);
});

test("a novelty detector's labels aren't guessed: 0 and 1 need --novel, as a node without names doesn't say which", async () => {
  const detector: TaughtNode = { ...NUMBERED, task: "novelty" };
  assert.equal((await taught([1, 1, 1, -1], detector)).targets, [1, 1, 1, -1]);
  await refused([0, 0, 1], detector, /which label is the novelty, 0 or 1\? Give --novel/);
  await refused(["event", "rest"], detector, /label event, rest/);
  await refused(["event", "rest"], detector, /--novel quake: .* it has event, rest/, "quake");
  const told = await taught(["event", "rest", "rest"], detector, "event");
  assert.equal([told.targets, told.mapping], [[-1, 1, 1], "event -1, any other +1"]);
  assert.equal((await taught([0, 1], { ...named("0", "1"), task: "novelty" })).targets, [-1, 1]);
});

test("no sample is fed that would push one out whose label hasn't come", async () => {
  const labels = Array.from({ length: 40 }, () => 1);
  for (const [pending, ahead, expected] of [
    [64, 8, 8],
    [4, 8, 4],
    [1, 8, 1],
  ]) {
    const { supply } = await taught(labels, { ...NUMBERED, pending }, undefined, ahead);
    for (const seq of [1, 10, 40])
      assert.is(supply.sample(seq)?.after, Math.max(0, seq - expected), `pending ${pending}, sample ${seq}`);
  }
});

const HELLO = { learner: "pa", channels: 2, pending: 64 } as Hello;
const PA = familyNamed("pa")!;
const described = (more: object): NodeDescription => ({
  learner: "pa",
  node: { sid: 1, channels: 2, learner: PA, options: {}, ...more },
  ...("classes" in more && { names: more.classes as string[] }),
});

test("names of classes are for a node that has none, and as many as its classes", () => {
  assert.equal(makeTaughtNode(HELLO, undefined, ["ok", "fault"]).classes?.names, ["ok", "fault"]);
  assert.is(makeTaughtNode(HELLO, described({ options: { classes: 3 } })).classes?.count, 3);
  const same = described({ classes: ["ok", "fault"] });
  assert.equal(makeTaughtNode(HELLO, same, ["ok", "fault"]).classes?.names, ["ok", "fault"]);
  for (const [hello, description, given, what] of [
    [HELLO, same, ["fault", "ok"], /the node has classes ok -1, fault \+1; leave it out/],
    [HELLO, described({}), ["a", "b", "c"], /the node's learner has 2 classes; name each/],
    [{ ...HELLO, learner: "qklms" }, undefined, ["a", "b"], /estimates numbers; leave it out/],
  ] as const)
    assert.throws(() => makeTaughtNode(hello, description, given), what);
});

test.run();
