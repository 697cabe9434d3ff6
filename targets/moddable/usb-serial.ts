/** Bytes that may come while the node is busy, and that may wait to be sent: more than a packet of USB, which has 64. */
const INPUT_BYTES = 512;
const OUTPUT_BYTES = 512;

/**
 * Bytes over the USB-Serial/JTAG that ESP32-C3 and -S3 have of their own, by usb-serial.c. While no host is there to take
 * them, bytes to be sent have no room.
 */
export class UsbSerial {
  readonly fifoBytes = INPUT_BYTES;

  /** Throws an Error if the chip has none. */
  constructor() {
    this.open(INPUT_BYTES, OUTPUT_BYTES);
  }

  /** Moves bytes that have come to the beginning of `to`; returns how many. */
  read(to: Uint8Array): number {
    return native("usb_serial_read").call(this, to);
  }

  /** Sends bytes from..to-1 as far as there is room; returns how many. */
  write(bytes: Uint8Array, from: number, to: number): number {
    return native("usb_serial_write").call(this, bytes, from, to);
  }

  private open(input: number, output: number): void {
    native("usb_serial_open").call(this, input, output);
  }
}
