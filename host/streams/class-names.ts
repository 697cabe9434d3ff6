import type { Task } from "../../src/learn/learner.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { parseLabel } from "./numbers.ts";

/** A label as a file or a person writes it: a class's name, or a number. */
export type WrittenLabel = string | number;

/** The most classes of a learner. */
export const CLASSES_MAX = 256;
/** The most labels that a message lists. */
const SHOWN_MAX = 8;

/** What learners call two classes without names. */
const SIGNS = ["-1", "1"];
const PLACES_OF_TWO = ["0", "1"];

/**
 * The names of a learner's classes, and the one rule by which a written label becomes a target.
 *
 * Targets are -1 and +1 for two classes, in the order of the names, and 0 to K-1 for K > 2 or a multiclass learner. A label that is a
 * class's name means that class. Any other label must be a number that is itself a target. Nothing else is a class: a lone label is never
 * guessed.
 */
export class ClassNames {
  /** The target of each name. */
  private readonly targets: ReadonlyMap<string, number>;

  /**
   * @param names 2 to 256 distinct names without blanks around them, in the order of the targets. Throws an OptionError for others.
   * @param isMulticlass whether targets are 0 to K-1. Default: for K > 2.
   */
  constructor(
    readonly names: readonly string[],
    readonly isMulticlass = names.length > 2,
  ) {
    const { size } = new Set(names);
    const isRight = size === names.length && size >= 2 && size <= CLASSES_MAX;
    if (!isRight || names.some((name) => name === "" || name.trim() !== name))
      throw new OptionError("classes", "names", listLabels(names), `2 to ${CLASSES_MAX} distinct names`);
    this.targets = new Map(names.map((name, place) => [name, this.targetAt(place)]));
  }

  /** The classes of a learner that has `count` of them and no names: "-1" and "1", or "0" to "K-1". */
  static forCount(count: number, isMulticlass = count > 2): ClassNames {
    const places = Array.from({ length: count }, (_, place) => String(place));
    return new ClassNames(isMulticlass ? places : SIGNS, isMulticlass);
  }

  /**
   * The classes of a recording for which a learner is to be made: its distinct labels, numbers by size, words by code unit. Labels that are all
   * among -1 and 1, or among 0 and 1, make these two, even where one is missing. Throws an OptionError for any other lone label. NaN doesn't count.
   */
  static among(labels: Iterable<WrittenLabel>): ClassNames {
    const texts = distinctLabels(labels).map(String);
    for (const pair of [SIGNS, PLACES_OF_TWO])
      if (texts.length > 0 && texts.every((text) => pair.includes(text))) return new ClassNames(pair);
    if (texts.length >= 2) return new ClassNames(texts);
    throw new OptionError("classes", "labels", listLabels(texts), "two classes or more: name them all");
  }

  /**
   * The classes of a learner that is to be made for these labels: those of its names; else, with `count` > 2 classes, numbers 0 to count-1,
   * which mean themselves; else those among the labels. Throws an OptionError as `forRecording` and `among` do.
   */
  static forLabels(labels: readonly WrittenLabel[], names?: readonly string[], count = 0): ClassNames {
    if (names) return new ClassNames(names).forRecording(labels);
    const numbered = count > 2 ? ClassNames.forCount(count) : undefined;
    const isNumbered = labels.every((label) => numbered?.targetName(Number(label)) === String(label));
    return numbered && isNumbered ? numbered : ClassNames.among(labels);
  }

  /** The same names with the targets of a learner for that task. */
  forTask(task: Task): ClassNames {
    return new ClassNames(this.names, task === "multiclass" || this.count > 2);
  }

  /** How many there are. */
  get count(): number {
    return this.names.length;
  }

  /** True if the names are those that `numbered` gives. */
  get isNumbered(): boolean {
    const { names } = ClassNames.forCount(this.count, this.isMulticlass);
    return this.names.every((name, place) => name === names[place]);
  }

  /** The target of the class at that place, from 0. */
  targetAt(place: number): number {
    return this.isMulticlass ? place : 2 * place - 1;
  }

  /** The name of a target; undefined for a number that is none. */
  targetName(target: number): string | undefined {
    return this.names[this.isMulticlass ? target : (target + 1) / 2];
  }

  /** The target that one label means; NaN if it isn't a class. */
  labelTarget(label: WrittenLabel): number {
    const named = this.targets.get(String(label).trim());
    if (named !== undefined) return named;
    const number = typeof label === "number" ? label : parseLabel(label);
    return this.targetName(number) === undefined ? Number.NaN : number;
  }

  /**
   * The classes by which all labels of one recording are read: these, or for two classes without names whose recording says 0 and 1, those two.
   * Throws an OptionError that names the labels that are no class, and the classes that were tried. NaN doesn't count.
   */
  forRecording(labels: Iterable<WrittenLabel>): ClassNames {
    const distinct = distinctLabels(labels);
    const isPlaces = distinct.map(String).includes("0");
    if (isPlaces && !this.isMulticlass && this.isNumbered && distinct.every(isPlaceOfTwo))
      return new ClassNames(PLACES_OF_TWO);
    const strangers = distinct.filter((label) => Number.isNaN(this.labelTarget(label)));
    if (strangers.length === 0) return this;
    throw new OptionError("classes", "label", listLabels(strangers), `a class: ${this.text}`);
  }

  /** The classes with their targets: "ok -1, fault +1". */
  get text(): string {
    return listLabels(this.names.map((name, place) => this.pairAt(name, place)));
  }

  private pairAt(name: string, place: number): string {
    const target = this.targetAt(place);
    if (name === String(target)) return name;
    return `${shownClass(name)} ${!this.isMulticlass && target > 0 ? "+1" : target}`;
  }
}

/** A class's name among words and numbers: in quotes where it has blanks or marks, so that its end is seen. */
export function shownClass(name: string): string {
  return /^[\p{L}\p{M}\p{N}_.+/-]+$/u.test(name) ? name : JSON.stringify(name);
}

function isPlaceOfTwo(label: WrittenLabel): boolean {
  return PLACES_OF_TWO.includes(String(label));
}

/** The first of them, and how many more there are. */
function listLabels(labels: readonly WrittenLabel[]): string {
  const more = labels.length - SHOWN_MAX;
  return `${labels.slice(0, SHOWN_MAX).join(", ") || "none"}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The distinct labels, numbers by size, words by code unit. NaN doesn't count. */
export function distinctLabels<T extends WrittenLabel>(labels: Iterable<T>): T[] {
  const distinct = new Set<T>();
  for (const label of labels) if (!Number.isNaN(label)) distinct.add(label);
  return [...distinct].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
