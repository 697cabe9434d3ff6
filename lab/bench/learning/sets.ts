import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { countText } from "../../../host/count-text.ts";
import { UserError } from "../../../host/errors.ts";
import { isFolder } from "../../../host/files/make-folder.ts";
import {
  badRowsText,
  distinctLabels,
  labelledRows,
  type OptionNames,
  readTable,
  StreamError,
  type TableOptions,
} from "../../../host/streams/index.ts";
import type { DataSet } from "../../../host/streams/table.ts";
import { suggestion } from "../../../host/suggestions.ts";
import { printNote } from "../../../host/terminal/print.ts";
import { guessTask } from "../../choice/candidates.ts";
import { PapersData } from "../../experiments/lib/data.ts";
import { GENERATED, generate } from "./generated.ts";
import { PUBLIC, REPOSITORIES } from "./public-sets.ts";
import { PUBLISHED } from "./published.ts";
import { RECORDED, type RecordedSet, readRecorded } from "./recorded.ts";
import { SIMULATED, simulateSet } from "./simulated.ts";

/** A set of samples with classes for the bench. */
export interface LearningSet extends Pick<RecordedSet, "name" | "doc" | "timed"> {
  /** Its files; none: each seed generates it. */
  readonly files: readonly string[];
  /** True if it runs only by name or with --all: it takes many times as long as the others, or shows forgetting alone. */
  readonly long: boolean;
  /** True if no option of a learner was chosen on it: such sets compare methods of one size. */
  readonly fresh?: boolean;
  /** True if it is an unknown file in the data folder; one without classes is left out. */
  readonly found?: boolean;
  /** At least its first `rows` rows, or all. */
  read(seed: number, rows: number): Promise<DataSet>;
}

/** All sets that --data may hold. */
const KNOWN = [...RECORDED, ...PUBLIC];
const FRESH = new Set([...PUBLIC, ...PUBLISHED].map(({ name }) => name));

export interface SetSources {
  /** The folder that --data names. */
  readonly data?: string;
  /** What --set names. */
  readonly files: readonly string[];
}

const FILE_KEYS = ["label", "columns"];
type FileOptions = Pick<TableOptions, "label" | "columns">;

/** Reads FILE[:label=COL][:columns=LIST]. Throws a UserError. */
function flagSet(flag: string): LearningSet {
  const [file, ...parts] = flag.split(/:(?=[a-z]+=)/);
  const keys = parts.map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]);
  for (const [key, value] of keys) {
    if (FILE_KEYS.includes(key) && value !== "") continue;
    throw new UserError(`--set ${flag}: takes FILE[:label=COLUMN][:columns=LIST]`);
  }
  const { label, columns } = Object.fromEntries(keys) as { label?: string; columns?: string };
  const options = { ...(label && { label }), ...(columns && { columns: columns.split(",") }) };
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new UserError(`--set ${flag}: there is no file ${file}; give one that evaluate reads`);
  return fileSet(basename(file).replace(/\.[^.]+(\.gz)?$/, ""), flag, file, options);
}

function fileSet(name: string, doc: string, file: string, options: FileOptions = {}): LearningSet {
  return { name, doc, timed: true, files: [file], long: false, read: () => readSet(file, options) };
}

function recordedSets(folder: string): LearningSet[] {
  const data = new PapersData(folder);
  return KNOWN.map((set) => {
    const { name, doc, timed, long = FRESH.has(name) } = set;
    const files = set.files.map((file) => data.path(file));
    return { name, doc, timed, long, fresh: FRESH.has(name), files, read: () => readRecorded(set, data) };
  });
}

/** How --set calls the options for reading its file. */
const OPTION_NAMES: OptionNames = {
  columns: "--set FILE:columns=LIST",
  label: "--set FILE:label=COLUMN",
};

/** Reads a file of --set or --data, and notes the bad rows that were skipped. */
async function readSet(file: string, options: FileOptions): Promise<DataSet> {
  const data = await readTable(file, { ...options, optionNames: OPTION_NAMES });
  if (data.badRows) printNote(badRowsText(data.badRows));
  return data;
}

const TABLE = /\.(csv|tsv|libsvm|svm|svmlight|ndjson|jsonl)(\.gz)?$/;

/** The tables of an unknown folder: those with names that begin with "train", else all. */
function tablesIn(folder: string): string[] {
  const names = readdirSync(folder)
    .filter((name) => TABLE.test(name))
    .sort();
  const chosen = names.filter((name) => name.startsWith("train"));
  return chosen.length > 0 ? chosen : names;
}

/** The name, with a number behind it where it is taken. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let i = 2; taken.has(free); i++) free = `${name}-${i}`;
  taken.add(free);
  return free;
}

/**
 * Tables in the data folder, and in subfolders that hold none of the recorded sets, under names not in
 * `taken`.
 */
function foundSets(data: string, taken: Set<string>): LearningSet[] {
  const known = KNOWN.flatMap(({ files }) => files.map((file) => file.split("/")[0]));
  const folders = readdirSync(data)
    .filter((name) => !known.includes(name) && isFolder(join(data, name)))
    .sort();
  const foundSet = (name: string, file: string): LearningSet => ({
    ...fileSet(freeName(name, taken), file, file),
    found: true,
  });
  const below = folders.flatMap((folder) => {
    const tables = tablesIn(join(data, folder));
    const tableName = (table: string) =>
      tables.length > 1 ? `${folder}-${table.replace(TABLE, "")}` : folder;
    return tables.map((table) => foundSet(tableName(table), join(data, folder, table)));
  });
  return [...tablesIn(data).map((table) => foundSet(table.replace(TABLE, ""), join(data, table))), ...below];
}

function generatedSets(): LearningSet[] {
  const simulated = SIMULATED.map((of): LearningSet => {
    const { name, doc } = of;
    const read: LearningSet["read"] = (seed, rows) => simulateSet(of, seed, rows);
    return { name, doc, timed: true, files: [], long: false, read };
  });
  const generated = [...GENERATED, ...PUBLISHED].map((of): LearningSet => {
    const { name, doc, timed, forgetting } = of;
    const fresh = FRESH.has(name);
    const read: LearningSet["read"] = async (seed, rows) => generate(of, seed, rows);
    return { name, doc, timed, files: [], long: forgetting ?? fresh, fresh, read };
  });
  return [...simulated, ...generated];
}

/** All sets, the sets of --set first. Throws a UserError for two with one name, or an unusable file. */
export function listSets({ data, files }: SetSources): LearningSet[] {
  const recorded = data === undefined ? [] : recordedSets(data);
  const own = files.map(flagSet);
  const known = [...own, ...recorded, ...generatedSets()].map(({ name }) => name);
  const found = data === undefined ? [] : foundSets(data, new Set(known));
  const sets = [...own, ...recorded, ...found, ...generatedSets()];
  const twice = sets.find(({ name }, i) => sets.findIndex((each) => each.name === name) < i);
  if (twice) throw new UserError(`two sets are called ${twice.name}; give one file another name`);
  return sets;
}

/** All known sets, for --help. */
export function setLines(): string[] {
  const recorded = KNOWN.map(({ name, doc, files }) => `  ${name}: ${doc} (${files.join(", ")} in --data)`);
  const other =
    "  any other table in --data and in its folders, there those that begin with train, if any do; -2 is added to a name that is taken";
  const sources = Object.entries(REPOSITORIES).map(
    ([folder, source]) => `  ${folder} in --data: a clone of ${source}`,
  );
  return [...recorded, ...sources, other, ...generatedSets().map(({ name, doc }) => `  ${name}: ${doc}`)];
}

/** Most rows of a set, and how many at the beginning aren't scored. */
interface Length {
  readonly rows: number;
  readonly prefix: number;
}

/** Sets that aren't run, and why. */
export interface LeftOut {
  readonly of: string;
  readonly why: string;
}

function missingFile({ files }: LearningSet): string | undefined {
  return files.find((file) => !existsSync(file));
}

/** The set that --only names. Throws a UserError. */
function namedSet(name: string, sets: readonly LearningSet[]): LearningSet {
  const set = sets.find((each) => each.name === name);
  if (!set && KNOWN.some((each) => each.name === name))
    throw new UserError(`--only ${name}: needs --data, the folder of its files`);
  const names = sets.map((each) => each.name);
  if (!set) throw new UserError(`--only ${name}: no such set${suggestion(name, names)}`);
  const missing = missingFile(set);
  if (missing) throw new UserError(`--only ${name}: there is no ${missing}; --data names another folder`);
  return set;
}

/** Why a file can't be a set; undefined: it can. The rows to run must have several classes. */
async function whyNot({ read }: LearningSet, { rows, prefix }: Length): Promise<string | undefined> {
  try {
    const data = labelledRows(await read(1, rows));
    if (guessTask(data) !== "classification")
      return `${data.source}: its labels are numbers, not classes; --set FILE:label=COLUMN takes another column`;
    if (data.count <= 2 * prefix)
      return `${data.source}: ${countText(data.count, "row")}; with --prefix ${prefix} at least ${2 * prefix + 1} are needed`;
    if (distinctLabels(data.labels.subarray(0, rows)).length < 2)
      return `${data.source}: its first ${Math.min(rows, data.count)} rows have one class only; give --rows more, or shuffle the file`;
    return undefined;
  } catch (error) {
    if (error instanceof StreamError) return error.message;
    throw error;
  }
}

/** Known sets whose files aren't in the folder, as one entry. */
function absent(data: string, missing: readonly LearningSet[]): LeftOut[] {
  if (missing.length === 0) return [];
  const why = `${data} has no file of ${missing.length > 1 ? "theirs" : "its"}; --help lists them`;
  return [{ of: missing.map(({ name }) => name).join(", "), why }];
}

/**
 * The sets of --only; without it the sets of --set; without either, the usual ones whose files are there. Rejects with a UserError.
 */
export async function chosenSets(
  sources: SetSources,
  length: Length,
  only?: readonly string[],
  isUsual: (set: LearningSet) => boolean = ({ long }) => !long,
): Promise<{ readonly sets: LearningSet[]; readonly leftOut: LeftOut[] }> {
  const sets = listSets(sources);
  const own = sources.files.length > 0 ? sets.slice(0, sources.files.length) : sets;
  const wanted = only ? only.map((name) => namedSet(name, sets)) : own === sets ? own.filter(isUsual) : own;
  const chosen: LearningSet[] = [];
  const missing: LearningSet[] = [];
  const leftOut: LeftOut[] = [];
  for (const set of new Set(wanted)) {
    if (missingFile(set) !== undefined) {
      missing.push(set);
      continue;
    }
    const isForeign = set.found || own !== sets;
    const why = isForeign ? await whyNot(set, length) : undefined;
    if (why === undefined) chosen.push(set);
    else if (set.found) leftOut.push({ of: set.name, why });
    else throw new UserError(why);
  }
  return { sets: chosen, leftOut: [...absent(sources.data ?? "", missing), ...leftOut] };
}
