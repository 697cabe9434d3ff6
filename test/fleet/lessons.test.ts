import { test } from "uvu";
import * as assert from "uvu/assert";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { MODELS } from "../../fleet/store/label-rows.ts";
import {
  type GroupBeginning,
  type RememberedNode,
  TrainedGroup,
} from "../../fleet/training/trained-group.ts";
import { Random } from "../../host/random.ts";
import { inFolder } from "../tools/stations.ts";

const label = (seq: number, y = 1) => ({ sid: 5, seq, y, source: 0, confidence: 255, by: "anna" });

test("features of a labelled sample are a lesson once, with its label, and only with one", () => {
  const path = inFolder("lessons.db");
  let store = new FleetStore(path);
  store.labels.add("n1", label(3, -1));
  store.labels.add("n2", label(3));
  const x = Float32Array.of(0.1, -2);
  assert.is(store.lessons.keep("n1", { sid: 5, seq: 4, x }), undefined, "no label");
  const first = store.lessons.keep("n1", { sid: 5, seq: 3, x });
  assert.equal(first, { id: 1, node: "n1", x: Float32Array.of(0.1, -2), y: -1 });
  assert.is(store.lessons.keep("n1", { sid: 5, seq: 3, x: Float32Array.of(9, 9) }), undefined, "again");
  store.commit();
  store.lessons.keep("n2", { sid: 5, seq: 3, x });
  assert.is(store.lessons.of(["n2", "n1"], 2).length, 2);
  // A killed gateway: what it didn't commit is lost, and may come again.
  store = new FleetStore(path);
  assert.equal(store.lessons.of(["n2", "n1"], 2), [first]);
  assert.equal(store.lessons.of(["n1"], 3), [], "of other features");
  assert.is(store.lessons.keep("n2", { sid: 5, seq: 3, x })?.id, 2);
  store.close();
});

test("a model has its number among the labels; one that the node refuses leaves no gap", () => {
  const store = new FleetStore(inFolder("models.db"));
  const bytes = Uint8Array.of(1, 2, 3, 4);
  store.labels.add("n1", label(1));
  store.lessons.install("n1", { candidate: "group", crc: 7, bytes });
  store.labels.add("n1", label(2));
  store.lessons.install("n1", { candidate: "own", crc: 8, bytes });
  store.labels.number("n1", 10);
  const waiting = () => store.labels.waiting("n1").map(({ number, sid, seq }) => [number, sid, seq]);
  assert.equal(waiting(), [
    [11, 5, 1],
    [12, MODELS, 1],
    [13, 5, 2],
    [14, MODELS, 2],
  ]);
  assert.equal(store.lessons.readModel("n1", 2), { candidate: "own", crc: 8, bytes });
  store.labels.withdraw("n1", { sid: MODELS, seq: 1 }, 11);
  assert.equal(waiting().slice(1), [
    [12, 5, 2],
    [13, MODELS, 2],
  ]);
  store.close();
});

/** Lessons of two nodes that are alike: the sign of their first feature. */
function lessons(count: number) {
  const random = new Random(2, "lessons");
  return Array.from({ length: count }, (_, i) => {
    const x = Float32Array.of(random.normal(), random.normal());
    return { id: i + 1, node: i % 3 === 0 ? "n1" : "n2", x, y: x[0] > 0 ? 1 : -1 };
  });
}

test("a group resumes after a restart: it trains nothing twice, and remembers who had which model", () => {
  const form: Omit<GroupBeginning, "lessons" | "remembered"> = {
    nodes: ["n1", "n2"],
    dimension: 2,
    vectors: 0,
  };
  const all = lessons(60);
  const remembered: Record<string, RememberedNode> = {};
  const run = (from: number, to: number) => {
    const group = new TrainedGroup({ ...form, lessons: all.slice(0, from), remembered });
    for (const node of form.nodes) group.set(node, true);
    const taken = (lesson: (typeof all)[number]) => {
      group.take(lesson);
      return group.turn();
    };
    const turns = [group.turn(), ...all.slice(from, to).map(taken)];
    for (const turn of turns) Object.assign(remembered, turn.remembered);
    return { models: turns.flatMap(({ models }) => models), last: turns[turns.length - 1] };
  };
  const { models, last } = run(0, 40);
  assert.ok(models.length > 6, `${models.length}`);
  const resumed = run(40, 40);
  assert.equal(resumed.models, [], "nothing is due that was not");
  assert.equal(resumed.last.standings.n2.labels, last.standings.n2.labels);
  assert.is(resumed.last.standings.n2.candidate, last.standings.n2.candidate);
  assert.ok(run(40, 60).models.length > 0);
  const group = new TrainedGroup({ ...form, lessons: all.slice(0, 60), remembered });
  group.set("n1", true);
  group.turn();
  group.order(["n1", "n2"]);
  assert.equal(
    group.turn().models.map(({ node }) => node),
    ["n1"],
    "ordered anew, of the nodes that take one",
  );
});

test("a node may have any name that a fleet file takes, also one that every object has", () => {
  const nodes = ["constructor", "n2"];
  const group = new TrainedGroup({ nodes, dimension: 2, vectors: 0, lessons: [], remembered: {} });
  for (const lesson of lessons(30)) group.take({ ...lesson, node: lesson.node === "n1" ? nodes[0] : "n2" });
  assert.equal(
    nodes.map((name) => group.turn().standings[name].labels),
    [10, 20],
  );
});

test.run();
