import { existsSync, writeFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { UserError } from "../../host/errors.ts";
import { writeFault } from "../../host/files/write-fault.ts";
import { FORMATS, type Format } from "../../host/streams/index.ts";
import { printJson, printText } from "../../host/terminal/print.ts";
import { type FileFound, lookAt } from "../../tools/import/import-file.ts";
import { textOf } from "../../tools/import/text.ts";

interface ImportFlags {
  readonly format?: Format;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Writes a description; returns false where one is kept. */
function write({ path, description }: FileFound, force: boolean): boolean {
  if (!force && existsSync(path)) return false;
  try {
    writeFileSync(path, `${JSON.stringify(description, null, 2)}\n`);
  } catch (error) {
    throw new UserError(`${path}: ${writeFault(path, error)}`);
  }
  return true;
}

async function run(files: readonly string[], { format, force = false, json }: ImportFlags): Promise<void> {
  const found: FileFound[] = [];
  for (const file of files) found.push(await lookAt(file, format));
  const done = found.map((each) => ({ ...each, written: write(each, force) }));
  if (json) printJson({ schema: "motelearn.import/1", files: done });
  else printText(done.map((each) => `${textOf(each)}\n${pathLine(each)}`).join("\n\n"));
}

function pathLine({ path, written }: { path: string; written: boolean }): string {
  return written ? `written: ${path}` : `kept: ${path} is there already; --force writes it anew`;
}

/** Adds `motelearn import`. */
export function addImport(program: Command): void {
  program
    .command("import")
    .description(
      "look at data files, and write FILE.data.json beside each: how every command reads it, to be edited where it is wrong",
    )
    .argument("<file...>", "CSV, NDJSON or LIBSVM text, gzipped or not")
    .addOption(
      new Option("--format <format>", "format of the files (default: by name, else by content)").choices(
        FORMATS,
      ),
    )
    .option("--force", "write a description anew that is there already")
    .option("--json", "print motelearn.import/1")
    .action(run);
}
