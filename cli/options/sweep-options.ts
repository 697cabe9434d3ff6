import { type Command, InvalidArgumentError, Option } from "commander";
import { UserError } from "../../host/errors.ts";
import { natsServers, wholeNumber } from "../../host/terminal/arguments.ts";
import { addPluginOption } from "../../host-sim/catalogue/plugins.ts";
import {
  type Definition,
  NAME,
  readDefinition,
  SEED_MAX,
  SEEDS_MAX,
  varyFrom,
} from "../../lab/sweep/definition.ts";
import { FORMATS, type Format } from "../../lab/sweep/formats.ts";
import type { Shard } from "../../lab/sweep/jobs.ts";
import { METHODS, POINTS_MAX } from "../../lab/sweep/statistics/points.ts";
import { threadsOption } from "./threads.ts";

export interface SweepFlags extends Omit<Definition, "scenario" | "vary" | "learners"> {
  readonly scenario?: string;
  readonly vary: readonly string[];
  readonly learners?: readonly string[];
  readonly plugin: readonly string[];
  readonly format: Format;
  readonly curves?: boolean;
  readonly shard?: Shard;
  readonly threads: number;
  readonly workers?: readonly string[];
  readonly user?: string;
  readonly json?: boolean;
  readonly report: string;
}

/** For commander: how many, from 1, or MIN..MAX. */
function seedsFrom(text: string): number | number[] {
  const [, low, high] = /^(\d+)\.\.(\d+)$/.exec(text) ?? [];
  if (low === undefined) return wholeNumber(1, SEEDS_MAX)(text);
  const [first, last] = [wholeNumber(0, SEED_MAX)(low), wholeNumber(0, SEED_MAX)(high)];
  if (last < first || last - first >= SEEDS_MAX)
    throw new InvalidArgumentError(`Takes FIRST..LAST, at most ${SEEDS_MAX} seeds.`);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** For commander: what a file may be called, and no path. */
function nameFrom(text: string): string {
  if (NAME.test(text)) return text;
  throw new InvalidArgumentError("Takes letters, digits, -, _ and ., at most 64, and no . at the beginning.");
}

/** For commander: PART/OF. */
function shardFrom(text: string): Shard {
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (part >= 1 && part <= of) return { part, of };
  throw new InvalidArgumentError("Takes PART/OF, such as 3/40.");
}

const append = (text: string, before: readonly string[]) => [...before, text];

/** Commas part learners, but not within brackets of an option's JSON. */
function learnerList(text: string): string[] {
  return text.split(/,(?![^{[]*[}\]])/).map((part) => part.trim());
}

/** Adds the flags of the sweep's subject: points, learners, seeds. */
export function addSweepOptions(command: Command): Command {
  return addPluginOption(command)
    .option(
      "--scenario <file>",
      "a scenario file, or one that ships; instead of the sweep's (default: four-motes)",
    )
    .option(
      "--vary <KEY=VALUES>",
      "a key of the scenario, or options.NAME of its learners, and its values: a,b,c or MIN..MAX or MIN..MAX:log; may be given several times",
      append,
      [] as readonly string[],
    )
    .addOption(
      new Option("--sample <how>", "points: all combinations (grid, the default), or drawn").choices(METHODS),
    )
    .option(
      "--points <n>",
      "with --sample random or sobol, how many (default: 64)",
      wholeNumber(1, POINTS_MAX),
    )
    .option(
      "--draw-seed <n>",
      "seed of the points' draw (default: 1); with sobol, 0 is the sequence as published",
      wholeNumber(0, SEED_MAX),
    )
    .option(
      "--learners <names>",
      "NAME[:OPTION=VALUE]..., with commas between, in each task that takes them; instead of the scenario's",
      learnerList,
    )
    .option("--seeds <n>", "seeds 1..N, or FIRST..LAST, the same at every point (default: 10)", seedsFrom)
    .option(
      "--decompose",
      "repeat each run without delay, loss, flips and budget of labels, in every combination: what each costs",
    )
    .option(
      "--name <name>",
      "name of its files; files that have it are replaced (default: the sweep's, or the scenario file's; then -2, ...)",
      nameFrom,
    );
}

/** Adds the flags of how it runs, and of its output. */
export function addRunOptions(command: Command): Command {
  return command
    .addOption(new Option("--format <format>", "of the table").choices(FORMATS).default("csv"))
    .option("--curves", "a second table: each run's error over time")
    .option(
      "--shard <part/of>",
      "run that part of the sweep only; `sweep merge` puts the parts together",
      shardFrom,
    )
    .addOption(threadsOption("networks run at once; doesn't change any result"))
    .option(
      "--workers <servers>",
      "have `motelearn worker` at these NATS servers perform the runs, on any machines: nats://HOST:PORT,...",
      natsServers,
    )
    .option("--user <name>", "with --workers: user at the servers; MOTELEARN_NATS_PASSWORD has the password")
    .option("--json", "print motelearn.sweep-result/1")
    .option(
      "--report <folder>",
      "folder of the table, the report, the bundle and the runs that are done",
      "reports",
    );
}

/** The sweep of a file, with what flags say instead of it. */
export function definitionFrom(file: string | undefined, flags: SweepFlags): Definition {
  const read: Definition = file === undefined ? {} : readDefinition(file);
  const { name, scenario, vary, sample, points, drawSeed, learners, seeds, decompose } = flags;
  const options = { name, scenario, sample, points, drawSeed, learners, seeds, decompose };
  const set = Object.entries(options).filter(([, value]) => value !== undefined);
  const axes = vary.map(varyFrom);
  const twice = axes.find(([key], i) => axes.findIndex(([other]) => other === key) < i);
  if (twice) throw new UserError(`--vary ${twice[0]}: given twice; give all its values in one`);
  const varied = vary.length === 0 ? {} : { vary: { ...read.vary, ...Object.fromEntries(axes) } };
  return { ...read, ...Object.fromEntries(set), ...varied };
}
