import { isJsonObject } from "../../host/json.ts";
import { type Case, type Json, type JsonObject, streamFiles } from "./case.ts";
import { lowerWhole, rounder, spare } from "./parts.ts";

type StillFails = (candidate: Case) => Promise<boolean>;

type Path = readonly (string | number)[];

/** Sizes of a generated stream. Without its key a size is the default, which may be larger: these are lowered, and stay. */
const SIZES = new Set(["nodes", "samples", "channels"]);

function valueAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((part, key) => (part as JsonObject | undefined)?.[key], value);
}

function withAt(value: Json, [key, ...rest]: Path, part: Json): Json {
  if (key === undefined) return part;
  const inner = withAt((value as JsonObject)[key], rest, part);
  if (Array.isArray(value)) return value.map((each, i) => (i === key ? inner : each));
  return { ...(value as JsonObject), [key]: inner };
}

/** A shrinking case: each method removes spare parts of one kind. */
class Shrinking {
  constructor(
    public best: Case,
    private readonly stillFails: StillFails,
  ) {}

  private async take(candidate: Case): Promise<boolean> {
    if (!(await this.stillFails(candidate))) return false;
    this.best = candidate;
    return true;
  }

  private takeAt(path: Path, part: Json): Promise<boolean> {
    return this.take({ ...this.best, scenario: withAt(this.best.scenario, path, part) as JsonObject });
  }

  /** Tasks, and learners of each. */
  async tasks(): Promise<void> {
    await this.list(["tasks"]);
    const { tasks } = this.best.scenario;
    for (let i = 0; Array.isArray(tasks) && i < tasks.length; i++) await this.list(["tasks", i, "learners"]);
  }

  private async list(path: Path): Promise<void> {
    const list = valueAt(this.best.scenario, path);
    if (Array.isArray(list)) await spare<Json>(list, (rest) => this.takeAt(path, rest));
  }

  /** Files, then rows of each. */
  async streams(): Promise<void> {
    const files = streamFiles(this.best.scenario);
    const pairs = this.best.streams.map((stream, i) => ({ stream, file: files[i] }));
    await spare(pairs, (rest) =>
      this.take({
        scenario: withAt(
          this.best.scenario,
          ["stream", "files"],
          rest.map(({ file }) => file),
        ) as JsonObject,
        streams: rest.map(({ stream }) => stream),
      }),
    );
    for (let i = 0; i < this.best.streams.length; i++) {
      const withRows = (rows: readonly string[]) =>
        this.best.streams.map((stream, at) => (at === i ? { ...stream, rows } : stream));
      await spare(this.best.streams[i].rows, (rows) => this.take({ ...this.best, streams: withRows(rows) }));
    }
  }

  /** Keys that can be left out: whole groups first, then the keys of the remaining groups. */
  async keys(path: Path = []): Promise<void> {
    const value = valueAt(this.best.scenario, path);
    if (Array.isArray(value)) for (const i of value.keys()) await this.keys([...path, i]);
    if (!isJsonObject(value)) return;
    const isSize = ([key]: readonly [string, Json]) =>
      path.length === 1 && path[0] === "stream" && SIZES.has(key);
    const entries = Object.entries(value);
    const sizes = entries.filter(isSize);
    const others = entries.filter((entry) => !isSize(entry));
    const left = await spare(others, (rest) => this.takeAt(path, Object.fromEntries([...sizes, ...rest])));
    for (const [key] of left) await this.keys([...path, key]);
  }

  /** Numbers: whole ones lower, others rounder. */
  async numbers(path: Path = []): Promise<void> {
    const value = valueAt(this.best.scenario, path);
    if (typeof value === "object" && value !== null) {
      const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
      for (const key of keys) if (key !== "seed") await this.numbers([...path, key]);
    }
    if (typeof value !== "number") return;
    const simpler = Number.isInteger(value) ? lowerWhole : rounder;
    await simpler(value, (other) => this.takeAt(path, other));
  }
}

/**
 * The smallest case that a fixed order of reductions reaches: one from which no task, learner, file, row or key can be taken
 */
export async function reduce(from: Case, stillFails: StillFails): Promise<Case> {
  const shrinking = new Shrinking(from, stillFails);
  for (;;) {
    const before = shrinking.best;
    await shrinking.tasks();
    await shrinking.streams();
    await shrinking.numbers(["stream"]);
    await shrinking.keys();
    await shrinking.numbers();
    if (shrinking.best === before) return before;
  }
}
