/** Replaces moddable/stored-keys.ts: the emulated board stores no keys. */
export class StoredKeys {
  read(): boolean {
    return false;
  }
}
