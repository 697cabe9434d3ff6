import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { suggestion } from "../../host-sim/nearest.ts";
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
