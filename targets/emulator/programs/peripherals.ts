import type { BytePort, Clock, EngineFigures } from "../../../src/node/ports.ts";
import type { BlockDevice } from "../../../src/store/block-device.ts";
import type { Host } from "./host.ts";
import { ticksAfter } from "./ticks.ts";

/** The functions of firmware.c, uart.c and nor.c. Nothing here allocates. */
declare const board: {
  milliseconds(): number;
  noise(): number;
  idle(milliseconds: number): void;
};
declare const uart: {
  read(to: Uint8Array): number;
  write(bytes: Uint8Array, from: number, to: number): number;
  overruns(): number;
};
declare const nor: {
  read(offset: number, into: Uint8Array): boolean;
  erase(offset: number): boolean;
  program(offset: number, from: Uint8Array): boolean;
};

const SLOT_BYTES = 16;

/** Time, waiting, and 32 bits that differ at each start. */
export class Board implements Clock {
  /** Milliseconds, signed, in 32 bits, as a device's ticks; they wrap shortly after the start. */
  now(): number {
    return ticksAfter(board.milliseconds());
  }

  noise(): number {
    return board.noise();
  }

  /** Waits for input, at most so many milliseconds. */
  idle(milliseconds: number): void {
    board.idle(milliseconds);
  }
}

/** The UART of the wire. */
export class Uart implements BytePort {
  /** Bytes that came while its FIFO was full, and were dropped. */
  get overruns(): number {
    return uart.overruns();
  }

  read(to: Uint8Array): number {
    return uart.read(to);
  }

  write(bytes: Uint8Array, from: number, to: number): number {
    return uart.write(bytes, from, to);
  }
}

/** The second bank of flash, with the requested size. */
export class NorFlash implements BlockDevice {
  static readonly SECTOR_BYTES = 262_144;
  readonly sectorBytes = NorFlash.SECTOR_BYTES;
  readonly programBytes = 4;

  constructor(readonly bytes: number) {}

  read(offset: number, into: Uint8Array): boolean {
    return nor.read(offset, into);
  }

  erase(offset: number): boolean {
    return nor.erase(offset);
  }

  program(offset: number, from: Uint8Array): boolean {
    return nor.program(offset, from);
  }
}

/** The engine's memory in use, in bytes, garbage included until it is collected. */
export class Engine implements EngineFigures {
  constructor(private readonly host: Host) {}

  slots(): number {
    return SLOT_BYTES * this.host.slots();
  }

  chunks(): number {
    return this.host.chunks();
  }
}
