import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { UserError } from "../../host/errors.ts";
import { writeNew } from "../../host/files/new-file.ts";
import { writeFault } from "../../host/files/write-fault.ts";
import { fileWord } from "../../host/terminal/command-line.ts";
import { KEY_BYTES } from "../../src/wire/keyed.ts";

/** The permission bits that others mustn't have. */
const OTHERS = 0o077;
const TEXT = new RegExp(`^[0-9a-fA-F]{${2 * KEY_BYTES}}\\n?$`);

function errorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Returns a reader for the key file of an option; it throws as `readKey` does. */
export function keyReader(option: string): (file: string) => Uint8Array {
  return (file) => readKey(option, file);
}

/**
 * Reads a file that only its user may access; a folder isn't one. Throws a UserError that names the option
 * otherwise; `cure` says what to do.
 */
export function readSecret(option: string, file: string, cure: string): string {
  try {
    const handle = openSync(file, "r");
    try {
      const stat = fstatSync(handle);
      if (stat.isDirectory()) return "";
      if (process.platform !== "win32" && (stat.mode & OTHERS) !== 0)
        throw new UserError(`${option} ${file}: others may use it; chmod 600 ${fileWord(file)}`);
      return readFileSync(handle, "latin1");
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${option} ${file}: can't be read (${errorCode(error)}); ${cure}`);
  }
}

/**
 * Reads a key file: 32 hex digits, perhaps a newline. Throws a UserError that names the option if it is
 * invalid, or others may access it.
 */
function readKey(option: string, file: string): Uint8Array {
  const text = readSecret(option, file, `motelearn key ${fileWord(file)} makes one`);
  if (!TEXT.test(text)) throw notKey(option, file);
  return Uint8Array.from(Buffer.from(text.slice(0, 2 * KEY_BYTES), "hex"));
}

export interface KeyFile {
  readonly file: string;
  readonly key: Uint8Array;
}

/** As `keyReader`, with the file's path. */
export function keyFileReader(option: string): (file: string) => KeyFile {
  return (file) => ({ file: resolve(file), key: readKey(option, file) });
}

function notKey(option: string, file: string): UserError {
  return new UserError(`${option} ${file}: not a key; takes a file of ${2 * KEY_BYTES} hex digits`);
}

/**
 * Writes a key, by default a new one, to a file that only its user can access. Throws a UserError if the file
 * exists or can't be made.
 */
export function makeKey(file: string, key: Uint8Array = randomBytes(KEY_BYTES)): void {
  const text = `${Buffer.from(key).toString("hex")}\n`;
  let isMade: boolean;
  try {
    isMade = writeNew(file, text, 0o600);
  } catch (error) {
    throw new UserError(`key: ${file}: ${writeFault(file, error)}`);
  }
  if (!isMade) throw new UserError(`key: ${file}: exists, and was not changed; give another name`);
}

/** 32 unpredictable bits. */
export function randomWord(): number {
  return randomBytes(4).readUInt32LE();
}

/** Keys in the form of a node's configuration. */
export function keysConfig({ key, labelKey }: { readonly key?: Uint8Array; readonly labelKey?: Uint8Array }) {
  return {
    ...(key && { key: Buffer.from(key).toString("hex") }),
    ...(labelKey && { labelKey: Buffer.from(labelKey).toString("hex") }),
  };
}
