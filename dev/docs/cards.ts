import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Family } from "../../src/learn/family.ts";

/** The part of a card written by hand; facts come from the registry, from `plan` and from a run. */
export interface Card {
  /** The learners that it is for: one algorithm by default. */
  readonly learners: readonly string[];
  /** In one or two sentences: how it learns. */
  readonly idea: string;
  /** A line each. Numbers in parentheses are the paper's. */
  readonly equation: readonly string[];
  /** When to use it, and when another. */
  readonly use: string;
}

const FOLDER = "src/learn";
/** A comment, and the family's record whose name follows it. */
const RECORD = /^ {2}\/\*\*\n((?: {3}\*.*\n)+?) {3}\*\/\n {2}\{\n {4}name: "([^"]+)",/gm;
/** The documentation of a learner that `defineLearner` makes, and its name: the same text is its card. */
const DEFINED =
  /^\/\*\*\n((?: \*.*\n)+?) \*\/\nexport const \w+[^\n]*\n? *defineLearner\(\{\n *name: "([^"]+)",/gm;
/** The documentation of a class; it begins with the card of the class's learner. */
const CLASS = /^\/\*\*\n((?: \*.*\n)+?) \*\/\nexport class (\w+)/gm;
/** What an equation is indented by, beyond its comment's text. */
const INDENT = "    ";
const USE = "When to use it: ";
/** The comment of a learner that has the card of another. */
const SHARED = /^The card of `([^`]+)`\.$/;

function commentLines(comment: string): string[] {
  return comment.split("\n").map((line) => line.replace(/^ (?: {2})?\* ?/, ""));
}

/**
 * Reads a card: the idea, then the equations, indented, then when to use it. Throws where a part is missing.
 */
function readCard(name: string, comment: string): Omit<Card, "learners"> {
  const lines = commentLines(comment);
  const isEquation = (line: string) => line.startsWith(INDENT);
  const first = Math.max(lines.findIndex(isEquation), 0);
  const use = lines.findIndex((line) => line.startsWith(USE));
  const joinLines = (text: readonly string[]) => text.filter((line) => line !== "").join(" ");
  const equation = lines.slice(first, Math.max(use, first)).filter(isEquation);
  const idea = joinLines(lines.slice(0, first));
  if (equation.length === 0 || idea === "")
    throw new Error(`${FOLDER}: the card of ${name} takes an idea, equations, and "${USE}..."`);
  return {
    idea,
    equation: equation.map((line) => line.slice(INDENT.length)),
    use: joinLines(lines.slice(use, lines.indexOf("", use))).slice(USE.length),
  };
}

/** Finds the name of a class's learner: the record that makes one has it. */
function findLearner(className: string, text: string): string | undefined {
  const [before, made] = text.split(`=> new ${className}(options`);
  return made === undefined ? undefined : [...before.matchAll(/^ {4}name: "([^"]+)"/gm)].at(-1)?.[1];
}

/** The comments of a file that are cards, by learner. A comment before a record replaces that before its class. */
function readComments(text: string): ReadonlyMap<string, string> {
  const classes = [...text.matchAll(CLASS)].flatMap(([, comment, className]) => {
    const name = findLearner(className, text);
    return name === undefined ? [] : [[name, comment] as const];
  });
  const records = [...text.matchAll(RECORD), ...text.matchAll(DEFINED)];
  return new Map([...classes, ...records.map(([, comment, name]) => [name, comment] as const)]);
}

/** Reads the cards from the comments before learners' classes and records. A card lists all learners that share it. */
export function readCards(): readonly Card[] {
  const comments = readdirSync(FOLDER)
    .filter((name) => name.endsWith(".ts"))
    .map((file) => readFileSync(join(FOLDER, file), "utf8"))
    .flatMap((text) => [...readComments(text)])
    .map(([name, comment]) => ({ name, comment, of: SHARED.exec(commentLines(comment)[0])?.[1] ?? name }));
  const cards = comments.filter(({ name, of }) => of === name);
  for (const { name, of } of comments)
    if (!cards.some((card) => card.name === of))
      throw new Error(`${FOLDER}: ${name} has the card of ${of}, which has none`);
  return cards.map(({ name, comment }) => ({
    ...readCard(name, comment),
    learners: comments.filter(({ of }) => of === name).map((each) => each.name),
  }));
}

const isClassifier = ({ task }: Family) => task === "classification";
const hasKernel = ({ options }: Family) => Object.hasOwn(options, "kernel");

/** The groups of the guide, in its order; a learner is in the first that takes it. */
export const GROUPS: readonly (readonly [title: string, takes: (family: Family) => boolean])[] = [
  ["A committee", ({ traits }) => traits?.members !== undefined],
  ["Kernel learners for two classes", (family) => isClassifier(family) && hasKernel(family)],
  ["Linear learners, and learners of local or random features", isClassifier],
  ["Regression", ({ task }) => task === "regression"],
  ["Novelty", ({ task }) => task === "novelty"],
];
