import { readBounded } from "../../host/bounded-file.ts";
import { UserError } from "../../host/errors.ts";
import { isJsonObject, type JsonError, parseJson } from "../../host/json.ts";
import { suggestion } from "../../host/suggestions.ts";

/** The keys of a Moddable manifest (documentation/tools/manifest.md of the SDK). */
const KEYS = [
  ...[
    "ble",
    "build",
    "commonjs",
    "config",
    "creation",
    "data",
    "defines",
    "error",
    "ffi",
    "include",
    "modules",
  ],
  ...["platforms", "preload", "recipes", "resources", "run", "strip", "typescript", "warning"],
];
const SDK = "$(MODDABLE)/";
const EXAMPLE = `'${SDK}modules/drivers/sensors/tmp117/manifest.json'`;

/** The file that an include names; undefined where only the missing SDK knows it. */
function includePath(include: string, sdk: string | undefined): string | undefined {
  if (!include.startsWith("$(")) return include;
  return include.startsWith(SDK) && sdk !== undefined ? `${sdk}/${include.slice(SDK.length)}` : undefined;
}

function checkInclude(include: string, sdk: string | undefined): void {
  const file = includePath(include, sdk);
  if (file === undefined) return;
  const refuse = (what: string): never => {
    throw new UserError(`--include ${include}: ${what}`);
  };
  let text = "";
  try {
    text = readBounded(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    refuse(`can't be read (${code}); takes a driver's manifest.json, such as ${EXAMPLE}`);
  }
  let manifest: unknown;
  try {
    manifest = parseJson(text);
  } catch (error) {
    refuse(`${(error as JsonError).kind}; takes a driver's manifest.json`);
  }
  if (!isJsonObject(manifest)) refuse("not a manifest, which is a JSON object");
  for (const key of Object.keys(manifest as object)) {
    if (!KEYS.includes(key)) refuse(`not a manifest: it has the key ${key}${suggestion(key, KEYS)}`);
  }
}

/** Throws a UserError for a missing or invalid manifest. `sdk`: the folder of Moddable's, if there is one. */
export function checkIncludes(includes: readonly string[], sdk: string | undefined): void {
  for (const include of includes) checkInclude(include, sdk);
}
