import { printable } from "../../host/printable.ts";
import { badRowsText } from "../../host/streams/bad-rows.ts";
import { ClassNames, shownClass } from "../../host/streams/class-names.ts";
import { columnsText } from "../../host/streams/columns.ts";
import type { LearnerResult } from "../scoring/result.ts";
import { learnerClasses } from "../scoring/scorer.ts";
import { lateTaskText, pendingText } from "./late-text.ts";
import type { TaskResults } from "./tasks.ts";
import { wrapTable } from "./text-table.ts";

const INDENT = 11;
/** The most nodes that a task lists. */
const NODES_LISTED = 12;

/** What a recording's labels and columns are, which class was found how often, and whether labels were late: names and texts. */
export function recordingTexts(task: TaskResults): [name: string, text: string][] {
  const { nodes } = task;
  const late = lateTaskText(task);
  const pending = pendingText(task);
  const firsts = nodes.map(({ node, learners: [first] }) => ({ node, first }));
  const [{ first }] = firsts;
  const columns = new Set(
    firsts.flatMap(({ first: { columns } }) => (columns ? [columnsText(columns)] : [])),
  );
  const badRows = new Set(
    firsts.flatMap(({ first: { badRows } }) => (badRows ? [badRowsText(badRows)] : [])),
  );
  const unlabelled = firsts.flatMap(({ node, first: { unlabelled, samples, missed, missing } }) =>
    unlabelled ? [`${node} ${unlabelled} of ${samples + missed - (missing?.skipped ?? 0)} samples`] : [],
  );
  return [
    ...[...columns].map((text): [string, string] => ["columns", text]),
    ...(first.classNames ? [["classes", classText(first)] as [string, string]] : []),
    ...(unlabelled.length > 0 ? [["unlabelled", some(unlabelled).join("; ")] as [string, string]] : []),
    ...[...badRows].map((text): [string, string] => ["bad rows", text]),
    ...recallTexts(nodes).map((text): [string, string] => ["found", text]),
    ...(pending === undefined ? [] : [["pending", pending] as [string, string]]),
    ...(late === undefined ? [] : [["late", late] as [string, string]]),
  ];
}

/** The same as lines of that width. */
export function recordingLines(task: TaskResults, width: number): string[] {
  const texts = recordingTexts(task).map((pair) => pair.map(printable));
  return texts.length > 0 ? [wrapTable(texts, INDENT, width)] : [];
}

function classText({ classNames = [], kind }: LearnerResult): string {
  return new ClassNames(learnerClasses(kind, classNames), kind === "multiclass").text;
}

/** Of each learner on each node the share of each class's samples that it found. */
function recallTexts(nodes: TaskResults["nodes"]): string[] {
  const texts = nodes.flatMap(({ node, learners }) =>
    learners.flatMap(({ name, classNames, recalls }) => {
      if (!classNames || !recalls) return [];
      const found = recalls.map(
        ({ samples, recall }, i) =>
          `${shownClass(classNames[i])} ${recall === null ? "n/a" : recall.toFixed(3)} of ${samples}`,
      );
      return [`${node}, ${name}: ${found.join(", ")}`];
    }),
  );
  return some(texts);
}

function some(texts: readonly string[]): string[] {
  const more = texts.length - NODES_LISTED;
  return more > 0 ? [...texts.slice(0, NODES_LISTED), `and ${more} more, in --json and --csv`] : [...texts];
}
