import type { Family, GivenOptions } from "../../../src/learn/family.ts";
import { oneVsAllFamily } from "../../../src/learn/one-vs-all.ts";
import { FAMILIES } from "../../../src/learn/registry.ts";
import { learners } from "./outside.ts";

const CLASSES = 3;

/** A learner as the emulated machines try it. */
export interface Subject {
  readonly name: string;
  readonly family: Family;
  readonly given: GivenOptions;
}

function several(family: Family): Subject {
  return { name: `${family.name}/${CLASSES}`, family, given: { classes: CLASSES } };
}

/** Every learner there is, two that find their width, a diagonal covariance, LOL and FOGD with several classes, one-vs-all, and those of plugins. */
export function subjects(): Subject[] {
  const named = (name: string) => FAMILIES.find((family) => family.name === name) as Family;
  return [
    ...FAMILIES.map((family) => ({ name: family.name, family, given: {} })),
    ...["olk-c", "qkrls"].map((name) => ({
      name: `${name}/width`,
      family: named(name),
      given: { kernel: { type: "gaussian", width: "auto" } },
    })),
    { name: "arow/diagonal", family: named("arow"), given: { covariance: "diagonal" } },
    several(named("lol")),
    several(named("fogd")),
    several(oneVsAllFamily(named("olk-c"))),
    ...learners.map((family) => ({ name: family.name, family, given: {} })),
  ];
}

/** Whether a full dictionary of the family's gives up stale vectors: in a step that takes longer than others. */
export function forgets({ options }: Family): boolean {
  return options.staleAfter !== undefined;
}

/** Throws a RangeError if there is none of that name. */
export function subjectNamed(name: string): Subject {
  const subject = subjects().find((subject) => subject.name === name);
  if (!subject) throw new RangeError(`no learner ${name}`);
  return subject;
}
