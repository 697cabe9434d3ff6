import { OptionError } from "../memory/option-error.ts";
import type { Range, Ranges } from "../node/ranges.ts";

/** What gives a node one reading or more of each sample: a pin, a chip on a bus, a recorded stream. */
export interface Sensor {
  /** Readings that it gives at once, a whole number from 1. */
  readonly channels: number;
  /** What each reading can be, as the data sheet has it: a range or null for each channel. Default: any finite number. */
  readonly ranges?: Ranges;
  /**
   * Puts its readings of this moment into `to[first]` and the `channels - 1` places after it. NaN is a reading that it can't
   * give now; if it throws, none of its readings is given. The node counts such a sample as unreadable.
   */
  read(to: Float32Array, first: number): void;
}

/** All sensors of a node, read at once into one sample. Reading allocates nothing. */
export class Sensors {
  private readonly sample: Float32Array;
  /** Those of all channels; undefined if no sensor has any. */
  readonly ranges: Ranges | undefined;

  /** Throws an OptionError if there is none, one has no whole number of channels, or other than a range for each. */
  constructor(private readonly sensors: readonly Sensor[]) {
    let total = 0;
    const all: (Range | null)[] = [];
    for (const { channels, ranges } of sensors) {
      if (!(Number.isInteger(channels) && channels >= 1))
        throw new OptionError("sensor", "channels", channels, "a whole number >= 1");
      if (ranges && ranges.length !== channels)
        throw new OptionError("sensor", "ranges", ranges.length, `one or null for each channel, ${channels}`);
      for (let c = 0; c < channels; c++) all.push(ranges?.[c] ?? null);
      total += channels;
    }
    if (total === 0) throw new OptionError("startNode", "sensors", [], "one at least");
    this.sample = new Float32Array(total);
    this.ranges = all.some((range) => range !== null) ? all : undefined;
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
