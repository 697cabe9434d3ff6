import { eigenLabelWork, eigenPieces, eigenPieceWork } from "../src/learn/nogd.ts";
import { eigenBesides, eigenRounds, eigenSteps } from "../src/math/eigen.ts";

/** The work of one of the labels over which NOGD spreads its eigenproblem. */
export interface EigenLabel {
  /** Rows of inverse iteration, or of work that takes as long. */
  readonly rows: number;
  /** Multiplications besides. */
  readonly besides: number;
}

/** Those labels, for a budget of B vectors. */
export function eigenLabels(B: number, rank: number, dimension: number): EigenLabel[] {
  const pieces = eigenPieces(B, rank);
  const most = eigenLabelWork(B, rank, dimension);
  const labels: EigenLabel[] = [];
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
