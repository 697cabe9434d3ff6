import { average } from "../../../host/statistics.ts";
import { CurveMean, type NetworkRows, type NodeRow } from "../../../host-sim/runs/rows.ts";
import type { Curve } from "../../../host-sim/scoring/result.ts";
import { NodeSums } from "./nodes.ts";
import type { Cause, Point, SweepRun } from "./plan.ts";
import { type Estimate, estimateOfKnown, NOT_NEGATIVE, type Range, SHARE } from "./statistics.ts";

/** A finished run, and its stored rows. */
export interface StoredRun {
  readonly run: SweepRun;
  readonly rows: NetworkRows;
}

export type Measure = "error" | "rmse";

export const taskMeasure = (kind: SweepRun["kind"]): Measure => (kind === "regression" ? "rmse" : "error");

const RANGES: { readonly [measure in Measure]: Range } = { error: SHARE, rmse: NOT_NEGATIVE };

/** A run's figure: the mean over its nodes; NaN where none has it. */
export function meanFigure({ nodes }: NetworkRows, column: string): number {
  const values = nodes.map((node: NodeRow) => node[column]);
  return average(values.filter((value) => typeof value === "number"));
}

/** The figures of a learner's runs without a set of causes: a number for each point, seed and figure. */
class Figures {
  private readonly values: number[] = [];

  constructor(
    private readonly seeds: number,
    private readonly figures: number,
  ) {}

  private place(point: number, seed: number, figure: number): number {
    return (point * this.seeds + seed) * this.figures + figure;
  }

  set(point: number, seed: number, figures: readonly number[]): void {
    const from = this.place(point, seed, 0);
    while (this.values.length < from + figures.length) this.values.push(Number.NaN);
    for (const [i, value] of figures.entries()) this.values[from + i] = value;
  }

  at(point: number, seed: number, figure: number): number {
    return this.values[this.place(point, seed, figure)] ?? Number.NaN;
  }
}

/** The stored figures of a learner's runs. */
interface LearnerRuns {
  /** By the names of the causes that were taken away. */
  readonly without: Map<string, Figures>;
  readonly nodes: NodeSums;
  /** By seed, over its points. */
  readonly curves: (CurveMean | undefined)[];
}

/** The runs of a task, as they come. It keeps their figures and drops their rows. */
export class TaskRuns {
  readonly measure: Measure;
  private readonly of = new Map<string, LearnerRuns>();
  private readonly at = new Map<number, { readonly place: number; readonly point: Point }>();
  private readonly seedAt: ReadonlyMap<number, number>;
  private readonly columns: readonly string[];
  /** The nodes' hashes and figures at the end of the first run of each learner and point; of no use once another seed's differ. */
  private readonly ends = new Map<string, string>();
  private areDrawn = false;

  constructor(
    readonly task: string,
    readonly kind: SweepRun["kind"],
    private readonly plannedSeeds: readonly number[],
  ) {
    this.measure = taskMeasure(kind);
    const compared = ["ideal", "majority", "last"].map((name) => `${name}.${this.measure}`);
    this.columns = [this.measure, "instructions", "bytes", ...compared];
    this.seedAt = new Map(plannedSeeds.map((seed, i) => [seed, i]));
  }

  /** The seeds that count: the first alone where all give the same runs, as on recorded streams with perfect labels and lines. */
  get seeds(): readonly number[] {
    return this.areRepeated ? this.plannedSeeds.slice(0, 1) : this.plannedSeeds;
  }

  /** True if there are several seeds, and nothing differs between them. */
  get areRepeated(): boolean {
    return this.plannedSeeds.length > 1 && !this.areDrawn;
  }

  add({ run: { learner, point, seed, without }, rows }: StoredRun): void {
    const own = this.of.get(learner) ?? { without: new Map(), nodes: new NodeSums(), curves: [] };
    this.of.set(learner, own);
    const { place } = this.at.get(point.index) ?? { place: this.at.size };
    this.at.set(point.index, { place, point });
    const causes = without.join("+");
    const figures = own.without.get(causes) ?? new Figures(this.plannedSeeds.length, this.columns.length);
    own.without.set(causes, figures);
    const seedAt = this.seedAt.get(seed) as number;
    figures.set(
      place,
      seedAt,
      this.columns.map((column) => meanFigure(rows, column)),
    );
    if (causes !== "") return;
    if (!this.areDrawn) this.compareEnds(JSON.stringify([learner, place]), rows);
    own.nodes.add(seedAt, rows, this.measure);
    if (rows.error.at.length === 0) return;
    own.curves[seedAt] ??= new CurveMean();
    own.curves[seedAt].add(rows.error);
  }

  private compareEnds(of: string, { nodes }: NetworkRows): void {
    const end = nodes.map(({ nodeHash, [this.measure]: figure }) => `${nodeHash} ${figure}`).join();
    const first = this.ends.get(of) ?? end;
    this.ends.set(of, first);
    this.areDrawn = end !== first || nodes.some(({ nodeHash }) => nodeHash === undefined);
  }

  get learners(): string[] {
    return [...this.of.keys()];
  }

  get points(): number[] {
    return [...this.at.keys()];
  }

  findPoint(index: number): Point {
    return (this.at.get(index) as { point: Point }).point;
  }

  learnerNodes(learner: string): NodeSums {
    return (this.of.get(learner) as LearnerRuns).nodes;
  }

  /** A learner's curves, for each seed that has one: the mean over its points. */
  learnerCurves(learner: string): Curve[] {
    const { curves } = this.of.get(learner) as LearnerRuns;
    return curves.slice(0, this.seeds.length).flatMap((each) => each?.mean ?? []);
  }

  /** The mean of a run's nodes; NaN where none has the figure, or the run is missing. */
  figure(
    learner: string,
    point: number,
    seed: number,
    column: string,
    without: readonly Cause[] = [],
  ): number {
    const figures = this.of.get(learner)?.without.get(without.join("+"));
    const place = this.at.get(point)?.place;
    if (!figures || place === undefined) return Number.NaN;
    return figures.at(place, this.seedAt.get(seed) as number, this.columns.indexOf(column));
  }

  get range(): Range {
    return RANGES[this.measure];
  }

  /** The learner's error, or RMSE, over seeds: by default over all points. */
  estimate(learner: string, points?: readonly number[]): Estimate | null {
    return estimateOfKnown(this.perSeed(learner, this.measure, points), this.range);
  }

  /** A figure of the learner, seed by seed: its mean over the points that have it; NaN where none has. */
  perSeed(learner: string, column: string, points: readonly number[] = this.points): number[] {
    return this.seeds.map((seed) => {
      const values = points.map((point) => this.figure(learner, point, seed, column));
      return average(values.filter((value) => !Number.isNaN(value)));
    });
  }
}
