import { Random } from "../../host/random.ts";

const LEARNERS = {
  classification: ["auto", "pa", "arow", "olk-c", "knn", "kernel-perceptron", "logistic"],
  regression: ["auto-r", "rls", "qkrls", "krls-t", "nlms"],
  novelty: ["olk-n", "robust-z", "norma-n"],
} as const;
type Kind = keyof typeof LEARNERS;
/** A node's file, its recording and its labels' way, drawn at random. */
export function drawNode(seed: number) {
  const random = new Random(seed, "evaluated nodes");
  const draw = <T>(all: readonly T[]): T => all[random.below(all.length)];
  const some = (keys: Readonly<Record<string, readonly unknown[]>>) =>
    Object.fromEntries(
      Object.entries(keys).flatMap(([key, values]) => (random.uniform() < 0.4 ? [[key, draw(values)]] : [])),
    );
  const task = draw(Object.keys(LEARNERS) as Kind[]);
  const classes = draw([undefined, ["ok", "fault"]]);
  const channels = draw([1, 2, 3]);
  let last = 0;
  const rows = Array.from({ length: draw([120, 300]) }, () => {
    if (random.uniform() < 0.05) last = 1 - last;
    const x = Array.from({ length: channels }, () => (last + random.normal()).toFixed(3));
    const label = task === "regression" ? (2 * Number(x[0])).toFixed(3) : (classes ?? ["-1", "1"])[last];
    return [...x, random.uniform() < 0.1 ? "" : label].join();
  });
  const names = Array.from({ length: channels }, (_, c) => `c${c}`);
  const ranged = names.map((name) => ({ name, ...(random.uniform() < 0.5 && { range: [-2, 3] }) }));
  const node = {
    ...{ schema: "motelearn.node/1", learner: draw(LEARNERS[task]), channels: draw([channels, ranged]) },
    // Labels that come while a line is busy are late where few samples wait, which `evaluate` has no line for.
    ...some({ pending: [17, 64, 200], window: [2, 16], standardise: [true, false], labelWindow: [8] }),
    ...(task === "classification" && some({ fleetBudget: [0, 4] })),
    ...(task !== "regression" && classes && { classes }),
  };
  const labels = {
    ...some({ delayMean: [0, 3, 30], delaySpread: [2, 9], loss: [0.1, 0.5], until: [80] }),
    ...(task !== "regression" && some({ noise: [{ symmetric: { rate: 0.2 } }] })),
  };
  return { task, node, labels, csv: `${[...names, "label"].join()}\n${rows.join("\n")}\n` };
}
