import { arithmetic } from "../../host-sim/arithmetic.ts";
import { type Prepared, prepare, runNetwork } from "../../host-sim/network/network.ts";
import { parseScenario, type Scenario } from "../../host-sim/scenario.ts";
import { familyNamed } from "../../src/learn/registry.ts";

const SAMPLES = 20_000;
const NODES = 2;
const DIMENSION = 8;
const BUDGET = 64;
/** Rounds until the engine has compiled what it will compile: the first takes three times as long as the tenth. */
const WARM_UP_ROUNDS = 10;
const ROUNDS = 9;

/** CPU time of a simulated node beside that of its learners alone, microseconds a sample. */
export interface NetworkCost {
  readonly framing: "records" | "bytes";
  /** The node's learner and its shadow's: each predicts and learns every sample, and nothing else. */
  readonly learnersUs: number;
  /** All of a simulated node: both learners, station, line, peer, centre, scoring. */
  readonly nodeUs: number;
  readonly ratio: number;
}

function scenarioOf(framing: NetworkCost["framing"]): Scenario {
  const learners = [{ learner: "olk-c", options: { budget: BUDGET } }];
  return parseScenario(
    JSON.stringify({
      schema: "motelearn.scenario/1",
      stream: { type: "scene", nodes: NODES, samples: SAMPLES, channels: DIMENSION },
      labels: { delayMean: 10, delaySpread: 5, noise: { symmetric: { rate: 0.1 } } },
      link: { framing },
      node: { standardise: false },
      tasks: [{ name: "bench", task: "classification", learners }],
    }),
    "bench",
  );
}

function cpuUs(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (SAMPLES * NODES);
}

function learnersAlone({ streams }: Prepared): void {
  const options = { dimension: DIMENSION, budget: BUDGET };
  const family = familyNamed("olk-c")!;
  const layout = family.layout(options);
  for (const { readings, truth, count } of streams) {
    for (let learners = 0; learners < 2; learners++) {
      const memory = arithmetic().allocate(layout);
      const learner = family.create({ ...options, memory });
      for (let k = 0; k < count; k++) {
        const x = readings.subarray(k * DIMENSION, (k + 1) * DIMENSION);
        learner.predict(x);
        learner.learn(x, truth[k]);
      }
    }
  }
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

/** Measures both in turn, round by round, so that whatever else the machine does meets both; the middle round counts. */
export async function benchmarkNetwork(framing: NetworkCost["framing"]): Promise<NetworkCost> {
  const scenario = scenarioOf(framing);
  const prepared = await prepare(scenario, "bench", 0);
  const rounds = Array.from({ length: WARM_UP_ROUNDS + ROUNDS }, () => {
    const learnersUs = cpuUs(() => learnersAlone(prepared));
    const nodeUs = cpuUs(() => {
      runNetwork({ scenario, prepared, task: 0, learner: 0 });
    });
    return { learnersUs, nodeUs, ratio: nodeUs / learnersUs };
  }).slice(WARM_UP_ROUNDS);
  return {
    framing,
    learnersUs: middle(rounds.map((round) => round.learnersUs)),
    nodeUs: middle(rounds.map((round) => round.nodeUs)),
    ratio: middle(rounds.map((round) => round.ratio)),
  };
}
