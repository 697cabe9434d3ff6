import { printable, printableJson } from "../../host/printable.ts";
import { table } from "../../host/terminal/table.ts";
import { isOfNode, type Scale } from "../evaluation/scaling.ts";
import { noteLines } from "./notes.ts";
import { frontMarks } from "./plot.ts";
import { type Choice, type ChoiceResult, COSTS } from "./result.ts";
import type { Usable } from "./usable.ts";
import { adviceText, choiceCells, choiceHeads, planText, setupLines, timeText } from "./wording.ts";

/** Rows of the table, unless the fronts have more. */
const ROWS = 14;

/** The choices that a page has room for: those on a front, and the best. */
function listedChoices(choices: readonly Choice[]): Choice[] {
  const onFront = choices.filter(({ pareto }) => pareto.bytes || pareto.instructions);
  const others = choices
    .filter((choice) => !onFront.includes(choice))
    .slice(0, Math.max(0, ROWS - onFront.length));
  return choices.filter((choice) => onFront.includes(choice) || others.includes(choice));
}

function rows(result: ChoiceResult, choices: readonly Choice[]): string {
  const marks = COSTS.map((cost) => frontMarks(result.choices, cost));
  const row = (choice: Choice) => [choice.learner, ...choiceCells(result, choice, marks)];
  const head = choiceHeads(result, { error: "+-", heldBack: "held back", balanced: "bal. acc., %" });
  const isText = (name: string, c: number) => c === 0 || name === "options" || name === "front";
  return table(choices.map(row), {
    head,
    aligns: head.map((name, c) => (isText(name, c) ? "left" : "right")),
  });
}

const NO_FIRMWARE = "no firmware has this learner; --target BOARD searches those that one has";

/** No node scales as the choice was. */
const NO_NODE = "a node can't scale by the whole file's range; choose with --scale node";

/** `flash` takes sensors that read once a sample. */
const OF_BURSTS =
  "a sensor class of your own takes the readings: choose with --node FILE, then npx motelearn init FOLDER --node FILE --rate HZ";

function nextText({ flash, project, task }: Usable, scale: Scale): string {
  const { burst = 1 } = task.node;
  if (!isOfNode(scale)) return NO_NODE;
  return flash === undefined ? NO_FIRMWARE : burst > 1 ? (project ?? OF_BURSTS) : flash;
}

/** The choices to take, each with what goes into a scenario and the commands that repeat it. */
function advice(result: ChoiceResult): string[] {
  return result.advice.map((each) =>
    [
      printable(adviceText(each, result)),
      `  task: ${printableJson(each.task)}`,
      printable(`  plan: ${each.plan.command}`),
      `        ${planText(each)}`,
      printable(`  next: ${nextText(each, result.scale)}`),
    ].join("\n"),
  );
}

const LEGEND =
  "+-: standard error. held back: the last fifth, predicted by the state before it, which doesn't learn. Letters: the Pareto front against that cost";

/** The result for people, on a page: what to take and how, and the table, best first. */
export function choiceText(result: ChoiceResult): string {
  const { choices } = result;
  const chosen = listedChoices(choices);
  const more = choices.length - chosen.length;
  const rest =
    more > 0 ? [`${more} more of learner and budget aren't shown: --json has all, --report draws them`] : [];
  return [
    setupLines(result).map(printable).join("\n"),
    ...advice(result),
    rows(result, chosen),
    [LEGEND, ...rest, ...noteLines(result), timeText(result)].map(printable).join("\n"),
  ].join("\n\n");
}
