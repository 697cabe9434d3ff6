/**
 * `embedded:io/analog` of an emulated board. The SDK's own links ESP-IDF's calibration of the converter, which
 * would wait for it forever before the firmware starts: Espressif's QEMU has none.
 */
export default class Analog {
  constructor() {
    throw new Error("an emulated board has no analog pins");
  }
}
