import Analog from "embedded:io/analog";
import type { Sensor } from "motelearn";

export interface SoilMoistureOptions {
  /** The pin that the probe's output is on. */
  readonly pin: number;
  /** What the pin reads with the probe in dry air, and in water. */
  readonly dry: number;
  readonly wet: number;
}

/** A capacitive soil probe: one reading, 0 in dry air and 1 in water. */
export class SoilMoisture implements Sensor {
  readonly channels = 1;
  /** Beyond air and water by a fifth: a loose wire reads more. A reading outside is refused and counted. */
  readonly ranges = [[-0.2, 1.2]] as const;
  private readonly pin: Analog;
  private readonly dry: number;
  private readonly wet: number;

  constructor({ pin, dry, wet }: SoilMoistureOptions) {
    this.pin = new Analog({ pin });
    this.dry = dry;
    this.wet = wet;
  }

  /** Puts this moment's reading into `to[first]`. It is called once a sample, and allocates nothing. */
  read(to: Float32Array, first: number): void {
    to[first] = (this.dry - this.pin.read()) / (this.dry - this.wet);
  }
}
