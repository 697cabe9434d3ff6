/**
 * `embedded:storage/flash` of pico and nrf52, for which the SDK has none: the partition `checkpoints`. See
 * spi-flash.c.
 */
class StoragePartition {
  close(): void {}

  status(): { size: number; blockLength: number; blocks: number; writeAlign: number } {
    const size = this.size();
    const blockLength = this.sector();
    return { size, blockLength, blocks: size / blockLength, writeAlign: 4 };
  }

  read(into: Uint8Array, offset: number): void {
    native("spi_flash_read").call(this, into, offset);
  }

  write(from: Uint8Array, offset: number): void {
    native("spi_flash_write").call(this, from, offset);
  }

  /** Sectors start..end-1. */
  eraseBlock(start: number, end: number): void {
    const sector = this.sector();
    for (let block = start; block < end; block++) this.eraseSector(block * sector);
  }

  private size(): number {
    return native("spi_flash_size").call(this);
  }

  private sector(): number {
    return native("spi_flash_sector").call(this);
  }

  private eraseSector(offset: number): void {
    native("spi_flash_erase").call(this, offset);
  }
}

function open({ path }: { readonly path: string }): StoragePartition {
  if (path !== "checkpoints") throw new RangeError(`flash: no partition ${path}`);
  return new StoragePartition();
}

export default Object.freeze({ open });
