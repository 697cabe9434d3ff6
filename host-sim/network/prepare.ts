import { Random } from "../../host/random.ts";
import type { ClassNames } from "../../host/streams/class-names.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import {
  type ColumnStatistics,
  FaultInjector,
  runningStatistics,
  type SignalStage,
  type StageContext,
} from "../disturbances/index.ts";
import { type Scenario, ScenarioError, type TaskOptions, taskScenario } from "../scenario/scenario.ts";
import { readStreams } from "./sources.ts";
import { readState, type StateFile } from "./start-state.ts";
import type { NodeStream, SampleReader, TruthSource } from "./stream.ts";

/** The streams of one task, each as its node receives it. */
export interface TaskStreams {
  readonly streams: readonly NodeStream[];
  /** Classes of the truth; none for a regression. */
  readonly classes?: ClassNames;
  /**
   * Where all nodes see one scene: the truth on which each votes, one for all, or one a node where faults are
   * injected.
   */
  readonly scene?: readonly TruthSource[];
  /** Where nodes start from a state. */
  readonly state?: StateFile;
}

/** Reads a scenario's streams and spoils them as the task and the scenario say. */
export async function prepare(
  scenario: Scenario,
  source: string,
  taskIndex: number,
  catalogue = Catalogue.shipped,
): Promise<TaskStreams> {
  const task = scenario.tasks[taskIndex];
  const { streams, classes, scene } = await readStreams(scenario, source, task);
  if (classes && classes.count > 2 && task.task !== "classification") {
    throw new ScenarioError(
      `tasks ${task.name}: ${task.task} takes two classes; the stream has ${classes.count}`,
    );
  }
  if (scenario.fusion.rule !== "oracle" && !scene) {
    throw new ScenarioError(
      `fusion.rule: got ${scenario.fusion.rule}; takes oracle, unless stream.type is scene`,
    );
  }
  checkReach(taskScenario(scenario, task), streams);
  const state = readState(taskScenario(scenario, task), source);
  const spoiled = streams.map((stream) => new Disturbances(stream, scenario, task, catalogue));
  const seen = task.task === "faults" ? spoiled.map((each) => each.faultTruth) : scene && [scene];
  return {
    streams: spoiled.map((each) => each.stream),
    ...(classes && { classes }),
    ...(scene && { scene: seen }),
    ...(state && { state }),
  };
}

/** Throws a ScenarioError for rates of nodes, and for power cuts at samples, that the streams don't have. */
function checkReach({ labels, power }: Scenario, streams: readonly NodeStream[]): void {
  const { length } = labels.nodeRates;
  if (length > streams.length)
    throw new ScenarioError(
      `labels.nodeRates: ${length} rates; takes at most one for each of the ${streams.length} nodes`,
    );
  const last = Math.max(...streams.map(({ count }) => count));
  const beyond = power.at.find((sample) => sample > last);
  if (beyond !== undefined) throw new ScenarioError(`power.at: got ${beyond}; the last sample is ${last}`);
}

/** The stages between a stream and its node. */
class Disturbances {
  constructor(
    private readonly clean: NodeStream,
    private readonly scenario: Scenario,
    private readonly task: TaskOptions,
    private readonly catalogue: Catalogue,
  ) {}

  get stream(): NodeStream {
    return { ...this.clean, open: () => this.open() };
  }

  /** When faults are injected. */
  get faultTruth(): TruthSource {
    return {
      open: () => {
        const faults = this.faults(this.contexts());
        let k = 0;
        return () => faults?.truthAt(k++) as number;
      },
    };
  }

  private open(): SampleReader {
    const { clean, scenario, catalogue } = this;
    const stageContext = this.contexts();
    const faults = this.faults(stageContext);
    const stages: SignalStage[] = faults ? [faults] : [];
    for (const [name, { make }] of Object.entries(catalogue.signalStages)) {
      const options = scenario.signal[name];
      if (options) stages.push(make(options, stageContext(name)));
    }
    const reader = clean.open();
    return stages.length > 0 ? new DisturbedReader(reader, stages, faults, clean) : reader;
  }

  private faults(stageContext: (stage: string) => StageContext): FaultInjector | undefined {
    const { task, clean } = this;
    return task.task === "faults"
      ? new FaultInjector(task.faults, stageContext("faults"), clean.count)
      : undefined;
  }

  /** The context of each stage. The stream's statistics are computed when the first stage asks for them. */
  private contexts(): (stage: string) => StageContext {
    const { scenario, task, clean } = this;
    let known: ColumnStatistics | undefined;
    return (stage) => ({
      dimension: clean.channels,
      random: new Random(scenario.seed, `${task.name}/${clean.node}/${stage}`),
      get statistics() {
        known ??= measureColumns(clean);
        return known;
      },
    });
  }
}

/** Statistics of the whole stream: it is read once for them, and then again for the node. */
function measureColumns({ channels, count, open }: NodeStream): ColumnStatistics {
  const reader = open();
  const x = new Float32Array(channels);
  return runningStatistics(channels, count, () => {
    reader.next(x);
    return x;
  });
}

/** A stream through the stages that spoil it. */
class DisturbedReader implements SampleReader {
  truth = Number.NaN;
  private readonly asRead: Float32Array | undefined;
  private place = 0;

  constructor(
    private readonly reader: SampleReader,
    private readonly stages: readonly SignalStage[],
    private readonly faults: FaultInjector | undefined,
    { channels, missing }: NodeStream,
  ) {
    this.asRead = missing && new Float32Array(channels);
  }

  next(x: Float32Array): boolean {
    const { reader, faults, asRead } = this;
    const k = this.place++;
    const isThere = reader.next(x);
    this.truth = faults ? faults.truthAt(k) : reader.truth;
    if (!isThere) return false;
    asRead?.set(x);
    const arrives = this.stages.every((stage) => stage.apply(x, k));
    if (asRead) keepMissing(x, asRead);
    return arrives;
  }
}

/** A missing reading stays missing through all stages. */
function keepMissing(readings: Float32Array, asRead: Float32Array): void {
  for (let i = 0; i < readings.length; i++) if (Number.isNaN(asRead[i])) readings[i] = Number.NaN;
}
