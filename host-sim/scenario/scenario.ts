import { existsSync } from "node:fs";
import { basename } from "node:path";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { readBounded } from "../../host/bounded-file.ts";
import { UserError } from "../../host/errors.ts";
import { parseFiniteJson } from "../../host/json.ts";
import { schemaFault } from "../../host/schema-fault.ts";
import { formatByExtension } from "../../host/streams/index.ts";
import type { Missing } from "../../host/streams/missing.ts";
import { commandText } from "../../host/terminal/command-line.ts";
import type { Ranges } from "../../src/node/ranges.ts";
import type { Wavelet } from "../../src/signal/wavelet.ts";
import type { SleepOptions } from "../../src/start/sleep.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import { combinationFault, loneFault } from "./combinations.ts";
import { withNodeFiles } from "./named-node.ts";
import { SCENARIO_VERSION, scenarioSchema } from "./scenario-schema.ts";

/** A learner of a task, with its options; `dimension` follows from the stream and the features. */
export interface LearnerChoice {
  readonly learner: string;
  readonly options: { readonly [name: string]: unknown };
}

/** Options of named stages; a stage that isn't named is off. */
export interface StageOptions {
  readonly [stage: string]: { readonly [name: string]: unknown } | undefined;
}

export interface LabelOptions {
  readonly noise: StageOptions;
  readonly nodeRates: readonly number[];
  readonly delayMean: number;
  readonly delaySpread: number;
  readonly delayMax?: number;
  readonly round?: number;
  readonly until?: number;
  readonly loss: number;
  readonly budget: number;
}

export interface StreamOptions {
  readonly type: "recorded-network" | "files" | "scene" | "bearings";
  readonly files: readonly { readonly node: string; readonly path: string }[];
  readonly format: string;
  readonly columns: readonly (string | number)[];
  readonly label: string | number;
  readonly missing: Missing;
  readonly nodes: number;
  readonly samples: number;
  readonly channels: number;
  readonly persistence: number;
  readonly separation: number;
  readonly severity: number;
}

export interface TaskOptions {
  readonly name: string;
  readonly task: "novelty" | "faults" | "classification" | "regression";
  readonly learners: readonly LearnerChoice[];
  /** Names of the truth's classes, in the order of the targets. */
  readonly classes?: readonly string[];
  readonly faults: { readonly [name: string]: unknown };
  readonly labels?: LabelOptions;
  readonly node?: NodeSettings;
}

export interface NodeSettings {
  /** Default: what holds the labels' delay, `choosePending`. */
  readonly pending?: number;
  readonly checkpointEvery: number;
  readonly window: number;
  readonly wavelet: "none" | Wavelet;
  readonly bands: number;
  readonly lines: readonly number[];
  readonly burst: number;
  readonly standardise: boolean;
  readonly horizon: number;
  readonly stepAfter: number;
  readonly ranges: Ranges;
  readonly labelRange: readonly number[];
  readonly periodMs: number;
  readonly turnMs: number;
  readonly fed: boolean;
  readonly coverage: number;
  readonly coverageBy: "samples" | "classes";
  readonly labelFlips: readonly number[];
  readonly grossLabels: number;
  readonly fleetBudget: number;
  readonly drift: "none" | "watch" | "restart";
  readonly sleep?: Required<SleepOptions>;
  /** The file of the state from which nodes start; default: from nothing. */
  readonly state?: string;
}

/** The line between a node and its peer. */
export interface LinkOptions {
  readonly baud: number;
  readonly loss: number;
  readonly duplicates: number;
  readonly reorder: number;
  readonly byteErrors: number;
  readonly stalls: { readonly rate: number; readonly lengthMs: number };
  readonly cuts: { readonly count: number; readonly lengthMs: number };
  readonly window: number;
  readonly resendAfter: number;
  readonly framing: "records" | "bytes" | "keyed";
}

/** A node's power. */
export interface PowerOptions {
  readonly at: readonly number[];
  readonly count: number;
  readonly off: number;
  readonly duringSave: number;
}

/** Nodes that learn together. */
export interface TogetherOptions {
  /** Vectors of the largest model that is trained; 0: a plane. */
  readonly vectors: number;
  /** The nodes of each group, by name. */
  readonly groups: readonly (readonly string[])[];
  /** The sample at which a node joins, by its name. */
  readonly newcomers: { readonly [node: string]: number };
  /** How a newcomer's own learner starts: with the group's labels, or as it is. */
  readonly start: "group" | "nothing";
}

/** A scenario with every option filled in. `scenarioSchema` explains each. */
export interface Scenario {
  readonly schema: "motelearn.scenario/1";
  readonly name: string;
  readonly title: string;
  readonly seed: number;
  readonly stream: StreamOptions;
  readonly node: NodeSettings;
  readonly signal: StageOptions;
  readonly labels: LabelOptions;
  readonly link: LinkOptions;
  readonly power: PowerOptions;
  readonly outages: { readonly count: number; readonly lengthMean: number };
  readonly fusion: { readonly rule: "oracle" | "majority" | "chair-varshney" };
  /** Default: each node learns by itself. */
  readonly together?: TogetherOptions;
  readonly tasks: readonly TaskOptions[];
}

/** What has a default may be left out. */
type Written<T> = T extends readonly (infer Item)[]
  ? readonly Written<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Written<T[Key]> }
    : T;

/** A node's settings, or the path of a node's file, relative to the scenario; `file` names it beside keys that override it. */
type WrittenNode = string | (Written<NodeSettings> & { readonly file?: string });

/** A scenario as a file has it, and `runScenario` takes it; `motelearn simulate --help scenario` says what each key means. */
export type WrittenScenario = Written<Omit<Scenario, "schema" | "stream" | "node" | "tasks">> &
  Pick<Scenario, "schema"> & {
    readonly stream: Written<StreamOptions> & Pick<StreamOptions, "type">;
    readonly node?: WrittenNode;
    readonly tasks: readonly (Omit<Written<TaskOptions>, "node"> &
      Pick<TaskOptions, "name" | "task"> & { readonly node?: WrittenNode })[];
  };

/** One line about a wrong scenario: where, what, and what would be right. */
export class ScenarioError extends UserError {}

const compiled = new WeakMap<Catalogue, ValidateFunction<Scenario>>();

/**
 * A test validates the schema itself. Validating it here again, and optimising code that runs once, would take half of the time until a
 * process has its check.
 */
const AT_ONCE = { meta: false, validateSchema: false, code: { optimize: false } };

/** The schema's check, compiled when first asked for: most commands read no scenario. */
function scenarioCheck(catalogue: Catalogue): ValidateFunction<Scenario> {
  const options = { useDefaults: true, allErrors: false, verbose: true, allowUnionTypes: true, ...AT_ONCE };
  const check = compiled.get(catalogue) ?? new Ajv(options).compile<Scenario>(scenarioSchema(catalogue));
  compiled.set(catalogue, check);
  return check;
}

/** What to do with a file of samples in the place of a scenario. */
function dataAdvice(path: string): string {
  const [name] = basename(path).split(".");
  const scenario = {
    schema: SCENARIO_VERSION,
    stream: { type: "files", files: [{ node: name, path: basename(path) }] },
    tasks: [{ name, task: "classification", learners: [{ learner: "auto" }] }],
  };
  return `${path}: holds data, no scenario; ${commandText("evaluate", [
    ["--learner", "auto"],
    ["--train", path],
  ])} runs a learner on it, and simulate takes a scenario, a file beside it: ${JSON.stringify(scenario)}`;
}

/** The text of a scenario file. Throws a ScenarioError that names the file. */
export function readScenarioText(path: string): string {
  if (existsSync(path) && formatByExtension(path)) throw new ScenarioError(dataAdvice(path));
  try {
    return readBounded(path);
  } catch (error) {
    throw new ScenarioError(
      `${path}: can't be read (${(error as NodeJS.ErrnoException).code}); give a scenario file`,
    );
  }
}

/**
 * Reads and checks a scenario file, which may name the catalogue's stages. Throws a ScenarioError that names
 * the file.
 */
export function readScenario(path: string, catalogue = Catalogue.shipped): Scenario {
  return parseScenario(readScenarioText(path), path, catalogue);
}

/**
 * Checks the text of a scenario and fills in defaults. Throws a ScenarioError; messages call the text
 * `source`.
 */
export function parseScenario(text: string, source: string, catalogue = Catalogue.shipped): Scenario {
  let scenario: unknown;
  try {
    scenario = parseFiniteJson(text);
  } catch (error) {
    throw new ScenarioError(`${source}: ${(error as Error).message}`);
  }
  checkVersion(scenario, source);
  const whole = withNodeFiles(scenario, source);
  const lone = loneFault(whole);
  const check = scenarioCheck(catalogue);
  if (!check(whole))
    throw new ScenarioError(`${source}: ${schemaFault((check.errors as ErrorObject[])[0], "the scenario")}`);
  const fault = lone ?? combinationFault(whole);
  if (fault) throw new ScenarioError(`${source}: ${fault}`);
  const without = whole.tasks.findIndex(({ learners }) => learners === undefined);
  if (without >= 0) throw new ScenarioError(`${source}: tasks.${without}: key learners is missing`);
  return whole;
}

/** Throws a ScenarioError for a version that this program doesn't read, before any other check. */
function checkVersion(scenario: unknown, source: string): void {
  const { schema } = Object(scenario) as { readonly schema?: unknown };
  if (schema === undefined || schema === SCENARIO_VERSION) return;
  const got = typeof schema === "string" ? schema : JSON.stringify(schema);
  throw new ScenarioError(`${source}: schema: got ${got}; this version reads ${SCENARIO_VERSION}`);
}

/** The scenario as one of its tasks has it: with the task's own labels and nodes. */
export function taskScenario(scenario: Scenario, { labels, node }: TaskOptions): Scenario {
  return { ...scenario, labels: labels ?? scenario.labels, node: node ?? scenario.node };
}
