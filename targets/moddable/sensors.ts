import Analog from "embedded:io/analog";
import I2C from "embedded:io/i2c";
import SMBus from "embedded:io/smbus";
import type { Range, Ranges } from "../../src/node/ranges.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import { type Driver, importDriver, type Sample } from "./driver.ts";

/** An analog pin: one channel, a fraction of full scale. */
export interface AnalogOptions {
  /** The pin, by the number that the board's `embedded:io/analog` takes. */
  readonly analog: number;
  /**
   * The range of valid readings, as fractions of full scale: [0.05, 0.95] where a broken wire reads 0 or 1.
   * Default: any.
   */
  readonly range?: Range;
}

/**
 * An ECMA-419 sensor: a module that the manifest includes, its bus, and a channel for each field of its
 * samples.
 */
export interface SensorOptions {
  /** The module: `embedded:sensor/Temperature/TMP117`. */
  readonly sensor: string;
  /** The bus that its module uses. */
  readonly io: "I2C" | "SMBus";
  /** GPIO of the data line, SDA. */
  readonly data: number;
  /** GPIO of the clock line, SCL. */
  readonly clock: number;
  /** Its 7-bit address on the bus; default: its module's. */
  readonly address?: number;
  /** The bus's clock, Hz; default: its module's. */
  readonly hz?: number;
  /**
   * Names in its samples, such as `temperature`; `thermometer.temperature` in a sample of several sensors.
   */
  readonly fields: readonly string[];
  /** Each field's valid range from the data sheet: [least, largest], or null. Default: any finite number. */
  readonly ranges?: Ranges;
}

/** An analogue input, or a sensor of ECMA-419. */
export type ChannelOptions = AnalogOptions | SensorOptions;

class AnalogSensor implements Sensor {
  readonly channels = 1;
  private readonly pin: Analog;
  private readonly scale: number;
  readonly ranges: Ranges | undefined;

  constructor({ analog, range }: AnalogOptions) {
    this.ranges = range && [range];
    this.pin = new Analog({ pin: analog });
    this.scale = 1 / (2 ** this.pin.resolution - 1);
  }

  read(to: Float32Array, first: number): void {
    to[first] = this.pin.read() * this.scale;
  }
}

class DriverSensor implements Sensor {
  private readonly paths: readonly (readonly string[])[];

  constructor(
    private readonly driver: Driver,
    fields: readonly string[],
    readonly ranges: Ranges | undefined,
  ) {
    this.paths = fields.map((field) => field.split("."));
  }

  get channels(): number {
    return this.paths.length;
  }

  /** A field that a sample lacks is NaN, which the node counts as unreadable. */
  read(to: Float32Array, first: number): void {
    const sample = this.driver.sample();
    for (let i = 0; i < this.paths.length; i++) to[first + i] = valueAt(sample, this.paths[i]);
  }
}

function valueAt(sample: Sample | undefined, path: readonly string[]): number {
  let value: number | Sample | undefined = sample;
  for (let i = 0; i < path.length; i++) value = typeof value === "object" ? value[path[i]] : undefined;
  return typeof value === "number" ? value : Number.NaN;
}

async function open(options: ChannelOptions): Promise<Sensor> {
  if ("analog" in options) return new AnalogSensor(options);
  const { sensor, io, fields, ranges, ...bus } = options;
  const Driver = await importDriver(sensor);
  return new DriverSensor(new Driver({ sensor: { ...bus, io: io === "I2C" ? I2C : SMBus } }), fields, ranges);
}

/** Opens them in order. Rejects with the error of a sensor that doesn't answer. */
export async function openSensors(options: readonly ChannelOptions[]): Promise<Sensor[]> {
  const sensors: Sensor[] = [];
  for (const one of options) sensors.push(await open(one));
  return sensors;
}
