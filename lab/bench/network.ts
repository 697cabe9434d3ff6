import { arithmetic } from "../../host/arithmetic.ts";
import { cpuTime } from "../../host/cpu-time.ts";
import { median } from "../../host/statistics.ts";
import { prepare, runNetwork } from "../../host-sim/network/network.ts";
import { type HeldStream, holdStream, replayStream } from "../../host-sim/network/stream.ts";
import { parseScenario, type Scenario } from "../../host-sim/scenario/scenario.ts";
import { familyNamed } from "../../src/learn/registry.ts";

const NODES = 2;
const DIMENSION = 8;

/** A learner, and the framing of its nodes' messages. */
interface NetworkCase {
  readonly learner: string;
  readonly options: { readonly budget?: number };
  readonly framing: "records" | "bytes";
}

export const NETWORK_CASES: readonly NetworkCase[] = [
  { learner: "olk-c", options: { budget: 64 }, framing: "records" },
  { learner: "pa", options: {}, framing: "records" },
  { learner: "olk-c", options: { budget: 64 }, framing: "bytes" },
];

/** Samples of a node in a round, rounds that count, and warm-up rounds. */
interface Extent {
  readonly samples: number;
  readonly rounds: number;
  /** Until the engine has compiled everything: the first round takes three times as long as the tenth. */
  readonly warmUpRounds: number;
}

const EXTENT: Extent = { samples: 20_000, rounds: 15, warmUpRounds: 10 };

/**
 * CPU time of a simulated node beside the CPU time of its learners alone, microseconds a sample: medians over rounds.
 */
export interface NetworkCost {
  readonly learner: string;
  readonly framing: NetworkCase["framing"];
  /** The work of the node's learner and its shadow's alone: one predicts each sample, both learn it. */
  readonly learnersUs: number;
  /** All of a simulated node: both learners, station, line, peer, centre, scoring. */
  readonly nodeUs: number;
  /** The median of the rounds' ratios. */
  readonly ratio: number;
}

function makeScenario({ learner, options, framing }: NetworkCase, samples: number): Scenario {
  return parseScenario(
    JSON.stringify({
      schema: "motelearn.scenario/1",
      stream: { type: "scene", nodes: NODES, samples, channels: DIMENSION },
      labels: { delayMean: 10, delaySpread: 5, noise: { symmetric: { rate: 0.1 } } },
      link: { framing },
      node: { standardise: false },
      tasks: [{ name: "bench", task: "classification", learners: [{ learner, options }] }],
    }),
    "bench",
  );
}

/** CPU time, as other processes' load counts little in it. */
function cpuUs(act: () => void): number {
  const before = cpuTime();
  act();
  return cpuTime() - before;
}

function learnersAlone({ learner: name, options }: NetworkCase, streams: readonly HeldStream[]): void {
  const sized = { ...options, dimension: DIMENSION };
  const family = familyNamed(name)!;
  const layout = family.layout(sized);
  const x = new Float32Array(DIMENSION);
  for (const { readings, truth, count } of streams) {
    for (const predicts of [true, false]) {
      const learner = family.create({ ...sized, memory: arithmetic().allocate(layout) });
      for (let k = 0; k < count; k++) {
        for (let c = 0; c < DIMENSION; c++) x[c] = readings[k * DIMENSION + c];
        if (predicts) learner.predict(x);
        learner.learn(x, truth[k]);
      }
    }
  }
}

/** Measures both in turn, round by round, so that other load on the machine affects both. */
export async function benchmarkNetwork(options: NetworkCase, extent: Extent = EXTENT): Promise<NetworkCost> {
  const { samples, rounds, warmUpRounds } = extent;
  const scenario = makeScenario(options, samples);
  const drawn = await prepare(scenario, "bench", 0);
  const streams = drawn.streams.map(holdStream);
  const prepared = { ...drawn, streams: streams.map(replayStream) };
  const perSample = 1 / (samples * NODES);
  const measured = Array.from({ length: warmUpRounds + rounds }, () => {
    const learnersUs = perSample * cpuUs(() => learnersAlone(options, streams));
    const nodeUs = perSample * cpuUs(() => void runNetwork({ scenario, prepared, task: 0, learner: 0 }));
    return { learnersUs, nodeUs, ratio: nodeUs / learnersUs };
  }).slice(warmUpRounds);
  return {
    learner: options.learner,
    framing: options.framing,
    learnersUs: median(measured.map(({ learnersUs }) => learnersUs)),
    nodeUs: median(measured.map(({ nodeUs }) => nodeUs)),
    ratio: median(measured.map(({ ratio }) => ratio)),
  };
}
