import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { runScenario, type WrittenScenario } from "../../host-sim/index.ts";
import { runJsonHere, temporaryFolder } from "../cli/program.ts";
import { words } from "../words.ts";
import { drawNode } from "./drawn-nodes.ts";

const file = temporaryFolder();
const NODES = 40;
/** Drawn nodes that are explained, and that go on from a state. */
const FEWER = 15;
const HALF = 70;
/** The column of a decision among predictions. */
const DECISION = 4;
/** Their decision isn't one sum of parts. */
const REFUSED = ["oskm", "robust-z"];

test("evaluate of a node's file comes to the hash of the node that simulate has, whatever the node and its labels", async () => {
  for (let seed = 1; seed <= NODES; seed++) {
    const { task, node, labels, csv } = drawNode(seed);
    const [data, own] = [file("rows.csv", csv), file("one.node.json", node)];
    const scenario: WrittenScenario = {
      ...{ schema: "motelearn.scenario/1", seed, node: own, labels },
      stream: { type: "files", files: [{ node: "n", path: data }] },
      tasks: [{ name: "t", task }],
    };
    const { nodes } = await runScenario(scenario);
    const args = ["--train", data, "--node", own, "--scenario", file("scenario.json", scenario)];
    const { stateHash, labels: fates } = await runJsonHere("motelearn.evaluate/1", "evaluate", ...args);
    const [{ stateHash: hash, labels: counted }] = nodes[0].learners;
    const what = `seed ${seed}: ${JSON.stringify({ node, labels })}`;
    assert.is(stateHash, hash, what);
    assert.equal(
      [fates.applied, fates.late, fates.refused, fates.lost],
      [counted.applied, counted.late, counted.refused, counted.lost],
      what,
    );
  }
});

test("explain of a node's file takes apart what evaluate predicted, whatever the node", async () => {
  let explained = 0;
  for (let seed = 1; seed <= FEWER; seed++) {
    const { node, csv } = drawNode(seed);
    const [data, own, predicted] = [
      file("rows.csv", csv),
      file("one.node.json", node),
      file("predicted.csv", ""),
    ];
    await runJsonHere(
      "motelearn.evaluate/1",
      ...words`evaluate --train ${data} --node ${own} --predictions ${predicted}`,
    );
    const labelled = readFileSync(predicted, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split(","))
      .filter(([of, , label]) => of === "train" && label !== "");
    const at = labelled.map((row) => row[DECISION] !== "").lastIndexOf(true);
    if (REFUSED.includes(node.learner)) continue;
    const args = words`explain --log ${data} --node ${own} --at ${at + 1}`;
    const { decision } = await runJsonHere("motelearn.explain/1", ...args);
    assert.is(decision, Number(labelled[at][DECISION]), `seed ${seed}: ${JSON.stringify(node)}`);
    explained++;
  }
  assert.ok(explained > FEWER / 2, `${explained}`);
});

test("a simulated node that begins with a state of evaluate ends in the hash of one run over all rows", async () => {
  for (let seed = 1; seed <= FEWER; seed++) {
    const { task, node, csv } = drawNode(seed);
    const [names, ...rows] = csv.trim().split("\n");
    const [first, rest] = [rows.slice(0, HALF), rows.slice(HALF)].map((part, i) =>
      file(`part-${i}.csv`, `${[names, ...part].join("\n")}\n`),
    );
    const [own, state] = [file("one.node.json", node), file("state.json", "")];
    const evaluated = (train: string, ...more: string[]) =>
      runJsonHere("motelearn.evaluate/1", "evaluate", "--train", train, "--node", own, ...more);
    await evaluated(first, "--save", state);
    const { stateHash } = await evaluated(file("rows.csv", csv));
    const { nodes } = await runScenario({
      ...{ schema: "motelearn.scenario/1", seed, node: file("again.node.json", { ...node, state }) },
      stream: { type: "files", files: [{ node: "n", path: rest }] },
      tasks: [{ name: "t", task }],
    });
    assert.is(nodes[0].learners[0].stateHash, stateHash, `seed ${seed}: ${JSON.stringify(node)}`);
  }
});

test.run();
