/** The flash of an emulated board: a file, with the bytes that ESP-IDF writes to a real board's flash. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../host/errors.ts";
import { makeFolder } from "../../host/files/make-folder.ts";
import { writeFault } from "../../host/files/write-fault.ts";

/** What a build says of itself for ESP-IDF's own writer, in `flasher_args.json`. */
interface FlasherArguments {
  readonly flash_settings: { readonly flash_size: string };
  /** Files of the build by their offset: bootloader, partition table, choice of the slot, firmware. */
  readonly flash_files: { readonly [offset: string]: string };
}

/** Bytes at an offset of the flash. */
export interface FlashPart {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** What a build writes to a flash of that many bytes. */
interface FlashContents {
  readonly size: number;
  readonly parts: readonly FlashPart[];
}

const SECTOR = 4096;
const MEGABYTE = 1 << 20;

/** The build's own list of what it writes. */
export function flasherFile(sdk: string, folderName: string, platform: string, target: string): string {
  const build = join(sdk, "build/tmp", platform, "release", folderName, `xsProj-${target}`, "build");
  return join(build, "flasher_args.json");
}

/** Reads what a build writes. Throws a UserError if there is no such build. */
export function readContents(list: string): FlashContents {
  let name = list;
  try {
    const { flash_settings, flash_files }: FlasherArguments = JSON.parse(readFileSync(list, "utf8"));
    const parts = Object.entries(flash_files).map(([offset, file]) => {
      name = join(dirname(list), file);
      return { offset: Number(offset), bytes: readFileSync(name) };
    });
    return { size: Number.parseInt(flash_settings.flash_size, 10) * MEGABYTE, parts };
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? "not ESP-IDF's list of files";
    throw new UserError(`${name}: can't be read (${why}): the SDK built no firmware`);
  }
}

/** The flash in the file, or an erased one. Throws a UserError if the file is of another size. */
function flashIn(file: string, size: number): Buffer {
  if (!existsSync(file)) return Buffer.alloc(size, 0xff);
  const flash = readFileSync(file);
  if (flash.length === size) return flash;
  throw new UserError(
    `--flash-file ${file}: has ${flash.length} bytes; takes a flash of ${size}, or a new file`,
  );
}

/**
 * Writes the parts into the file, with the rest of their last sectors erased, as ESP-IDF's writer does. What else
 * is in the file stays: checkpoints, keys and the other slot of firmware.
 */
export function writeFlash(file: string, { size, parts }: FlashContents): void {
  try {
    makeFolder(dirname(file));
    const flash = flashIn(file, size);
    for (const { offset, bytes } of parts) {
      if (offset + bytes.length > size)
        throw new UserError(`${bytes.length} bytes at ${offset} of a flash of ${size}: they don't fit`);
      flash.fill(0xff, offset, Math.ceil((offset + bytes.length) / SECTOR) * SECTOR);
      flash.set(bytes, offset);
    }
    writeFileSync(file, flash, { mode: 0o600 }); // it may hold keys
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`--flash-file ${file}: ${writeFault(file, error)}`);
  }
}
