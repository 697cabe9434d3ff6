import type { Choice, ChoiceResult, Cost } from "./result.ts";

/** An axis: its ends, and where on it a value lies, 0..1. */
export interface Axis {
  readonly low: number;
  readonly high: number;
  readonly logarithmic: boolean;
  place(value: number): number;
}

/** One learner with one budget as a point, both 0..1 from the axes' low ends. */
export interface PlotPoint {
  readonly choice: Choice;
  readonly x: number;
  readonly y: number;
  /** Of those on the front: a, b, ... by rising cost, as the table has them. */
  readonly mark: string | undefined;
}

/** Loss against a cost. What is worse than the best constant isn't drawn, unless all is. */
export interface Plot {
  readonly cost: Cost;
  readonly points: readonly PlotPoint[];
  readonly hidden: number;
  /** Logarithmic. */
  readonly costs: Axis;
  /** Logarithmic where they differ by more than ten times and none is 0. */
  readonly losses: Axis;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Letters of those on the front of the cost, by rising cost; past the last letter, an asterisk. */
export function marksOf(choices: readonly Choice[], cost: Cost): Map<Choice, string> {
  const front = choices
    .filter(({ pareto }) => pareto[cost])
    .sort((a, b) => (a[cost] as number) - (b[cost] as number));
  return new Map(front.map((choice, i) => [choice, LETTERS[i] ?? "*"]));
}

function axisOf(values: readonly number[], isLogarithmic: (low: number, high: number) => boolean): Axis {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const logarithmic = isLogarithmic(low, high);
  const at = logarithmic ? Math.log10 : (value: number) => value;
  const place = (value: number) => (high > low ? (at(value) - at(low)) / (at(high) - at(low)) : 0.5);
  return { low, high, logarithmic, place };
}

/** Undefined where none has both figures. */
export function plotOf({ choices, trivial }: ChoiceResult, cost: Cost): Plot | undefined {
  const known = choices.filter((each) => each.loss !== null && each[cost] !== null);
  if (known.length === 0) return undefined;
  const lossOf = ({ loss }: Choice) => loss?.mean as number;
  const better = known.filter((each) => lossOf(each) <= trivial.constant);
  const drawn = better.length > 0 ? better : known;
  const costs = axisOf(
    drawn.map((each) => each[cost] as number),
    () => true,
  );
  const losses = axisOf(drawn.map(lossOf), (low, high) => low > 0 && high > 10 * low);
  const marks = marksOf(choices, cost);
  return {
    cost,
    points: drawn.map((choice) => ({
      choice,
      x: costs.place(choice[cost] as number),
      y: losses.place(lossOf(choice)),
      mark: marks.get(choice),
    })),
    hidden: known.length - drawn.length,
    costs,
    losses,
  };
}
