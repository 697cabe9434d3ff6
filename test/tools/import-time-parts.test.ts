// A time whose parts have a column each.
import { writeFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readTable } from "../../host/streams/index.ts";
import { imported, lines, makeRows, stateAt, temp, write } from "./imported.ts";

const two = (number: number) => String(number).padStart(2, "0");
/** The hour i of a recording that begins shortly before a month ends. */
const hourAt = (i: number) => new Date(2024, 1, 28, 20 + i);

type Row = readonly [about: string, names: string, cells: (date: Date) => string, parts: object];
const dayOfYear = (date: Date) =>
  Math.round((new Date(date).setHours(0) - new Date(date.getFullYear(), 0, 1).getTime()) / 86_400_000) + 1;
const ymd = (date: Date) => [date.getFullYear(), date.getMonth() + 1, date.getDate()];

const ROWS: readonly Row[] = [
  [
    "English names",
    "year,month,day,hour",
    (date) => [...ymd(date), date.getHours()].join(),
    { year: "year", month: "month", day: "day", hour: "hour" },
  ],
  [
    "minutes and seconds, the day first",
    "DD,MM,YYYY,hh,mm,ss",
    (date) => [...ymd(date).reverse(), date.getHours(), 0, 0].join(),
    { year: "YYYY", month: "MM", day: "DD", hour: "hh", minute: "mm", second: "ss" },
  ],
  [
    "German names",
    "Jahr,Monat,Tag,Stunde,Minute",
    (date) => [...ymd(date), date.getHours(), 0].join(),
    { year: "Jahr", month: "Monat", day: "Tag", hour: "Stunde", minute: "Minute" },
  ],
  [
    "Portuguese names and a month's name",
    "ANO,MÊS,DIA,HORA (UTC)",
    (date) =>
      [date.getFullYear(), ["Feb", "Mar"][date.getMonth() - 1], date.getDate(), date.getHours()].join(),
    { year: "ANO", month: "MÊS", day: "DIA", hour: "HORA (UTC)" },
  ],
  [
    "Spanish names, and a clock",
    "año,mes,día,momento",
    (date) => [...ymd(date), `${date.getHours()}:00`].join(),
    { clock: "momento", year: "año", month: "mes", day: "día" },
  ],
  [
    "the day of the year, and 24 for midnight",
    "Year,DOY,Hour",
    (date) =>
      date.getHours() === 0
        ? [date.getFullYear(), dayOfYear(new Date(date.getTime() - 1)), 24].join()
        : [date.getFullYear(), dayOfYear(date), date.getHours()].join(),
    { year: "Year", dayOfYear: "DOY", hour: "Hour" },
  ],
  [
    "hours and minutes in four digits, two of the year",
    "YY,Day,HHMM",
    (date) => [date.getFullYear() - 2000, dayOfYear(date), date.getHours() * 100].join(),
    { year: "YY", dayOfYear: "Day", hourMinute: "HHMM" },
  ],
  [
    "a date, and the hour",
    "datum,std,hr",
    (date) => [`${date.getDate()}.${two(date.getMonth() + 1)}.2024`, 7, date.getHours()].join(),
    { date: "datum", hour: "hr" },
  ],
  [
    "a date with its midnight, and the hour",
    "date,hour",
    (date) => [`2024-${two(date.getMonth() + 1)}-${two(date.getDate())} 00:00:00`, date.getHours()].join(),
    { date: "date", hour: "hour" },
  ],
  [
    "a date, and the hour that ends",
    "Date,HE",
    (date) => [`2024-${two(date.getMonth() + 1)}-${two(date.getDate())}`, date.getHours()].join(),
    { date: "Date", hour: "HE" },
  ],
  [
    "a date in digits, and the hour",
    "date,hour",
    (date) => [`2024${two(date.getMonth() + 1)}${two(date.getDate())}`, date.getHours()].join(),
    { date: "date", hour: "hour" },
  ],
];

for (const [about, names, cells, parts] of ROWS)
  test(`a date in parts is the time: ${about}`, async () => {
    const rows = makeRows((i) => `${i + 1},${cells(hourAt(i))},${temp(i)},${stateAt(i)}`);
    const { description, time, stdout, features, data } = await imported(
      write(lines(`No,${names},temp,state`, ...rows)),
    );
    assert.equal(description.time, parts);
    assert.equal([time.first, time.periodSeconds], [hourAt(0).toISOString(), 3600]);
    assert.equal(description.period, 3_600_000);
    assert.equal(features, names.includes("std") ? ["std", "temp"] : ["temp"]);
    assert.is(data.count, rows.length);
    assert.match(stdout, new RegExp(`time +${Object.values(parts).join(" ").replace(/[()]/g, "\\$&")} `));
  });

test("names and units in two comments above the rows are those of a date in parts, too", async () => {
  const rows = makeRows((i) => {
    const date = hourAt(i);
    return `${[...ymd(date), date.getHours(), 50].map(two).join(" ")}  ${i % 7}.5  ${i % 5}.25`;
  });
  const file = write(lines("#YY  MM DD hh mm WSPD  WTMP", "#yr  mo dy hr mn  m/s  degC", ...rows), "txt");
  const { time, features, description } = await imported(file);
  assert.equal([time.periodSeconds, features], [3600, ["WSPD [m/s]", "WTMP [degC]"]]);
  assert.equal([description.time.minute, description.label], ["mm [mn]", false]);
});

test("a table of a row each so many seconds, and labels at times, take a date in parts", async () => {
  const rows = makeRows((i) => `${[...ymd(hourAt(i)), hourAt(i).getHours()].join()},${temp(i)},${i % 5}`);
  const file = write(lines("year,month,day,hour,temp,hum", ...rows));
  const { features, description, data } = await imported(file, "--every", "7200");
  assert.equal([features, description.time.day, data.count], [["temp"], "day", 30]);
  const labels = write(
    lines(
      "year,month,day,hour,state",
      ...[0, 20, 40].map((i) => [...ymd(hourAt(i)), hourAt(i).getHours(), stateAt(i / 2)].join()),
    ),
  );
  const labelled = await imported(file, "--force", "--labels", labels);
  assert.equal(labelled.features, ["temp", "hum"]);
  assert.equal(labelled.description.labels.time, { year: "year", month: "month", day: "day", hour: "hour" });
  assert.is(labelled.data.count, rows.length);
});

test("parts without a year, of no day, or for one row of many are no time", async () => {
  for (const [names, cells] of [
    ["month,day,hour", (i: number) => [2, 28, i % 24].join()],
    ["year,month,hour", (i: number) => [2024, 2, i % 24].join()],
    ["yr,mnth,hr", (i: number) => [0, 2, i % 24].join()],
    ["year,month,day", () => [2024, 2, 30].join()],
  ] as const) {
    const { time, features, doubts } = await imported(
      write(lines(`${names},temp,state`, ...makeRows((i) => `${cells(i)},${temp(i)},${stateAt(i)}`))),
    );
    assert.equal([time, features], [undefined, ["temp"]], names);
    assert.match(doubts.join("\n"), /are left out, as parts of the date/, names);
  }
});

test("a part that is wrong is a bad row, where such are skipped", async () => {
  const rows = makeRows(
    (i) => `2024,2,${i === 7 ? 31 : 28},${Math.floor(i / 3)},${20 * (i % 3)},${temp(i)},${stateAt(i)}`,
  );
  const file = write(lines("year,month,day,hour,minute,temp,state", ...rows));
  const { doubts } = await imported(file);
  assert.match(
    doubts.join("\n"),
    /year, month, day, hour, minute are left out for 1 cell that is no time, the first "2024 2 31 2 20" at .*:9;/,
  );
  const skipping = await imported(file, "--force", "--skip-bad-rows");
  assert.equal([skipping.time.periodSeconds, skipping.data.count], [1200, rows.length - 1]);
});

test("a description's parts of a time are checked", async () => {
  const file = write(
    lines("year,month,day,hour,temp,label", ...makeRows((i) => `2024,2,28,1,${temp(i)},${i % 2}`)),
  );
  for (const time of [
    { month: "month" },
    { year: "year", hour: "hour" },
    { year: "year", week: "day" },
    {},
  ]) {
    writeFileSync(`${file}.data.json`, JSON.stringify({ schema: "motelearn.data/1", time }));
    let message = "";
    try {
      await readTable(file);
    } catch (error) {
      message = String(error);
    }
    assert.match(
      message,
      /time: got \{.*; takes a column's name, or its number from 1; or those of parts, as \{"year"/,
    );
  }
});

test("a day of two digits each is one beside a clock with colons", async () => {
  const rows = makeRows((i) => `${1 + (i % 2)};01.03.24;08:${two(i >> 1)}:00;${i % 7},5`);
  const { time, features, sources } = await imported(write(lines("device;Datum;Uhrzeit;Pac", ...rows)));
  assert.equal([time.parts, time.first.slice(0, 10)], [{ date: "Datum", clock: "Uhrzeit" }, "2024-03-01"]);
  assert.equal([features, sources?.column], [["Pac"], "device"]);
});

test("milliseconds may stand behind a colon", async () => {
  const clock = (i: number) => `08:${two(i >> 1)}:${i % 2 ? "30" : "00"}:125`;
  for (const [header, date] of [
    ["Time,T", "03/31/2024 "],
    ["Date,Time,T", "2024-03-31,"],
  ]) {
    const rows = makeRows((i) => `${date}${clock(i)},${temp(i)}`);
    const { time, features } = await imported(write(lines(header, ...rows)));
    assert.equal([time.periodSeconds, time.first.slice(-7), features], [30, "00.125Z", ["T"]]);
  }
});

test("rows without a time among others are said", async () => {
  const rows = makeRows((i) => `${i};2024-03-31 08:${two(i)};${temp(i)}`);
  const sums = ["Least;;20.5", "Middle;;23.5"];
  const { doubts } = await imported(write(lines("id;when;temp", ...rows, ...sums)));
  assert.match(
    doubts.join(),
    /when is missing in 2 rows: take them out if they are no samples, as sums aren't/,
  );
});

test("milliseconds beside a time are a part of it, and no reading", async () => {
  const rows = makeRows(
    (i) => `2024/03/01 08:00:${two(i >> 1)},${i % 2 ? "500" : "000"},${i % 7}.5,${i % 9}.25`,
  );
  const found = await imported(write(lines("Sampling interval,500ms", "Date&Time,ms,CH1,CH2", ...rows)));
  assert.equal([found.features, found.description.period, found.time.gaps], [["CH1", "CH2"], 500, 0]);
  assert.equal(found.description.time, { date: "Date&Time", millisecond: "ms" });
  assert.match(found.stdout, /first row +2024-03-01T08:00:00.000Z/);
  const unpadded = makeRows((i) => `2024/03/01;08:00:${two(i >> 1)};${500 * (i % 2)};${i % 7}.5`);
  for (const name of ["(Milli)", "Millisecond", "ms [ms]"]) {
    const apart = await imported(write(lines(`Date;Time;${name};CH1`, ...unpadded)));
    assert.equal([apart.features, apart.description.period], [["CH1"], 500]);
    assert.equal(apart.description.time, { date: "Date", clock: "Time", millisecond: name });
    assert.is(apart.time.last, "2024-03-01T08:00:29.500Z");
  }
  const delays = makeRows((i) => `2024/03/01 08:00:${two(i)},${(i * i * 37) % 700},${i % 7}.5`);
  for (const name of ["msec", "ms", "milliseconds"])
    assert.equal((await imported(write(lines(`when,${name},CH1`, ...delays)))).features, [name, "CH1"]);
  const steps = makeRows((i) => `2024/03/01 08:00:${two(Math.floor(i / 5))},${200 * (i % 5)},${i % 7}.5`);
  const stepped = await imported(write(lines("when,ms,CH1", ...steps)));
  assert.equal([stepped.features, stepped.sources], [["CH1"], undefined]);
});

test("the half of a day may be written by one letter, with points, or as in Spanish", async () => {
  for (const [am, pm] of [
    ["a", "p"],
    [" a.m.", " p.m."],
    [" a. m.", " p. m."],
  ]) {
    const clock = (i: number) => `${i % 12 || 12}:05${i % 24 < 12 ? am : pm}`;
    const rows = makeRows((i) => `3/${1 + Math.floor(i / 24)}/24\t${clock(i)}\t${i % 7}.5`);
    const { time, features } = await imported(write(lines("Date\tTime\tTemp", ...rows)));
    assert.equal([time.dateOrder, time.periodSeconds, features], ["MDY", 3600, ["Temp"]]);
  }
});

test("parts of a date and a time without names are the time, if their order shows", async () => {
  const start = new Date(2026, 2, 1, 8).getTime();
  const at = (i: number, step: number) => new Date(start + 1000 * step * i);
  for (const [step, row] of [
    [60, (t: Date) => [...ymd(t), t.getHours(), t.getMinutes()]],
    [30, (t: Date) => [...ymd(t), t.getHours(), t.getMinutes(), t.getSeconds()]],
    [3600, (t: Date) => [...ymd(t), t.getHours()]],
    [3600, (t: Date) => [...ymd(t).reverse(), t.getHours(), t.getMinutes(), t.getSeconds()]],
    [1800, (t: Date) => [t.getFullYear(), dayOfYear(t), `${t.getHours()}${two(t.getMinutes())}`]],
    [86_400, ymd],
  ] as const) {
    const rows = makeRows((i) => [...row(at(i, step)), temp(i), (i % 9) + 40.25].join());
    const { time, label, description } = await imported(write(lines(...rows)));
    const { length } = row(at(0, step));
    const text = `${length} parts, ${step} s`;
    const first = Date.parse(step === 86_400 ? "2026-03-01 0:00" : "2026-03-01 8:00");
    const found = [new Date(time?.first).getTime(), time?.periodSeconds, label];
    assert.equal(found, [first, step, null], text);
    assert.equal(description.features, [length + 1, length + 2], text);
  }
});

test("parts of a date without names whose order doesn't show are none of the features, and import says so", async () => {
  const parts = (date: string, i: number) => `${date},${10 + Math.floor(i / 30)},${2 * (i % 30)},0`;
  for (const date of ["2,10,2017", "10,2,2017"]) {
    const rows = makeRows((i) => `${parts(date, i)},${temp(i)},${(i % 9) + 40}.25`);
    const { description, doubts } = await imported(write(lines(...rows)));
    assert.equal(description.features, [7, 8], date);
    const names = Array.from({ length: 6 }, (_, at) => `column ${at + 1}`);
    assert.ok(doubts.includes(`${names.join(", ")} are left out, as parts of the date`), doubts.join("\n"));
  }
  for (const readings of [
    makeRows((i) => `2,10,${2017 + (i % 3)},${900 + (i % 8)},${temp(i)}`),
    makeRows((i) => `2017,10,2,${20 + (i % 3)},${temp(i)}`),
  ])
    assert.is((await imported(write(lines(...readings)))).time, undefined);
});

test("numbers that are times of the rows' own span are a time beside theirs, whatever their name", async () => {
  const seconds = Date.UTC(2026, 2, 1, 8) / 1000;
  const written = (i: number) => new Date((seconds + 10 * i) * 1000).toISOString();
  for (const scale of [1, 1000]) {
    const contact = (i: number) => scale * (seconds + 10 * i - (i % 4) * 7);
    const rows = makeRows((i) => `${written(i)},${contact(i)},${temp(i)},${(i % 9) + 0.25}`);
    const named = await imported(write(lines("seen,contact,temp,hum", ...rows)));
    assert.equal(named.description.features, ["temp", "hum"]);
    assert.ok(
      named.doubts.includes("contact is left out, as a time beside the rows'"),
      named.doubts.join("\n"),
    );
    assert.equal((await imported(write(lines(...rows)))).description.features, [3, 4]);
  }
});

test("readings beside a clock that was never set, which begins in 1970, are no times", async () => {
  const rows = makeRows((i) => `${new Date(60_000 * i).toISOString()},${temp(i)},${(i % 9) - 4.25}`);
  assert.equal((await imported(write(lines("seen,temp,tilt", ...rows)))).description.features, [
    "temp",
    "tilt",
  ]);
});

test("seconds since 1970 under the name of their unit are the time, and what stands behind them is no reading", async () => {
  const seconds = Date.UTC(2026, 2, 1, 8) / 1000;
  for (const [name, digits] of [
    ["nsecs", 1e9],
    ["usec", 1e6],
    ["nanoseconds", 1e9],
  ] as const) {
    const rows = makeRows(
      (i) => `${seconds + 2 * i},${(i * 7919 * 104_729) % digits},${temp(i)},${(i % 9) + 0.25}`,
    );
    const { time, features, doubts } = await imported(write(lines(`secs,${name},temp,hum`, ...rows)));
    assert.equal([time?.column, time?.periodSeconds, features], ["secs", 2, ["temp", "hum"]], name);
    assert.ok(doubts.includes(`${name} is left out, as a part of the date`), doubts.join("\n"));
  }
  const clock = makeRows((i) => `${960_000_000 + 20_000 * i},${temp(i)},${(i % 9) + 0.25}`);
  assert.is((await imported(write(lines("micros,temp,hum", ...clock)))).time, undefined);
});

test("one mistyped date among dates with a clock of their own is named, in the first row, too; the rows' step is known", async () => {
  for (const wrong of [0, 40]) {
    const date = (i: number) => (i === wrong ? "01.03.20226" : "01.03.2026");
    const clock = (i: number) => `08:${String(i).padStart(2, "0")}:00`;
    for (const [header, mark, names] of [
      ["Datum;Uhrzeit;temp", ";", "Datum, Uhrzeit are"],
      ["Zeit;temp", " ", "Zeit is"],
    ] as const) {
      const file = write(lines(header, ...makeRows((i) => `${date(i)}${mark}${clock(i)};${temp(i)}`)));
      const { doubts, description, time } = await imported(file);
      const why = `${names} left out for 1 cell that is no time, the first "01.03.20226 08:`;
      assert.ok(
        doubts.some((doubt: string) => doubt.startsWith(why)),
        doubts.join("\n"),
      );
      assert.equal([time, description.time, description.period], [undefined, undefined, 60_000]);
      const skipping = await imported(file, "--force", "--skip-bad-rows");
      assert.equal([skipping.rows, skipping.time.periodSeconds], [59, 60]);
    }
  }
});

test("numbers that rise steadily as a time since 1970 are one, under any name", async () => {
  for (const [name, scale] of [
    ["dt", 1],
    ["dt", 1000],
    ["sampleMs", 1000],
    ["taken", 1e6],
  ] as const) {
    const at = (i: number) => String(scale * (Date.UTC(2026, 2, 1, 8) / 1000 + 30 * i));
    const rows = makeRows((i) => `${at(i)},${temp(i)},${(i % 9) + 0.25}`);
    const objects = makeRows((i) => `{"${name}": ${at(i)}, "temp": ${temp(i)}, "hum": ${(i % 9) + 0.25}}`);
    for (const file of [
      write(lines(`${name},temp,hum`, ...rows)),
      write(`[${objects.join(",\n")}]`, "json"),
    ]) {
      const { time, features } = await imported(file);
      assert.equal(
        [time?.first, time?.periodSeconds, features],
        ["2026-03-01T08:00:00.000Z", 30, ["temp", "hum"]],
        `${name} ${scale}`,
      );
    }
  }
});

test("a counter that rises as steadily as seconds since 1970 is none beside a time", async () => {
  const rows = makeRows((i) => `${1_600_000_000 + 15 * i},2026-03-01T08:${two(i)}:00Z,${temp(i)}`);
  const { time, features } = await imported(write(lines("energy,when,temp", ...rows)));
  assert.equal([time?.column, features], ["when", ["temp"]]);
});

test.run();
