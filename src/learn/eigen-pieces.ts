import { eigenBesides, eigenRounds, eigenSteps, eigenWork } from "../math/eigen.ts";
import { ceil4 } from "../math/primitives.ts";
import { KERNEL_WORK, TURN_WORK } from "./learner.ts";
import type { SpreadLabel } from "./traits.ts";

// How NOGD spreads its eigenproblem over labels: which pieces it has, what each takes, and how many one label does.

/** About how many multiplications a component of a feature counts as. */
const FEATURE = 6;
/** Number of labels over which a large eigenproblem is spread, about. */
const MOST_LABELS = 64;

/** Pieces of the eigenproblem of B vectors: rows of the kernel matrix, steps, and features in fours. */
export function eigenPieces(B: number, rank: number): number {
  return B + eigenSteps(B, rank) + ceil4(rank) / 4;
}

/** About how many multiplications a piece takes. */
export function eigenPieceWork(piece: number, B: number, rank: number, dimension: number): number {
  const step = piece - B;
  if (step < 0) return (piece + 1) * (dimension + KERNEL_WORK);
  if (step < eigenSteps(B, rank)) return eigenWork(B, rank, step);
  return 4 * FEATURE * B;
}

/** About how many multiplications are done with one label. */
export function eigenLabelWork(B: number, rank: number, dimension: number): number {
  const pieces = eigenPieces(B, rank);
  let all = 0;
  for (let piece = 0; piece < pieces; piece++) all += eigenPieceWork(piece, B, rank, dimension);
  return Math.max(TURN_WORK, all / MOST_LABELS);
}

/** The work of each label over which the eigenproblem of B vectors is spread. */
export function spreadLabels(B: number, rank: number, dimension: number): SpreadLabel[] {
  const pieces = eigenPieces(B, rank);
  const most = eigenLabelWork(B, rank, dimension);
  const labels: SpreadLabel[] = [];
  for (let piece = 0; piece < pieces; ) {
    let left = most;
    let rows = 0;
    let besides = 0;
    do {
      const work = eigenPieceWork(piece, B, rank, dimension);
      const step = piece - B;
      const isStep = step >= 0 && step < eigenSteps(B, rank);
      left -= work;
      rows += isStep ? B * eigenRounds(B, rank, step) : 0;
      besides += isStep ? eigenBesides(B, rank, step) : work;
      piece++;
    } while (piece < pieces && left >= eigenPieceWork(piece, B, rank, dimension));
    labels.push({ rows, besides });
  }
  return labels;
}
