/** A node that begins with what its group knows, and a gateway's keeper of it, in this process. */
import * as assert from "uvu/assert";
import type { FleetStore } from "../../fleet/store/fleet-store.ts";
import { Random } from "../../host/random.ts";
import { GroupTrainer } from "../../host/training/group-trainer.ts";
import { taughtNode } from "../../host-sim/state/taught-node.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { test } from "../tools/contained.ts";
import { NODE } from "../tools/taught-node.ts";
import { KeptNode, type KeptTogether } from "./kept-node.ts";

const ALIKE: NodeOptions = { ...NODE, fleetBudget: 0 };
const FELLOWS = ["n2", "n3"];

/** The labels of its fellows, in the order in which they came. */
function lessons(count: number) {
  const random = new Random(4, "newcomer");
  return Array.from({ length: count }, (_, i) => {
    const x = Float32Array.of(random.normal(), random.normal());
    return { node: FELLOWS[i % 2], seq: i + 1, x, y: x[0] > x[1] ? 1 : -1 };
  });
}

/** A database that has so many labels of its fellows. */
function group(count: number): KeptTogether {
  const fill = (store: FleetStore) => {
    for (const { node, seq, x, y } of lessons(count)) {
      store.labels.add(node, { sid: 5, seq, y, source: 0, confidence: 255, by: "anna" });
      store.lessons.keep(node, { sid: 5, seq, x });
    }
    store.commit();
  };
  return { fellows: FELLOWS, start: "group", fill };
}

/** The hash of a newcomer of the simulator, whose group has so many labels. */
function begun(options: NodeOptions, count: number): string {
  const trainer = new GroupTrainer(1 + FELLOWS.length, { dimension: 2, vectors: 0 });
  for (const { node, x, y } of lessons(count)) trainer.take(1 + FELLOWS.indexOf(node), { x, y });
  return taughtNode(options, trainer).learner.stateHash();
}

let kept: KeptNode | undefined;
test.after.each(async () => {
  await kept?.close();
  kept = undefined;
});

async function met(name: string, options: NodeOptions, together: KeptTogether): Promise<KeptNode> {
  kept = await KeptNode.met(name, options, undefined, together);
  return kept;
}

const starts = ({ events }: KeptNode) => events.filter(([kind]) => kind === "state").map(([, text]) => text);

const hasBegun = (its: KeptNode) =>
  its.become("it begins with its group's labels", () => starts(its).length > 0);

/** The gateway has met the node, and labels go out: whether it begins with its group's labels is settled. */
async function takesLabel(its: KeptNode): Promise<void> {
  const { labelled } = its;
  its.sample(1);
  const { seq, sid } = its.own;
  await its.become("the gateway hears of the sample", () => its.keeper.reach?.seq === seq);
  its.give(seq, sid);
  await its.become("the node takes the label", () => its.labelled > labelled);
}

for (const [name, options] of [
  ["olk-c", ALIKE],
  ["arow", { ...ALIKE, learner: familyNamed("arow")!, options: {} }],
  ["a node that takes no models", NODE],
] as const)
  test(`a newcomer begins with what a simulated one does, once: ${name}`, async () => {
    const its = await met(`newcomer-${name.slice(0, 5)}`, options, group(40));
    const untrained = its.stateHash;
    await hasBegun(its);
    const first = begun(options, 40);
    assert.is.not(first, untrained);
    assert.is(its.stateHash, first);
    assert.equal([its.own.seq, its.labelled], [0, 0]);
    assert.equal(starts(its), ["begins with 40 labels of its group"]);
    const [copy] = its.store.copies("n1");
    assert.equal([copy.hash, copy.whole, copy.labelled], [first, true, 0], "what it began with is kept");

    const { boot } = its.keeper.hello!;
    await its.restartGateway();
    await its.become("it says what it is", () => its.keeper.isDescribed);
    its.restart(77);
    await its.become("the gateway meets it", () => its.keeper.hello?.boot === 77);
    assert.is.not(boot, 77);
    assert.is(its.stateHash, first, "its flash has it");
    await takesLabel(its);
    await its.restartGateway();
    await takesLabel(its);
    assert.is(starts(its).length, 1);
  });

test("a node with labels of its own isn't touched; once it has lost them, it is new again", async () => {
  const its = await met("begun-alone", ALIKE, group(0));
  await takesLabel(its);
  await its.become("the label is a lesson", () => its.store.lessons.of(["n1"], 2).length > 0);
  const seen = its.stateHash;
  group(40).fill?.(its.store);
  await its.restartGateway();
  await its.become("it says what it is", () => its.keeper.isDescribed);
  assert.is(its.stateHash, seen, "labelled");
  assert.equal(starts(its), []);
  // Its label lies in no checkpoint yet.
  its.restart(2);
  await hasBegun(its);
  assert.equal(starts(its), ["begins with 41 labels of its group"]);
});

test("with what a start begins is settled once, while its group learns on", async () => {
  const its = await met("settled", NODE, group(0));
  await its.become("it says what it is", () => its.keeper.isDescribed);
  its.sample(3);
  await its.become("that is settled", () => its.store.lessons.readStart("n1")?.isOpen === false);
  const untrained = its.stateHash;
  group(40).fill?.(its.store);
  await its.restartGateway();
  await its.become("it says what it is", () => its.keeper.isDescribed);
  await takesLabel(its);
  assert.is.not(its.stateHash, untrained);
  assert.equal([its.own.seq, starts(its)], [4, []]);
});

test("labels and models wait until it has begun, and go on where it doesn't take what its group knows", async () => {
  const its = await met("unrestorable", ALIKE, { ...group(40), labelKey: new Uint8Array(16).fill(7) });
  await hasBegun(its);
  assert.match(starts(its)[0], /^doesn't begin with its group's labels: .*takes no copy without a tag/);
  assert.equal(its.store.copies("n1"), [], "no copy of what it never had");
  // The gateway lacks its label key: it refuses the models, too.
  const isRefused = () => its.events.some(([, text]) => text.includes("it refuses their tags"));
  await its.become("a model goes out", isRefused);
  await its.restartGateway();
  await its.become("it says what it is", () => its.keeper.isDescribed);
  assert.is(starts(its).length, 1);
});

const KEY = new Uint8Array(16).fill(7);

test("a newcomer with a label key begins with what its group knows, if the fleet file has that key", async () => {
  const its = await met("keyed-newcomer", ALIKE, { ...group(40), labelKey: KEY, filed: KEY });
  await hasBegun(its);
  assert.equal(starts(its), ["begins with 40 labels of its group"]);
  assert.is(its.stateHash, begun(ALIKE, 40));
});

test("a newcomer whose label key isn't the fleet file's begins as it is, and the gateway says why", async () => {
  const its = await met("wrong-newcomer", ALIKE, { ...group(40), labelKey: KEY, filed: new Uint8Array(16) });
  const untrained = its.stateHash;
  await hasBegun(its);
  assert.match(starts(its)[0], /^doesn't begin with its group's labels: .*the label key isn't the node's/);
  assert.is(its.stateHash, untrained);
});

test("a node that learns no two classes begins as it is, and the gateway says why", async () => {
  const its = await met("estimates", { ...NODE, learner: familyNamed("nlms")!, options: {} }, group(40));
  const why = () =>
    its.events.find(([kind, text]) => kind === "together" && text.startsWith("doesn't begin"));
  await its.become("the gateway says why", () => why() !== undefined);
  assert.match(
    why()![1],
    /^doesn't begin with its group's labels: nlms doesn't learn the two classes of its labels/,
  );
  await takesLabel(its);
  await its.become("the gateway hears of it", () => its.labels[0].status === LABEL_STATUS.applied);
});

test("a newcomer of a gateway that starts nobody so begins as it is", async () => {
  const its = await met("nothing", NODE, { ...group(40), start: "nothing" });
  await takesLabel(its);
  assert.equal([its.own.seq, starts(its)], [1, []]);
});

test.run();
