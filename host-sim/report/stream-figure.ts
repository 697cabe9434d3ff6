import { type Axis, axisFrom0, makeAxis } from "../../host/report/axis.ts";
import { type Html, html, type Part } from "../../host/report/html.ts";
import { MUTED, plotStyle, swatch } from "../../host/report/look.ts";
import { panel, plot, type Span } from "../../host/report/plot.ts";
import { type TrackRow, tracks } from "../../host/report/tracks.ts";
import type { LearnerResult } from "../scoring/result.ts";
import type { ClassRun, Readings } from "../scoring/stream-view.ts";
import type { NodeResults, TaskResults } from "./tasks.ts";

/** Share of the axis that a mark has at least, so that a short event is seen. */
const WIDTH_MIN = 0.004;

/** A node's readings over its samples with its events shaded, and below, on the same axis, which events each learner found. */
export function streamFigure(task: TaskResults, names: readonly string[]): Part {
  const rows = task.nodes.map((node) => nodeRow(node, names));
  if (rows.every((row) => !row)) return "";
  const runs = task.kind === "multiclass" ? "the runs of each class" : "the events";
  const found =
    task.kind !== "regression" &&
    ` Shaded: ${runs}. Below: a full bar where the learner predicted at least one of its samples so, a grey one where none.`;
  return html`<h3>Readings and events</h3>
<p class="caption">Lowest and highest reading of each stretch of samples, as the node received them.${found}</p>
${rows}`;
}

function nodeRow({ node, learners }: NodeResults, names: readonly string[]): Part {
  const { readings, runs = [], columns, classNames } = learners[0];
  if (!readings || readings.at.length === 0) return "";
  const x = axisFrom0(readings.at);
  const spans = runs.map((run) => ({ ...run, title: runText(run, classNames) }));
  const panels = readings.channels.map((_, c) => {
    const name = columns?.features[c] ?? `reading ${c + 1}`;
    return panel(name, channelPlot(readings, c, name, node, x, spans));
  });
  const foundBy = learners.some((each) => each.runs?.length) && foundTracks(learners, names, x);
  return html`<div class="node" data-node="${node}"><h4>${node}</h4><div class="grid">${panels}</div>${foundBy}</div>\n`;
}

function runText({ from, to, truth }: ClassRun, classNames: LearnerResult["classNames"]): string {
  const name = classNames?.[classNames.length === 2 ? Number(truth > 0) : truth] ?? `class ${truth}`;
  return `${name}, samples ${from} to ${to}`;
}

function channelPlot(
  { at, channels }: Readings,
  channel: number,
  name: string,
  node: string,
  x: Axis,
  spans: readonly Span[],
): Part {
  const { low, high } = channels[channel];
  const points = at.map((seq, i) => ({ x: seq, y: (low[i] + high[i]) / 2, low: low[i], high: high[i] }));
  return plot([{ name, look: MUTED, points, range: "band", line: "joined" }], {
    x: "samples",
    y: name,
    title: `${name} over samples, at ${node}`,
    axes: { x, y: makeAxis([...low, ...high], false, 4) },
    isSmall: true,
    spans,
  });
}

function foundTracks(learners: readonly LearnerResult[], names: readonly string[], x: Axis): Html {
  const rows = learners.map((learner): TrackRow => {
    const { name, runs = [], classNames } = learner;
    const look = plotStyle(names.indexOf(name));
    const marks = runs.map((run) => ({
      as: "bar" as const,
      from: run.from,
      to: Math.max(run.to, run.from + WIDTH_MIN * (x.high - x.low)),
      colour: run.found ? look.colour : MUTED.colour,
      title: `${name}: ${run.found ? "found" : "missed"} ${runText(run, classNames)}`,
    }));
    const found = runs.filter((run) => run.found).length;
    return { name: html`${swatch(look)}${name}`, marks, remark: `${found} of ${runs.length}` };
  });
  return tracks(rows, x, "samples");
}
