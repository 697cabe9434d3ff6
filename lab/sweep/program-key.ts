import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { UserError } from "../../host/errors.ts";
import { sha256 } from "../../host/identity.ts";
import { describedOptions, descriptionPath } from "../../host/streams/description.ts";
import { classFiles } from "../../host/streams/forms/class-files.ts";
import { acquisitionFiles } from "../../host/streams/forms/edge-impulse.ts";
import { labelPath } from "../../host/streams/forms/label-file.ts";
import type { Scenario } from "../../host-sim/scenario/scenario.ts";
import { filesRead } from "../../host-sim/scenario/scenario-file.ts";

/** The version in package.json, put in by dev/build.mjs. */
declare const __VERSION__: string;
export const VERSION = __VERSION__;

export const WORKER = new URL("./sweep-worker.js", import.meta.url);

/** Of a folder the hash of the recordings in it, whose names are labels. */
function hashFile(file: string, named: string): string {
  try {
    if (!statSync(file).isDirectory()) return sha256(readFileSync(file));
    const files = new Set([...acquisitionFiles(file), ...classFiles(file).map(({ path }) => path)]);
    return sha256(
      [...files].map((each) => `${relative(file, each)} ${sha256(readFileSync(each))}`).join(" "),
    );
  } catch (error) {
    throw new UserError(`${named}: can't be read (${(error as NodeJS.ErrnoException).code}); give a file`);
  }
}

/**
 * The part of the program that determines outcomes, with plugins: the worker has its chunks' names, which are
 * hashes of their contents.
 */
export function programHash(worker: URL, plugins: readonly string[] = []): string {
  const files = [
    sha256(readFileSync(worker)),
    ...plugins.map((plugin) => hashFile(plugin, `--plugin ${plugin}`)),
  ];
  return files.length === 1 ? files[0] : sha256(files.join(" "));
}

/** The hash of a data file, with the description by which it is read and its labels' file where there are these. */
function hashOfData(file: string, named: string): string {
  const hash = hashFile(file, named);
  const description = descriptionPath(file);
  if (!existsSync(description)) return hash;
  const { labels } = describedOptions(file);
  const own = labels ? [hashFile(labelPath(file, labels), labelPath(named, labels))] : [];
  return sha256([hash, hashFile(description, descriptionPath(named)), ...own].join(" "));
}

/** Files by the names that scenarios have for them, and the hashes of their contents. */
export type HashTable = Readonly<Record<string, string>>;

/** Hashes of the files that a sweep's scenarios read, each read once. */
export class Hashes {
  private readonly known: Map<string, string>;

  /**
   * @param source the scenario's file: paths in it are relative to its folder.
   * @param known of files that needn't be there any more.
   */
  constructor(
    private readonly source: string,
    known: HashTable = {},
  ) {
    this.known = new Map(Object.entries(known));
  }

  /** Of a scenario's streams and states. Throws a UserError for one that can't be read. */
  ofStreams(scenario: Scenario): string[] {
    return filesRead(scenario).map((path) => {
      const hash = this.known.get(path) ?? hashOfData(resolve(dirname(this.source), path), path);
      this.known.set(path, hash);
      return hash;
    });
  }

  get table(): HashTable {
    return Object.fromEntries([...this.known].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
