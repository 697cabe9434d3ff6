import { type Axis, makeAxis } from "../../host/report/axis.ts";
import type { Choice, ChoiceResult, Cost } from "./result.ts";

/** One learner with one budget as a point. */
export interface PlotPoint {
  readonly choice: Choice;
  /** Letters on the front: a, b, ... by rising cost, as in the table. */
  readonly mark: string | undefined;
}

/** Loss against a cost. Points worse than the labels' majority aren't drawn, unless all are. */
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
export function frontMarks(choices: readonly Choice[], cost: Cost): Map<Choice, string> {
  const front = choices
    .filter(({ pareto }) => pareto[cost])
    .sort((a, b) => (a[cost] as number) - (b[cost] as number));
  return new Map(front.map((choice, i) => [choice, LETTERS[i] ?? "*"]));
}

/** Undefined where none has both figures. */
export function makePlot({ choices, trivial }: ChoiceResult, cost: Cost): Plot | undefined {
  const known = choices.filter((each) => each.loss !== null && each[cost] !== null);
  if (known.length === 0) return undefined;
  const meanLoss = ({ loss }: Choice) => loss?.mean as number;
  const better = known.filter((each) => meanLoss(each) <= trivial.majority);
  const drawn = better.length > 0 ? better : known;
  const costs = makeAxis(
    drawn.map((each) => each[cost] as number),
    true,
  );
  const loss = drawn.map(meanLoss);
  const [least, most] = [Math.min(...loss), Math.max(...loss)];
  const losses = makeAxis(loss, least > 0 && most > 10 * least);
  const marks = frontMarks(choices, cost);
  return {
    cost,
    points: drawn.map((choice) => ({ choice, mark: marks.get(choice) })),
    hidden: known.length - drawn.length,
    costs,
    losses,
  };
}
