import type { Family, UserOptions } from "../../../src/learn/family.ts";
import { oneVsAllFamily } from "../../../src/learn/one-vs-all.ts";
import { FAMILIES } from "../../../src/learn/registry.ts";
import { learners } from "./outside.ts";

const CLASSES = 3;
/** And where a dictionary is shared by many. */
const MANY_CLASSES = 26;

/** A learner in the tests on emulated machines. */
export interface Subject {
  readonly name: string;
  readonly family: Family;
  readonly given: UserOptions;
  /** The option that sizes it in place of a budget. */
  readonly sizedBy?: string;
}

/** Several classes with one dictionary. */
function sharing(family: Family, classes: number): Subject {
  return { name: `${family.name}/${classes}/shared`, family, given: { classes, shared: true } };
}

function several(family: Family, classes = CLASSES): Subject {
  return { name: `${family.name}/${classes}`, family, given: { classes } };
}

/** The suffix to the name of a learner with a given width. */
const GIVEN = "/given";

function withGivenWidth({ name, family, given }: Subject): Subject {
  return { name: `${name}${GIVEN}`, family, given: { ...given, kernel: { type: "gaussian", p: 1 } } };
}

/** Those that find their width, unless it is given. */
export function finders(): Subject[] {
  const findsWidth = ({ family }: Subject) =>
    (family.options.kernel?.default as { readonly width?: unknown } | undefined)?.width !== undefined;
  return subjects().filter((subject) => findsWidth(subject) && !subject.name.includes("/"));
}

/** Learners also tried with a given width: then XS learns in one call where `bindStep` binds it. */
const GIVEN_WIDTH = ["olk-c", "norma-c", "norma-r", "norma-n", "bsgd", "dual-rho", "dual-greedy", "qkrls"];

/** Learners also tried with rates of wrong labels: one for each way to take the corrected step. */
const RATED = ["arow", "olk-c", "projectron", "nogd", "fogd", "lol"];

function withRates({ name, family, given }: Subject): Subject {
  return { name: `${name}/sources`, family, given: { ...given, sources: [[0.3, 0.1]] } };
}

/** Learners also tried with vectors of 16 bits: a bound one, one with a codebook, and one with prototypes. */
const SHORT_ROWS = ["olk-c", "qkrls", "lol"];

/** Learners also tried with a threshold that balances the classes: one without a note, and one with. */
const BALANCED = ["arow", "auto"];

/** A learner with vectors of 16 bits and a given width. */
function withShortRows(subject: Subject): Subject {
  const { name, family } = subject;
  const { given } = family.options.kernel ? withGivenWidth(subject) : subject;
  return { name: `${name}/q15`, family, given: { ...given, storage: "q15", ranges: [[-4, 4]] } };
}

/**
 * Every learner there is, some whose width is given, some with rates of wrong labels or with vectors of 16
 * bits, some that balance the classes, a diagonal covariance, LOL, FOGD and `auto` with several classes, one-vs-all, also with one dictionary, and
 * those of plugins.
 */
export function subjects(): Subject[] {
  const findLearner = (name: string) => FAMILIES.find((family) => family.name === name) as Family;
  return [
    ...FAMILIES.map((family) => ({ name: family.name, family, given: {} })),
    ...SHORT_ROWS.map((name) => withShortRows({ name, family: findLearner(name), given: {} })),
    ...GIVEN_WIDTH.map((name) => withGivenWidth({ name, family: findLearner(name), given: {} })),
    ...RATED.map((name) => withRates({ name, family: findLearner(name), given: {} })),
    ...BALANCED.map((name) => balanced({ name, family: findLearner(name), given: {} })),
    { name: "arow/diagonal", family: findLearner("arow"), given: { covariance: "diagonal" } },
    several(findLearner("lol")),
    several(findLearner("fogd")),
    several(findLearner("auto")),
    several(oneVsAllFamily(findLearner("olk-c"))),
    sharing(oneVsAllFamily(findLearner("olk-c")), CLASSES),
    sharing(oneVsAllFamily(findLearner("olk-c")), MANY_CLASSES),
    ...learners.map((family) => ({ name: family.name, family, given: {} })),
  ];
}

/** True if the family drops stale vectors from a full dictionary, in a step longer than others. */
export function forgets({ options }: Family): boolean {
  return options.staleAfter !== undefined;
}

function having(what: string, options: Subject["given"]): (subject: Subject) => Subject {
  return ({ name, family, given }) => ({ name: `${name}/${what}`, family, given: { ...given, ...options } });
}

const balanced = having("balanced", { balanced: true });

function sizedBy(option: string): (subject: Subject) => Subject {
  return (subject) => ({ ...subject, name: `${subject.name}/${option}`, sizedBy: option });
}

/** The suffixes of a learner's name that make another subject of it. */
const VARIANTS: Readonly<Record<string, (subject: Subject) => Subject>> = {
  [GIVEN]: withGivenWidth,
  "/sources": withRates,
  "/q15": withShortRows,
  "/apart": having("apart", { apart: true }),
  "/balanced": balanced,
  "/alarms": having("alarms", { falseAlarms: 0.01 }),
  "/residual": having("residual", { residual: "label" }),
  "/bytes": sizedBy("bytes"),
};

/**
 * That of that name, one of `subjects` or a variant of one. It makes no list of them all: a machine of a board's memory has no room for
 * that. Throws a RangeError if there is none.
 */
export function subjectNamed(name: string): Subject {
  const family = FAMILIES.find((known) => known.name === name);
  if (family) return { name, family, given: {} };
  for (const [variant, make] of Object.entries(VARIANTS)) {
    if (name.endsWith(variant)) return make(subjectNamed(name.slice(0, -variant.length)));
  }
  const [, apart, of, classes, shared] = /^(ova:)?(.+)\/(\d+)(\/shared)?$/.exec(name) ?? [];
  if (of) {
    const { family: own } = subjectNamed(of);
    const family = apart ? oneVsAllFamily(own) : own;
    return shared ? sharing(family, Number(classes)) : several(family, Number(classes));
  }
  const subject = subjects().find((known) => known.name === name);
  if (!subject) throw new RangeError(`no learner ${name}`);
  return subject;
}
