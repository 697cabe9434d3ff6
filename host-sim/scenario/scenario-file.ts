import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { UserError } from "../../host/errors.ts";
import { sha256 } from "../../host/identity.ts";
import { PACKAGE } from "../../host/package-folder.ts";
import { suggestion } from "../../host/suggestions.ts";
import type { Scenario } from "./scenario.ts";

const SHIPPED = join(PACKAGE, "host-sim/scenarios");
const DEFAULT = "four-motes";

/**
 * The scenario file that a command line names: a path, or a shipped name. Throws a UserError for an unknown
 * name.
 */
export function scenarioFile(named: string = DEFAULT): string {
  if (!/^[a-z-]+$/.test(named)) return named;
  const file = join(SHIPPED, `${named}.json`);
  if (existsSync(file)) return file;
  const names = readdirSync(SHIPPED).map((name) => name.replace(/\.json$/, ""));
  throw new UserError(
    `no scenario ${named} ships${suggestion(named, names)}; or give a file, such as ./${named}.json`,
  );
}

/** The files that a scenario's runs read besides it, as it names them: recorded streams, and nodes' states. */
export function filesRead({ stream, node, tasks }: Scenario): string[] {
  const recorded = stream.type === "files" ? stream.files.map(({ path }) => path) : [];
  const states = [node, ...tasks.map((task) => task.node)].flatMap((each) => each?.state ?? []);
  return [...recorded, ...states];
}

/** Most characters of an input's name in its reports' names, for the file system's limit. */
const NAME_LENGTH_MAX = 50;
/** Hexadecimal digits of a mark. */
const MARK_LENGTH = 16;

/** The base name of the reports on a scenario or a data file: its own, without the extension. */
export function reportName(file: string): string {
  return [...basename(file, extname(file))].slice(0, NAME_LENGTH_MAX).join("");
}

/**
 * The mark in a file's reports that distinguishes it from others with its name. A shipped scenario is
 * identified by its name, another file by its path relative to the reports' folder, so that a project can move.
 * The mark is a hash, since reports may be published and paths are private.
 */
export function fileMark(file: string, reports: string): string {
  const isShipped = dirname(resolve(file)) === SHIPPED;
  const path = relative(resolve(reports), resolve(file)).split(sep).join("/");
  return sha256(isShipped ? `shipped ${basename(file)}` : `file ${path}`).slice(0, MARK_LENGTH);
}
