import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { placed, UserError } from "../../host/errors.ts";
import { isJsonObject, parseFiniteJson } from "../../host/json.ts";
import { readScenarioText } from "../../host-sim/scenario/scenario.ts";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** The lines of a recorded stream: those that any part of it needs, and its rows. */
interface RecordedLines {
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: readonly string[];
}

/** A scenario as its file has it, without defaults, and the lines of its `stream.files`, in their order. */
export interface Case {
  readonly scenario: JsonObject;
  readonly streams: readonly RecordedLines[];
}

export function streamFiles({ stream }: JsonObject): readonly JsonObject[] {
  return ((stream as JsonObject | undefined)?.files ?? []) as readonly JsonObject[];
}

function readLines(path: string, isCsv: boolean): RecordedLines {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
    if (path.endsWith(".gz")) bytes = gunzipSync(bytes);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UserError(`${path}: can't be read (${code ?? message}); give the stream of the scenario`);
  }
  const lines = bytes.toString().split("\n");
  if (lines.at(-1) === "") lines.pop();
  const heads = isCsv ? 1 : 0;
  return { name: basename(path).replace(/\.gz$/, ""), head: lines.slice(0, heads), rows: lines.slice(heads) };
}

function readObject(path: string): JsonObject {
  const text = readScenarioText(path);
  const read = placed(path, () => parseFiniteJson(text));
  if (isJsonObject(read)) return read as JsonObject;
  throw new UserError(`${path}: not a JSON object; give a scenario file`);
}

/** A scenario's or a task's node, whose files stay where they are. */
function placedNode(node: Json, folder: string): Json {
  const at = (path: Json) => resolve(folder, `${path}`);
  if (typeof node === "string") return at(node);
  const named = ["file", "state"].flatMap((key) => {
    const path = (node as JsonObject)[key];
    return path === undefined ? [] : [[key, at(path)]];
  });
  return { ...(node as JsonObject), ...Object.fromEntries(named) };
}

/** The scenario with the nodes' files by their whole paths: a smaller one lies elsewhere. */
function withPlacedNodes(scenario: JsonObject, folder: string): JsonObject {
  const placePart = (part: JsonObject): JsonObject =>
    part.node === undefined ? part : { ...part, node: placedNode(part.node, folder) };
  const { tasks } = scenario;
  return {
    ...placePart(scenario),
    ...(Array.isArray(tasks) && { tasks: tasks.map((task: JsonObject) => placePart(task)) }),
  };
}

/** Reads a scenario and its streams. Throws a UserError or ScenarioError for a file that can't be read. */
export function readCase(path: string, seed?: number): Case {
  const read = withPlacedNodes(readObject(path), dirname(path));
  const scenario: JsonObject = seed === undefined ? read : { ...read, seed };
  const isCsv = (name: string) => {
    const { format = "auto" } = scenario.stream as JsonObject;
    return format === "auto" ? /\.csv(\.gz)?$/i.test(name) : format === "csv";
  };
  const streams = streamFiles(scenario).map(({ path: name }) =>
    readLines(resolve(dirname(path), `${name}`), isCsv(`${name}`)),
  );
  return { scenario, streams };
}

/** Writes a case into a folder, which it makes; returns the path of its scenario. Throws the system's error. */
export function writeCase({ scenario, streams }: Case, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const names = streams.map(({ name }, i) => `${i + 1}-${name}`);
  streams.forEach(({ head, rows }, i) => {
    writeFileSync(join(folder, names[i]), [...head, ...rows].map((line) => `${line}\n`).join(""));
  });
  const files = streamFiles(scenario).map((file, i) => ({ ...file, path: names[i] }));
  const stream = { ...(scenario.stream as JsonObject), ...(files.length > 0 && { files }) };
  const path = join(folder, "scenario.json");
  writeFileSync(path, `${JSON.stringify({ ...scenario, stream }, undefined, 2)}\n`);
  return path;
}
