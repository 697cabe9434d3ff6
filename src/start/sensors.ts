import { OptionError } from "../memory/option-error.ts";
import type { Range, Ranges } from "../node/ranges.ts";

/** A source of one or more readings of each sample: a pin, a chip on a bus, a recorded stream. */
export interface Sensor {
  /** Readings in a sample, a whole number >= 1. */
  readonly channels: number;
  /** The possible values of each reading, from the data sheet: a range or null for each channel. Default: any finite number. */
  readonly ranges?: Ranges;
  /**
   * The session of its samples, 1..2^32-1. For a sensor that plays a recording: it gives a number the same sample after each restart. Default:
   * each start begins a session.
   */
  readonly session?: number;
  /**
   * Writes its present readings to `to[first]` and the `channels - 1` places after it, NaN for a reading that failed. If it throws, all
   * its readings count as failed. The node counts such a sample as unreadable.
   */
  read(to: Float32Array, first: number): void;
}

/** All sensors of a node, read at once into one sample. Reading allocates nothing. */
export class Sensors {
  private readonly sample: Float32Array;
  /** The ranges of all channels; undefined if no sensor has any. */
  readonly ranges: Ranges | undefined;

  /** Throws an OptionError without sensors, or for a sensor whose `channels` isn't a whole number or whose `ranges` aren't one a channel. */
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
