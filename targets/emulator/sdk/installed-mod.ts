/** Replaces moddable/installed-mod.ts: the emulated board has no partition for mods. */
export class InstalledMod {
  readonly isThere = false;
  readonly fault = undefined;

  async load(): Promise<object> {
    return {};
  }

  beginTrial(): void {}

  endTrial(): void {}
}
