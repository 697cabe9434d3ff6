import { noSuchColumn } from "./columns.ts";

/** How many numbers each cell of a column has, by the column's name, or its number from 1: {"data": 128}. */
export type Lists = Readonly<Record<string, number>>;

const NUMBER = /[^\s,;()[\]{}"']+/g;

/** Takes cells that hold a list of numbers apart: `[1, -2, 3]` becomes three fields, called `data.0`, `data.1` and `data.2`. */
export class ListCells {
  /** How many fields the cell at a place becomes. */
  private counts: ReadonlyMap<number, number> | undefined;

  /** @param header whether the first record has the columns' names. */
  constructor(
    private readonly lists: Lists,
    private readonly header: boolean,
  ) {}

  /** A record's fields. An empty cell becomes as many. Throws a ColumnError if no column has a name of the lists. */
  spread(fields: readonly string[]): string[] {
    const isNames = this.header && this.counts === undefined;
    this.counts ??= this.countsIn(fields);
    const { counts } = this;
    return fields.flatMap((field, at) => {
      const count = counts.get(at);
      if (count === undefined) return field;
      if (isNames) return listNames(field.trim(), count);
      return field.match(NUMBER) ?? Array<string>(count).fill("");
    });
  }

  private countsIn(fields: readonly string[]): ReadonlyMap<number, number> {
    const names = fields.map((name, at) => (this.header ? name.trim() : String(at + 1)));
    const counts = Object.entries(this.lists).map(([name, count]) => [names.indexOf(name), count] as const);
    const missing = Object.keys(this.lists).find((name) => !names.includes(name));
    if (missing !== undefined) throw noSuchColumn(missing, names, this.header);
    return new Map(counts);
  }
}

/** The names of the columns that a column of lists becomes. */
export function listNames(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${name}.${i}`);
}
