import { readFileSync, writeFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readTable } from "../../host/streams/index.ts";
import { refusesHere, runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";

const written = temporaryFolder();
let files = 0;

const ROWS = 40;
/** A file of that many rows, their time first. */
const makeFile = (timeAt: (i: number) => string, header = "log time,temp,state") =>
  written(
    `${files++}.csv`,
    `${[header, ...Array.from({ length: ROWS }, (_, i) => `${timeAt(i)},${i % 7}.5,${["idle", "run"][(i >> 1) % 2]}`)].join("\n")}\n`,
  );

/** What import finds and prints, and what every command then reads. */
async function imported(file: string, ...flags: readonly string[]) {
  const { stdout } = await runHere(["import", file, "--force", ...flags]);
  const found = (await runJsonHere("motelearn.import/1", "import", file, ...flags)).files[0];
  const data = await readTable(file, { provenance: true });
  return { ...found, stdout, data };
}

const iso = (i: number) => new Date(1709287200000 + 60_000 * i).toISOString();

const two = (number: number) => String(number).padStart(2, "0");

const seconds = (i: number) => String(1709287200 + 60 * i);

test("a stroke between date and clock, and microseconds behind a colon, are read", async () => {
  for (const form of ["$1 - $2", "$1 $2:250001"]) {
    const at = (i: number) => iso(i).replace(/^(.*)T(.*)\.000Z$/, form);
    const { time } = await imported(makeFile(at));
    assert.equal([time?.column, time?.periodSeconds], ["log time", 60], form);
  }
});

test("a zone in the name of a time's column is that of its dates, of any form", async () => {
  const pad = (i: number) => `${two(8 + Math.floor(i / 60))}:${two(i % 60)}:00`;
  const forms: readonly [header: string, timeAt: (i: number) => string, hours: number][] = [
    ['"Date Time, GMT+02:00",temp,state', (i) => `04/27/20 ${pad(i)} AM`, 6],
    ["day,Time (UTC-5),temp,state", (i) => `2020-04-27,${pad(i)}`, 13],
    ["Zeit [MESZ],temp,state", (i) => `27.04.2020 ${pad(i)}`, 6],
    ["date (GMT+02:00),temp,state", (i) => `20200427${pad(i).replaceAll(":", "")}`, 6],
    ["date (GMT+02:00),temp,state", (i) => String(43948 + (8 + i / 60) / 24), 6],
    ["timeUTC,temp,state", (i) => `2020-04-27T${pad(i)}+01:00`, 7],
  ];
  for (const [header, timeAt, hours] of forms) {
    const { time } = await imported(makeFile(timeAt, header));
    assert.is(time?.first, `2020-04-27T${two(hours)}:00:00.000Z`, header);
  }
  const { description, stdout } = await imported(makeFile(forms[0][1], forms[0][0]));
  assert.is(description.zone, "+02:00");
  assert.match(stdout, /time +Date Time, GMT\+02:00 \(dates .*, in \+02:00 by the column's name\)/);
});

test("labels in another zone than the rows' are those of the same moments", async () => {
  const rows = makeFile((i) => `2020-04-27 08:${two(i)}`, "time (UTC+02:00),temp,shift");
  const labels = written(
    "zoned.csv",
    `time,label\n${["06:10", "06:20"].map((at, i) => `2020-04-27T${at}:00Z,${["bad", "ok"][i]}`).join("\n")}\n`,
  );
  const { data } = await imported(rows, "--labels", labels);
  const named = Array.from(data.labels, (label: number) =>
    Number.isNaN(label) ? null : data.labelNames?.[label],
  );
  assert.is(named.indexOf("bad"), 10);
});

test("a description may say the zone of dates that have none", async () => {
  const file = makeFile((i) => `2020-04-27 08:${two(i)}`);
  await runHere(["import", file, "--force"]);
  const path = `${file}.data.json`;
  const description = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...description, zone: "+2" }));
  await refusesHere(
    ["evaluate", "--learner", "pa", "--train", file],
    'zone: got "+2"; takes "Z", or an offset such as "+02:00"',
  );
  writeFileSync(path, JSON.stringify({ ...description, zone: "+02:00" }));
  const { provenance } = await readTable(file, { provenance: true });
  assert.is(provenance?.time?.[0], Date.UTC(2020, 3, 27, 6));
});

test("times that fall are reported, with their period and the remedy", async () => {
  const { stdout, time } = await imported(makeFile((i) => iso(ROWS - i)));
  assert.equal([time.periodSeconds, time.isFalling, time.isSteady, time.gaps], [60, true, true, 0]);
  assert.match(
    stdout,
    /a row each 60 s; 0 gaps, falling\n +to be checked +the last row is the first in time: .*--every/,
  );
});

test("a day and its clock may be joined by a dash or a line", async () => {
  for (const mark of ["-", "_"]) {
    const { time, description } = await imported(makeFile((i) => `11/22/2026${mark}10:${two(i)}:00`));
    assert.equal([time.first, time.periodSeconds], ["2026-11-22T10:00:00.000Z", 60], mark);
    assert.equal(description.features, ["temp"]);
  }
});

test("of several columns of times the first that varies is taken, and none is a reading", async () => {
  const file = makeFile(
    (i) => `1709287200,${1709287200 + 60 * i}`,
    "file timestamp,sample timestamp,temp,state",
  );
  const { time, description } = await imported(file);
  assert.equal([time.column, description.features], ["sample timestamp", ["temp"]]);
});

test("times of readings that make rows are reported as the file writes them", async () => {
  const long = makeFile(
    (i) => `${iso(i >> 1).slice(0, 19)},${i % 2 ? "hum" : "temp"}`,
    "when,sensor,value,unit",
  );
  const renamed = written("readings.csv", readFileSync(long, "utf8").replace("when", "timestamp"));
  assert.match(
    (await imported(renamed)).stdout,
    /time +timestamp \(dates without a zone: taken in this machine's\)\n/,
  );
  const gathered = await imported(makeFile(seconds), "--every", "300");
  assert.match(gathered.stdout, /time +log time \(s\)\n/);
});

test("a date with a month's name between dots, and a clock without leading zeros in a column of its own", async () => {
  const file = makeFile((i) => `${27 + (i >> 5)}.May.2021,16:${i % 32}:${i % 3}`, "day,clock,temp,state");
  const { time, description } = await imported(file);
  assert.equal([time.column, time.parts.clock, time.periodSeconds], ["day", "clock", 61]);
  assert.equal([description.features, description.label], [["temp"], "state"]);
});

test("a clock of the recording's own may stand still for some rows", async () => {
  const { description } = await imported(makeFile((i) => `${(i >> 1) / 8}`, "Time,temp,state"));
  assert.equal(description.features, ["temp"]);
});

const monthFirst = (i: number) => `3/${13 + Math.floor(i / 24)}/2024 ${i % 24}:00`;

for (const [about, timeAt, bad] of [
  ["a word among dates", iso, "ERR"],
  ["a date that is none", iso, "2024-13-45T10:00:00Z"],
  ["a word among seconds", seconds, "NA"],
  ["a clock that isn't set yet", seconds, "17"],
  ["a day that neither order has", monthFirst, "13/13/2024 5:00"],
  ["a day that its month hasn't", iso, "2023-02-29T10:00:00Z"],
  ["a day that its month hasn't, with the month first", monthFirst, "2/30/2024 5:00"],
] as const) {
  const content = (at: readonly number[]) => makeFile((i) => (at.includes(i) ? bad : timeAt(i)));

  test(`a time column with a few bad cells is named with the first one's line: ${about}`, async () => {
    const file = content([5, 9]);
    const { stdout, description, columns, time, data } = await imported(file);
    const why = `log time is left out for 2 cells that are no time, the first ${JSON.stringify(bad)} at ${file}:7; --skip-bad-rows skips such rows`;
    assert.ok(stdout.includes(`to be checked     ${why}\n`), stdout);
    assert.equal([time, description.time, description.features], [undefined, undefined, ["temp"]]);
    assert.equal(columns[0].badTimes, { cells: 2, line: 7, text: bad, columns: ["log time"] });
    assert.is(data.count, ROWS);
  });

  test(`rows whose time can't be read are skipped and counted by every command: ${about}`, async () => {
    const file = content([0, 9]);
    const { description, time, data, badRows, rows } = await imported(file, "--skip-bad-rows");
    assert.equal(
      [description.time, time.column, time.periodSeconds],
      ["log time", "log time", time.unit ? 60 : time.periodSeconds],
    );
    assert.equal([rows, data.count, badRows.rows], [ROWS - 2, ROWS - 2, 2]);
    assert.ok(badRows.first[0].startsWith(`line 2: column "log time" is ${JSON.stringify(bad)}, not a time`));
    const [evaluation] = await Promise.all([runHere(["evaluate", "--learner", "pa", "--train", file])]);
    assert.match(`${evaluation.stdout}${evaluation.stderr}`, /2 bad rows skipped: line 2: /);
  });
}

for (const [about, dateAt, flags] of [
  ["digits to the second", (date: string) => date.replace(/[-T:]/g, "").slice(0, 14), []],
  ["digits to the hour, as the DWD's", (date: string) => date.replace(/[-T:]/g, "").slice(0, 10), []],
  [
    "digits, by last known readings",
    (date: string) => date.replace(/[-T:]/g, "").slice(0, 12),
    ["--every", "3600"],
  ],
  ["digits around a T", (date: string) => `${date.replace(/[-:]/g, "").slice(0, 15)}`, []],
  [
    "a zone in whole hours, as PostgreSQL's",
    (date: string) => `${date.replace("T", " ").slice(0, 19)}.25+00`,
    [],
  ],
  ["a zone in whole hours behind a T", (date: string) => `${date.slice(0, 19)}+00`, []],
] as const)
  test(`a time is read in ${about}`, async () => {
    const rows = Array.from({ length: 30 }, (_, i) => {
      const date = new Date(Date.UTC(2024, 2, 1, 8 + i)).toISOString();
      return `${dateAt(date)},${(i * 7) % 5}.5,${i % 2}`;
    });
    const file = written(`${files++}.csv`, `timestamp,temp,label\n${rows.join("\n")}\n`);
    const [{ time, rows: count }] = (await runJsonHere("motelearn.import/1", "import", file, ...flags)).files;
    assert.equal([time.column, time.periodSeconds, count], ["timestamp", 3600, 30]);
    const isLocal = !dateAt(new Date(0).toISOString()).endsWith("+00");
    const first = isLocal ? new Date(2024, 2, 1, 8).getTime() : Date.UTC(2024, 2, 1, 8);
    assert.ok(Math.abs(Date.parse(time.first) - first) < 1000, time.first);
    const { provenance } = await readTable(file, { provenance: true });
    assert.is(provenance?.time?.[1], Date.parse(time.first) + 3_600_000);
  });

test("numbers that no clock has reached are no time", async () => {
  const rows = Array.from(
    { length: 30 },
    (_, i) => `${49_105_962_326_000 + 50_000_000 * i},${(i * 7) % 5}.5,${i % 2}`,
  );
  const file = written(`${files++}.csv`, `timestamp,temp,label\n${rows.join("\n")}\n`);
  const [{ time }] = (await runJsonHere("motelearn.import/1", "import", file)).files;
  assert.is(time, undefined);
});

test("a column of times and of many other texts is no time", async () => {
  const { stdout, time, columns } = await imported(makeFile((i) => (i % 8 === 0 ? "never" : iso(i))));
  assert.equal([time, columns[0].role, columns[0].badTimes], [undefined, "left out", undefined]);
  assert.ok(!stdout.includes("no time"), stdout);
});

test("a column of times without a bad cell is the time, before one with some", async () => {
  const file = makeFile((i) => `${i === 3 ? "never" : iso(i)},${seconds(i)}`, "changed,time,temp,state");
  const { time, description } = await imported(file);
  assert.equal([time.column, description.time], ["time", "time"]);
  assert.ok(!readFileSync(`${file}.data.json`, "utf8").includes("changed"));
});

const NOON = new Date(2024, 0, 1, 12).getTime();
/** A row each quarter of an hour from noon on the first of January 2024. */
const days = (i: number) => `${45292.5 + i / 96}`;
/** The same in the digits that a spreadsheet shows in a cell. */
const shown = (i: number) => (45292.5 + i / 96).toFixed(5);

for (const [name, timeAt] of [
  ["Date", days],
  ["Time stamp", shown],
  ["Datum/Zeit", (i: number) => `"${days(i).replace(".", ",")}"`],
] as const)
  test(`a spreadsheet's numbers of days are a time: ${name}`, async () => {
    const file = makeFile(timeAt, `${name},temp,state`);
    if (name.startsWith("Datum"))
      writeFileSync(file, readFileSync(file, "utf8").replace(/(\d)\.5,/g, '"$1,5",'));
    const { time, stdout, description, data } = await imported(file);
    assert.equal([description.time, description.timeUnit, description.period], [name, "days", 900_000]);
    assert.equal([time.first, data.provenance?.time?.[1]], [new Date(NOON).toISOString(), NOON + 900_000]);
    const kind = "days since 1899-12-30, as spreadsheets count them, without a zone: taken in this machine's";
    assert.ok(stdout.includes(`${name} (${kind})`), stdout);
    const each = await imported(file, "--every", "450");
    assert.equal([each.rows, each.data.provenance?.time?.[1]], [2 * ROWS - 1, NOON + 450_000]);
  });

for (const [about, name, timeAt] of [
  ["under another name", "lux", days],
  ["whose name only contains the word", "updates", days],
  ["with the unit of a clock", "time (ms)", days],
  ["that fall", "date", (i: number) => `${45292 + (i % 7)}`],
  ["beyond 2064", "date", (i: number) => `${60001 + i}`],
] as const)
  test(`numbers ${about} are no days`, async () => {
    const { time } = await imported(makeFile(timeAt, `${name},temp,state`));
    assert.is(time, undefined);
  });

for (const [about, write] of [
  ["a colon behind the date's digits, as PVGIS writes it", (i: number) => `20240301:10${two(i)}`],
  ["a clock of twelve hours behind the year", (i: number) => `2024-03-01 10:${two(i)}:00 AM`],
  ["blanks between, as a wind turbine's SCADA writes it", (i: number) => `01 03 2024 10:${two(i)}`],
  ["a date in one word, as SAS writes it", (i: number) => `01MAR24:10:${two(i)}:00`],
  [
    "a span, whose beginning counts",
    (i: number) => `2024-03-01T10:${two(i)}:00.0/2024-03-01T10:${two(i + 1)}:00.0`,
  ],
] as const)
  test(`a date is a time with ${about}`, async () => {
    const { time, data } = await imported(makeFile(write), "--date-order", "DMY");
    assert.equal([time.column, time.periodSeconds], ["log time", 60]);
    assert.is(data.provenance?.time?.[3], new Date(2024, 2, 1, 10, 3).getTime());
  });

test("a date of eight digits is a time, a day each", async () => {
  const { time } = await imported(
    makeFile((i) => `2024${two(1 + Math.floor(i / 28))}${two(1 + (i % 28))}`, "YYYYMMDD,temp,state"),
  );
  assert.equal([time.column, time.unit, time.periodSeconds], ["YYYYMMDD", "digits", 86_400]);
  assert.is(time.first, new Date(2024, 0, 1).toISOString());
});

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
for (const [about, write, month] of [
  ["in ISO 8601", (year: number, month: number) => `${year}-${two(month + 1)}`, 1],
  ["before the year", (year: number, month: number) => `${two(month + 1)}/${year}`, 1],
  ["by its name", (year: number, month: number) => `${MONTHS[month]}-${year}`, 1],
  ["by its name behind the year", (year: number, month: number) => `${year} ${MONTHS[month]}`, 1],
  ["by its number behind an M", (year: number, month: number) => `${year}M${two(month + 1)}`, 1],
  ["of a quarter", (year: number, month: number) => `${year}-Q${month / 3 + 1}`, 3],
  ["of a quarter before its year", (year: number, month: number) => `Q${month / 3 + 1} ${year}`, 3],
] as const)
  test(`a month is a time ${about}`, async () => {
    const at = (i: number) => [2020 + Math.floor((i * month) / 12), (i * month) % 12] as const;
    const { time, data } = await imported(makeFile((i) => write(...at(i))));
    assert.equal([time.first, time.gaps], [new Date(2020, 0, 1).toISOString(), 0]);
    assert.is(data.provenance?.time?.[13], new Date(at(13)[0], at(13)[1], 1).getTime());
  });

test("a part number is no month", async () => {
  for (const text of ["1023-45", "2023-13", "Q5 2023", "Mon-2023", "2023-4-5-6"]) {
    const { time } = await imported(makeFile(() => text));
    assert.is(time, undefined, text);
  }
});

test("times have what is behind their milliseconds", async () => {
  const file = makeFile((i) => `2024-03-01 10:00:00.${String(400_000_300 + 20_010 * i)}`);
  const { time, data } = await imported(file);
  assert.equal([time.periodSeconds, time.gaps], [0.00002, 0]);
  assert.ok(
    Math.abs((data.provenance?.time?.[1] ?? 0) - new Date(2024, 2, 1, 10).getTime() - 400.02031) < 1e-3,
  );
});

test("two digits of the year come first where the day's step says so", async () => {
  const rows = (i: number) => `24/07/${two(1 + Math.floor(i / 24))} ${two(i % 24)}:00:00`;
  const { time, stdout } = await imported(makeFile(rows));
  assert.equal([time.dateOrder, time.first], ["YMD", new Date(2024, 6, 1).toISOString()]);
  assert.match(stdout, /dates with the year first/);
});

test("rows in no order of their times are said, without a step or gaps", async () => {
  const { stdout, description } = await imported(makeFile((i) => iso((i * 23 + 30) % ROWS)));
  assert.match(
    stdout,
    /sampled +2024-\S+ to 2024-\S+; \d+ steps back\n +to be checked +the rows aren't in the order/,
  );
  assert.is(description.period, undefined);
});

test("days whose hours fall are unordered, and not falling, as a whole", async () => {
  const hour = (i: number) => String(23 - (i % 6)).padStart(2, "0");
  const day = (i: number) => String(1 + Math.floor(i / 6)).padStart(2, "0");
  const { stdout } = await imported(makeFile((i) => `2015-12-${day(i)} ${hour(i)}:00:10`));
  assert.match(stdout, /the rows aren't in the order of their times/);
});

test.run();
