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
