import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { total } from "../../host/statistics.ts";
import type { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import type { Fusion } from "../../host-sim/network/fusion.ts";
import type { Part } from "../../host-sim/network/network.ts";
import { countParts, fuses } from "../../host-sim/runs/pieces.ts";
import {
  fusionCell,
  joinedRows,
  type NetworkRows,
  type PartRows,
  partRows,
  type Value,
} from "../../host-sim/runs/rows.ts";
import type { JobOutcome } from "../../host-sim/runs/runs.ts";
import type { Scenario } from "../../host-sim/scenario/scenario.ts";
import type { Curve } from "../../host-sim/scoring/result.ts";
import { withInstructions } from "./instructions.ts";
import { type IdentifiedRun, makeNetworkRun } from "./jobs.ts";

/** Samples of all nodes from which a network is performed in parts: two seconds of the fastest learner. */
const LARGE_SAMPLES = 500_000;
/** Bytes of its recorded files, likewise. */
const LARGE_BYTES = 16 << 20;

/** True if a network is performed in parts. `source` is the scenario's file. */
export function isLarge(scenario: Scenario, source: string): boolean {
  const { stream } = scenario;
  if (countParts(scenario) === 1) return false;
  if (stream.type !== "files") return stream.nodes * stream.samples >= LARGE_SAMPLES;
  const sizes = stream.files.map(({ path }) => statSync(resolve(dirname(source), path)).size);
  return total(sizes) >= LARGE_BYTES;
}

/** A piece of a large network that a worker performs: some of its nodes, or the fusion of all votes. */
export type RunPiece = Part | { readonly fuses: true };

/** The error of the fused labels. */
interface FusionRow {
  readonly fusion: Value;
}

export type PieceRows = PartRows | FusionRow;

export function pieceRows(outcome: JobOutcome): PieceRows {
  return outcome && "nodes" in outcome
    ? partRows(outcome)
    : { fusion: fusionCell((outcome as Fusion).result) };
}

/** JSON has null in place of NaN. */
function withNaN({ at, value }: Curve): Curve {
  return { at, value: value.map((each) => each ?? Number.NaN) };
}

/** A large network whose pieces come in, in any order. */
export class LargeRun {
  readonly pieces: readonly RunPiece[];
  private readonly parts: PartRows[] = [];
  private fusion: Value | undefined;
  private missing: number;

  constructor(
    readonly job: IdentifiedRun,
    private readonly catalogue: Catalogue,
  ) {
    const of = countParts(job.scenario);
    const parts = Array.from({ length: of }, (_, part) => ({ part, of }));
    this.pieces = fuses(makeNetworkRun(job, "")) ? [{ fuses: true }, ...parts] : parts;
    this.missing = this.pieces.length;
  }

  /** Takes a piece, once. Returns whether the rows are of a piece of its kind. */
  take(piece: RunPiece, rows: PieceRows): boolean {
    if ("fuses" in piece !== "fusion" in rows) return false;
    if ("fusion" in rows) this.fusion = rows.fusion;
    else this.parts[(piece as Part).part] = { ...rows, curves: rows.curves.map(withNaN) };
    this.missing--;
    return true;
  }

  /** The network's rows, as if one thread had performed it whole; undefined until all pieces are there. */
  get rows(): NetworkRows | undefined {
    if (this.missing > 0) return undefined;
    return withInstructions(joinedRows(this.parts, this.fusion), this.job.scenario, this.catalogue);
  }
}
