import type { CurrentClass } from "../api/node-state.ts";

/** Decisions in a row that make another class the current one: a single odd decision changes nothing. */
const STEADY = 3;

/** The class that a node's last decisions agree on, and since when. */
export class SteadyClass {
  private other = Number.NaN;
  private run = 0;
  private since = 0;

  /** @param value the one that was kept; undefined: none was. */
  constructor(public value?: CurrentClass) {}

  /**
   * Takes the class of one more decision.
   * @param time milliseconds since 1970-01-01 UTC.
   * @returns whether another class is the current one now.
   */
  decided(decided: number, time: number): boolean {
    if (decided === this.value?.class) {
      this.run = 0;
      return false;
    }
    if (decided !== this.other || this.run === 0) {
      this.run = 0;
      this.since = time;
    }
    this.other = decided;
    this.run++;
    if (this.value && this.run < STEADY) return false;
    this.value = { class: decided, since: this.since };
    this.run = 0;
    return true;
  }
}
