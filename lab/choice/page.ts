import { type Html, html, type Part } from "../../host/report/html.ts";
import { MUTED, plotStyle } from "../../host/report/look.ts";
import { markTag, pageText, verdict } from "../../host/report/page.ts";
import { type Point, panel, plot, type Series } from "../../host/report/plot.ts";
import { table } from "../../host/report/table.ts";
import { noteLines } from "./notes.ts";
import { frontMarks, makePlot, type Plot, type PlotPoint } from "./plot.ts";
import { type Choice, type ChoiceResult, COSTS } from "./result.ts";
import {
  adviceText,
  choiceCells,
  choiceHeads,
  choiceName,
  costName,
  costTick,
  hiddenText,
  instructionsText,
  lossName,
  lossText,
  lossTick,
  planText,
  plotTitle,
  setupLines,
  timeText,
} from "./wording.ts";

/** The learner of the front, and all others, which are grey. */
const FRONT = plotStyle(1);

/** What to take, and how: the best, and those within noise of it that cost less. */
function adviceSection(result: ChoiceResult): Part {
  if (result.advice.length === 0) return "";
  const [headline, ...sentences] = result.advice.map((each) => adviceText(each, result));
  const commands = result.advice.map(
    (each) =>
      html`<dt>${choiceName(result.choices[each.choice])}</dt><dd><code>${each.plan.command}</code><br>${planText(each)}<br><code>${JSON.stringify(each.task)}</code></dd>`,
  );
  return html`${verdict(result.train.file, { headline, sentences })}
<details><summary>Their tasks in a scenario, and their nodes</summary><dl>${commands}</dl></details>`;
}

function pagePoint({ choice, mark }: PlotPoint, { cost }: Plot, { measure }: ChoiceResult): Point {
  const loss = choice.loss?.mean as number;
  const title = `${choiceName(choice)}: ${lossText(measure, loss)}, ${choice.bytes} bytes, ${instructionsText(choice)} instructions`;
  return { x: choice[cost] as number, y: loss, title, mark };
}

/** Loss against a cost; the front as the steps below which nothing lies. */
function costPanel(drawn: Plot, result: ChoiceResult): Part {
  const { cost, points, costs, losses } = drawn;
  const title = plotTitle(drawn, result);
  const front = points
    .filter(({ mark }) => mark)
    .sort((a, b) => (a.choice[cost] as number) - (b.choice[cost] as number));
  const pagePoints = (some: readonly PlotPoint[]) => some.map((each) => pagePoint(each, drawn, result));
  const all: Series[] = [
    { name: "others", look: MUTED, dots: "open", points: pagePoints(points.filter(({ mark }) => !mark)) },
    { name: "front", look: FRONT, dots: "full", line: "steps", points: pagePoints(front) },
  ];
  const chart = plot(all, {
    x: costName(cost, result),
    y: lossName(result),
    title,
    axes: { x: costs, y: losses },
    tickX: costTick,
    tickY: (tick) => lossTick(result.measure, tick),
  });
  const key = front.map(({ mark, choice }) => html`<span><b>${mark}</b> ${choiceName(choice)}</span>`);
  const hidden = hiddenText(drawn, result);
  return panel(
    title,
    chart,
    html`<p class="keys">${key}</p>`,
    hidden && html`<p class="caption">${hidden}.</p>`,
  );
}

/** How the best choice's loss falls with the labels that it has learned. */
function curvePanel(result: ChoiceResult): Part {
  const { learning, choices, measure } = result;
  if (!learning) return "";
  const points = learning.labels.map((x, i) => ({ x, y: learning.loss[i] }));
  const name = choiceName(choices[0]);
  const chart = plot([{ name, look: FRONT, line: "joined", dots: "full", points }], {
    ...{ x: "labels learned", y: lossName(result), logX: true },
    tickY: (tick) => lossTick(measure, tick),
  });
  return panel(`learning curve of ${name}`, chart);
}

function choicesTable(result: ChoiceResult): Html {
  const marks = COSTS.map((cost) => frontMarks(result.choices, cost));
  const words = {
    error: "standard error",
    heldBack: "held back, not learning",
    balanced: "balanced accuracy, %",
  };
  const row = (choice: Choice) => [choice.learner, ...choiceCells(result, choice, marks).map(String)];
  return table(choiceHeads(result, words), result.choices.map(row));
}

const captions = (texts: readonly string[]) => texts.map((text) => html`<p class="caption">${text}</p>\n`);

/**
 * The result as one HTML page that loads nothing and runs nothing: what to take, the plots, and the table, best first.
 *
 * @param mark of the data file, see `fileMark`.
 */
export function choicePage(result: ChoiceResult, mark: string): string {
  const plots = COSTS.flatMap((cost) => makePlot(result, cost) ?? []);
  return pageText({
    title: `Learners for ${result.train.file}`,
    mark: markTag("data", mark),
    body: html`${adviceSection(result)}
${captions(setupLines(result))}
<div class="pair">${plots.map((each) => costPanel(each, result))}${curvePanel(result)}</div>
${choicesTable(result)}
${captions(noteLines(result))}
<footer>${timeText(result)}. Made from ${result.schema}.</footer>`,
  });
}
