import type { FirmwareSlots } from "../../src/node/ports.ts";
import type { Sensor } from "../../src/start/sensors.ts";

/** A mod: an application's modules, installed beside its firmware. */
export interface Mod {
  /** True if `mcrun` has installed one. */
  readonly isThere: boolean;
  /** Why it can't be loaded, if so. */
  readonly fault: string | undefined;
  /** The exports of its module `mod`. Rejects with the module's error. */
  load(): Promise<object>;
  /**
   * Begins its trial. If the board restarts by itself during the trial, the mod counts as faulty until the
   * power is cut.
   */
  beginTrial(): void;
  /** The mod has shown that it runs. */
  endTrial(): void;
}

/** Open sensors, and the module that opened them. */
export interface OwnSensors {
  /** The sensors, in the order of their channels. */
  readonly sensors: readonly Sensor[];
  /** The mod whose module opened them, on trial; undefined: the firmware's own did. */
  readonly mod?: Mod;
  /** The fault of a mod that was left out. */
  readonly fault?: string;
}

function check(sensors: readonly Sensor[]): void {
  for (const { channels, read } of sensors) {
    if (!(Number.isInteger(channels) && channels >= 1)) throw new TypeError("a sensor without channels");
    if (typeof read !== "function") throw new TypeError("a sensor without read");
  }
}

/** Opens a node's sensors with a module. */
export type Open<Module> = (own: Module) => readonly Sensor[] | Promise<readonly Sensor[]>;

/** Opens a node's sensors with a working mod's exports, else with the firmware's own module. */
export async function openBy<Module extends object>(
  mod: Mod,
  builtIn: Module,
  open: Open<Module>,
): Promise<OwnSensors> {
  if (!mod.isThere) return { sensors: await open(builtIn) };
  if (mod.fault) return { sensors: await open(builtIn), fault: mod.fault };
  mod.beginTrial();
  try {
    const sensors = await open({ ...builtIn, ...(await mod.load()) });
    check(sensors);
    return { sensors, mod };
  } catch (error) {
    mod.endTrial();
    return { sensors: await open(builtIn), fault: String(error) };
  }
}

/** Does the work. Where it fails in firmware on trial, says why, and restarts with the previous firmware; rejects where there is none. */
export async function onTrial<Done>(
  work: () => Promise<Done>,
  openSlots: () => FirmwareSlots | undefined,
  say: (line: string) => void,
): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    const slots = openSlots();
    if (slots?.trial()) {
      say(`motelearn: new firmware falls back: ${error}\n`);
      slots.revert();
    }
    throw error;
  }
}
