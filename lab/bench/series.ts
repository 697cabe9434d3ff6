import { Random } from "../../host/random.ts";
import type { TableOptions } from "../../host/streams/index.ts";
import { Elementary } from "../../src/math/elementary.ts";
import { PapersData } from "../experiments/lib/data.ts";

/** A series of numbers, and how many steps ahead it is forecast. */
export interface Series {
  readonly name: string;
  readonly doc: string;
  readonly horizon: number;
  /** In the data folder; none: the seed generates it. */
  readonly file?: string;
  /** At least its first numbers, or all. */
  read(folder: PapersData, count: number): Promise<ArrayLike<number>>;
}

const TWO_PI = 6.2831853;
const elementary = new Elementary();

function recordedSeries(
  name: string,
  horizon: number,
  doc: string,
  file: string,
  column: string,
  options: TableOptions = {},
): Series {
  const read = async (folder: PapersData) =>
    (await folder.table(file, { label: false, columns: [column], ...options })).rows;
  return { name, horizon, doc, file, read };
}

/** `next` returns the number at time t, from those before. */
function drawnSeries(
  name: string,
  horizon: number,
  doc: string,
  next: (random: Random, t: number, before: readonly number[]) => number,
): Series {
  const read = async (_: PapersData, count: number) => {
    const random = new Random(1, `forecasts/${name}`);
    const values: number[] = [];
    for (let t = 0; t < count; t++) values.push(next(random, t, values));
    return values;
  };
  return { name, horizon, doc, read };
}

/** The last number but k, 0 before the first. */
const back = (before: readonly number[], k: number) => before[before.length - k] ?? 0;

/** Coefficients of an autoregression that take turns, 1000 numbers each. */
const REGIMES = [
  [1.6, -0.8],
  [0.4, 0.4],
];

const NAB = "NAB/data/realKnownCause";

export const SERIES: readonly Series[] = [
  recordedSeries(
    "office temperature",
    6,
    "an office's temperature in 6 hours",
    `${NAB}/ambient_temperature_system_failure.csv`,
    "value",
  ),
  recordedSeries(
    "humidity",
    3,
    "the humidity at Newark in 3 hours",
    "Rdatasets/csv/nycflights13/weather.csv",
    "humid",
    { missing: "hold" },
  ),
  recordedSeries("CO2", 20, "a room's CO2 in 20 minutes", "Occupancy-detection-data/datatest2.txt", "CO2", {
    rowNames: true,
  }),
  recordedSeries(
    "machine temperature",
    12,
    "a machine's temperature in an hour, every 5 minutes",
    `${NAB}/machine_temperature_system_failure.csv`,
    "value",
  ),
  recordedSeries("taxi", 1, "passengers of New York's taxis in half an hour", `${NAB}/nyc_taxi.csv`, "value"),
  recordedSeries(
    "demand",
    4,
    "Victoria's demand for electricity in 2 hours",
    "Rdatasets/csv/tsibbledata/vic_elec.csv",
    "Demand",
  ),
  drawnSeries(
    "walk",
    5,
    "a random walk, 5 steps ahead",
    (random, _, before) => back(before, 1) + random.normal(),
  ),
  drawnSeries(
    "waves",
    6,
    "two waves of 48 and 300 steps with noise, 6 steps ahead",
    (random, t) =>
      4 * elementary.sin(Math.fround((TWO_PI * (t % 48)) / 48)) +
      6 * elementary.sin(Math.fround((TWO_PI * (t % 300)) / 300)) +
      random.normal(),
  ),
  drawnSeries(
    "regimes",
    1,
    "two autoregressions that take turns, 1000 steps each, 1 step ahead",
    (random, t, before) => {
      const [first, second] = REGIMES[Math.floor(t / 1000) % REGIMES.length];
      return first * back(before, 1) + second * back(before, 2) + random.normal();
    },
  ),
];

/** Where the recorded ones are to be had: clones of public repositories in the data folder. */
export const SERIES_SOURCES =
  "github.com/numenta/NAB (MIT), github.com/vincentarelbundock/Rdatasets (GPL 3), github.com/LuisM78/Occupancy-detection-data";

/** The series that can be read: all that are generated, and those whose file is in the folder. */
export function seriesIn(data: string | undefined): { series: Series[]; folder: PapersData } {
  const folder = new PapersData(data);
  return { series: SERIES.filter(({ file }) => file === undefined || folder.has(file)), folder };
}
