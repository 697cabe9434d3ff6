// The rate of rows that have no date: by a clock of the recording's own, or by times of the day.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { imported, lines, makeRows, temp, write } from "./imported.ts";

const pad = (number: number) => String(number).padStart(2, "0");
const dayClock = (seconds: number) =>
  [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(pad).join(":");
const table = (names: string, clock: (i: number) => string | number, count = 60) =>
  write(lines(names, ...makeRows((i) => `${clock(i)},${temp(i)},${(i % 9) + 0.25}`, count)));

test("times of the day without a date give the period, over midnight, too", async () => {
  const { description, stdout, doubts } = await imported(
    table("Time,temp,hum", (i) => dayClock(86_100 + 10 * i)),
  );
  assert.is(description.period, 10_000);
  assert.match(stdout, /sampled +a row each 10 s/);
  assert.ok(doubts.includes("Time is left out, as a time of the day without its date"), doubts.join("\n"));
});

test("a clock whose steps vary by less than a tenth gives the rate", async () => {
  for (const [name, clock, key, wanted] of [
    ["t_ms", (i: number) => 50 * i + (i % 3), "rate", 20],
    ["Time (s)", (i: number) => (16 * i + [0, 0.9, 0][i % 3]).toFixed(4), "period", 16_000],
  ] as const) {
    const { description } = await imported(table(`${name},temp,hum`, clock, 61));
    assert.ok(Math.abs((description[key] ?? 0) / wanted - 1) < 0.01, `${name}: ${description[key]}`);
  }
});

test("a clock in a unit from nanoseconds to days gives the rate in seconds, and a least value is no clock", async () => {
  for (const [name, step, period] of [
    ["Time [min]", 0.05, 3000],
    ["Time (minutes)", 1, 60_000],
    ["Zeit / h", 0.25, 900_000],
    ["Time (days)", 0.01, 864_000],
    ["time_ns", 200_000_000, 200],
  ] as const) {
    const { description, doubts } = await imported(
      table(`${name},temp,hum`, (i) => Number((i * step).toFixed(2)) + 3 * step),
    );
    assert.is(description.period, period, name);
    assert.not(doubts.some((doubt: string) => doubt.includes("taken in seconds")));
  }
  const least = await imported(table("temp_min,temp_max,hum", (i) => 0.05 * i + (i % 3)));
  assert.equal([least.description.period, least.features], [undefined, ["temp_min", "temp_max", "hum"]]);
});

test("a clock that gives no rate is said, with its step", async () => {
  const says = async (names: string, clock: (i: number) => string | number) =>
    (await imported(table(names, clock, 61))).doubts.find((doubt: string) =>
      doubt.includes("no rate is known"),
    );
  assert.is(
    await says("t,temp,hum", (i) => 2000 + 50 * i),
    'no rate is known: t rises by 50 from row to row; "rate" in the description says how many rows a second',
  );
  assert.is(
    await says("Time,temp,hum", (i) => dayClock(50_000 + Math.floor(i / 4))),
    'no rate is known: Time stands still for several rows, 4 a second in the mean; "rate" in the description says how many',
  );
});

test("a clock that begins anew every so many rows is no reading: under the name of a time, or beside a row's number", async () => {
  const clock = (i: number) => (24 + 36 * (i % 24)).toFixed(3);
  const named = await imported(table("datetime,temp,hum", clock));
  assert.equal(named.description.features, ["temp", "hum"]);
  const rows = makeRows((i) => `${i},${clock(i)},${temp(i)},${(i % 9) + 0.25},${i % 3 ? "yes" : "no"}`, 120);
  const { description, doubts } = await imported(write(lines(...rows)));
  assert.equal(description.features, [3, 4]);
  assert.ok(
    doubts.some((doubt: string) => doubt.startsWith("column 1, column 2 are left out")),
    doubts.join("\n"),
  );
});

test("dates that stand still for several rows have no period, and import says how many", async () => {
  const { description, doubts } = await imported(
    table("when,temp,hum", (i) => `2026-03-01 ${dayClock(36_000 + Math.floor(i / 4))}`, 61),
  );
  assert.is(description.period, undefined);
  const uneven = await imported(
    table("when,temp,hum", (i) => `2026-03-01 ${dayClock(36_000 + Math.floor(i * 0.625))}`, 65),
  );
  assert.match(uneven.doubts.join(), /when stands still for several rows, 1.6 a second in the mean/);
  assert.not.match(uneven.stdout, /a row each/);
  assert.ok(
    doubts.includes(
      'no rate is known: when stands still for several rows, 4 a second in the mean; "rate" in the description says how many',
    ),
    doubts.join("\n"),
  );
});

test("of one time written twice the one with its zone is taken", async () => {
  const row = (i: number) => {
    const at = new Date(Date.UTC(2026, 2, 1, 8, 0, 15 * i));
    const local = new Date(at.getTime() + 2 * 3_600_000).toISOString().slice(0, 19).replace("T", " ");
    return `${local};${at.getTime() / 1000}.25;${temp(i)}`;
  };
  const { time } = await imported(write(lines(...makeRows(row))));
  assert.equal([time.column, time.first], ["column 2", "2026-03-01T08:00:00.250Z"]);
});

test("rows without names that count or have a clock are a recording: their last readings are no label", async () => {
  for (const first of [(i: number) => `${114_238 + Math.floor(i / 3)}.00`, (i: number) => String(40 * i)]) {
    const { label } = await imported(
      write(lines(...makeRows((i) => `${first(i)},${temp(i)},${100 + i * i}.5,${i % 9}.25`, 200))),
    );
    assert.is(label, null);
  }
});

test("a clock behind a word gives the rate, though no column has a name", async () => {
  const rows = makeRows((i) => `ACC;${(0.001 + 0.01 * i).toFixed(3)};${temp(i)};${(i % 9) + 0.25}`);
  const { description, doubts } = await imported(write(lines(...rows)));
  assert.is(description.rate, 100);
  assert.match(doubts.join("\n"), /^the rate is by column 2, taken in seconds/m);
});

test("numbers that rise as a counter's do are none of the features under any name, though some rows are out of turn", async () => {
  const starts = [0, 23, 31, 95];
  const restarted = (i: number) => i - Math.max(...starts.filter((start) => start <= i)) + 1;
  const millis = (i: number) => 2169 + 23 * (i % 250) + (i % 3);
  for (const [name, value, count] of [
    ["reading", restarted, 160],
    ["ordinal", (i: number) => [2, 1][i] ?? i + 1, 60],
    ["f", millis, 600],
  ] as const) {
    const { description, doubts } = await imported(table(`${name},temp,hum`, value, count));
    assert.equal(description.features, ["temp", "hum"], name);
    assert.ok(
      doubts.includes(`${name} is left out, as it rises from row to row like a counter or a clock`),
      name,
    );
  }
});

const ANEW =
  "rises by the same step and begins anew, as a number of the row or of a series does: if it is no reading, take it out of the description's features, and make a file of each series";

test("whole numbers that rise by the same step and begin anew may number rows or series, and import says so", async () => {
  const said = async (name: string, value: (i: number) => number, clock: (i: number) => string) => {
    const rows = makeRows((i) => `${clock(i)},${value(i)},${temp(i)},${(i % 9) + 0.25}`, 96);
    const { doubts, columns } = await imported(write(lines(`when,${name},temp,hum`, ...rows)));
    assert.is(columns.find((column: { name: string }) => column.name === name)?.role, "feature");
    return doubts.includes(`${name} ${ANEW}`);
  };
  const each = (i: number) => `2026-03-01 ${dayClock(36_000 + i)}`;
  const often = (i: number) => `2026-03-01 ${dayClock(36_000 + Math.floor(i / 1.7))}`;
  assert.ok(await said("converter", (i) => i % 4, often), "channels that are read in turn");
  assert.ok(await said("offset", (i) => 500 * (Math.floor(i / 3) % 8), each), "the beginnings of windows");
  assert.not.ok(await said("led", (i) => i % 2, each), "a switch");
  assert.not.ok(await said("stage", (i) => [0, 1, 1, 1, 1, 1, 1, 2][i % 8], each), "stages that last");
  assert.not.ok(await said("level", (i) => (i * i) % 11, each), "a reading");
});

test("what people read has a period's digits, not those that arithmetic adds", async () => {
  const { stdout } = await imported(table("Time (s),temp,hum", (i) => (0.102341 * i).toFixed(6)));
  assert.match(stdout, /sampled +a row each 0\.102341 s\n/);
  const dates = (i: number) => (1_772_352_000 + 0.102341 * i).toFixed(6);
  const { description } = await imported(table("timestamp,temp,hum", dates));
  assert.is(String(description.period), "102.341");
});

test("numbers of rows are none of the features under a name of their own, though some are lost or there are few", async () => {
  const lost = (i: number) => i + 3 * Math.floor(i / 10) + (i % 10 > 4 ? 1 : 0) + (i % 10 > 7 ? 1 : 0);
  for (const [name, value, count] of [
    ["Packet", lost, 60],
    ["Lfd. Nr", (i: number) => i + 1, 12],
    ["Record Number", (i: number) => i, 15],
  ] as const) {
    const { features, doubts } = await imported(table(`${name},temp,hum`, value, count));
    assert.equal(features, ["temp", "hum"], name);
    const why = `${name} is left out, as it rises from row to row like a counter or a clock`;
    assert.ok(doubts.includes(why), doubts.join("\n"));
  }
});

test.run();
