import { byNearness } from "../suggestions.ts";
import type { CellForms, CellOptions } from "./cells.ts";
import { isMissing } from "./missing.ts";
import { parseNumber } from "./numbers.ts";
import { type OptionNames, PROGRAM_OPTIONS } from "./option-names.ts";
import { PROVENANCE_NAMES, type SampleProvenance } from "./provenance.ts";
import { shownName } from "./stream-error.ts";
import { type TimeColumns, timeReferences } from "./time-columns.ts";
import { isTimeText } from "./time-text.ts";

/**
 * The roles of a CSV file's columns. A column's name is its header, or its number from 1. Columns named `time`, `ticks`, `faults`, `node`,
 * `source` or `confidence`, and an unnamed first column of whole numbers (an index), are no features unless `columns` has them.
 */
export interface ColumnOptions extends CellOptions {
  /** True if the first row is a header. Default: yes if it has a word above a number or a time, or only words. */
  header?: boolean;
  /** The features, in this order; "3-7" is a range. Default: every column without another role. */
  columns?: readonly (string | number)[];
  /** The label. false: none. Default: the column named `label`, else the last that can be a feature. */
  label?: string | number | false;
  /** The column of the time, or those of its parts, which are no features. Default: the one named `time`. */
  time?: TimeColumns;
  /** True to keep columns `time`, `ticks`, `faults`, `node` as ECMA-419's, and `source`, `confidence` as a label's. Default false. */
  provenance?: boolean;
  /** The file whose features and label these are: found by name where both have a header, else at the same places. */
  like?: ColumnRoles;
  /** How messages call these options. Default: as a program does. */
  optionNames?: OptionNames;
}

/** What a CSV file's columns are. */
export interface ColumnRoles {
  readonly file: string;
  readonly header: boolean;
  /** One a column: the header's, or "column 3". */
  readonly names: readonly string[];
  /** Positions from 0, in the order of the features. */
  readonly features: readonly number[];
  /** -1: none. */
  readonly label: number;
  /** Columns whose cells hold a number in another form than its digits. */
  readonly cells: CellForms;
}

/** Positions from 0 in a record. */
export interface ChosenColumns extends ColumnRoles {
  /** Of the time's columns, where they were given. */
  readonly time: readonly number[];
  readonly provenance: { readonly [N in keyof SampleProvenance]-?: number };
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

/** The names of a table's features and label, and of the columns that are neither, for people and programs. */
export interface NamedColumns {
  readonly features: readonly string[];
  readonly label: string | null;
  readonly leftOut: readonly string[];
}

export function namedColumns({ names, features, label }: ColumnRoles): NamedColumns {
  const used = new Set([...features, label]);
  return {
    features: features.map((at) => names[at]),
    label: names[label] ?? null,
    leftOut: names.filter((_, at) => !used.has(at)),
  };
}

/** Which columns are what, in a line: "features temp, hum; label y; left out time". */
export function columnsText({ features, label, leftOut }: NamedColumns): string {
  const rest = leftOut.length > 0 ? `; left out ${shownNames(leftOut)}` : "";
  return `features ${shownNames(features)}; label ${label ?? "none"}${rest}`;
}

/** Decides from the file's first two records (the second may be missing). Throws a ColumnError. */
export function chooseColumns(
  file: string,
  first: readonly string[],
  second: readonly string[] | undefined,
  options: ColumnOptions,
): ChosenColumns {
  const header = options.header ?? looksLikeHeader(first, second);
  const columns = new Columns(first, second, header, options);
  const { names } = columns;
  const { label, features } = columns.roles(options);
  const cells = columns.cells(options, label);
  if (features.includes(label)) {
    const what = `${quoteColumn(names[label], header)} is both a feature and the label`;
    throw new ColumnError(what, "one of the two is right");
  }
  if (features.length === 0) {
    throw new ColumnError("no column is left for the features", "one or more beside the label is needed");
  }
  const taken = [...features, label];
  const provenance = columns.provenance(options.provenance === true, taken);
  const roles = { file, header, names, features, label, cells };
  checkUnits(roles, options.like);
  return { ...roles, provenance, time: columns.time };
}

/** Throws a ColumnError where a feature is in another unit than the other file's. */
function checkUnits({ names, header, features, cells }: ColumnRoles, like: ColumnRoles | undefined): void {
  for (const [i, at] of features.entries()) {
    const own = cells.units.get(at);
    const other = like?.cells.units.get(like.features[i]);
    if (own === undefined || other === undefined || own === other) continue;
    const what = `${quoteColumn(names[at], header)} in ${own} where ${like?.file} has ${other}`;
    throw new ColumnError(what, "one unit is needed");
  }
}

/** A column's name in messages. */
export function quoteColumn(name: string, header: boolean): string {
  return header ? `column ${JSON.stringify(name)}` : name;
}

/** How columns may be chosen so that this feature isn't among them; "" where that is too long to write. */
export function othersThan(at: number, { header, names, features }: ColumnRoles): string {
  const others = features.filter((each) => each !== at);
  return others.length > LISTED_MAX ? "" : columnList(others, { header, names }).join();
}

/** Columns at these places as a command line names them. */
export function columnList(
  places: readonly number[],
  { header, names }: Pick<ColumnRoles, "header" | "names">,
): string[] {
  const isPlain = (at: number) => /^[A-Za-z_][\w.]*$/.test(names[at]) && isOnce(names[at], names);
  return places.map((at) => (header && isPlain(at) ? names[at] : `${at + 1}`));
}

const isOnce = (name: string, names: readonly string[]) => names.indexOf(name) === names.lastIndexOf(name);

/** True for a text that isn't a number, nor a dash or such. */
const isWord = (text: string) =>
  !isMissing(text) && Number.isNaN(parseNumber(text)) && /[^\s\p{Pd}._*]/u.test(text);
const isBlank = (text: string) => text.trim() === "";

/** True if a file with these first two rows begins with a header. */
export function looksLikeHeader(first: readonly string[], second: readonly string[] | undefined): boolean {
  const isValue = (text: string) => !Number.isNaN(parseNumber(text)) || isTimeText(text);
  const isAbove = first.some((text, i) => isWord(text) && !isTimeText(text) && isValue(second?.[i] ?? ""));
  return (isAbove && !hasReading(first)) || isNumbered(first, second) || first.every(isWord);
}

/** True if a number such as 31.00 is no name; the wavelengths that name a spectrum's columns rise, or fall. */
function hasReading(first: readonly string[]): boolean {
  const numbers = first.filter((text) => /^\s*[-+]?\d*\.\d+\s*$/.test(text)).map(Number);
  const steps = numbers.slice(1).map((number, i) => number - numbers[i]);
  const areWavelengths =
    numbers.length > 2 && (steps.every((step) => step > 0) || steps.every((step) => step < 0));
  return numbers.length > 0 && !areWavelengths;
}

/** Names of columns that are at the same distance from each other, as the times or the wavelengths of a row's readings. */
const SPACED_MIN = 5;

/**
 * True if the columns are called by their numbers, as pandas calls those of an array, with an index before them or a label beside them; or by numbers
 * at the same distance.
 */
function isNumbered(first: readonly string[], second: readonly string[] | undefined): boolean {
  const isWhole = (text: string) => /^\d+$/.test(text.trim());
  const isName = (text: string) => isWhole(text) || isWord(text) || isBlank(text);
  const places = [...first.keys()].filter((i) => isWhole(first[i]));
  const steps = new Set(
    places.slice(1).map((i, k) => (Number(first[i]) - Number(first[places[k]])) / (i - places[k])),
  );
  if (places.length < 2 || steps.size > 1 || !first.every(isName)) return false;
  const offset = steps.has(1) ? Number(first[places[0]]) - places[0] : Number.NaN;
  if (offset === -1 && isBlank(first[0])) return true;
  // A sample may say 0, 1, 2 by chance, but then the next one has whole numbers, too.
  const hasFraction = places.some((i) => !isWhole(second?.[i] ?? "0"));
  const isSpaced = places.length >= SPACED_MIN && !steps.has(0);
  return hasFraction && (isSpaced || (places.length > 2 && (offset === 0 || offset === 1)));
}

/** The columns of a file, and what they are by their names. */
class Columns {
  readonly names: string[];
  private readonly places = new Map<string, number[]>();
  /** Those that are no readings. */
  private readonly aside: ReadonlySet<number>;
  private readonly optionNames: OptionNames;
  /** The places of the time's columns, where they were given. */
  readonly time: readonly number[];

  constructor(
    first: readonly string[],
    second: readonly string[] | undefined,
    private readonly header: boolean,
    { time, optionNames = PROGRAM_OPTIONS }: ColumnOptions,
  ) {
    this.optionNames = optionNames;
    this.names = first.map((name, i) => (header && !isBlank(name) ? name.trim() : `column ${i + 1}`));
    for (const [i, name] of this.names.entries()) {
      const places = this.places.get(name);
      if (places) places.push(i);
      else this.places.set(name, [i]);
    }
    const named = header ? this.names : [];
    const isAside = (name: string) => (PROVENANCE_NAMES as readonly string[]).includes(name);
    const aside = named.flatMap((name, i) => (isAside(name) ? [i] : []));
    const isIndex = header && INDEX_NAME.test(first[0].trim()) && /^\d+$/.test(second?.[0].trim() ?? "");
    this.time = timeReferences(time).map((each) => this.only("time", each));
    this.aside = new Set([...(isIndex ? [0] : []), ...aside, ...this.time]);
  }

  /** The positions of the features and of the label. */
  roles(options: ColumnOptions): Pick<ColumnRoles, "features" | "label"> {
    const { like } = options;
    if (like && (like.header || this.header)) return this.matchRoles(like, options);
    const label = this.labelAt(options);
    return { label, features: this.featuresBeside(label, options) };
  }

  private featuresBeside(label: number, { columns }: ColumnOptions): number[] {
    if (columns) return columns.flatMap((wanted) => this.find(wanted));
    return [...this.names.keys()].filter((i) => i !== label && !this.aside.has(i));
  }

  private labelAt({ label, columns }: ColumnOptions): number {
    if (label === false) return -1;
    if (label === undefined) {
      const named = this.header ? this.findPlace(LABEL_NAME) : undefined;
      const last = [...this.names.keys()].filter((i) => !this.aside.has(i)).pop();
      return named ?? last ?? (columns ? -1 : this.names.length - 1);
    }
    return this.only("label", label);
  }

  /** The places of the columns whose cells have a form of their own. A label's words stay words. */
  cells({ units = {}, booleans = [] }: ColumnOptions, label: number): CellForms {
    const inUnits = Object.entries(units).map(
      ([wanted, unit]) => [this.only("unit of", wanted), unit] as const,
    );
    const truths = booleans.flatMap((wanted) => this.find(wanted)).filter((at) => at !== label);
    return { units: new Map(inUnits), booleans: new Set(truths) };
  }

  private only(role: string, wanted: string | number): number {
    const found = this.find(wanted);
    if (found.length === 1) return found[0];
    throw new ColumnError(`${role} ${JSON.stringify(wanted)} is ${found.length} columns`, "one is right");
  }

  /** The features and the label of another file. */
  private matchRoles(like: ColumnRoles, options: ColumnOptions): Pick<ColumnRoles, "features" | "label"> {
    const { names } = this;
    if (!like.header || !this.header) {
      if (names.length !== like.names.length)
        throw this.unlike(like, [...names.keys()], [...like.names.keys()]);
      return like;
    }
    if (names.join("\n") === like.names.join("\n")) return like;
    const label = like.label < 0 ? -1 : this.findPlace(like.names[like.label]);
    if (label === undefined) throw this.unlike(like, [...names.keys()], [...like.names.keys()]);
    const features = like.features.flatMap((at) => this.findPlace(like.names[at]) ?? []);
    const own = options.columns ? features : this.featuresBeside(label, options);
    if (features.length === like.features.length && own.length === features.length)
      return { features, label };
    throw this.unlike(like, own, like.features);
  }

  private unlike(like: ColumnRoles, own: readonly number[], wanted: readonly number[]): ColumnError {
    const ours = shownNames(own.map((at) => this.names[at]));
    const theirs = shownNames(wanted.map((at) => like.names[at]));
    return new ColumnError(`columns ${ours} where ${like.file} has ${theirs}`, "the same columns are needed");
  }

  /** The place of a name; undefined if no column has it. Throws a ColumnError if several have. */
  private findPlace(name: string): number | undefined {
    const places = this.places.get(name) ?? [];
    if (places.length < 2) return places[0];
    const numbers = places.map((i) => i + 1);
    const listed = `${numbers.slice(0, -1).join(", ")} and ${numbers[numbers.length - 1]}`;
    const { label } = this.optionNames;
    const how = name === LABEL_NAME && label !== undefined ? ` with ${label}` : "";
    throw new ColumnError(`${shownNames([name])} is columns ${listed}`, `write the number${how}`);
  }

  /** The positions that a name, a number or a range means. */
  private find(wanted: string | number): number[] {
    const { names, header } = this;
    const text = String(wanted).trim();
    const isName = header && typeof wanted === "string";
    const named = isName ? this.findPlace(text) : undefined;
    const range = /^(\d+)(?:-(\d+))?$/.exec(text);
    if (isName && range) this.checkPlaces(Number(range[1]), Number(range[2] ?? range[1]));
    if (named !== undefined) return [named];
    if (!range) throw noSuchColumn(text, names, header);
    const [from, to] = [Number(range[1]), Number(range[2] ?? range[1])];
    if (from < 1 || to > names.length || from > to) {
      throw new ColumnError(`no column ${text}`, `columns are numbered from 1 to ${names.length}`);
    }
    return Array.from({ length: to - from + 1 }, (_, i) => from - 1 + i);
  }

  /** Throws a ColumnError where a number is the place of one column and the name of another. */
  private checkPlaces(from: number, to: number): void {
    this.names.forEach((name, i) => {
      const place = /^\d+$/.test(name) ? Number(name) : Number.NaN;
      if (!(place >= from && place <= to && place >= 1 && place <= this.names.length) || place === i + 1)
        return;
      const what = `${place} may mean column ${place} or the column named ${name}, which is column ${i + 1}`;
      throw new ColumnError(what, "names that aren't numbers are needed");
    });
  }

  /** Where provenance lies, in columns that have no other role. */
  provenance(isWanted: boolean, taken: readonly number[]): ChosenColumns["provenance"] {
    const at = (name: string) => {
      if (isWanted && name === "time" && this.time.length > 0) return this.time[0];
      const found =
        this.header && isWanted && !taken.some((i) => this.names[i] === name) ? this.findPlace(name) : -1;
      return found ?? -1;
    };
    const places = PROVENANCE_NAMES.map((name) => [name, at(name)]);
    return Object.fromEntries(places) as ChosenColumns["provenance"];
  }
}

const LABEL_NAME = "label";
/** How pandas and R write the name of an index: not at all, or so when they read it again. */
const INDEX_NAME = /^(Unnamed: 0)?$/;
/** The most columns that a message proposes. */
const LISTED_MAX = 8;

/** What is wrong with a name that no column has. */
export function noSuchColumn(text: string, names: readonly string[], header: boolean): ColumnError {
  const what = `no column ${JSON.stringify(text)}`;
  if (header)
    return new ColumnError(what, `the columns are, nearest first: ${shownNames(byNearness(text, names))}`);
  return new ColumnError(what, `the file has no header, so columns are numbered from 1 to ${names.length}`);
}

const SHOWN_MAX = 12;

export function shownNames(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_MAX).map(shownName);
  const more = names.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
