import Analog from "embedded:io/analog";
import type { Sensor } from "motelearn";

export interface OwnSensorOptions {
  /** The pin of each reading. */
  readonly pins: readonly number[];
}

/** A sample is one reading of each pin. Put your own sensors here: they read in the units of the recording, in the order of its columns. */
export class OwnSensor implements Sensor {
  readonly channels: number;
  private readonly pins: readonly Analog[];

  constructor({ pins }: OwnSensorOptions) {
    this.channels = pins.length;
    this.pins = pins.map((pin) => new Analog({ pin }));
  }

  /** Puts this moment's readings into `to`, from `first` on. It is called once a sample, and allocates nothing. */
  read(to: Float32Array, first: number): void {
    for (let i = 0; i < this.pins.length; i++) to[first + i] = this.pins[i].read();
  }
}
