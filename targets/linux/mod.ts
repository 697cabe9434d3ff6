import { type Mod, openBy } from "../moddable/own-sensors.ts";
import type { LinuxHost } from "./host.ts";

/** The mod in the archive that is the program's second argument, mapped as on a board. */
class FileMod implements Mod {
  private readonly module = "mod";

  constructor(private readonly host: LinuxHost) {}

  get isThere(): boolean {
    return this.host.mod() !== 0;
  }

  get fault(): string | undefined {
    return this.host.mod() < 0 ? "it isn't for this firmware's engine" : undefined;
  }

  load(): Promise<object> {
    return import(this.module);
  }

  beginTrial(): void {}

  endTrial(): void {}
}

/** The firmware's own sensor module. */
const BUILT_IN = {
  makeSensor: (value: number) => ({ channels: 1, read: (to: Float32Array) => to.fill(value) }),
};

/** Opens a sensor with the mod, if there is one, and prints its readings as JSON, or the mod's fault. */
export async function runMod(host: LinuxHost): Promise<void> {
  const { sensors, fault } = await openBy(new FileMod(host), BUILT_IN, ({ makeSensor }) => [makeSensor(1)]);
  const reading = new Float32Array(1);
  for (const sensor of sensors) sensor.read(reading, 0);
  host.print(JSON.stringify({ reading: reading[0], fault }));
}
