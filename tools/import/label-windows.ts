import { basename } from "node:path";
import { readBounded } from "../../host/bounded-file.ts";
import { UserError } from "../../host/errors.ts";
import { parseJson } from "../../host/json.ts";
import type { FormOptions } from "../../host/streams/forms/options.ts";
import { parseTime } from "../../host/streams/time-text.ts";

type Windows = NonNullable<FormOptions["windows"]>;

const FORM =
  'takes [["first", "last"], ...], or such lists by the names of data files, as NAB\'s combined_windows.json';

/**
 * The spans of time that a file of labels has for a data file: NAB's windows, or its single times. Throws a UserError where it has none.
 *
 * @see https://github.com/numenta/NAB/tree/master/labels
 */
export function readWindows(path: string, file: string): Windows {
  const windows = listFor(file, read(path), path);
  if (!Array.isArray(windows)) throw new UserError(`${path}: ${FORM}`);
  return windows.map((each) => windowIn(each, path));
}

function read(path: string): unknown {
  try {
    return parseJson(readBounded(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UserError(`${path}: ${code === undefined ? message : `can't be read (${code})`}; ${FORM}`);
  }
}

/** The list itself, or that under the longest name with which the file's path ends. */
function listFor(file: string, labels: unknown, path: string): unknown {
  if (typeof labels !== "object" || labels === null || Array.isArray(labels)) return labels;
  const lists = labels as Record<string, unknown>;
  const full = Object.keys(lists).find((name) => `/${file}`.endsWith(`/${name}`));
  const same = Object.keys(lists).filter((name) => basename(name) === basename(file));
  const key = full ?? (same.length === 1 ? same[0] : undefined);
  if (key !== undefined) return lists[key];
  const what =
    same.length > 1 ? `${same.length} names end with ${basename(file)}` : `no list for ${basename(file)}`;
  throw new UserError(`${path}: ${what}; it has ${Object.keys(lists).slice(0, 8).join(", ")}`);
}

/** A window of two times, or of one. */
function windowIn(window: unknown, path: string): readonly [first: string, last: string] {
  const [first, last = first, ...more] = Array.isArray(window) ? window : [window];
  const [from, to] = [first, last].map((each) => parseTime(String(each)));
  if (more.length === 0 && from <= to) return [String(first), String(last)];
  throw new UserError(`${path}: ${JSON.stringify(window)} is no window; ${FORM}`);
}
