import { Catalogue } from "../catalogue/catalogue.ts";
import { columnStatistics, FaultInjector, type SignalStage } from "../disturbances/index.ts";
import { Random } from "../random.ts";
import { type Scenario, ScenarioError, type TaskOptions } from "../scenario.ts";
import { type NodeStream, readStreams } from "./sources.ts";

/** A node's stream as the node meets it in one task. */
export interface PreparedStream extends NodeStream {
  /** 1 where there is no sample, or it is lost before it reaches the node. */
  readonly lost: Uint8Array;
}

/** The streams of one task. */
export interface Prepared {
  readonly streams: readonly PreparedStream[];
  /** Classes of the truth; 0 for a regression. */
  readonly classCount: number;
  /** Whether all nodes see one scene, so that fusion has votes to fuse. */
  readonly oneScene: boolean;
}

/** Reads a scenario's streams and spoils them as the task and the scenario say. */
export async function prepare(
  scenario: Scenario,
  source: string,
  taskIndex: number,
  catalogue = Catalogue.shipped,
): Promise<Prepared> {
  const task = scenario.tasks[taskIndex];
  const { streams, classCount, oneScene } = await readStreams(scenario, source);
  const many = classCount > 2;
  if (many && task.task !== "classification" && task.task !== "regression") {
    throw new ScenarioError(
      `tasks ${task.name}: ${task.task} takes two classes; the stream has ${classCount}`,
    );
  }
  if (scenario.fusion.rule !== "oracle" && !oneScene) {
    throw new ScenarioError(
      `fusion.rule: got ${scenario.fusion.rule}; takes oracle, unless stream.type is scene`,
    );
  }
  return { streams: streams.map((stream) => spoil(stream, scenario, task, catalogue)), classCount, oneScene };
}

function spoil(
  stream: NodeStream,
  scenario: Scenario,
  task: TaskOptions,
  { signalStages }: Catalogue,
): PreparedStream {
  const { channels, count } = stream;
  const readings = stream.readings.slice();
  const truth = stream.truth.slice();
  const lost = new Uint8Array(count);
  const statistics = columnStatistics(stream.readings, channels);
  const context = (stage: string) => ({
    dimension: channels,
    random: new Random(scenario.seed, `${task.name}/${stream.node}/${stage}`),
    statistics,
  });
  const stages: SignalStage[] = [];
  if (task.task === "faults") {
    const faults = new FaultInjector(task.faults, context("faults"), count);
    for (let t = 0; t < count; t++) truth[t] = faults.truthAt(t);
    stages.push(faults);
  }
  for (const [name, { make }] of Object.entries(signalStages)) {
    if (scenario.signal[name]) stages.push(make(scenario.signal[name], context(name)));
  }
  for (let t = 0; t < count; t++) {
    const sample = readings.subarray(t * channels, (t + 1) * channels);
    const isThere = stream.gaps?.[t] !== 1 && stages.every((stage) => stage.apply(sample, t));
    lost[t] = isThere ? 0 : 1;
  }
  if (stream.missing) keepMissing(readings, stream.readings);
  return { ...stream, readings, truth, lost };
}

/** No stage makes a reading of one that is missing. */
function keepMissing(readings: Float32Array, asRead: Float32Array): void {
  for (let i = 0; i < readings.length; i++) if (Number.isNaN(asRead[i])) readings[i] = Number.NaN;
}
