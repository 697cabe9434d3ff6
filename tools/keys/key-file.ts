import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { KEY_BYTES } from "../../src/wire/keyed.ts";
import { UserError } from "../cli/exit.ts";

/** What others may do with a file: nothing. */
const OTHERS = 0o077;
const TEXT = new RegExp(`^[0-9a-fA-F]{${2 * KEY_BYTES}}\\n?$`);

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** What reads the key of the file that an option names. It throws as `readKey` does. */
export function keyOf(option: string): (file: string) => Uint8Array {
  return (file) => readKey(option, file);
}

/**
 * The text of a file that must be its user's alone; a folder has none. Throws a UserError that names the option if it isn't, or can't be read; `cure`
 * says what to do then.
 */
export function readSecret(option: string, file: string, cure: string): string {
  try {
    const handle = openSync(file, "r");
    try {
      const stat = fstatSync(handle);
      if (stat.isDirectory()) return "";
      if (process.platform !== "win32" && (stat.mode & OTHERS) !== 0)
        throw new UserError(`${option} ${file}: others may use it; chmod 600 ${file}`);
      return readFileSync(handle, "latin1");
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${option} ${file}: can't be read (${codeOf(error)}); ${cure}`);
  }
}

/**
 * The key of a file: 32 hex digits, and maybe a newline. Throws a UserError that names the option if it isn't one, or isn't its
 * user's alone.
 */
function readKey(option: string, file: string): Uint8Array {
  const text = readSecret(option, file, `motelearn key ${file} makes one`);
  if (!TEXT.test(text)) throw notKey(option, file);
  return Uint8Array.from(Buffer.from(text.slice(0, 2 * KEY_BYTES), "hex"));
}

/** A key, and the path of its file. */
export interface KeyFile {
  readonly file: string;
  readonly key: Uint8Array;
}

/** As `keyOf`, for who needs the file again. */
export function keyFileOf(option: string): (file: string) => KeyFile {
  return (file) => ({ file: resolve(file), key: readKey(option, file) });
}

function notKey(option: string, file: string): UserError {
  return new UserError(`${option} ${file}: not a key; takes a file of ${2 * KEY_BYTES} hex digits`);
}

/** Writes a key, a new one unless it is given, to a file of its user's alone. Throws a UserError if there is one, or it can't be made. */
export function makeKey(file: string, key: Uint8Array = randomBytes(KEY_BYTES)): void {
  try {
    writeFileSync(file, `${Buffer.from(key).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw new UserError(`key: ${file}: is there already, and stays as it is`);
    throw new UserError(`key: ${file}: can't be made (${codeOf(error)})`);
  }
}

/** 32 bits that nobody can foresee. */
export function randomWord(): number {
  return randomBytes(4).readUInt32LE();
}

/** Keys as a node's configuration has them. */
export function keysConfig({ key, labelKey }: { readonly key?: Uint8Array; readonly labelKey?: Uint8Array }) {
  return {
    ...(key && { key: Buffer.from(key).toString("hex") }),
    ...(labelKey && { labelKey: Buffer.from(labelKey).toString("hex") }),
  };
}
