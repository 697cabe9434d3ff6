import type { Curve, LearnerResult } from "../scoring/result.ts";
import { embedJson, escapeHtml } from "./html.ts";
import { lookOf } from "./legend.ts";
import { scaleTo } from "./scale.ts";
import { errorUnit, type NodeResults, type TaskResults } from "./tasks.ts";

/** One line of a plot, drawn in the browser. */
interface Line {
  readonly name: string;
  /** CSS variable of the colour. */
  readonly colour: string;
  readonly dash: readonly number[];
  readonly width: number;
  readonly at: readonly number[];
  readonly value: readonly number[];
}

/** One plot, as the browser gets it. */
interface Plot {
  readonly unit: string;
  readonly height: number;
  /** Plots of one group move their cursors together. */
  readonly group: string;
  readonly max: readonly [x: number, y: number];
  readonly lines: readonly Line[];
  /** Horizontal rules: a value and the CSS variable of a colour. */
  readonly rules: readonly { readonly value: number; readonly colour: string }[];
  /** Whether to fill from the first line down to the second. */
  readonly filled: boolean;
}

type Which = keyof LearnerResult["curves"];

/** The plots of a page: a place in the HTML for each, and one JSON at the end with their data. */
export class Plots {
  private readonly plots: Plot[] = [];
  private groups = 0;

  /** @param names all learners of the result; a learner's place gives its colour. */
  constructor(private readonly names: readonly string[]) {}

  /** What to draw. */
  get json(): string {
    return embedJson(this.plots);
  }

  /** Prequential error: a plot a node, a line a learner. */
  errors(task: TaskResults): string {
    return this.perNode(task, "error", errorUnit(task.kind), () => []);
  }

  /** Vectors stored, below a line for the budget. */
  fill(task: TaskResults): string {
    return this.perNode(task, "size", "vectors", ({ learners }) => {
      const budgets = [...new Set(learners.map(({ budget }) => budget))];
      if (budgets.length === 1) return [{ value: budgets[0], colour: "--muted" }];
      return learners.map(({ budget, name }) => ({ value: budget, colour: this.look(name).colour }));
    });
  }

  /** Samples between a prediction and its label's use. */
  lag(task: TaskResults): string {
    return this.perNode(task, "lag", "samples of lag", () => []);
  }

  /** One learner's error with the received labels and with ideal ones: a plot a node. */
  noise(task: TaskResults, name: string): string {
    const own = task.nodes
      .map(({ node, learners }) => ({ node, learners: learners.filter((each) => each.name === name) }))
      .filter(({ learners }) => learners.length > 0);
    const max = extent(task.nodes, ["error", "idealError"]);
    const group = `g${this.groups++}`;
    const panels = own.map(({ node, learners: [learner] }) => {
      const { error, idealError } = learner.curves;
      const lines = [
        this.line(name, error),
        { ...this.line("ideal labels", idealError), colour: "--muted", dash: [], width: 1 },
      ];
      return this.panel(node, {
        unit: errorUnit(task.kind),
        height: 150,
        group,
        max,
        lines,
        rules: [],
        filled: true,
      });
    });
    return grid(panels);
  }

  private perNode(
    task: TaskResults,
    which: Which,
    unit: string,
    rulesOf: (node: NodeResults) => Plot["rules"],
  ): string {
    const rules = task.nodes.map(rulesOf);
    const [x, y] = extent(task.nodes, [which]);
    const highest = Math.max(y, ...rules.flat().map(({ value }) => value));
    const max = [x, rules.flat().length > 0 ? 1.08 * highest : y] as const;
    const group = `g${this.groups++}`;
    const panels = task.nodes.map(({ node, learners }, i) => {
      const lines = learners.map(({ name, curves }) => this.line(name, curves[which]));
      return this.panel(node, { unit, height: 190, group, max, lines, rules: rules[i], filled: false });
    });
    return grid(panels);
  }

  private panel(title: string, plot: Plot): string {
    const heading = `<h5>${escapeHtml(title)}</h5>`;
    if (plot.lines.every(({ at }) => at.length === 0)) {
      return `<div class="panel">${heading}<p class="empty">nothing to draw</p></div>`;
    }
    const label = escapeHtml(`${plot.unit} over samples, ${title}`);
    const place = this.plots.push(plot) - 1;
    return `<div class="panel"><div class="over">${heading}<output></output></div><div class="plot" style="height:${plot.height}px" data-plot="${place}" role="img" aria-label="${label}"></div></div>`;
  }

  private look(name: string) {
    return lookOf(this.names.indexOf(name));
  }

  private line(name: string, { at, value }: Curve): Line {
    const rounded = value.map((each) => Number(each.toPrecision(5)));
    return { name, ...this.look(name), width: 1.6, at, value: rounded };
  }
}

/** The panels of a figure, as many in a row as fit. */
export function grid(panels: readonly string[]): string {
  return `<div class="grid">${panels.join("\n")}</div>`;
}

/** The largest sample number and value in these curves of all nodes, so that their plots share their axes. */
function extent(nodes: readonly NodeResults[], which: readonly Which[]): readonly [number, number] {
  let [x, y] = [0, 0];
  for (const { curves } of nodes.flatMap(({ learners }) => learners)) {
    for (const { at, value } of which.map((name) => curves[name])) {
      for (const each of at) if (each > x) x = each;
      for (const each of value) if (each > y) y = each;
    }
  }
  return [x > 0 ? x : 1, scaleTo(y, 5).max];
}
