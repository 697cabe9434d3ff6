import { importModule } from "motelearn/import-module";
import { frozen } from "../../src/memory/frozen.ts";
import type { Mod } from "./own-sensors.ts";

/** The content of the flash's partition for mods. The number is its code in installed-mod.c. */
const MOD = frozen({ none: 0, ready: 1, foreign: 2, fatal: 3 } as const);

const MODULE = "mod";

/** The mod that mcrun has installed, by installed-mod.c. Only an ESP32 can have one. */
export class InstalledMod implements Mod {
  get isThere(): boolean {
    return this.state() !== MOD.none;
  }

  get fault(): string | undefined {
    const state = this.state();
    if (state === MOD.foreign) return "it isn't for this firmware's engine";
    return state === MOD.fatal ? "the board restarted while it was on trial" : undefined;
  }

  private state(): number {
    return native("mod_state").call(this);
  }

  beginTrial(): void {
    native("mod_begin_trial").call(this);
  }

  endTrial(): void {
    native("mod_end_trial").call(this);
  }

  load(): Promise<object> {
    return importModule(MODULE);
  }
}
