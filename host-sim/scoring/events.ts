import { type Metric, Undefined } from "./metric.ts";

/**
 * Events found: an event is a run of consecutive samples whose truth is +1; it is found if at least one of them is
 * predicted +1. The value is found / total.
 */
export class EventsFound implements Metric {
  readonly name = "eventsFound";
  readonly takes = "label";
  /** Events that have begun. */
  total = 0;
  /** Of these, those found. */
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

  value(): number | Undefined {
    return this.total === 0 ? new Undefined("no events") : this.found / this.total;
  }
}

/** False alarms: samples predicted +1 whose truth is -1. The value is their share of the samples of truth -1. */
export class FalseAlarms implements Metric {
  readonly name = "falseAlarmRate";
  readonly takes = "label";
  /** Samples of truth -1. */
  negatives = 0;
  /** Of these, those predicted +1. */
  count = 0;

  add(truth: number, prediction: number): void {
    if (truth > 0) return;
    this.negatives++;
    if (prediction > 0) this.count++;
  }

  value(): number | Undefined {
    return this.negatives === 0 ? new Undefined("no sample of class -1") : this.count / this.negatives;
  }
}
