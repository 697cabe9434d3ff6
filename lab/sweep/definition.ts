import { dirname, resolve } from "node:path";
import { Ajv, type ErrorObject } from "ajv";
import { readBounded } from "../../host/bounded-file.ts";
import { placed, UserError } from "../../host/errors.ts";
import { parseFiniteJson } from "../../host/json.ts";
import { schemaFault } from "../../host/schema-fault.ts";
import type { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import {
  checkOptions,
  chooseFamily,
  learnerFromText,
  valueFrom,
} from "../../host-sim/catalogue/learner-choice.ts";
import {
  type LearnerChoice,
  parseScenario,
  readScenario,
  type Scenario,
} from "../../host-sim/scenario/scenario.ts";
import { reportName, scenarioFile } from "../../host-sim/scenario/scenario-file.ts";
import { type Axis, checkKey } from "./statistics/axes.ts";
import { type SweepPlan, withLearners } from "./statistics/plan.ts";
import { METHODS, type Method, POINTS_MAX } from "./statistics/points.ts";

const SWEEP_VERSION = "motelearn.sweep/1";
export const SEED_MAX = 0xffffffff;
export const SEEDS_MAX = 100_000;
const SEEDS_IMPLIED = 10;
const POINTS_IMPLIED = 64;
const DRAW_SEED_IMPLIED = 1;

/** A sweep's name, which its files have. */
export const NAME = /^[\p{L}\p{M}\p{N}_-][\p{L}\p{M}\p{N}_.-]{0,63}$/u;

const RANGE = {
  type: "object",
  additionalProperties: false,
  required: ["min", "max"],
  properties: { min: { type: "number" }, max: { type: "number" }, log: { type: "boolean" } },
};

const SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["schema"],
  properties: {
    schema: { const: SWEEP_VERSION },
    name: { type: "string", pattern: NAME.source },
    scenario: { type: ["string", "object"] },
    vary: { type: "object", additionalProperties: { ...RANGE, type: ["array", "object"], minItems: 1 } },
    sample: { enum: METHODS },
    points: { type: "integer", minimum: 1, maximum: POINTS_MAX },
    drawSeed: { type: "integer", minimum: 0, maximum: SEED_MAX },
    learners: {
      type: "array",
      items: {
        type: ["string", "object"],
        additionalProperties: false,
        required: ["learner"],
        properties: { learner: { type: "string" }, options: { type: "object" } },
      },
    },
    seeds: {
      type: ["integer", "array"],
      minimum: 1,
      maximum: SEEDS_MAX,
      minItems: 1,
      maxItems: SEEDS_MAX,
      uniqueItems: true,
      items: { type: "integer", minimum: 0, maximum: SEED_MAX },
    },
    decompose: { type: "boolean" },
  },
};

/** What a sweep's file says, and what flags say instead of it. */
export interface Definition {
  readonly name?: string;
  /** A path, a name that ships, or the scenario itself. */
  readonly scenario?: string | object;
  readonly vary?: { readonly [key: string]: Values };
  readonly sample?: Method;
  readonly points?: number;
  readonly drawSeed?: number;
  readonly learners?: readonly (string | LearnerChoice)[];
  readonly seeds?: number | readonly number[];
  readonly decompose?: boolean;
}

type Values = readonly unknown[] | { readonly min: number; readonly max: number; readonly log?: boolean };

/** A plan, and the file whose folder the scenario's paths are relative to. */
interface PlanFile {
  readonly plan: SweepPlan;
  readonly source: string;
}

/** Reads a sweep's file; paths in it are relative to its folder. Throws a UserError of one line. */
export function readDefinition(path: string): Definition {
  const definition = placed(path, () => parseFiniteJson(readBounded(path)), "give a sweep's file");
  const { schema } = Object(definition) as { readonly schema?: unknown };
  if (schema === "motelearn.scenario/1")
    throw new UserError(`${path}: is a scenario; give it as --scenario ${path}`);
  const check = new Ajv({ verbose: true, allowUnionTypes: true, strict: false }).compile<Definition>(SCHEMA);
  if (!check(definition))
    throw new UserError(`${path}: ${schemaFault((check.errors as ErrorObject[])[0], "the sweep")}`);
  const { scenario } = definition;
  const isPath = typeof scenario === "string" && !/^[a-z-]+$/.test(scenario);
  return isPath ? { ...definition, scenario: resolve(dirname(path), scenario) } : definition;
}

/** `KEY=a,b,c`, `KEY=1..9`, `KEY=0.001..10:log` or `KEY=[JSON,...]`. Throws a UserError. */
export function varyFrom(text: string): readonly [string, Values] {
  const [, key, values] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (key === undefined)
    throw new UserError(`--vary ${text}: takes KEY=VALUES, such as labels.delayMean=0,30,200`);
  const [, low, high, log] = /^(.+?)\.\.(.+?)(:log)?$/.exec(values) ?? [];
  const flag = `--vary ${key}`;
  const [min, max] = [low, high].map((end) => Number(valueFrom(end ?? "", flag)));
  if (low !== undefined && Number.isFinite(min) && Number.isFinite(max))
    return [key, { min, max, ...(log ? { log: true } : {}) }];
  if (!/^\s*[[{]/.test(values)) return [key, values.split(",").map((part) => valueFrom(part.trim(), flag))];
  const json = valueFrom(values, flag);
  if (typeof json === "string") throw new UserError(`${flag}: not JSON: ${values}`);
  return [key, Array.isArray(json) ? json : [json]];
}

/** NAME[:OPTION=VALUE]... as a learner of a scenario. */
function learnerFrom(entry: string | LearnerChoice, catalogue: Catalogue): LearnerChoice {
  const choice =
    typeof entry === "string"
      ? learnerFromText(entry, "learners")
      : { learner: entry.learner, options: entry.options ?? {} };
  checkOptions(chooseFamily(choice.learner, catalogue), choice.options, "learners");
  return choice;
}

/** Notes a text. Returns whether it wasn't seen before. */
function isNew(seen: Set<string>, text: string): boolean {
  return seen.size < seen.add(text).size;
}

function axisFrom(key: string, values: Values, scenario: Scenario, catalogue: Catalogue): Axis {
  const { integer } = checkKey(key, scenario, catalogue);
  if (Array.isArray(values)) {
    const seen = new Set<string>();
    const twice = values.map((value) => JSON.stringify(value)).find((text) => !isNew(seen, text));
    if (twice !== undefined)
      throw new UserError(`vary ${key}: ${twice} is there twice; give each value once`);
    return { key, values };
  }
  const { min, max, log = false } = values as Exclude<Values, readonly unknown[]>;
  if (!(min < max)) throw new UserError(`vary ${key}: the range ${min}..${max} is empty; takes MIN..MAX`);
  if (log && min <= 0) throw new UserError(`vary ${key}: a logarithmic range starts above 0; got ${min}`);
  return { key, min, max, log, integer };
}

/** The seeds 1..N, or those that are listed. */
function seedsFrom(seeds: number | readonly number[]): readonly number[] {
  return typeof seeds === "number" ? Array.from({ length: seeds }, (_, i) => i + 1) : seeds;
}

const fileName = (name: string) => name.replace(/[^\w.-]+/g, "-");

/** Reads the scenario and checks all that is given. Throws an error of one line. */
export function planFrom(definition: Definition, catalogue: Catalogue): PlanFile {
  const { vary = {}, learners = [], seeds = SEEDS_IMPLIED, decompose = false } = definition;
  const { drawSeed = DRAW_SEED_IMPLIED } = definition;
  const { scenario: scenarioOrPath } = definition;
  const source = typeof scenarioOrPath === "object" ? resolve("scenario") : scenarioFile(scenarioOrPath);
  const read =
    typeof scenarioOrPath === "object"
      ? parseScenario(JSON.stringify(scenarioOrPath), "scenario", catalogue)
      : readScenario(source, catalogue);
  const scenario = withLearners(
    read,
    learners.map((each) => learnerFrom(each, catalogue)),
    catalogue,
  );
  const axes = Object.entries(vary).map(([key, values]) => axisFrom(key, values, scenario, catalogue));
  const method = definition.sample ?? "grid";
  for (const [flag, value] of [
    ["--points", definition.points],
    ["--draw-seed", definition.drawSeed],
  ])
    if (method === "grid" && value !== undefined)
      throw new UserError(`${flag}: goes with --sample random or sobol; a grid has all its points`);
  const points = method === "grid" ? 0 : (definition.points ?? POINTS_IMPLIED);
  const name =
    definition.name ?? fileName(typeof scenarioOrPath === "object" ? read.name : reportName(source));
  const drawn = { method, points, drawSeed: method === "grid" ? 0 : drawSeed };
  return { plan: { name, scenario, axes, ...drawn, seeds: seedsFrom(seeds), decompose }, source };
}
