/** The Ethernet of an emulated ESP32, by ethernet.c: its address comes from DHCP. */
export class Ethernet {
  /** Starts it. Throws an Error if ESP-IDF can't; a chip without it restarts. */
  constructor() {
    native("ethernet_start").call(this);
  }

  /** True if it has an address. */
  addressed(): boolean {
    return native("ethernet_addressed").call(this);
  }
}
