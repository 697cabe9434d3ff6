declare const nor: {
  read(offset: number, into: Uint8Array): boolean;
  erase(offset: number): boolean;
  program(offset: number, from: Uint8Array): boolean;
};

const SECTOR_BYTES = 262_144;
/** A slot for each of two checkpoints, as large as the boards' partition. */
const SECTORS = 2;

function check(done: boolean): void {
  if (!done) throw new Error("flash: it failed");
}

/** An open partition. As with the SDK's, its methods are the class's own, in flash: closures would take slots of the node's memory. */
class Partition {
  status() {
    return { size: SECTORS * SECTOR_BYTES, blockLength: SECTOR_BYTES, blocks: SECTORS };
  }

  read(into: Uint8Array, offset: number): void {
    check(nor.read(offset, into));
  }

  write(from: Uint8Array, offset: number): void {
    check(nor.program(offset, from));
  }

  eraseBlock(start: number, end: number): void {
    for (let block = start; block < end; block++) check(nor.erase(block * SECTOR_BYTES));
  }

  close(): void {}
}

/** `embedded:storage/flash`: a partition of any name is the second bank of flash. */
export default { open: () => new Partition() };
