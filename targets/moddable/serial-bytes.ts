/** A serial port that passes bytes one by one. */
export interface ByteSerial {
  read(): number | undefined;
  write(byte: number): void;
}

/**
 * Bytes over a serial port, one by one: the SDK's `write` of a buffer takes no range, and a view for each
 * would be garbage. Received bytes stay in its FIFO until they are read.
 */
export class SerialBytes {
  private readonly serial: ByteSerial;
  /** Least room in the output FIFO, bytes. */
  private room = 0;

  /** @param open opens the port, which calls `onWritable` with its room in bytes. */
  constructor(open: (onWritable: (bytes: number) => void) => ByteSerial) {
    this.serial = open((bytes) => {
      this.room = bytes;
    });
  }

  /** Moves received bytes to the beginning of `to`; returns how many. */
  read(to: Uint8Array): number {
    for (let i = 0; i < to.length; i++) {
      const byte = this.serial.read();
      if (byte === undefined) return i;
      to[i] = byte;
    }
    return to.length;
  }

  /** Sends as many of the bytes from..to-1 as have room; returns how many. */
  write(bytes: Uint8Array, from: number, to: number): number {
    const count = Math.min(to - from, this.room);
    for (let i = 0; i < count; i++) this.serial.write(bytes[from + i]);
    this.room -= count;
    return count;
  }
}
