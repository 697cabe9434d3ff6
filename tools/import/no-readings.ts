import { countText } from "../../host/count-text.ts";
import { excerpt, StreamError, shownName } from "../../host/streams/stream-error.ts";
import { fileWord } from "../../host/terminal/command-line.ts";
import type { ColumnFound } from "./column-found.ts";
import type { TableChoice } from "./table.ts";

/** What is wrong with a file without a feature, and the remedy. */
export function noReadings(
  file: string,
  columns: readonly ColumnFound[],
  badRows: TableChoice["badRows"],
): StreamError {
  const spoilt = columns.find(({ words }) => words);
  const right = "readings are numbers, with or without a unit, or words such as on and off";
  if (spoilt?.words && badRows === "refuse") {
    const [count, word] = spoilt.words;
    const what = `${shownName(spoilt.name)} has ${countText(count, "word")} such as ${excerpt(word)}`;
    return new StreamError(file, undefined, what, `${right}; or skip such rows by --skip-bad-rows`);
  }
  const texts = columns.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text] as const]));
  const shown = texts.slice(0, 4).map(([name, text]) => `${shownName(name)} is ${excerpt(text)}`);
  const what = `no column of numbers beside the label${shown.length > 0 ? `: ${shown.join(", ")}` : ""}`;
  const isMixed = columns.some(
    ({ range, text }) => range !== undefined && /^[-+]?\d+[.,]\d+$/.test(text ?? ""),
  );
  const marks = `one decimal mark is needed: sed 's/,/./g' ${fileWord(file)} > NEW makes points of commas`;
  const remedy = isMixed
    ? marks
    : OTHER_CELLS.find(([cell]) => texts.some(([, text]) => cell.test(text)))?.[1];
  const areLabels =
    columns.some(({ role }) => role === "label") && columns.some(({ role }) => role === "time");
  const own = `labels without readings are those of a recording: motelearn import RECORDING --labels ${fileWord(file)}`;
  const pattern = "--pattern finds the fields of lines that are no table";
  return new StreamError(file, undefined, what, `${right}; ${remedy ?? (areLabels ? own : pattern)}`);
}

/** What is left of a number and its flag in quotes. */
const UNFLAGGED = `sed -E 's/"([-+]?[0-9.]+),[0-9A-Z]+"/\\1/g'`;

/** Cells that hold numbers which import can't take out of them, and what can. */
const OTHER_CELLS: readonly (readonly [cell: RegExp, remedy: string])[] = [
  [/^\s*\[\s*[-+\d.]/, "lists must have as many numbers in each row, or one number a row"],
  [/^[-+]?\d+,\w+$/, `flags behind numbers must be taken off, as ${UNFLAGGED} does`],
  [
    /^(?=.*\d)(?:[\da-f]+#)?(?:[\da-f]{2}){4,}$/i,
    "the bytes of a message must be decoded first, into a column for each reading",
  ],
];
