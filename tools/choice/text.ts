import { printable } from "../../host-sim/printable.ts";
import { table } from "../cli/table.ts";
import type { Axis } from "./axis.ts";
import { marksOf, type Plot, plotOf } from "./plot.ts";
import { type Choice, type ChoiceResult, COSTS } from "./result.ts";
import {
  costName,
  costTick,
  hiddenText,
  instructionsText,
  lossName,
  lossText,
  lossTick,
  meanText,
  noteLines,
  plotTitle,
  setupLines,
} from "./words.ts";

const WIDTH = 64;
const HEIGHT = 14;

function rows(result: ChoiceResult): string {
  const { choices, measure, repeat } = result;
  const marks = COSTS.map((cost) => marksOf(choices, cost));
  const percent = (value: number) => (100 * value).toFixed(2);
  const row = (choice: Choice) => [
    choice.learner,
    choice.budget ?? "",
    meanText(choice.loss, repeat, (value) => lossText(measure, value)),
    ...(measure === "error" ? [meanText(choice.balancedAccuracy, repeat, percent)] : []),
    choice.bytes,
    marks[0].get(choice) ?? "",
    instructionsText(choice),
    marks[1].get(choice) ?? "",
  ];
  const head = [
    "learner",
    "budget",
    lossName(result),
    ...(measure === "error" ? ["balanced accuracy, %"] : []),
    "bytes",
    "front",
    costName("instructions", result),
    "front",
  ];
  const aligns = head.map((name, c) => (c === 0 || name === "front" ? "left" : "right"));
  return table(choices.map(row), { head, aligns });
}

/** The axis of costs in characters, its ticks and, as far as there is room, what they are. */
function axisBelow({ ticks, place }: Axis): [string, string] {
  const line = new Array<string>(WIDTH).fill("-");
  let labels = "";
  for (const tick of ticks) {
    const at = Math.round(place(tick) * (WIDTH - 1));
    line[at] = "+";
    const label = costTick(tick);
    const from = Math.max(0, at + 1 - (label.length >> 1));
    if (labels === "" || from > labels.length) labels = labels.padEnd(from) + label;
  }
  return [`+${line.join("")}`, labels];
}

/** The points in characters: a letter where one lies on the front, a dot elsewhere. */
function drawing(plot: Plot, result: ChoiceResult): string {
  const { points, costs, losses } = plot;
  const cells = Array.from({ length: HEIGHT }, () => new Array<string>(WIDTH).fill(" "));
  const place = (share: number, size: number) => Math.round(share * (size - 1));
  const inFront = [...points].sort((a, b) => Number(a.mark !== undefined) - Number(b.mark !== undefined));
  for (const { x, y, mark } of inFront) cells[HEIGHT - 1 - place(y, HEIGHT)][place(x, WIDTH)] = mark ?? ".";
  const labels = new Map(
    losses.ticks.map((tick) => [place(losses.place(tick), HEIGHT), lossTick(result.measure, tick)]),
  );
  const side = Math.max(...[...labels.values()].map((label) => label.length));
  const lines = cells.map((line, i) => {
    const label = labels.get(HEIGHT - 1 - i);
    return `${(label ?? "").padStart(side)} ${label ? "+" : "|"}${line.join("")}`.trimEnd();
  });
  const hidden = hiddenText(plot, result);
  return [
    printable(`${plotTitle(plot, result)}; letters: the front${hidden && `; ${hidden}`}`),
    ...lines,
    ...axisBelow(costs).map((line) => `${" ".repeat(side + 1)}${line}`),
  ].join("\n");
}

/** The result for people: a table, best first, both plots, and what they leave open. */
export function choiceText(result: ChoiceResult): string {
  const plots = COSTS.flatMap((cost) => plotOf(result, cost) ?? []);
  const { seconds, threads } = result.timing;
  const time = `took ${seconds.toFixed(1)} s on ${threads === 1 ? "1 thread" : `${threads} threads`}`;
  const parts = [
    setupLines(result).map(printable).join("\n"),
    rows(result),
    ...plots.map((plot) => drawing(plot, result)),
    [...noteLines(result), time].map(printable).join("\n"),
  ];
  return parts.join("\n\n");
}
