import { test } from "uvu";
import * as assert from "uvu/assert";
import { perform, planRuns } from "../../host-sim/runs/runs.ts";
import { parseScenario } from "../../host-sim/scenario/scenario.ts";

const SEEDS = Array.from({ length: 10 }, (_, i) => 101 + i);

/** Balanced accuracies against the truth of a learner with its defaults at 4 nodes, labels 30 samples late, by seed. */
async function accuracies(learner: string, labels: object): Promise<number[]> {
  const result: number[] = [];
  for (const seed of SEEDS) {
    const scenario = parseScenario(
      JSON.stringify({
        schema: "motelearn.scenario/1",
        seed,
        stream: { type: "scene", nodes: 4, samples: 4000, channels: 4, separation: 2.6 },
        labels: { delayMean: 30, ...labels },
        tasks: [{ name: "scene", task: "classification", learners: [{ learner }] }],
      }),
      "test.json",
    );
    const [run] = planRuns(scenario, "test.json");
    const { nodes } = await perform(run);
    for (const { result: node } of nodes) result.push(node.metrics.balancedAccuracy as number);
  }
  return result;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

for (const [learner, rate] of ["arow", "pa", "olk-c", "auto"].flatMap(
  (name) =>
    [
      [name, 0],
      [name, 0.2],
    ] as const,
))
  test(`${learner}: at ${100 * rate} % wrong labels a quarter of them, those asked for, cost at most 0.02 of balanced accuracy, and at random no less but for 0.005`, async () => {
    const noise = { symmetric: { rate } };
    const all = mean(await accuracies(learner, { noise }));
    const asked = mean(await accuracies(learner, { noise, budget: 0.25 }));
    const random = mean(await accuracies(learner, { noise, loss: 0.75 }));
    const said = `${learner}, ${rate}: all ${all.toFixed(4)}, asked ${asked.toFixed(4)}, at random ${random.toFixed(4)}`;
    if (process.env.MOTELEARN_FIGURES) console.log(said);
    assert.ok(all - asked <= 0.02, said);
    assert.ok(random - asked <= 0.005, said);
  });

test.run();
