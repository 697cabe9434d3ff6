import I2C from "./i2c.ts";

/** `embedded:io/smbus`, on that bus. */
export default class SMBus extends I2C {
  private readonly word = new Uint8Array(2);

  readUint8(_register: number): number {
    return this.readUint16(0) & 0xff;
  }

  readUint16(_register: number, bigEndian = false): number {
    const { word } = this;
    this.read(word);
    return bigEndian ? (word[0] << 8) | word[1] : (word[1] << 8) | word[0];
  }

  readBuffer(_register: number, to: number | Uint8Array): Uint8Array {
    return this.read(to);
  }

  writeUint8(): void {}
  writeUint16(): void {}
  writeBuffer(): void {}
}
