/** Buffer sizes in bytes, for input while the node is busy and for output: more than a USB packet's 64. */
const INPUT_BYTES = 512;
const OUTPUT_BYTES = 512;

/**
 * Bytes over the USB-Serial/JTAG built into ESP32-C3 and -S3, by usb-serial.c. Without a host there is no
 * room to send.
 */
export class UsbSerial {
  readonly fifoBytes = INPUT_BYTES;

  /** Throws an Error if the chip has none. */
  constructor() {
    this.open(INPUT_BYTES, OUTPUT_BYTES);
  }

  /** Moves received bytes to the beginning of `to`; returns how many. */
  read(to: Uint8Array): number {
    return native("usb_serial_read").call(this, to);
  }

  /** Sends as many of the bytes from..to-1 as have room; returns how many. */
  write(bytes: Uint8Array, from: number, to: number): number {
    return native("usb_serial_write").call(this, bytes, from, to);
  }

  private open(input: number, output: number): void {
    native("usb_serial_open").call(this, input, output);
  }
}
