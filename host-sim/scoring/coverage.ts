import { REMARK, REMARK_BYTE } from "../../src/node/ports.ts";
import { halfWidth } from "../../src/node/prediction-intervals.ts";
import type { CoverageResult, Figure } from "./result.ts";

/** Scores the prediction sets or intervals that a node issued against the truth. */
export class CoverageScorer {
  private issued = 0;
  private covered = 0;
  private size = 0;
  private abstentions = 0;
  private empty = 0;

  constructor(private readonly promised: number) {}

  /** @param remarks the node's remarks on the decision, see `Link.predicted`. */
  add(remarks: number, decision: number, truth: number): void {
    if ((remarks & REMARK.set) === 0) return;
    this.issued++;
    if (remarks < REMARK_BYTE) this.addSet(remarks, truth);
    else this.addInterval(2 * halfWidth(Math.floor(remarks / REMARK_BYTE)), Math.fround(decision), truth);
  }

  private addSet(remarks: number, truth: number): void {
    const size = (remarks & REMARK.minus ? 1 : 0) + (remarks & REMARK.plus ? 1 : 0);
    this.size += size;
    if (remarks & (truth > 0 ? REMARK.plus : REMARK.minus)) this.covered++;
    if (size === 2) this.abstentions++;
    if (size === 0) this.empty++;
  }

  private addInterval(width: number, estimate: number, truth: number): void {
    this.size += width;
    if (2 * Math.abs(truth - estimate) <= width) this.covered++;
  }

  result(): CoverageResult {
    const { promised, issued, covered, size, abstentions, empty } = this;
    const mean = (sum: number): Figure => (issued > 0 ? sum / issued : { why: "no samples" });
    return { promised, reached: mean(covered), size: mean(size), abstentions, empty };
  }
}
