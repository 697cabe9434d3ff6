import { OptionError } from "../../src/memory/option-error.ts";

/** A label as a file or a person writes it: a class's name, or a number. */
export type WrittenLabel = string | number;

/** The most classes of a learner. */
const CLASSES_MAX = 256;
/** The most labels that a message lists. */
const SHOWN_MAX = 8;

/** What learners call two classes without names. */
const SIGNS = ["-1", "1"];
const PLACES_OF_TWO = ["0", "1"];

/**
 * The names of a learner's classes, and the one rule by which a written label becomes a target.
 *
 * Targets are -1 and +1 for two classes, in the order of the names, and 0 to K-1 for K > 2. A label that is a class's name means that class.
 * Any other label must be a number that is itself a target. Nothing else is a class: a lone label is never guessed.
 */
export class ClassNames {
  /** The target of each name. */
  private readonly targets: ReadonlyMap<string, number>;

  /** @param names 2 to 256 distinct names in the order of the targets. Throws an OptionError for others. */
  constructor(readonly names: readonly string[]) {
    if (names.length < 2 || names.length > CLASSES_MAX || new Set(names).size !== names.length)
      throw new OptionError("classes", "names", names.join(", "), `2 to ${CLASSES_MAX} distinct names`);
    this.targets = new Map(names.map((name, place) => [name, this.targetAt(place)]));
  }

  /** The classes of a learner that has `count` of them and no names: "-1" and "1", or "0" to "K-1". */
  static numbered(count: number): ClassNames {
    return new ClassNames(count === 2 ? SIGNS : Array.from({ length: count }, (_, place) => String(place)));
  }

  /**
   * The classes of a recording for which a learner is to be made: its distinct labels, numbers by size, words by code unit. Labels that are all
   * among -1 and 1, or among 0 and 1, make these two, even where one is missing. Throws an OptionError for any other lone label. NaN doesn't count.
   */
  static among(labels: Iterable<WrittenLabel>): ClassNames {
    const distinct = distinctLabels(labels);
    const texts = distinct.map(String);
    for (const pair of [SIGNS, PLACES_OF_TWO])
      if (texts.length > 0 && texts.every((text) => pair.includes(text))) return new ClassNames(pair);
    if (texts.length >= 2) return new ClassNames(texts);
    throw new OptionError(
      "classes",
      "labels",
      texts.join(", ") || "none",
      "two classes or more: name them all",
    );
  }

  /** How many there are. */
  get count(): number {
    return this.names.length;
  }

  /** Whether the names are those that `numbered` gives. */
  get isNumbered(): boolean {
    const { names } = ClassNames.numbered(this.count);
    return this.names.every((name, place) => name === names[place]);
  }

  /** The target of the class at that place, from 0. */
  private targetAt(place: number): number {
    return this.count === 2 ? 2 * place - 1 : place;
  }

  /** The name of a target; undefined for a number that is none. */
  nameOf(target: number): string | undefined {
    return this.names[this.count === 2 ? (target === -1 ? 0 : target === 1 ? 1 : -1) : target];
  }

  /** The target that one label means; NaN if it isn't a class. */
  targetOf(label: WrittenLabel): number {
    const named = this.targets.get(String(label).trim());
    if (named !== undefined) return named;
    const number = typeof label === "number" ? label : numberIn(label);
    return this.nameOf(number) === undefined ? Number.NaN : number;
  }

  /**
   * The classes by which all labels of one recording are read: these, or for two classes without names whose recording says 0 and 1, those two.
   * Throws an OptionError that names the labels that are no class, and the classes that were tried. NaN doesn't count.
   */
  forRecording(labels: Iterable<WrittenLabel>): ClassNames {
    const distinct = distinctLabels(labels);
    const isPlaces = distinct.includes(0) && distinct.every((label) => label === 0 || label === 1);
    if (isPlaces && this.count === 2 && this.isNumbered) return new ClassNames(PLACES_OF_TWO);
    const strangers = distinct.filter((label) => Number.isNaN(this.targetOf(label)));
    if (strangers.length === 0) return this;
    const more = strangers.length > SHOWN_MAX ? ` and ${strangers.length - SHOWN_MAX} more` : "";
    throw new OptionError(
      "classes",
      "label",
      `${strangers.slice(0, SHOWN_MAX).join(", ")}${more}`,
      `a class: ${this.text}`,
    );
  }

  /** The classes with their targets: "ok -1, fault +1". */
  get text(): string {
    const shown = this.names.slice(0, SHOWN_MAX).map((name, place) => this.pairAt(name, place));
    return `${shown.join(", ")}${this.count > SHOWN_MAX ? ` and ${this.count - SHOWN_MAX} more` : ""}`;
  }

  private pairAt(name: string, place: number): string {
    const target = this.targetAt(place);
    if (name === String(target)) return name;
    return `${name} ${this.count === 2 && target > 0 ? "+1" : target}`;
  }
}

function numberIn(text: string): number {
  return /^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
}

function distinctLabels(labels: Iterable<WrittenLabel>): WrittenLabel[] {
  const distinct = new Set<WrittenLabel>();
  for (const label of labels) if (!Number.isNaN(label)) distinct.add(label);
  return [...distinct].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
