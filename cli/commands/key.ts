import type { Command } from "commander";
import { printText } from "../../host/terminal/print.ts";
import { labelKey } from "../../src/wire/label-tag.ts";
import { keyReader, makeKey } from "../../tools/keys/key-file.ts";

interface KeyFlags {
  readonly key?: Uint8Array;
  readonly node?: string;
}

function key(file: string, { key, node }: KeyFlags): void {
  if (key && node !== undefined) makeKey(file, labelKey(key, new TextEncoder().encode(node)));
  else makeKey(file);
  printText(`${file}: a key of 128 bits, readable by you alone`);
}

export function addKey(program: Command): void {
  program
    .command("key")
    .description("make a key for a node's line, in a file of 32 hex digits that only its user can read")
    .argument("<file>", "the file to make; it must not exist")
    .option(
      "--of <file>",
      "instead of a new key: derive a node's label key from this centre's key",
      keyReader("--of"),
    )
    .option("--node <name>", "with --of: the node's name at the centre")
    .action((file: string, { of, node }: { of?: Uint8Array; node?: string }, command: Command) => {
      if ((of === undefined) !== (node === undefined))
        command.error("error: --of and --node: takes both or none of them");
      key(file, { key: of, node });
    });
}
