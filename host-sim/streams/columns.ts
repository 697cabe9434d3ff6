import { byNearness } from "../nearest.ts";
import { isMissing } from "./missing.ts";
import { parseNumber } from "./numbers.ts";
import { PROVENANCE_NAMES, type SampleProvenance } from "./provenance.ts";
import { excerpt } from "./stream-error.ts";

/** The roles of a CSV file's columns. A column's name is its header, or its number from 1. */
export interface ColumnOptions {
  /** Whether the first row is a header. Default: yes if it has a word above a number, or only words. */
  header?: boolean;
  /** The features, in this order; "3-7" is a range. Default: every column without another role. */
  columns?: readonly (string | number)[];
  /** Columns that aren't features, when `columns` isn't given. */
  skipColumns?: readonly (string | number)[];
  /** The label. false: none. Default: the last (with `provenance`: the one named `label`, if any). */
  label?: string | number | false;
  /**
   * Whether header names `time`, `ticks`, `faults`, `node` mean ECMA-419's, and `source`, `confidence` a
   * label's. Default false.
   */
  provenance?: boolean;
}

/** Positions from 0 in a record. */
export interface ChosenColumns {
  header: boolean;
  /** One a field: the header's, or "column 3". */
  names: string[];
  features: number[];
  /** -1: none. */
  label: number;
  provenance: { readonly [N in keyof SampleProvenance]-?: number };
}

/** A choice that the file doesn't allow. */
export class ColumnError extends Error {
  constructor(
    readonly what: string,
    readonly right: string,
  ) {
    super(`${what}; ${right}`);
  }
}

/** Decides from the file's first two records (the second may be missing). Throws a ColumnError. */
export function chooseColumns(
  first: readonly string[],
  second: readonly string[] | undefined,
  options: ColumnOptions,
): ChosenColumns {
  const header = options.header ?? looksLikeHeader(first, second);
  const names = first.map((name, i) => (header && name.trim() !== "" ? name.trim() : `column ${i + 1}`));
  const find = (wanted: string | number): number[] => positionsOf(wanted, names, header);
  const provenance = provenanceAt(header && options.provenance ? names : []);
  const label = labelAt(names, find, options);
  const others = new Set([label, ...Object.values(provenance), ...(options.skipColumns ?? []).flatMap(find)]);
  const rest = names.map((_, i) => i).filter((i) => !others.has(i));
  const features = options.columns?.flatMap(find) ?? rest;
  if (features.includes(label)) {
    throw new ColumnError(
      `${quoted(names[label], header)} is both a feature and the label`,
      "one of the two is right",
    );
  }
  if (features.length === 0) {
    throw new ColumnError("no column is left for the features", "one or more beside the label is needed");
  }
  return { header, names, features, label, provenance };
}

/** A column's name in messages. */
export function quoted(name: string, header: boolean): string {
  return header ? `column ${JSON.stringify(name)}` : name;
}

function looksLikeHeader(first: readonly string[], second: readonly string[] | undefined): boolean {
  const isWord = (text: string) => !isMissing(text) && Number.isNaN(parseNumber(text));
  const aboveNumber = first.some((text, i) => isWord(text) && !Number.isNaN(parseNumber(second?.[i] ?? "")));
  return aboveNumber || first.every(isWord);
}

function labelAt(
  names: string[],
  find: (wanted: string | number) => number[],
  options: ColumnOptions,
): number {
  if (options.label === false) return -1;
  if (options.label !== undefined) {
    const found = find(options.label);
    if (found.length !== 1)
      throw new ColumnError(
        `label ${JSON.stringify(options.label)} is ${found.length} columns`,
        "one is right",
      );
    return found[0];
  }
  return options.provenance ? names.indexOf("label") : names.length - 1;
}

function provenanceAt(names: readonly string[]): ChosenColumns["provenance"] {
  const entries = PROVENANCE_NAMES.map((name) => [name, names.indexOf(name)]);
  return Object.fromEntries(entries) as ChosenColumns["provenance"];
}

function positionsOf(wanted: string | number, names: readonly string[], header: boolean): number[] {
  const text = String(wanted).trim();
  const named = header && typeof wanted === "string" ? names.indexOf(text) : -1;
  if (named >= 0) return [named];
  const range = /^(\d+)(?:-(\d+))?$/.exec(text);
  if (!range) throw noSuchColumn(text, names, header);
  const [from, to] = [Number(range[1]), Number(range[2] ?? range[1])];
  if (from < 1 || to > names.length || from > to) {
    throw new ColumnError(`no column ${text}`, `columns are numbered from 1 to ${names.length}`);
  }
  return Array.from({ length: to - from + 1 }, (_, i) => from - 1 + i);
}

function noSuchColumn(text: string, names: readonly string[], header: boolean): ColumnError {
  const what = `no column ${JSON.stringify(text)}`;
  if (header)
    return new ColumnError(what, `the columns are, nearest first: ${shownNames(byNearness(text, names))}`);
  return new ColumnError(what, `the file has no header, so columns are numbered from 1 to ${names.length}`);
}

const SHOWN_MAX = 12;

function shownNames(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_MAX).map((name) => (name.length > 40 ? excerpt(name) : name));
  const more = names.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
