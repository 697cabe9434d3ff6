import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../host/errors.ts";
import { type JsonError, parseJson } from "../../host/json.ts";
import { nearestNames, suggestion } from "../../host/suggestions.ts";
import { shorten } from "../../host/terminal/arguments.ts";
import { isRange, type Range, type Ranges } from "../../src/node/ranges.ts";
import { BOARDS, type Pins, type Target } from "../../targets/boards.ts";

/**
 * A pin, or a sensor with a channel for each of its fields, in the form of the firmware's `config.sensors`.
 */
export type Sensor =
  | { readonly analog: number; readonly range?: Range }
  | {
      readonly sensor: string;
      readonly io: string;
      readonly data: number;
      readonly clock: number;
      readonly address?: number;
      readonly hz?: number;
      readonly fields: readonly string[];
      readonly ranges?: Ranges;
    };

/** The target's pins for a sensor, and those that its wire takes. */
interface Place extends Pins {
  readonly target: Target;
  readonly wire: readonly number[];
}

type SensorOptions = { readonly [option: string]: unknown };

/** One option of a sensor: a check of its value, and a description of right ones. */
interface Rule {
  readonly isRight: (value: unknown) => boolean;
  readonly takes: string;
}

const BUSES = ["I2C", "SMBus"];
const HZ_MAX = 1e6;
const MODULE = "embedded:sensor/";
const NEEDED = ["analog", "sensor", "io", "data", "clock", "fields"];

function isWhole(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

function isNames(value: unknown): boolean {
  const isName = (one: unknown) => typeof one === "string" && /^\w+(\.\w+)*$/.test(one);
  return Array.isArray(value) && value.length > 0 && value.every(isName);
}

function isRanges(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((range) => range === null || isRange(range));
}

function pinRule(pins: readonly number[], { target, wire }: Place): Rule {
  const free = pins.filter((pin) => !wire.includes(pin));
  return {
    isRight: (value) => free.includes(value as number),
    takes: `a pin of ${target} that the wire leaves free: ${free.join(", ")}`,
  };
}

/**
 * The options of a pin, and of a sensor on a bus. Addresses have 7 bits, without those reserved by the bus.
 */
function sensorRules(place: Place): { readonly [kind: string]: { readonly [option: string]: Rule } } {
  const bus = pinRule(place.output, place);
  return {
    analog: {
      analog: pinRule(place.analog, place),
      range: { isRight: isRange, takes: "[least, largest], parts of full scale" },
    },
    sensor: {
      sensor: {
        isRight: (value) => typeof value === "string" && value.startsWith(MODULE),
        takes: `a module such as ${MODULE}Temperature/TMP117`,
      },
      io: { isRight: (value) => BUSES.includes(value as string), takes: BUSES.join(" or ") },
      data: bus,
      clock: bus,
      address: { isRight: (value) => isWhole(value, 0x08, 0x77), takes: "a whole number 8..119" },
      hz: { isRight: (value) => isWhole(value, 1, HZ_MAX), takes: `a whole number 1..${HZ_MAX}` },
      fields: { isRight: isNames, takes: 'names in its samples, such as ["temperature"]' },
      ranges: { isRight: isRanges, takes: "[least, largest] or null for each field, such as [[-40, 85]]" },
    },
  };
}

function checkSensor(sensor: SensorOptions, index: number, place: Place): void {
  const refuse = (what: string) => {
    throw new UserError(`--sensors: number ${index + 1}: ${what}`);
  };
  const kind = "analog" in sensor ? "analog" : "sensor";
  const rules = sensorRules(place)[kind];
  const names = Object.keys(rules);
  for (const name of Object.keys(sensor)) {
    if (!Object.hasOwn(rules, name)) refuse(`no option ${name}${suggestion(name, names)}`);
  }
  for (const [name, { isRight, takes }] of Object.entries(rules)) {
    const got = sensor[name];
    if (got === undefined && !NEEDED.includes(name)) continue;
    if (!isRight(got)) refuse(`${name}: got ${JSON.stringify(got) ?? "nothing"}; takes ${takes}`);
  }
  const { fields, ranges } = sensor as { fields: string[]; ranges?: unknown[] };
  if (ranges && ranges.length !== fields.length)
    refuse(`ranges: got ${ranges.length}; takes one or null for each of ${fields.length} fields`);
  if (kind === "sensor" && sensor.data === sensor.clock)
    refuse(`data and clock: both pin ${sensor.data}; takes two`);
}

/**
 * Reads `config.sensors`, as JSON. Throws a UserError for an invalid pin or option.
 * @param wire pins of the target's UART, which no sensor can have.
 */
export function sensorsFrom(text: string, target: Target, wire: readonly number[]): Sensor[] {
  const takes = `takes a JSON array such as [{"analog":0}] or [{"sensor":"${MODULE}...","fields":["temperature"],...}]`;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new UserError(`--sensors ${shorten(text)}: ${(error as JsonError).kind}; ${takes}`);
  }
  const isGroup = (one: unknown) =>
    typeof one === "object" && one !== null && ("analog" in one || "sensor" in one);
  if (!Array.isArray(value) || value.length === 0 || !value.every(isGroup))
    throw new UserError(`--sensors ${shorten(text)}: ${takes}`);
  value.forEach((sensor, i) => {
    checkSensor(sensor, i, { target, wire, ...BOARDS[target].pins });
  });
  return value as Sensor[];
}

const DRIVERS = "modules/drivers/sensors";

/** The drivers in an SDK: the module, and its manifest in the form of an include. */
function sdkDrivers(sdk: string): Map<string, string> {
  const drivers = new Map<string, string>();
  const folder = join(sdk, DRIVERS);
  if (!existsSync(folder)) return drivers;
  for (const chip of readdirSync(folder)) {
    const file = join(folder, chip, "manifest.json");
    if (!existsSync(file)) continue;
    for (const module of readModules(file))
      drivers.set(module, `$(MODDABLE)/${DRIVERS}/${chip}/manifest.json`);
  }
  return drivers;
}

/** The modules that a manifest names; none if it can't be read. */
function readModules(file: string): string[] {
  try {
    return Object.keys(JSON.parse(readFileSync(file, "utf8")).modules ?? {});
  } catch {
    return [];
  }
}

/** Throws a UserError if a sensor's driver is in no included manifest, where an SDK lists the drivers. */
export function checkDrivers(
  sensors: readonly Sensor[],
  include: readonly string[],
  sdk: string | undefined,
): void {
  const drivers = sdk === undefined ? new Map<string, string>() : sdkDrivers(sdk);
  if (drivers.size === 0) return;
  const own = include.filter((file) => !file.startsWith("$(")).flatMap(readModules);
  for (const sensor of sensors) {
    if ("analog" in sensor || own.includes(sensor.sensor)) continue;
    const manifest = drivers.get(sensor.sensor);
    if (manifest === undefined) {
      const near = nearestNames(sensor.sensor, [...drivers.keys()]).join(" or ");
      const hint = near ? `did you mean ${near}?` : `takes one of ${join(sdk as string, DRIVERS)}`;
      throw new UserError(
        `--sensors: no driver ${sensor.sensor} in the SDK or an included manifest; ${hint}`,
      );
    }
    if (!include.includes(manifest))
      throw new UserError(
        `--sensors: ${sensor.sensor}: its driver isn't included; give --include '${manifest}'`,
      );
  }
}
