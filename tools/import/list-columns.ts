import type { DescribedOptions } from "../../host/streams/description.ts";
import { listNames } from "../../host/streams/list-cells.ts";
import type { Notations } from "../../host/streams/notation.ts";
import { parseNumber } from "../../host/streams/numbers.ts";
import { usualWidth, WHOLE_SHARE } from "./usual-width.ts";

/** Whether a table begins with its names, or how they are called. */
interface ListedHead extends Pick<DescribedOptions, "names"> {
  readonly header: boolean;
}

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;
/** The fewest numbers of a list. */
const LIST_MIN = 3;
/** Rows of each code, in the mean. */
const CODED = 4;

/** How many numbers a cell holds as a list, in brackets or without; 0 for another cell. */
function listLength(cell: string, notation: Notations): number {
  const text = cell
    .trim()
    .replace(/^[[({]/, "")
    .replace(/[\])}]$/, "");
  const parts = text.split(/[\s,;]+/).filter((part) => part !== "");
  const isList = parts.length >= LIST_MIN && parts.every((part) => NUMBER.test(part));
  return isList && Number.isNaN(parseNumber(notation.usual(cell))) ? parts.length : 0;
}

/** True for a list of readings; numbers that count on from 0 or 1 name the columns below them. */
export function isSampleList(cell: string, notation: Notations): boolean {
  if (listLength(cell, notation) === 0) return false;
  const numbers = (cell.match(/[-+.\w]+/g) ?? []).map(Number);
  return numbers[0] > 1 || numbers.some((number, at) => number !== numbers[0] + at);
}

/** True if lists of zeros and ones name classes, such as "1 0 0 1": a few of them come again and again. */
function areCodes(cells: readonly string[]): boolean {
  return (
    cells.every((cell) => /^[[({]?[\s,;01]{5,40}[\])}]?$/.test(cell)) &&
    cells.length > CODED * new Set(cells).size
  );
}

/** A table's head, with the columns nearly all of whose cells are lists of as many numbers. */
export function withLists<T extends ListedHead>(
  head: T,
  rows: readonly (readonly string[])[],
  notation: Notations,
): T & Pick<DescribedOptions, "lists"> {
  const samples = rows.slice(head.header ? 1 : 0);
  const width = Math.max(0, ...samples.map(({ length }) => length));
  const counts = Array.from({ length: width }, (_, at) => {
    const cells = samples.map((fields) => fields[at] ?? "");
    const lengths = cells.map((cell) => listLength(cell, notation));
    const { width: count, rows: having } = usualWidth(lengths.filter((length) => length > 0));
    return having > 0 && having >= WHOLE_SHARE * samples.length && !areCodes(cells) ? count : 0;
  });
  if (!counts.some((count) => count > 0)) return head;
  const nameAt = (at: number) => (head.header ? rows[0][at].trim() : String(at + 1));
  const lists = Object.fromEntries(counts.flatMap((count, at) => (count > 0 ? [[nameAt(at), count]] : [])));
  const names = head.names?.flatMap((name, at) => (counts[at] > 0 ? listNames(name, counts[at]) : name));
  return { ...head, ...(names && { names }), lists };
}
