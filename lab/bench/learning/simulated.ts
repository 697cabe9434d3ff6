import type { DataSet } from "../../../host/streams/table.ts";
import { prepare } from "../../../host-sim/network/network.ts";
import { holdStream } from "../../../host-sim/network/stream.ts";
import { parseScenario } from "../../../host-sim/scenario/scenario.ts";
import type { FeaturesOption } from "../../../src/signal/features.ts";
import { FeatureMaker } from "../../../tools/explanation/feature-maker.ts";

/** A simulated stream: the samples of one of its nodes. */
interface SimulatedStream {
  readonly name: string;
  readonly doc: string;
  /** The scenario's keys that make it, and the index of its node. */
  scenario(
    seed: number,
    samples: number,
  ): { readonly stream: object; readonly task: string; readonly node: number };
  readonly features?: FeaturesOption;
}

function scene(name: string, persistence: number): SimulatedStream {
  return {
    name,
    doc: `the simulator's scene: 8 readings, a class lasts ${persistence} samples on average; Bayes error of a sample 16 %`,
    scenario: (_, samples) => ({
      stream: { type: "scene", nodes: 1, samples, channels: 8, persistence, separation: 2 },
      task: "classification",
      node: 0,
    }),
  };
}

const MOTES = 4;

const FAULTS: SimulatedStream = {
  name: "faults",
  doc: "faults injected into the recorded network, as in four-motes; seed by seed another of its motes",
  scenario: (seed) => ({
    stream: { type: "recorded-network" },
    task: "faults",
    node: (seed - 1) % MOTES,
  }),
  features: { window: 8 },
};

export const SIMULATED: readonly SimulatedStream[] = [scene("scene-20", 20), scene("scene-100", 100), FAULTS];

/** Its first `count` samples. */
export async function simulateSet(of: SimulatedStream, seed: number, count: number): Promise<DataSet> {
  const { stream, task, node } = of.scenario(seed, count);
  const learners = [{ learner: "pa" }];
  const tasks = [{ name: "bench", task, learners }];
  const scenario = parseScenario(
    JSON.stringify({ schema: "motelearn.scenario/1", name: of.name, seed, stream, tasks }),
    of.name,
  );
  const { streams } = await prepare(scenario, of.name, 0);
  const { readings, truth, channels } = holdStream(streams[node]);
  const samples = Math.min(count, truth.length);
  const maker = new FeatureMaker(channels, of.features ?? {});
  const { dimension } = maker;
  const rows = new Float32Array(samples * dimension);
  for (let t = 0; t < samples; t++)
    rows.set(maker.next(readings.subarray(t * channels, (t + 1) * channels)) ?? [], t * dimension);
  return {
    rows,
    dimension,
    labels: truth.slice(0, samples),
    count: samples,
    source: of.name,
  };
}
