import { UserError } from "../../host/errors.ts";
import type { Family } from "../../src/learn/family.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { SIGNAL_STAGES, type SignalStageEntry } from "../disturbances/index.ts";
import { LABEL_NOISES, type LabelNoiseEntry } from "../labels/index.ts";
import { checkFamily } from "./family-table.ts";
import { checkStage } from "./stage-table.ts";

/** A plugin: learners, and stages that spoil readings or labels, as keys of a scenario. */
export interface Plugin {
  /** Families of learners, as `defineLearner` makes them. Their names differ from those of shipped families. */
  readonly learners?: readonly Family[];
  /** Keys of `signal`. They run after the stages that ship, in this order. */
  readonly signalStages?: Readonly<Record<string, SignalStageEntry>>;
  /** Keys of `labels.noise`, likewise. */
  readonly labelNoises?: Readonly<Record<string, LabelNoiseEntry>>;
}

/** A plugin can't be used. The message says in one line what is wrong, where, and what would be right. */
export class PluginError extends UserError {}

const NAMES = ["learners", "signalStages", "labelNoises"] as const satisfies readonly (keyof Plugin)[];

/** The shipped learners and a plugin's. Throws an Error of one line. */
function withLearners(there: readonly Family[], brought: readonly Family[]): readonly Family[] {
  if (!Array.isArray(brought))
    throw new Error("learners: takes a list of learners, as defineLearner() makes them");
  const names = new Set(there.map(({ name }) => name));
  for (const family of brought) {
    const fault = checkFamily(family);
    if (fault) throw new Error(fault);
    if (names.has(family.name))
      throw new Error(`learner ${family.name}: there is one of that name; give it another`);
    names.add(family.name);
  }
  return [...there, ...brought];
}

/** The shipped stages and a plugin's. Throws an Error of one line. */
function withStages<Entry extends SignalStageEntry | LabelNoiseEntry>(
  key: string,
  there: Readonly<Record<string, Entry>>,
  brought: Readonly<Record<string, Entry>>,
): Readonly<Record<string, Entry>> {
  if (typeof brought !== "object" || brought === null)
    throw new Error(`${key}: takes an object of stages by name`);
  for (const [name, entry] of Object.entries(brought)) {
    const fault = checkStage(name, entry);
    if (fault) throw new Error(`${key}: ${fault}`);
    if (Object.hasOwn(there, name))
      throw new Error(`${key}: ${name}: there is one of that name; give it another`);
  }
  return { ...there, ...brought };
}

/** The learners and stages that a program knows by name: shipped ones, and plugins'. */
export class Catalogue implements Required<Plugin> {
  private constructor(
    readonly learners: readonly Family[],
    readonly signalStages: Readonly<Record<string, SignalStageEntry>>,
    readonly labelNoises: Readonly<Record<string, LabelNoiseEntry>>,
  ) {}

  /** The shipped learners and stages. */
  static readonly shipped = new Catalogue(FAMILIES, SIGNAL_STAGES, LABEL_NOISES);

  learner(name: string): Family | undefined {
    return this.learners.find((family) => family.name === name);
  }

  /**
   * This catalogue with the plugin's learners and stages. Throws a PluginError, which begins with `source`, for an empty plugin, a name
   * that is taken, or a learner or stage with an invalid table.
   */
  with(plugin: Plugin, source: string): Catalogue {
    const { learners = [], signalStages = {}, labelNoises = {} } = plugin;
    try {
      if (!NAMES.some((name) => plugin[name] !== undefined)) {
        throw new Error("exports nothing that Motelearn takes: learners, signalStages or labelNoises");
      }
      return new Catalogue(
        withLearners(this.learners, learners),
        withStages("signalStages", this.signalStages, signalStages),
        withStages("labelNoises", this.labelNoises, labelNoises),
      );
    } catch (error) {
      throw new PluginError(`${source}: ${(error as Error).message}`);
    }
  }
}
