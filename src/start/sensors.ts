/** What gives a node one reading or more of each sample: a pin, a chip on a bus, a recorded stream. */
export interface Sensor {
  /** Readings that it gives at once, a whole number from 1. */
  readonly channels: number;
  /**
   * Puts its readings of this moment into `to[first]` and the `channels - 1` places after it. NaN is a reading that it can't
   * give now; if it throws, none of its readings is given. The node counts such a sample as unreadable.
   */
  read(to: Float32Array, first: number): void;
}

/** All sensors of a node, read at once into one sample. Reading allocates nothing. */
export class Sensors {
  private readonly sample: Float32Array;

  /** Throws a RangeError if there is none, or one has no whole number of channels. */
  constructor(private readonly sensors: readonly Sensor[]) {
    let total = 0;
    for (const { channels } of sensors) {
      if (!(Number.isInteger(channels) && channels >= 1))
        throw new RangeError(`sensor: channels: got ${channels}; takes a whole number >= 1`);
      total += channels;
    }
    if (total === 0) throw new RangeError("sensors: got none; takes one at least");
    this.sample = new Float32Array(total);
  }

  /** Readings in a sample. */
  get channels(): number {
    return this.sample.length;
  }

  /** Reads every channel; the array is the same each time. */
  read(): Float32Array {
    const { sample, sensors } = this;
    let first = 0;
    for (let i = 0; i < sensors.length; i++) {
      const sensor = sensors[i];
      const next = first + sensor.channels;
      try {
        sensor.read(sample, first);
      } catch {
        for (let k = first; k < next; k++) sample[k] = Number.NaN;
      }
      first = next;
    }
    return sample;
  }
}
