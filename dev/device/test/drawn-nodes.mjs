// Nodes drawn at random, as flags of `plan` and `flash`: learner, sensors, features, and any of a node's optional parts.
import { generator } from "../generator.mjs";

const LEARNERS = {
  classification: ["pa", "arow", "logistic", "olk-c", "norma-c", "dual-aga", "kernel-perceptron", "fogd"],
  regression: ["rls", "nlms", "qklms", "olk-r"],
  novelty: ["robust-z", "olk-n"],
};
/** Options of a node that only some tasks have, with their values. */
const PARTS = [
  ["labelBudget", ["classification"], [0.05, 0.3]],
  ["coverage", ["classification", "regression"], [0.8, 0.9]],
  ["drift", ["classification"], ["watch", "restart"]],
  ["fleetBudget", ["classification"], [0, 16, 40]],
  ["labelWindow", ["regression", "novelty"], [2, 8]],
];
const FEATURES = [[], ["--window", "2"], ["--window", "16"], ["--window", "64", "--bands", "4"]];
const SENSORS = [1, 2, 3, 5, 8];
const PENDING = [1, 17, 64, 150];

/** So many nodes, each a learner and its flags; the same for the same seed. */
export function drawNodes(count, seed) {
  const next = generator(seed);
  const draw = (list) => list[Math.floor(next() * list.length)];
  return Array.from({ length: count }, () => {
    const task = draw(["classification", "classification", "regression", "novelty"]);
    const had = PARTS.filter(([, tasks]) => tasks.includes(task) && next() < 0.4);
    const node = Object.fromEntries(had.map(([name, , values]) => [name, draw(values)]));
    const isBalanced = task === "classification" && next() < 0.2;
    return [
      ...[draw(LEARNERS[task]), "--dimension", `${draw(SENSORS)}`, ...draw(FEATURES)],
      ...["--pending", `${draw(PENDING)}`, "--node", JSON.stringify(node)],
      ...(next() < 0.3 ? ["--no-standardise"] : []),
      ...(isBalanced ? ["--options", '{"balanced":true}'] : []),
    ].join(" ");
  });
}
