import module from "node:module";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Command } from "commander";
import { OptionError } from "../../src/memory/option-error.ts";
import { Catalogue, type Plugin, PluginError } from "./catalogue.ts";

const JAVASCRIPT = [".mjs", ".js", ".cjs"];
const TYPESCRIPT = [".ts", ".mts"];
/** True if this Node strips types by itself. */
const RUNS_TYPESCRIPT = Boolean((process.features as { readonly typescript?: string | false }).typescript);

/** Adds --plugin, which may be given several times. */
export function addPluginOption(command: Command): Command {
  return command.option(
    "--plugin <file>",
    "a module that adds learners or stages, .mjs or .js (or .ts, where Node runs it); may be given several times",
    (file: string, before: readonly string[]) => [...before, file],
    [] as readonly string[],
  );
}

/** The package's entries that a plugin may import, in the bundle's folder. */
const OWN = {
  motelearn: new URL("./index.js", import.meta.url).href,
  "motelearn/simulator": new URL("./simulator.js", import.meta.url).href,
};

type Resolve = (name: string, context: unknown, next: (name: string, context: unknown) => unknown) => unknown;

/** A hook of Node's module loader. Its source may stand alone: Node 20 runs it in a thread of its own. */
const resolveIn =
  (own: Readonly<Record<string, string>>): Resolve =>
  (name, context, next) =>
    Object.hasOwn(own, name) ? { url: own[name], shortCircuit: true } : next(name, context);

/** Of Node 22.15 and later; Node 26 warns of `module.register`. */
const { registerHooks } = module as { registerHooks?: (hooks: { readonly resolve: Resolve }) => unknown };

let isHooked = false;

/** Makes `import "motelearn"` resolve to this program's own library, wherever the importing file lies. */
function resolveOwnLibrary(): void {
  if (isHooked) return;
  isHooked = true;
  if (registerHooks) {
    registerHooks({ resolve: resolveIn(OWN) });
    return;
  }
  const source = `export const resolve = (${resolveIn})(${JSON.stringify(OWN)});`;
  module.register(`data:text/javascript,${encodeURIComponent(source)}`);
}

/** The plugins that this thread has loaded, by their addresses. */
const loaded = new Map<string, string>();

function placeIn(stack: string): { file: string; line: string } | undefined {
  for (const [url, file] of loaded) {
    const at = stack.indexOf(`${url}:`);
    if (at >= 0) return { file, line: Number.parseInt(stack.slice(at + url.length + 1), 10).toString() };
  }
  return undefined;
}

/**
 * A PluginError with file and line if a plugin's code caused the error; else the error itself, as for an
 * option.
 */
export function blamePlugin(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PluginError || error instanceof OptionError) return error;
  const place = placeIn(error.stack ?? "");
  if (!place) return error;
  return new PluginError(`--plugin ${place.file}: line ${place.line} throws ${error.name}: ${error.message}`);
}

function whyNotLoaded(error: unknown, url: string): string {
  if (!(error instanceof Error)) return `throws ${String(error)}`;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ERR_MODULE_NOT_FOUND" && error.message.includes(`'${resolve(new URL(url).pathname)}'`))
    return "can't be read; give a module's file";
  const isImport = error.message.includes("does not provide an export");
  const where = error instanceof SyntaxError && !isImport ? "; node --check shows where" : "";
  return `throws ${error.name}: ${error.message}${where}`;
}

async function loadPlugin(file: string): Promise<Plugin> {
  const refuse = (what: string) => new PluginError(`--plugin ${file}: ${what}`);
  const extension = extname(file);
  if (TYPESCRIPT.includes(extension) && !RUNS_TYPESCRIPT) {
    throw refuse(
      `Node ${process.versions.node} runs no TypeScript; take Node 22.18 or later, or compile it to .mjs`,
    );
  }
  if (![...JAVASCRIPT, ...TYPESCRIPT].includes(extension)) {
    throw refuse(`takes a module: ${[...JAVASCRIPT, ...TYPESCRIPT].join(", ")}`);
  }
  const url = pathToFileURL(resolve(file)).href;
  loaded.set(url, file);
  try {
    const { default: whole, ...named } = await import(url);
    return { ...whole, ...named };
  } catch (error) {
    throw refuse(whyNotLoaded(error, url));
  }
}

/** The shipped catalogue, then the plugins'. Throws a PluginError of one line. */
export async function catalogueWith(files: readonly string[]): Promise<Catalogue> {
  if (files.length > 0) resolveOwnLibrary();
  let catalogue = Catalogue.shipped;
  for (const file of new Set(files.map((file) => resolve(file)))) {
    const named = files.find((each) => resolve(each) === file) as string;
    catalogue = catalogue.with(await loadPlugin(named), `--plugin ${named}`);
  }
  return catalogue;
}
