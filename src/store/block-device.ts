/**
 * Memory that keeps its bytes without power, as flash does: it is erased by sectors to all ones, then programmed.
 *
 * For drivers: a method returns when its bytes are in the flash, not in a cache. It allocates nothing. It returns false, and doesn't throw,
 * when the device fails. A power cut may damage only the bytes of the erase or program that it interrupts. Wear levelling and bad blocks
 * are no concern of the driver.
 *
 * For callers: program erased bytes in whole units of `programBytes`; program them again only with the same bytes, or with zeros. Read back
 * what was written: true says that the device took it, not that every cell holds it. Bits that a power cut interrupted may read as 0 or 1 by
 * chance, each time, until they are programmed or erased.
 */
export interface BlockDevice {
  /** Length in bytes, a multiple of `sectorBytes`. */
  readonly bytes: number;
  /** Bytes that one erase clears; a multiple of 256. */
  readonly sectorBytes: number;
  /** A program begins and ends at multiples of this: 1, 2 or 4. */
  readonly programBytes: number;
  /** Fills `into` with the bytes from `offset` on; false, and `into` as it was, if they can't be read. */
  read(offset: number, into: Uint8Array): boolean;
  /** Sets every byte of the sector that begins at `offset` to 0xff; false if the device failed. A power cut leaves any bits there. */
  erase(offset: number): boolean;
  /**
   * Writes `from` to erased bytes; `offset` and length are multiples of `programBytes`. False if the device failed. A power cut leaves the first
   * part, and any of the bits of the next unit.
   */
  program(offset: number, from: Uint8Array): boolean;
}
