import { frozen } from "../memory/frozen.ts";
import { LABEL_STATUS } from "../node/ports.ts";
import type { Message } from "../wire/messages.ts";

/** Puts the features of a labelled sample together from their messages' parts. */
export class FeatureParts {
  /** The features that are whole; another's parts overwrite them. */
  x = new Float32Array(0);
  private boot = 0;
  private number = 0;
  private came = 0;

  /** Takes a part. Returns the number of the label whose features are whole now; 0: parts are missing. */
  take({ boot, number, first, total, x, length }: Message<"features">): number {
    if (first === 0) {
      this.boot = boot;
      this.number = number;
      this.came = 0;
      if (this.x.length !== total) this.x = new Float32Array(total);
    }
    const fits = first === this.came && first + length <= this.x.length;
    if (boot !== this.boot || number !== this.number || total !== this.x.length || !fits) return 0;
    for (let j = 0; j < length; j++) this.x[first + j] = x[j];
    this.came += length;
    return this.came === total ? number : 0;
  }
}

/** The features of a labelled sample, which whoever keeps them copies. */
export interface LabelledFeatures {
  /** Session and number of the sample. */
  readonly sid: number;
  readonly seq: number;
  readonly x: Float32Array;
}

/** The answers after which a label has no features. */
const WITHOUT: readonly number[] = frozen([
  LABEL_STATUS.expired,
  LABEL_STATUS.session,
  LABEL_STATUS.unknown,
  LABEL_STATUS.refused,
  LABEL_STATUS.range,
]);

/**
 * Loses no features of a node's labels: the next label goes out once those of the last one are kept. A node has the features of the last label
 * that it applied, also after a restart.
 *
 * A label goes out while `allows` says so. Acknowledgements go to `answered`, features to `take`. While it `lacks` some, `Peer.request` asks for
 * them.
 */
export class FeatureFlow {
  private readonly parts = new FeatureParts();
  /** All features of labels up to this one are kept. */
  private keptUpTo = -1;
  /** How often the node started. */
  private starts = 0;

  /** The node started. */
  restart(): void {
    this.keptUpTo = -1;
    this.starts++;
  }

  /** True if label `number` may go out, where the node has answered those up to `labelled`. */
  allows(number: number, labelled: number): boolean {
    return number === labelled + 1 && !this.lacks(labelled);
  }

  /** True if features of a label up to that one are missing, or it isn't known whether there are any. */
  lacks(labelled: number): boolean {
    return this.keptUpTo < labelled;
  }

  /** The node answered a label or an install. @param isModel it was an install. */
  answered(number: number, status: number, isModel = false): void {
    if (WITHOUT.includes(status) || (isModel && status === LABEL_STATUS.applied)) this.settle(number);
  }

  /**
   * Takes a part of features. Calls `keep` with them once they are whole; the next label may go out once its promise is true.
   */
  take(message: Message<"features">, keep: (features: LabelledFeatures) => Promise<boolean>): void {
    const { number, labelled, sid, seq } = message;
    const { starts } = this;
    const last = Math.max(number, labelled);
    if (number === 0) this.settle(last);
    else if (this.parts.take(message) > 0)
      void keep({ sid, seq, x: this.parts.x }).then((isKept) => {
        if (isKept && starts === this.starts) this.settle(last);
      });
  }

  /** Gives up features that don't come. */
  settle(number: number): void {
    this.keptUpTo = Math.max(this.keptUpTo, number);
  }
}
