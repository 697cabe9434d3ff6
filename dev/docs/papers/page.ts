/** A test: its file in test/, and how its title begins. */
export interface TestName {
  readonly file: string;
  readonly title: string;
}

/** Numbered equations, tables or figures of a paper, and what stands for them here. */
export interface Item {
  /** As "(15)-(33)", "Table IV", "Figures 8, 9": every number in it counts as named. */
  readonly item: string;
  readonly what: string;
  /** Where it is computed, unless an experiment's file is. */
  readonly file?: string;
  readonly test?: TestName;
  /** Ids of the experiments that rerun it. */
  readonly experiments?: readonly string[];
}

/** What a paper prints wrongly, what is right, and the test that has both. */
export interface Erratum {
  readonly item: string;
  readonly right: string;
  readonly test: TestName;
}

/** A symbol of the paper, and an option of these learners. */
export interface Symbol {
  readonly symbol: string;
  readonly option: string;
  readonly learners: readonly string[];
}

/** Data of the paper, and what takes their place. */
export interface Data {
  readonly data: string;
  readonly here: string;
}

export interface Paper {
  readonly title: string;
  readonly citation: string;
  /** The numbered equations; those that the paper leaves out aside. */
  readonly equations: readonly number[];
  /** Tables and figures that are numbered. */
  readonly tables: number;
  readonly figures: number;
  readonly items: readonly Item[];
  readonly errata: readonly Erratum[];
  readonly data: readonly Data[];
  readonly symbols: readonly Symbol[];
  /** This project's own experiments on what the paper leaves open, shown with their figures. */
  readonly open?: readonly string[];
}

/** 1..n, without some. */
export function numbers(n: number, without: readonly number[] = []): number[] {
  return Array.from({ length: n }, (_, i) => i + 1).filter((i) => !without.includes(i));
}
