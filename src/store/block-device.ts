/**
 * Memory that keeps its bytes without power, as flash does: it is erased by sectors to all ones, then programmed.
 * Everything is synchronous, and nothing is allocated. A method returns false, and doesn't throw, when the device
 * fails; the caller reads back what it wrote.
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
  /** Sets every byte of the sector that begins at `offset` to 0xff. A power cut leaves any bits there. */
  erase(offset: number): boolean;
  /** Writes `from` to erased bytes. A power cut leaves the first part, and any of the bits of the next unit. */
  program(offset: number, from: Uint8Array): boolean;
}
