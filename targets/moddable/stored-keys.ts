import type { KeyStore } from "./keys.ts";

/** The keys in an ESP32's NVS, by stored-keys.c. Other boards store none. */
export class StoredKeys implements KeyStore {
  /** Takes over keys that `flash --key` has put on the board. Throws an Error if NVS fails. */
  constructor() {
    native("stored_keys_take").call(this);
  }

  /** Throws an Error if NVS fails. */
  read(name: string, into: Uint8Array): boolean {
    return native("stored_keys_read").call(this, name, into);
  }
}
