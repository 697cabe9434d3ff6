// Scenarios drawn at random: a learner, a node's optional parts, and what goes wrong with labels, line and power.
import { generator } from "../generator.mjs";

const LEARNERS = {
  classification: ["pa", "arow", "olk-c", "norma-c", "kernel-perceptron"],
  novelty: ["robust-z", "olk-n", "norma-n"],
  faults: ["pa", "lol", "olk-n"],
};
/** Keys of a group, each with its values. */
const NODE = {
  ...{ pending: [1, 17, 64], checkpointEvery: [1, 5, 100], window: [2, 16], standardise: [false, true] },
  ...{ periodMs: [10, 1000], fed: [true], drift: ["watch", "restart"] },
};
const LABELS = {
  ...{ delayMean: [3, 30, 120], delaySpread: [2, 20], loss: [0.1, 0.5], round: [5, 50] },
  noise: [{ symmetric: { rate: 0.2 } }],
};
const LINK = {
  ...{ loss: [0.05, 0.3], duplicates: [0.1], reorder: [1, 5], byteErrors: [0.001], window: [2, 16] },
  ...{ framing: ["bytes"], cuts: [{ count: 2, lengthMs: 3000 }] },
};
const POWER = { count: [1, 4], duringSave: [0.5, 1] };
const OUTAGES = { count: [2], lengthMean: [20] };
/** The share of the keys that a scenario has. */
const SHARE = 0.4;

/** So many scenarios; the same for the same seed. */
export function drawScenarios(count, seed) {
  const next = generator(seed);
  const draw = (list) => list[Math.floor(next() * list.length)];
  const some = (group) =>
    Object.fromEntries(
      Object.entries(group).flatMap(([key, values]) => (next() < SHARE ? [[key, draw(values)]] : [])),
    );
  // How long an outage is, or when power fails, says nothing without a number of them.
  const counted = (group) => ({ ...some(group), count: draw(group.count) });
  return Array.from({ length: count }, () => {
    const task = draw(Object.keys(LEARNERS));
    const stream = {
      ...{ type: draw(["scene", "bearings"]), nodes: draw([1, 2]), samples: draw([150, 400, 900]) },
      channels: draw([1, 2, 4]),
    };
    return {
      ...{ schema: "motelearn.scenario/1", seed: 1 + Math.floor(next() * 1000), stream },
      ...{ node: some(NODE), labels: some(LABELS), link: some(LINK) },
      ...(next() < SHARE && { power: counted(POWER) }),
      ...(next() < SHARE && { outages: counted(OUTAGES) }),
      tasks: [{ name: "t", task, learners: [{ learner: draw(LEARNERS[task]) }] }],
    };
  });
}
