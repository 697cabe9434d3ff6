import { Random } from "../../host/random.ts";
import type { Sensor } from "../../src/start/sensors.ts";

/** A state lasts so many samples on average. */
const SOUND_SAMPLES = 60;
const WORN_SAMPLES = 30;
/** What wear adds to each reading, in multiples of the noise. */
const WEAR = [1.5, 2.5, 2];
const MEANS = [48, 3.2, 2.4];
const NOISE = [2.5, 0.25, 0.5];
/** Growth of a drifting reading in 1,000 samples, relative to its first mean. */
const DRIFT = 0.1;

/** The names of a machine's readings. */
export const MACHINE_CHANNELS = [
  { name: "temperature", unit: "°C" },
  { name: "current", unit: "A" },
  { name: "vibration", unit: "mm/s" },
];

/** The names of its classes, -1 and +1. */
export const MACHINE_CLASSES = ["sound", "worn"];

/**
 * A machine that is sound or worn for a while, with a sensor of three channels. Everything follows from its
 * name.
 */
export class Machine implements Sensor {
  readonly channels = MACHINE_CHANNELS.length;
  /** True if it was worn at the reading before. */
  worn = false;
  private readonly random: Random;
  private readonly means: readonly number[];
  private readings = 0;

  constructor(
    name: string,
    private readonly drifts = false,
  ) {
    this.random = new Random(1, `machine ${name}`);
    this.means = MEANS.map((mean) => mean * (0.8 + 0.4 * this.random.uniform()));
  }

  read(to: Float32Array, first: number): void {
    const { random, means } = this;
    if (random.uniform() < 1 / (this.worn ? WORN_SAMPLES : SOUND_SAMPLES)) this.worn = !this.worn;
    const drift = this.drifts ? 1 + (DRIFT * this.readings) / 1000 : 1;
    this.readings++;
    for (let c = 0; c < this.channels; c++) {
      const wear = this.worn ? WEAR[c] * NOISE[c] : 0;
      to[first + c] = Math.max(0, means[c] * drift + wear + NOISE[c] * random.normal());
    }
  }
}
