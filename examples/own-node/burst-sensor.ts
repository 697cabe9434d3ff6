import Analog from "embedded:io/analog";
import type { Sensor } from "motelearn";
import Time from "time";
import Timer from "timer";

export interface OwnSensorOptions {
  /** The pin of each sensor. */
  readonly pins: readonly number[];
  /** Readings of each sensor in a sample. */
  readonly burst: number;
  /** Readings of each sensor in a second. */
  readonly rate: number;
}

const TICK_MS = 1;

/**
 * A sample is the last readings of each pin, which a timer takes at their rate. Put your own sensor here: it reads in the units of the recording, in
 * the order of its columns. A chip that keeps its readings, in a FIFO, keeps to a rate better than a timer.
 */
export class OwnSensor implements Sensor {
  readonly channels: number;
  private readonly pins: readonly Analog[];
  private readonly burst: number;
  private readonly rate: number;
  /** The last readings of each pin in turn, as a ring; NaN before there are so many. */
  private readonly ring: Float32Array;
  private at = 0;
  private ticks = Time.ticks;
  /** Readings that are due, in thousandths. */
  private due = 0;

  constructor({ pins, burst, rate }: OwnSensorOptions) {
    this.channels = pins.length * burst;
    this.pins = pins.map((pin) => new Analog({ pin }));
    this.burst = burst;
    this.rate = rate;
    this.ring = new Float32Array(this.channels).fill(Number.NaN);
    Timer.repeat(() => this.take(), TICK_MS);
  }

  /** Takes the readings that are due since the last tick. */
  private take(): void {
    const { pins, burst, ring, rate } = this;
    const now = Time.ticks;
    this.due += rate * ((now - this.ticks) | 0); // ticks have 32 bits, and wrap
    this.ticks = now;
    for (; this.due >= 1000; this.due -= 1000) {
      for (let s = 0; s < pins.length; s++) ring[s * burst + this.at] = pins[s].read();
      this.at = (this.at + 1) % burst;
    }
  }

  /** Puts one sensor's readings behind the other's, oldest first. It is called once a sample, and allocates nothing. */
  read(to: Float32Array, first: number): void {
    const { channels, burst, ring, at } = this;
    for (let s = 0; s < channels; s += burst)
      for (let i = 0; i < burst; i++) to[first + s + i] = ring[s + ((at + i) % burst)];
  }
}
