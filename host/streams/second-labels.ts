import type { ColumnRoles } from "./columns.ts";
import { isContinuous, type LabelColumn } from "./targets.ts";

/** Values of a column that may name classes, at most. */
const VALUES_MAX = 32;
/** Rows with a label that show which values go with which class. */
const ROWS_MIN = 20;
/** So many of each class's rows, or of each value's, go with the other. */
const NEARLY = 0.98;
/** The square of a correlation of readings that are the same one in another unit, or what is left of a whole. */
const SAME = 0.9998;
/** So many of a class's rows have one of the flags for its causes. */
const COVERED = 0.9;

/** How many rows have each pair of a column's value and a class. */
class Pairs {
  private readonly counts = new Map<number, Map<number, number>>();
  private isOpen = true;

  /** Takes a row, NaN for what it lacks. */
  take(value: number, label: number): void {
    if (!this.isOpen || Number.isNaN(value + label)) return;
    const of = this.counts.get(value) ?? new Map<number, number>();
    of.set(label, (of.get(label) ?? 0) + 1);
    this.counts.set(value, of);
    this.isOpen = Number.isInteger(value) && this.counts.size <= VALUES_MAX && of.size <= VALUES_MAX;
    if (!this.isOpen) this.counts.clear();
  }

  /** The class that nearly all rows with a 1 have, of a column of 0 and 1 alone; undefined for another column. */
  get flagged(): number | undefined {
    const ones = [...(this.counts.get(1) ?? [])];
    const rows = ones.reduce((sum, [, each]) => sum + each, 0);
    const isFlag = this.counts.size === 2 && this.counts.has(0);
    return isFlag ? ones.find(([, each]) => each >= NEARLY * rows)?.[0] : undefined;
  }

  /** Whether each value goes with one class, and each class with one value, nearly. */
  get ties(): { readonly saysClass: boolean; readonly followsClass: boolean } {
    const cells = [...this.counts].flatMap(([value, of]) =>
      [...of].map(([label, rows]): Cell => [value, label, rows]),
    );
    const rows = cells.reduce((sum, [, , each]) => sum + each, 0);
    const turned = cells.map(([value, label, each]): Cell => [label, value, each]);
    if (rows < ROWS_MIN || this.counts.size < 2) return { saysClass: false, followsClass: false };
    return { saysClass: tells(cells), followsClass: tells(turned) };
  }
}

/** Where the readings of each class lie, until two classes overlap. */
class Ranges {
  private readonly of = new Map<number, { min: number; max: number; rows: number }>();
  private isOpen = true;

  take(value: number, label: number): void {
    if (!this.isOpen || Number.isNaN(value + label)) return;
    const range = this.of.get(label) ?? { min: value, max: value, rows: 0 };
    const isWider = range.rows++ === 0 || value < range.min || value > range.max;
    if (!isWider) return;
    this.of.set(label, range);
    range.min = Math.min(range.min, value);
    range.max = Math.max(range.max, value);
    for (const other of this.of.values())
      if (other !== range && other.min <= range.max && other.max >= range.min) this.isOpen = false;
  }

  /** True if each class has enough rows, and no reading among those of another. */
  get areApart(): boolean {
    const ranges = [...this.of.values()];
    return this.isOpen && ranges.length > 1 && ranges.every(({ rows }) => rows >= ROWS_MIN);
  }
}

/** How a feature and a label of numbers vary together. */
class Correlation {
  private rows = 0;
  private meanX = 0;
  private meanY = 0;
  private xx = 0;
  private xy = 0;
  private yy = 0;

  take(x: number, y: number): void {
    if (Number.isNaN(x + y)) return;
    this.rows++;
    const [dx, dy] = [x - this.meanX, y - this.meanY];
    this.meanX += dx / this.rows;
    this.meanY += dy / this.rows;
    this.xx += dx * (x - this.meanX);
    this.xy += dx * (y - this.meanY);
    this.yy += dy * (y - this.meanY);
  }

  get isLine(): boolean {
    const { rows, xx, xy, yy } = this;
    return rows >= ROWS_MIN && xx > 0 && yy > 0 && xy * xy >= SAME * xx * yy;
  }
}

/** Finds the features before the label that have a column for each other state: in each row one of these columns or the label is 1, the others are 0. */
class StateColumns {
  /** Whether the sum of the features from each on says the label; a run begins at none before `first`. */
  private readonly sums: readonly Pairs[];
  private first = 0;
  private readonly isSeen: boolean[];

  constructor(private readonly features: number) {
    this.sums = Array.from({ length: features }, () => new Pairs());
    this.isSeen = new Array(features).fill(false);
  }

  /** Takes a row, whose features a function reads. */
  take(feature: (at: number) => number, label: number): void {
    let sum = 0;
    for (let at = this.features - 1; at >= this.first; at--) {
      const value = feature(at);
      sum += value;
      if ((value !== 0 && value !== 1) || sum > 1) this.first = at + 1;
      else {
        if (value === 1) this.isSeen[at] = true;
        this.sums[at].take(sum, label);
      }
    }
  }

  /** Two features or more. */
  get found(): readonly number[] {
    const from = Math.max(this.first, this.isSeen.lastIndexOf(false) + 1);
    const run = [...this.sums.keys()].slice(from);
    const start = run.findIndex((at) => this.sums[at].ties.saysClass && this.sums[at].ties.followsClass);
    return start < 0 || start === run.length - 1 ? [] : run.slice(start);
  }
}

/** How many rows have a class, and how many of them have a flag: each of them, and any. */
class Coverage {
  private rows = 0;
  private others = 0;
  private any = 0;
  private readonly each: number[];

  constructor(
    private readonly flags: readonly number[],
    private readonly label: number,
  ) {
    this.each = flags.map(() => 0);
  }

  take(feature: (at: number) => number, label: number): void {
    if (Number.isNaN(label)) return;
    if (label !== this.label) this.others++;
    else {
      const set = this.flags.map((at) => feature(at) === 1);
      for (const [k, is] of set.entries()) if (is) this.each[k]++;
      this.rows++;
      if (set.includes(true)) this.any++;
    }
  }

  /** True if the flags name the causes of a class that is no usual one: together nearly all rows of it, none of them alone. */
  get areCauses(): boolean {
    const isShared = this.each.every((rows) => rows < COVERED * this.any);
    return isShared && this.rows < this.others && this.any >= COVERED * this.rows;
  }
}

type Cell = readonly [from: number, to: number, rows: number];

/** True if each value stands for one of several others: for nearly all rows, the other that comes with it most often is the right one. */
function tells(cells: readonly Cell[]): boolean {
  const told = new Map<number, Cell>();
  for (const cell of cells) if (cell[2] > (told.get(cell[0])?.[2] ?? 0)) told.set(cell[0], cell);
  const all = new Map<number, number>();
  const right = new Map<number, number>();
  for (const [from, to, rows] of cells) {
    all.set(to, (all.get(to) ?? 0) + rows);
    if (told.get(from)?.[1] === to) right.set(to, (right.get(to) ?? 0) + rows);
  }
  return all.size > 1 && [...all].every(([to, rows]) => (right.get(to) ?? 0) >= NEARLY * rows);
}

/** What a name says beside what it is about, as in fault_code, label_id, Zustandsnummer. */
const ASPECT =
  /(s?code|id|nr|no|num|number|s?nummer|name|text|type|class|label|category|index|idx|int|enc|encoded|flag|bit|group)$/;
/** Names of what someone found out about a sample, rather than read. */
const VERDICT =
  /label|class|target|fault|failure|error|alarm|code|categor|diagnos|truth|annotat|fehler|störung|klasse/i;

function stem(name: string): string {
  let stem = name.toLowerCase().replace(/[^\p{L}]/gu, "");
  for (let shorter = stem.replace(ASPECT, ""); shorter.length > 2 && shorter !== stem; )
    [stem, shorter] = [shorter, shorter.replace(ASPECT, "")];
  return stem;
}

/** Places of features that go with the label. */
interface Tied {
  /** Those that are the label in other words, by their names, too. */
  readonly second: readonly number[];
  /** Others that tell the label, each by itself. */
  readonly alike: readonly number[];
}

type Tabled = LabelColumn & { readonly roles?: ColumnRoles; readonly readings?: number };
type Visit = (x: ArrayLike<number>, label: number) => void;

const NONE: Tied = { second: [], alike: [] };

/**
 * Finds features that tell the label: its classes are ranges of them, or its numbers lie on a line over them. Some are the label in other words,
 * as a code of the fault beside the fault; a node in the field doesn't have them:
 * - a column of few whole numbers, if each number has one class. Its name is a verdict's; or its name is the label's, and each class has one number;
 * - the columns of other states before a label that is 1 in one state;
 * - flags for the causes of a class.
 *
 * At least one feature remains.
 *
 * @param data with labels. Of a raw recording, the last reading of each sensor in a sample counts.
 * @param each visits its rows; a label is NaN for none.
 */
export function secondLabels(data: Tabled, each: (visit: Visit) => void): Tied {
  const { roles, readings = 1 } = data;
  if (!roles || roles.label < 0) return NONE;
  const lastReading = (x: ArrayLike<number>, s: number) => x[(s + 1) * readings - 1];
  if (isContinuous(data)) {
    const lines = roles.features.map(() => new Correlation());
    each((x, label) => {
      for (const [s, line] of lines.entries()) line.take(lastReading(x, s), label);
    });
    return { second: [], alike: [...lines.keys()].filter((s) => lines[s].isLine) };
  }
  const pairs = roles.features.map(() => new Pairs());
  const ranges = roles.features.map(() => new Ranges());
  const states = new StateColumns(pairs.length);
  each((x, label) => {
    for (let s = 0; s < pairs.length; s++) {
      pairs[s].take(lastReading(x, s), label);
      ranges[s].take(lastReading(x, s), label);
    }
    states.take((s) => lastReading(x, s), label);
  });
  const apart = [...ranges.keys()].filter((s) => ranges[s].areApart);
  return tiedIn(pairs, [...states.found, ...causesIn(pairs, each, readings)], apart, roles);
}

/** The places of flags, two or more, that are 1 in rows of one class alone, and together in nearly all of them. */
function causesIn(pairs: readonly Pairs[], each: (visit: Visit) => void, readings: number): number[] {
  const flagged = pairs.map((of) => of.flagged);
  const classes = [...new Set(flagged)].filter((label) => label !== undefined);
  return classes.flatMap((label) => {
    const flags = [...flagged.keys()].filter((s) => flagged[s] === label);
    if (flags.length < 2) return [];
    const coverage = new Coverage(flags, label);
    each((x, own) => coverage.take((s) => x[(s + 1) * readings - 1], own));
    return coverage.areCauses ? flags : [];
  });
}

function tiedIn(
  pairs: readonly Pairs[],
  states: readonly number[],
  apart: readonly number[],
  { names, features, label }: ColumnRoles,
): Tied {
  const ties = pairs.map((each) => each.ties);
  const places = [...ties.keys()];
  const second = places.filter((s) => {
    if (states.includes(s)) return true;
    const { saysClass, followsClass } = ties[s];
    const name = names[features[s]];
    return stem(name) === stem(names[label]) ? saysClass || followsClass : saysClass && VERDICT.test(name);
  });
  const alike = places.filter((s) => ties[s].saysClass || apart.includes(s));
  if (second.length === places.length) return { second: [], alike };
  return { second, alike: alike.filter((s) => !second.includes(s)) };
}
