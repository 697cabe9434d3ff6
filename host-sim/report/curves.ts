import { type Axis, axisFrom0 } from "../../host/report/axis.ts";
import { type Html, html } from "../../host/report/html.ts";
import { MUTED, plotStyle, swatch } from "../../host/report/look.ts";
import { type PlotForm, panel, plot, type Series, type Span } from "../../host/report/plot.ts";
import type { Curve, LearnerResult } from "../scoring/result.ts";
import { errorUnit, type NodeResults, type TaskResults } from "./tasks.ts";

type Which = keyof LearnerResult["curves"];

/** What a figure shows of each learner. */
interface CurveForm {
  readonly unit: string;
  /** The curves that its axes hold. */
  readonly curves: readonly Which[];
  series(learner: LearnerResult): Series[];
  rules?(learner: LearnerResult): readonly number[];
}

/** Error over the last samples, with the labels as they came; grey with ideal ones, and shaded between them. */
export function errorCurves(task: TaskResults, names: readonly string[]): Html {
  return multiples(task, names, {
    unit: errorUnit(task.kind),
    curves: ["error", "idealError"],
    series: ({ name, curves: { error, idealError } }) => [
      { ...curveLine(name, idealError, MUTED), name: "ideal labels" },
      {
        ...curveLine(name, error, plotStyle(names.indexOf(name))),
        range: "band",
        points: between(error, idealError),
      },
    ],
  });
}

/** Vectors stored, below a line for the budget. */
export function fillCurves(task: TaskResults, names: readonly string[]): Html {
  return multiples(task, names, {
    ...single("size", "vectors", names),
    rules: ({ budget }) => [budget],
  });
}

/** Samples between a prediction and its label's use. */
export function lagCurves(task: TaskResults, names: readonly string[]): Html {
  return multiples(task, names, single("lag", "samples of lag", names));
}

function single(which: Which, unit: string, names: readonly string[]): CurveForm {
  const series = ({ name, curves }: LearnerResult) => [
    curveLine(name, curves[which], plotStyle(names.indexOf(name))),
  ];
  return { unit, curves: [which], series };
}

function curveLine(name: string, { at, value }: Curve, look: Series["look"]): Series {
  return { name, look, line: "joined", points: at.map((x, i) => ({ x, y: value[i] })) };
}

/** The first curve's points, with the second's values at the same samples as the other ends of ranges. */
function between(curve: Curve, other: Curve): Series["points"] {
  const others = new Map(other.at.map((x, i) => [x, other.value[i]]));
  return curve.at.map((x, i) => ({ x, y: curve.value[i], low: others.get(x), high: curve.value[i] }));
}

/** A plot for each learner at each node, all on the same axes. */
function multiples(task: TaskResults, names: readonly string[], shown: CurveForm): Html {
  const all = task.nodes.flatMap(({ learners }) => learners);
  const curves = all.flatMap((learner) => shown.curves.map((which) => learner.curves[which]));
  const values = [
    ...curves.flatMap(({ value }) => value),
    ...all.flatMap((each) => shown.rules?.(each) ?? []),
  ];
  const axes = { x: axisFrom0(curves.flatMap(({ at }) => at)), y: axisFrom0(values, 4) };
  return html`${task.nodes.map((node) => curveRow(node, names, shown, axes))}`;
}

/** A node's plots, side by side. */
function curveRow(
  { node, learners }: NodeResults,
  names: readonly string[],
  shown: CurveForm,
  axes: { readonly x: Axis; readonly y: Axis },
): Html {
  const panels = learners.map((learner) => {
    const form: PlotForm = {
      x: "samples",
      y: shown.unit,
      title: `${shown.unit} over samples, ${learner.name} at ${node}`,
      axes,
      isSmall: true,
      rules: shown.rules?.(learner),
      spans: alarms(learner),
    };
    const chart = plot(shown.series(learner), form) || html`<p class="empty">nothing to draw</p>`;
    return panel(html`${swatch(plotStyle(names.indexOf(learner.name)))}${learner.name}`, chart);
  });
  return html`<div class="node" data-node="${node}"><h4>${node}</h4><div class="grid">${panels}</div></div>\n`;
}

/** The samples at which the node raised drift alarms. */
function alarms({ drift }: LearnerResult): Span[] {
  const of = (samples: readonly number[], by: string) =>
    samples.map((at) => ({ from: at, to: at, title: `drift alarm by ${by} at sample ${at}` }));
  return drift ? [...of(drift.labels, "labels"), ...of(drift.margins, "margins")] : [];
}
