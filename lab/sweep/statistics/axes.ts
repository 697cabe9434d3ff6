import { byNearness, nearestNames } from "../../../host/suggestions.ts";
import type { Catalogue } from "../../../host-sim/catalogue/catalogue.ts";
import {
  type LearnerChoice,
  type Scenario,
  ScenarioError,
  type TaskOptions,
} from "../../../host-sim/scenario/scenario.ts";
import { scenarioSchema } from "../../../host-sim/scenario/scenario-schema.ts";
import type { Family } from "../../../src/learn/family.ts";

/** A key of the scenario, or an option of its learners, and the values it takes: those listed, or a range to draw from. */
export type Axis = ListAxis | RangeAxis;

interface ListAxis {
  readonly key: string;
  readonly values: readonly unknown[];
}

export interface RangeAxis {
  readonly key: string;
  readonly min: number;
  readonly max: number;
  /** True if its logarithm is spread evenly; default its value. */
  readonly log: boolean;
  readonly integer: boolean;
}

/** Where a key without a task's name stands for an option of every learner that has it. */
const OPTIONS = "options.";
const TASKS = "tasks";

// biome-ignore lint/suspicious/noExplicitAny: walks any part of the schema.
type SchemaPart = any;

/** All keys that end in a value, and are no task's own. */
function leafKeys(schema: SchemaPart, place = ""): string[] {
  return Object.entries<SchemaPart>(schema.properties ?? {}).flatMap(([name, part]) =>
    place === "" && name === TASKS
      ? []
      : part.properties
        ? leafKeys(part, `${place}${name}.`)
        : [`${place}${name}`],
  );
}

/** Keys that a sweep can't vary: the file's own marks, and those that it sets by other means. */
const FIXED = ["$schema", "schema", "name", "title", "seed"];

function optionNames({ learners }: Catalogue): string[] {
  const names = learners.flatMap(({ options }) => Object.keys(options));
  return [...new Set(names)].filter((name) => name !== "dimension" && name !== "classes");
}

const SUGGESTIONS = 3;

/** "; did you mean ...": keys similar to the whole key, or whose end is similar to its last part. */
function nearKeys(key: string, known: readonly string[]): string {
  const last = (name: string) => name.slice(name.lastIndexOf(".") + 1);
  const ends = nearestNames(last(key), [...new Set(known.map(last))]);
  const alike = known.filter((name) => last(name) === last(key));
  const near = [...new Set([...alike, ...nearestNames(key, known)])];
  const found = near.length > 0 ? near : known.filter((name) => ends.includes(last(name)));
  if (found.length === 0) return "; `motelearn simulate --help scenario` lists the keys";
  return `; did you mean ${byNearness(key, found).slice(0, SUGGESTIONS).join(" or ")}?`;
}

/** Throws a ScenarioError for an unknown key; it names similar keys. */
function refuseKey(key: string, catalogue: Catalogue): never {
  if (key === "seed")
    throw new ScenarioError("vary seed: every point has the same seeds; give them as --seeds");
  const keys = leafKeys(scenarioSchema(catalogue)).filter((name) => !FIXED.includes(name));
  const known = [...keys, ...optionNames(catalogue).map((name) => `${OPTIONS}${name}`)];
  throw new ScenarioError(`vary ${key}: no such key${nearKeys(key, known)}`);
}

function taskPlace(name: string, names: readonly string[]): number {
  return /^\d+$/.test(name) && Number(name) < names.length ? Number(name) : names.indexOf(name);
}

/** The schema's entry for a key; undefined: it has no such key. */
function partAt(schema: SchemaPart, names: readonly string[]): SchemaPart {
  let part = schema;
  for (const name of names) {
    if (part.items?.properties && /^\d+$/.test(name)) part = part.items;
    else if (part.properties && Object.hasOwn(part.properties, name)) part = part.properties[name];
    else return undefined;
  }
  return part;
}

/** The key with tasks and learners by their places, for `tasks.faults.learners.olk-c.options.budget`. */
function placeNames(key: string, { tasks }: Scenario): string[] {
  const names = key.split(".");
  if (names[0] !== TASKS || names.length < 3) return names;
  const task = taskPlace(
    names[1],
    tasks.map(({ name }) => name),
  );
  if (task < 0) return names;
  names[1] = String(task);
  if (names[2] !== "learners" || names.length < 5) return names;
  const learner = taskPlace(
    names[3],
    tasks[task].learners.map(({ learner }) => learner),
  );
  if (learner >= 0) names[3] = String(learner);
  return names;
}

/** The learners of a scenario that an option's key concerns. */
function learnersWith(
  option: string,
  { tasks }: Scenario,
  catalogue: Catalogue,
): { readonly choice: LearnerChoice; readonly family: Family }[] {
  return tasks.flatMap(({ learners }) =>
    learners.flatMap((choice) => {
      const family = catalogue.learner(choice.learner);
      return family && Object.hasOwn(family.options, option) ? [{ choice, family }] : [];
    }),
  );
}

/**
 * Checks a key against a scenario: `integer` is whether it takes whole numbers only. Throws a ScenarioError for a key that the scenario
 * lacks, or that reaches none of its tasks.
 */
export function checkKey(
  key: string,
  scenario: Scenario,
  catalogue: Catalogue,
): { readonly integer: boolean } {
  if (key.startsWith(OPTIONS)) {
    const option = key.slice(OPTIONS.length);
    if (!optionNames(catalogue).includes(option)) refuseKey(key, catalogue);
    const found = learnersWith(option, scenario, catalogue);
    if (found.length === 0)
      throw new ScenarioError(`vary ${key}: no learner of the sweep has an option ${option}`);
    return { integer: found.every(({ family }) => family.options[option].kind === "whole") };
  }
  const names = placeNames(key, scenario);
  const option = names[0] === TASKS && names[2] === "learners" && names[4] === "options";
  if (option && names.length === 6 && /^\d+$/.test(names[3])) return { integer: false };
  const isWhole = names.length === 1 && names[0] === TASKS;
  const part = isWhole || FIXED.includes(names[0]) ? undefined : partAt(scenarioSchema(catalogue), names);
  if (part === undefined) refuseKey(key, catalogue);
  checkReach(key, scenario.tasks);
  return { integer: part.type === "integer" };
}

/** What a task may have of its own, in place of the scenario's. */
const GROUPS = ["labels", "node"] as const;
type Group = (typeof GROUPS)[number];
const isGroup = (name: string): name is Group => (GROUPS as readonly string[]).includes(name);

/** A task with labels, or nodes, of its own isn't reached by the scenario's. */
function checkReach(key: string, tasks: readonly TaskOptions[]): void {
  const [group] = key.split(".");
  if (!isGroup(group)) return;
  if (tasks.some((task) => task[group] === undefined)) return;
  throw new ScenarioError(
    `vary ${key}: every task has ${group} of its own; vary tasks.${tasks[0].name}.${key}`,
  );
}

/** Sets a key of a scenario that isn't frozen, as `checkKey` took it. */
export function setKey(scenario: Scenario, key: string, value: unknown, catalogue: Catalogue): void {
  if (key.startsWith(OPTIONS)) {
    const option = key.slice(OPTIONS.length);
    for (const { choice, family } of learnersWith(option, scenario, catalogue)) {
      const { accepts, takes } = family.options[option];
      if (!accepts(value))
        throw new ScenarioError(`vary ${key}: ${family.name} takes ${takes}; got ${JSON.stringify(value)}`);
      (choice.options as Record<string, unknown>)[option] = value;
    }
    return;
  }
  const names = placeNames(key, scenario);
  const [, task, group] = names;
  if (names[0] === TASKS && isGroup(group)) {
    const own = scenario.tasks[Number(task)] as { -readonly [Name in Group]?: unknown };
    own[group] ??= structuredClone(scenario[group]); // where a task has none, the scenario's are its own
  }
  let at = scenario as unknown as Record<string, unknown>;
  for (const name of names.slice(0, -1)) {
    at[name] ??= {};
    at = at[name] as Record<string, unknown>;
  }
  at[names[names.length - 1]] = value;
}

/** True if a key sets that option of that learner; both are named by their places in the scenario. */
export function setsOption(
  key: string,
  option: string,
  task: number,
  learner: number,
  scenario: Scenario,
): boolean {
  const own = [TASKS, task, "learners", learner, "options", option];
  return key === `${OPTIONS}${option}` || placeNames(key, scenario).join(".") === own.join(".");
}
