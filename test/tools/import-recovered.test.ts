// What a logger, a program or a spreadsheet leaves in a file beside its rows, and the file is read in spite of it.
import { writeFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { refusesHere, runJsonHere } from "../cli/program.ts";
import { imported, lines, makeRows, ROWS, stateAt, temp, write } from "./imported.ts";

const clock = (i: number) => `2024-03-01 10:${String(i).padStart(2, "0")}:00`;

test("a last line that is cut off is left out and counted, whatever the rows' form", async () => {
  for (const cut of ["2024-03-01 11:0", '2024-03-01 11:00:00,"21']) {
    const rows = makeRows((i) => `${clock(i)},${temp(i)},${i % 9}.25,${stateAt(i)}`);
    const { data, badRows, doubts } = await imported(write(`${lines("when,temp,hum,label", ...rows)}${cut}`));
    assert.equal([data.count, badRows.rows], [ROWS, 1]);
    assert.is(badRows.first[0], `line ${ROWS + 2}: cut off at the end of the file`);
    assert.equal(doubts, []);
  }
  const whole = await imported(
    write(lines("temp,label", ...makeRows((i) => `${temp(i)},${stateAt(i)}`)).trimEnd()),
  );
  assert.equal([whole.data.count, whole.badRows], [ROWS, undefined]);
});

test("an object a line that is cut off at the end of the file is left out and counted", async () => {
  const named = makeRows((i) => JSON.stringify({ temp: i % 7, label: stateAt(i) }));
  const samples = makeRows((i) => JSON.stringify({ x: [i % 7, i % 5], label: stateAt(i) }));
  for (const rows of [named, samples]) {
    const file = write(`${lines(...rows)}{"temp": 2, "la`, "ndjson");
    const [found] = (await runJsonHere("motelearn.import/1", "import", file)).files;
    assert.equal([found.rows, found.badRows.rows], [ROWS, 1]);
    assert.is(found.badRows.first[0], `line ${ROWS + 1}: cut off at the end of the file`);
  }
  const torn = `${lines(...named.slice(1), '{"temp": 2, "la')}`;
  await refusesHere(["import", write(torn, "ndjson")], `:${ROWS}: `, "one JSON object a line is needed");
});

test("words that a program prints between the rows of its table are left out and counted", async () => {
  const said = ["SD card slow", "", "[WARN] wifi lost, reconnecting", "", "rssi=-61, ip=10.0.0.2, ok"];
  for (const separator of [",", ";", "\t"]) {
    const cells = makeRows((i) => [i % 7, i % 9, i % 5, stateAt(i)].join(separator));
    const rows = cells.flatMap((row, i) => (said[i / 10 - 1] ? [row, said[i / 10 - 1]] : [row]));
    const { data, features, badRows } = await imported(
      write(lines(["temp", "hum", "flow", "label"].join(separator), ...rows)),
    );
    assert.equal([data.count, features, badRows.rows], [ROWS, ["temp", "hum", "flow"], 3], separator);
    assert.is(badRows.first[0], 'line 13: no row: "SD card slow"');
  }
  const short = makeRows((i) => (i === 30 ? "1,2" : `${i % 7},${i % 9},${i % 5}`));
  await refusesHere(["import", write(lines("temp,hum,flow", ...short))], ":32: 2 fields where ", "as many");
});

test("what a database's shell draws around a table, and says below it, is left out and counted", async () => {
  const drawn = "+---------------------+------+-------+";
  const rows = makeRows((i) => `| ${clock(i)} | ${temp(i)} | ${stateAt(i)} |`);
  const { data, features, label, badRows } = await imported(
    write(
      lines(
        drawn,
        "| when                | temp | state |",
        drawn,
        ...rows,
        drawn,
        "60 rows in set (0.01 sec)",
      ),
      "txt",
    ),
  );
  assert.equal([data.count, features, label], [ROWS, ["temp"], "state"]);
  assert.match(badRows.first.join(), /60 rows in set/);
});

test("a line of blanks between rows is a blank line", async () => {
  const rows = makeRows((i) => `${temp(i)}, ${i % 9}.25, ${i % 5}.75\n  `);
  const { data, badRows } = await imported(write(lines(...rows)));
  assert.equal([data.count, badRows], [ROWS, undefined]);
});

test("of what a program logs, the lines with most names alike are the rows; others are counted", async () => {
  const rows = makeRows((i) => `Hex: ${1000 + i}ff\nPM1.0: 0.${10 + i} | PM10: 1.${10 + i} || Unit: ug/m3`);
  const { features, data, badRows } = await imported(write(lines("=~= PuTTY log =~=", ...rows), "log"));
  assert.equal([features, data.count, badRows.rows], [["PM1_0", "PM10"], ROWS, ROWS + 1]);
  assert.match(badRows.first[0], /^line 1: "=~= PuTTY log =~=" doesn't match the pattern$/);
});

test("of a lone sensor with several channels, the channel names the series", async () => {
  const channels = ["rain", "soil", "level"];
  const rows = channels.flatMap((name) => makeRows((i) => `S01,${clock(i)},${name},${temp(i)},mm`));
  const { description, features } = await imported(
    write(lines("sensor_id,timestamp,variable,value,unit", ...rows)),
  );
  assert.equal([description.long.series, features], [["variable"], channels]);
});

test("sensors that come one after the other, beyond the first lines, are series of their own", async () => {
  const many = 600;
  const at = (i: number) => new Date(Date.UTC(2024, 2, 1) + 60_000 * i).toISOString();
  const rows = ["S01", "S02"].flatMap((sensor, k) =>
    ["rain", "soil"].flatMap((name) => makeRows((i) => `${sensor},${at(i)},${name},${temp(i + k)},mm`, many)),
  );
  const { description, features, data } = await imported(
    write(lines("sensor_id,timestamp,variable,value,unit", ...rows)),
  );
  assert.equal(description.long.series, ["sensor_id", "variable"]);
  assert.equal([features, data.count], [["S01 rain", "S01 soil", "S02 rain", "S02 soil"], many]);
});

test("days, and spans of a day, that come again beside one reading aren't the names of series", async () => {
  const days = makeRows((i) => `${1503960366 + 7777 * (i % 6)},4/${13 + Math.floor(i / 6)}/2016,${temp(i)}`);
  const bySubject = await imported(write(lines("Id,ActivityDay,Calories", ...days)));
  assert.equal(
    [bySubject.rows, bySubject.features, bySubject.time.column],
    [ROWS, ["Calories"], "ActivityDay"],
  );
  const span = (i: number) => `0${5 + (i % 4)}:00 - 0${5 + (i % 4)}:15`;
  const spans = makeRows((i) => `2024-08-${10 + Math.floor(i / 4)},${span(i)},${i % 9}`);
  const byDay = await imported(write(lines("Date,Time Range,Defects", ...spans)));
  assert.equal([byDay.rows, byDay.features], [ROWS, ["Defects"]]);
});

test("a date and a clock that come again with one reading aren't the names of series", async () => {
  const rows = makeRows(
    (i) => `0${1 + Math.floor(i / 24)}.03.2024,${String(i % 24).padStart(2, "0")}:00:00,${temp(i)}`,
  );
  const { features, description } = await imported(write(lines("Date,Time,load", ...rows)));
  assert.equal([features, description.long], [["load"], undefined]);
});

test("rows of a table are the rows, whatever a program says between them", async () => {
  const rows = makeRows((i) => `${temp(i)},${i % 9}.25,${i % 7}.75${i % 3 ? "" : "\nCODE: 2"}`);
  const file = write(lines("ax,ay,az", ...rows));
  const { features, data } = await imported(file, "--skip-bad-rows");
  assert.equal([features, data.count], [["ax", "ay", "az"], ROWS]);
});

test("a zone's name is read, but one of two places isn't", async () => {
  for (const [zone, hours] of [
    ["CEST", 8],
    ["EST", 15],
    ["UTC", 10],
    ["IST", undefined],
  ] as const) {
    const rows = makeRows((i) => `${clock(i)} ${zone};${temp(i)};${stateAt(i)}`);
    const { time } = await imported(write(lines("when;temp;state", ...rows)));
    const first = hours === undefined ? undefined : new Date(Date.UTC(2024, 2, 1, hours)).toISOString();
    assert.equal([time?.first, time?.hasZone], [first, hours === undefined ? undefined : true], zone);
  }
});

test("a text that isn't UTF-8 is read as Windows writes it, and import says so", async () => {
  const file = write("");
  const rows = makeRows((i) => `${temp(i)};${stateAt(i) === "ok" ? "gut" : "schlecht für"}`);
  writeFileSync(file, Buffer.from(lines("Temp [\xb0C];label", ...rows), "latin1"));
  const { features, data, doubts } = await imported(file);
  assert.equal([features, data.labelNames], [["Temp [°C]"], ["gut", "schlecht für"]]);
  assert.match(doubts.join(), /the text isn't UTF-8, and is read as Windows-1252; iconv -f ENCODING /);
});

for (const [about, clockAt, rate] of [
  ["fractions of a second", (i: number) => (0.005 * i).toFixed(3), 200],
  ["whole numbers, whose unit nothing says", (i: number) => String(10 * i), undefined],
] as const)
  test(`channels beside a clock without a unit are no labels: ${about}`, async () => {
    const rows = makeRows((i) => `${clockAt(i)},${i % 7}.5,${i % 9}.25`);
    const { features, label, description, doubts } = await imported(write(lines("timestamp,ax,ay", ...rows)));
    assert.equal([features, label, description.rate], [["ax", "ay"], null, rate]);
    const guess = 'the rate is by timestamp, taken in seconds; "rate" in the description says another';
    assert.is(doubts.includes(guess), rate !== undefined);
  });

for (const [about, names, row, sums] of [
  [
    "below dates",
    "Datum;Uhrzeit;temp;hum",
    (i: number) => `0${1 + (i % 9)}.03.2026;08:00:00;${temp(i).replace(".", ",")};${i % 7},25`,
    ["Min;;20,5;0,25", "Max;;26,5;6,25", "Mittelwert;;23,1;3,2"],
  ],
  [
    "below numbers, beside blanks and readings",
    "lap,speed,heart",
    (i: number) => `${i + 1},${temp(i)},${140 + (i % 9)}`,
    ["Summary,23.1,144", "Total:,,8640"],
  ],
] as const)
  test(`rows that sum up those above them are no samples, and counted: ${about}`, async () => {
    const { data, badRows, description } = await imported(write(lines(names, ...makeRows(row), ...sums)));
    assert.is(data.count, ROWS);
    assert.equal(
      badRows.first,
      sums.map((sum, i) => `line ${ROWS + 2 + i}: no row: ${JSON.stringify(sum)}`),
    );
    assert.equal([data.badRows, description.badRows], [badRows, undefined]);
  });

test("a class called Total or Min is one", async () => {
  const { data } = await imported(
    write(lines("kind,temp,hum", ...makeRows((i) => `${i % 9 ? "part" : "Total"},${temp(i)},${i % 7}.25`))),
  );
  assert.is(data.count, ROWS);
});

for (const [about, block] of [
  [
    "sqlite3's lines",
    (i: number) => [` when = ${clock(i)}`, ` temp = ${temp(i)}`, `state = ${stateAt(i)}`, ""],
  ],
  [
    "psql's expanded records",
    (i: number) => [
      `-[ RECORD ${i + 1} ]-----`,
      `when  | ${clock(i)}`,
      `temp  | ${temp(i)}`,
      `state | ${stateAt(i)}`,
    ],
  ],
  [
    "mysql's rows, and a message",
    (i: number) => [
      `******* ${i + 1}. row *******`,
      ` when: ${clock(i)}`,
      ` temp: ${temp(i)}`,
      `state: ${stateAt(i)}`,
      ...(i === 7 ? ["connection lost"] : []),
    ],
  ],
  ["no line between", (i: number) => [`when=${clock(i)}`, `temp=${temp(i)}`, `state=${stateAt(i)}`]],
] as const)
  test(`fields on lines of their own are rows: ${about}`, async () => {
    const rows = Array.from({ length: ROWS }, (_, i) => block(i)).flat();
    const { data, features, label, time, description, badRows } = await imported(
      write(lines(...rows), "txt"),
    );
    assert.equal([description.format, features, label], ["field-lines", ["temp"], "state"]);
    assert.equal([data.count, time.periodSeconds], [ROWS, 60]);
    assert.equal([...data.rows], makeRows((i) => temp(i)).map(Number));
    assert.equal(
      badRows?.first,
      rows.includes("connection lost") ? ['line 33: no field: "connection lost"'] : undefined,
    );
  });

test("a field that a record lacks is missing there, and moves no other", async () => {
  const rows = makeRows((i) => [`temp=${temp(i)}`, ...(i % 9 ? [`hum=${i % 7}.25`] : [])].join("\n"));
  const { data, features, columns } = await imported(write(lines(...rows), "txt"));
  assert.equal([features, data.count, columns[1].missing], [["temp", "hum"], ROWS, 7]);
  assert.equal([...data.rows.slice(0, 4)], [20.5, Number.NaN, 21.5, 1.25]);
});

test("a table of a class and a reading is one", async () => {
  for (const mark of ["|", ";"]) {
    const { description, data } = await imported(
      write(lines(...makeRows((i) => `${stateAt(i)}${mark}${temp(i)}`)), "txt"),
    );
    assert.equal([description.format, data.count], ["csv", ROWS]);
  }
});

test.run();
