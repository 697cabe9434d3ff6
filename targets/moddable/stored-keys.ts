import type { KeyStore } from "./keys.ts";

/** The keys in an ESP32's NVS, and its network, by stored-keys.c. Other boards store none. */
export class StoredKeys implements KeyStore {
  /** Moves the keys that `flash --key` wrote into NVS. Throws an Error if NVS fails. */
  constructor() {
    native("stored_keys_take").call(this);
  }

  /** Throws an Error if NVS fails. */
  read(name: string, into: Uint8Array): boolean {
    return native("stored_keys_read").call(this, name, into);
  }

  /** The network that `flash --wifi` wrote, as JSON. Throws an Error if NVS fails. */
  network(): string | undefined {
    return native("stored_keys_network").call(this);
  }

  /** The certificate that `flash --wifi` wrote, as DER. Throws an Error if NVS fails. */
  authority(): ArrayBuffer | undefined {
    return native("stored_keys_authority").call(this);
  }
}
