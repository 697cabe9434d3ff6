/**
 * Events: runs of consecutive samples whose truth is +1. One is found if at least one of its samples is
 * predicted +1.
 */
export class Events {
  /** Events that have begun. */
  total = 0;
  found = 0;
  private inEvent = false;
  private foundThis = false;

  add(truth: number, prediction: number): void {
    if (truth <= 0) {
      this.inEvent = false;
      return;
    }
    if (!this.inEvent) {
      this.inEvent = true;
      this.foundThis = false;
      this.total++;
    }
    if (prediction > 0 && !this.foundThis) {
      this.foundThis = true;
      this.found++;
    }
  }
}
