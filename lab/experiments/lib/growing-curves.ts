import type { Curve } from "./experiment.ts";

/** Curves of one run, which grow a point at a time. */
export class GrowingCurves {
  readonly all: { [name: string]: { at: number[]; value: number[] } } = {};

  mark(name: string, at: number, value: number): void {
    this.all[name] ??= { at: [], value: [] };
    this.all[name].at.push(at);
    this.all[name].value.push(value);
  }

  /** The last value of each. */
  last(): { [name: string]: number } {
    const ends = Object.entries<Curve>(this.all).map(([name, { value }]) => [name, value.at(-1)]);
    return Object.fromEntries(ends);
  }
}
