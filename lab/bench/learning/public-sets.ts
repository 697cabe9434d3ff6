import type { RecordedSet } from "./recorded.ts";

/** Public repositories, to be cloned into the data folder: whose each is, and the licence that it states. */
export const REPOSITORIES: { readonly [folder: string]: string } = {
  Rdatasets: "github.com/vincentarelbundock/Rdatasets, data of R's packages (GPL 3)",
  Datasets: "github.com/jbrownlee/Datasets, sets of the UCI repository (CC BY 4.0 there)",
  "streaming-datasets": "github.com/scikit-multiflow/streaming-datasets (BSD 3-clause)",
  SKAB: "github.com/waico/SKAB, a water loop whose valves are closed (GPL 3)",
};

const NO_HEADER = { header: false } as const;
const HELD = { missing: "hold" } as const;

/** Of log(NOx / ppb) in the file. */
const NOX_MEDIAN = 4.49702802736839;

type PublicSet = Omit<RecordedSet, "timed">;

const IN_TIME_ORDER: readonly PublicSet[] = [
  {
    name: "weather",
    doc: "rain at Bellevue, Nebraska, by the day's weather, 1949 to 1999",
    files: ["streaming-datasets/weather.csv"],
    options: { label: "target" },
    positive: (label) => label === 1,
  },
  {
    name: "pm25",
    doc: "fine dust in Beijing above 75 ug/m3, by the hour's weather",
    files: ["Datasets/pollution.csv"],
    options: { label: "pm2.5", columns: ["hour", "DEWP", "TEMP", "PRES", "Iws", "Is", "Ir"] },
    positive: (label) => Number(label) > 75,
  },
  {
    name: "airport",
    doc: "rain at the airport of Newark, by the hour's weather",
    files: ["Rdatasets/csv/nycflights13/weather.csv"],
    options: {
      label: "precip",
      columns: ["hour", "temp", "dewp", "humid", "wind_speed", "pressure", "visib"],
      ...HELD,
    },
    positive: (label) => Number(label) > 0,
  },
  {
    name: "innsbruck",
    doc: "rain at Innsbruck within three days, by eleven forecasts",
    files: ["Rdatasets/csv/crch/RainIbk.csv"],
    options: { label: "rain", columns: Array.from({ length: 11 }, (_, i) => `rainfc.${i + 1}`) },
    positive: (label) => Number(label) > 0,
  },
  {
    name: "nox",
    doc: "nitrogen oxides beside a motorway above their median, by emissions and wind",
    files: ["Rdatasets/csv/robustbase/NOxEmissions.csv"],
    options: { label: "LNOx", columns: ["LNOxEm", "sqrtWS"] },
    positive: (label) => Number(label) > NOX_MEDIAN,
  },
  {
    name: "vic-elec",
    doc: "Victoria's demand for electricity: whether it rises within half an hour, by demand and temperature",
    files: ["Rdatasets/csv/tsibbledata/vic_elec.csv"],
    options: { label: false, columns: ["Demand", "Temperature"] },
    positive: (_, row, { rows, dimension }) => rows[(row + 1) * dimension] > rows[row * dimension],
  },
  {
    name: "skab",
    doc: "a water loop: whether a valve is closed, by eight sensors, four runs",
    files: [0, 1, 2, 3].map((run) => `SKAB/data/valve1/${run}.csv`),
    options: {
      label: "anomaly",
      columns: [
        ...["Accelerometer1RMS", "Accelerometer2RMS", "Current", "Pressure"],
        ...["Temperature", "Thermocouple", "Voltage", "Volume Flow RateRMS"],
      ],
    },
    positive: (label) => label === 1,
  },
];

const IN_NO_ORDER: readonly PublicSet[] = [
  {
    name: "banknote",
    doc: "forged bank notes, by four moments of their pictures",
    files: ["Datasets/banknote_authentication.csv"],
    options: { ...NO_HEADER, label: 5 },
    positive: (label) => label === 1,
  },
  {
    name: "phoneme",
    doc: "nasal or oral vowels, by five harmonics",
    files: ["Datasets/phoneme.csv"],
    options: { ...NO_HEADER, label: 6 },
    positive: (label) => label === 1,
  },
  {
    name: "wine",
    doc: "white wines of quality 6 or more, by eleven analyses",
    files: ["Datasets/winequality-white.csv"],
    options: { ...NO_HEADER, label: 12 },
    positive: (label) => Number(label) >= 6,
  },
  {
    name: "mammography",
    doc: "microcalcifications, 2 % of all, by six features",
    files: ["Datasets/mammography.csv"],
    options: { ...NO_HEADER, label: 7 },
    positive: (label) => label === "'1'",
  },
  {
    name: "adult",
    doc: "an income above 50,000 dollars, by six numbers of the census",
    files: ["Datasets/adult-train.csv"],
    options: { ...NO_HEADER, label: 15, columns: ["1", "3", "5", "11", "12", "13"] },
    positive: (label) => label === ">50K",
  },
  {
    name: "abalone",
    doc: "abalones of ten rings or more, by seven measures",
    files: ["Datasets/abalone.csv"],
    options: { ...NO_HEADER, label: 9, columns: ["2", "3", "4", "5", "6", "7", "8"] },
    positive: (label) => Number(label) >= 10,
  },
  {
    name: "spam7",
    doc: "unwanted mail, by six frequencies of words",
    files: ["Rdatasets/csv/DAAG/spam7.csv"],
    options: { label: "yesno", columns: ["crl.tot", "dollar", "bang", "money", "n000", "make"] },
    positive: (label) => label === "y",
  },
  {
    name: "default",
    doc: "credit card holders who don't pay, 3 % of all, by balance and income",
    files: ["Rdatasets/csv/ISLR/Default.csv"],
    options: { label: "default", columns: ["balance", "income"] },
    positive: (label) => label === "Yes",
  },
  {
    name: "diamonds",
    doc: "diamonds of the best cut, by weight, depth, table and price",
    files: ["Rdatasets/csv/ggplot2/diamonds.csv"],
    options: { label: "cut", columns: ["carat", "depth", "table", "price"] },
    positive: (label) => label === "Ideal",
  },
];

/** Recorded sets of public repositories on which no option of a learner was chosen. */
export const PUBLIC: readonly RecordedSet[] = [
  ...IN_TIME_ORDER.map((set) => ({ ...set, timed: true })),
  ...IN_NO_ORDER.map((set) => ({ ...set, timed: false })),
];
