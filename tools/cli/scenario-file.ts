import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { suggestion } from "../../host-sim/nearest.ts";
import { sha256 } from "../../host-sim/sweep/identity.ts";
import { UserError } from "./exit.ts";

/** The package's folder: the bundle lies in its dist/. */
const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)));
const SHIPPED = join(PACKAGE, "host-sim/scenarios");
const DEFAULT = "four-motes";

/** The scenario file that a command line names: a path, or the name of one that ships. Throws a UserError for another name. */
export function scenarioFile(named: string = DEFAULT): string {
  if (!/^[a-z-]+$/.test(named)) return named;
  const file = join(SHIPPED, `${named}.json`);
  if (existsSync(file)) return file;
  const names = readdirSync(SHIPPED).map((name) => name.replace(/\.json$/, ""));
  throw new UserError(
    `no scenario ${named} ships${suggestion(named, names)}; or give a file, such as ./${named}.json`,
  );
}

/** Characters of a file's name that its reports' names have: longer ones would not fit a file system's limit. */
const NAME_LENGTH_MAX = 50;
/** Hexadecimal digits of a mark. */
const MARK_LENGTH = 16;

/** What a scenario file's reports are called: its own name, without the extension. */
export function reportName(file: string): string {
  return [...basename(file, extname(file))].slice(0, NAME_LENGTH_MAX).join("");
}

/**
 * What tells a scenario file from others of its name, in its reports. One that ships is known by its name, another by its path from the
 * folder of the reports, so that a project that moves keeps its marks. It is hashed: a report may be shown to those whom paths don't concern.
 */
export function scenarioMark(file: string, reports: string): string {
  const isShipped = dirname(resolve(file)) === SHIPPED;
  const path = relative(resolve(reports), resolve(file)).split(sep).join("/");
  return sha256(isShipped ? `shipped ${basename(file)}` : `file ${path}`).slice(0, MARK_LENGTH);
}
