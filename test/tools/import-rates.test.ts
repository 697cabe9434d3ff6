// The rows a second of a recording whose head says them, or the time between two: oscilloscopes, loggers of vibration.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseRate } from "../../tools/import/said-rate.ts";
import { imported, lines, makeRows, write } from "./imported.ts";

const wave = (i: number) => (Math.round(1e4 * Math.sin(i / 5)) / 1e4).toFixed(4);
const MANY = 120;
/** Samples of one channel or two, with what stands before them. */
const samples = (row: (i: number) => string) => makeRows(row, MANY);

const TEK_FACTS = ["Record Length,120", "Sample Interval,4.0e-06", "Trigger Point,60", ",", "Source,CH1"];

for (const [about, content, features, rate] of [
  [
    "Tektronix' facts beside the first samples",
    samples((i) => `${TEK_FACTS[i] ?? ","},,${(-0.005 + 4e-6 * i).toFixed(12)},${wave(i)},`),
    ["column 5"],
    250_000,
  ],
  [
    "Tektronix' facts above a time without a unit",
    [
      ...[
        "Model,MSO9",
        "Sample Interval,3.2e-06",
        "Record Length,120",
        "Vertical Units,V,V",
        ",,",
        "Label,,",
      ],
      "TIME,CH1,CH2",
      ...samples((i) => `${(-0.005 + 3.2e-6 * i).toExponential(6)},${wave(i)},${wave(i + 3)}`),
    ],
    ["CH1", "CH2"],
    312_500,
  ],
  [
    "Rigol's increment in a column of its own",
    [
      "X,CH1,CH2,Start,Increment,",
      "Sequence,Volt,Volt,-6.0e-03,1.0e-05",
      ...samples((i) => `${i},${wave(i)},${wave(i + 3)},,`),
    ],
    ["CH1 [Volt]", "CH2 [Volt]"],
    100_000,
  ],
  [
    "Rigol's increment among the names",
    ["CH1(V),t0 =-6.0e-03, tInc = 1.0e-06,", ...samples((i) => `${wave(i)},,`)],
    ["CH1(V)"],
    1e6,
  ],
  [
    "Siglent's interval of a channel",
    [
      ...[
        "Record Length,Analog:120",
        "Sample Interval,Analog:0.0000000200",
        "Vertical Units,CH1:V",
        "Source,CH1",
      ],
      "Second,Value",
      ...samples((i) => `${(2e-8 * i).toFixed(10)},${wave(i)}`),
    ],
    ["CH1 [Value]"],
    5e7,
  ],
  [
    "a lone column below many facts",
    [
      ...["Format,1.0B", "Source,CH1", "Vertical Units,V", "Sampling Period,4.0E-07", "Waveform Data,"],
      ...samples((i) => `${Math.round(Number(wave(i)) * 100)},`),
    ],
    ["Waveform Data"],
    2.5e6,
  ],
  [
    "a clock in a comment",
    ["#CHANNEL:CH1", "#CLOCK=4.00uS", "#SIZE=120", ...samples((i) => `${i},${wave(i)}`)],
    ["column 2"],
    250_000,
  ],
  [
    "a rate in a line above the names",
    [
      "Device: belt 3",
      "Sampling rate: 2 kHz",
      "ax,ay,az",
      ...samples((i) => `${wave(i)},${wave(i + 3)},${wave(i + 7)}`),
    ],
    ["ax", "ay", "az"],
    2000,
  ],
  [
    "an interval whose name has its unit",
    ["Belt 3", "Sampling interval [ms];2", "ax;ay", ...samples((i) => `${wave(i)};${wave(i + 3)}`)],
    ["ax", "ay"],
    500,
  ],
  [
    "the time of a sample, and how many samples each channel has, below the names",
    [
      ...["run 7", "1 msec/sample", "2 channels", "min,CH1,CH2", `,${MANY},${MANY}`],
      ...samples((i) => `${i / 60_000},${wave(i)},${wave(i + 3)}`),
    ],
    ["CH1", "CH2"],
    1000,
  ],
] as const)
  test(`a file's head says the rows a second: ${about}`, async () => {
    const found = await imported(write(lines(...content)));
    assert.equal([found.features, found.label, found.rows], [[...features], null, MANY]);
    assert.is(found.description.rate, rate);
  });

test("a head that says another rate than the rows' times is reported", async () => {
  const content = ["Sampling rate: 100 Hz", "t_ms,ax", ...makeRows((i) => `${20 * i},${wave(i)}`)];
  const { description, doubts } = await imported(write(lines(...content)));
  assert.is(description.rate, 50);
  assert.ok(
    doubts.includes("its head says 100 rows a second, its times say others, which are taken"),
    doubts.join(),
  );
});

for (const [name, value, rate] of [
  ["Sample Interval", "1e-3", 1000],
  ["sampling rate", "50 Hz", 50],
  ["Sample Rate", "1 GSa/s", 1e9],
  ["interval", "5 min", 1 / 300],
  ["interval", "5", undefined],
  ["Frequency", "50 Hz", undefined],
  ["Period", "1 ms", undefined],
  ["Sample Interval (ms)", "10", 100],
  ["Sampling rate [kHz]", "2", 2000],
  ["SampleTime[ms]", "1", 1000],
  ["Sample Interval [s]", "5 ms", 200],
  ["sample_rate_hz", "500", 500],
  ["interval_ms", "20", 50],
  ["sampling_time_min", "5", undefined],
  ["Sample Interval (rows)", "5", undefined],
  ["Sample Interval", "none", undefined],
  ["Sample Interval", "0", undefined],
] as const)
  test(`a fact ${name}, ${value} is ${rate === undefined ? "no rate" : `${rate} rows a second`}`, () => {
    const found = parseRate(name, value);
    assert.ok(found === rate || Math.abs((found ?? 0) / (rate ?? 1) - 1) < 1e-6, String(found));
  });

test.run();
