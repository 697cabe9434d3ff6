import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseDate } from "../../host/streams/time-text.ts";
import { refusesHere } from "../cli/program.ts";
import { imported, lines, makeRows, ROWS, stateAt, temp, write } from "./imported.ts";

const two = (number: number) => String(number).padStart(2, "0");

for (const [about, date] of [
  ["slashes", (i: number) => `2024/3/1 10:${two(i)}:00`],
  ["dashes", (i: number) => `2024-3-1 10:${two(i)}:00`],
  ["points", (i: number) => `2024.03.01 10:${two(i)}:00`],
  ["Chinese and Japanese letters", (i: number) => `2024年3月1日 10:${two(i)}:00`],
  ["letters in the time of the day, too", (i: number) => `2024年03月01日 10時${two(i)}分00秒`],
] as const)
  test(`a date whose year comes first is a time without leading zeros, too: ${about}`, async () => {
    const { time, features, description } = await imported(
      write(lines("日時,温度,状態", ...makeRows((i) => `${date(i)},${i % 7}.5,${stateAt(i)}`))),
    );
    assert.equal([description.time, features, time.periodSeconds], ["日時", ["温度"], 60]);
    assert.is(time.first, new Date(2024, 2, 1, 10).toISOString());
  });

test("a date whose clock stands before its year, as C and Java write it, is a time", async () => {
  const rows = makeRows((i) => `Sun Oct  5 10:${two(i)}:00 2025,${i % 7}.5,${stateAt(i)}`);
  const { time, features } = await imported(write(lines("when,temp,state", ...rows)));
  assert.equal([time.periodSeconds, time.hasZone, features], [60, false, ["temp"]]);
  assert.is(time.first, new Date(2025, 9, 5, 10).toISOString());
  for (const zone of ["GMT+02:00", "UTC+0200"])
    assert.is(parseDate(`Sun Oct 05 14:00:01 ${zone} 2025`), Date.UTC(2025, 9, 5, 12, 0, 1), zone);
  assert.is(parseDate("Sun Oct 05 14:00:01 GMT 2025"), Date.UTC(2025, 9, 5, 14, 0, 1));
  for (const text of ["Sun Oct 05 14:00:01 IST 2025", "Sun Okk 05 14:00:01 2025", "Sat Feb 30 08:00:00 2026"])
    assert.ok(Number.isNaN(parseDate(text)), text);
});

test("a date that a shell, a mail, a browser or a server writes is the same time", () => {
  for (const text of [
    ...[
      "Sun Oct  5 14:00:01 CEST 2025",
      "Sun Oct  5 12:00:01 PM UTC 2025",
      "Sun 5 Oct 2025 02:00:01 PM CEST",
    ],
    ...["Sun, 05 Oct 2025 12:00:01 GMT", "Sun, 5 Oct 2025 14:00:01 +0200", "5/Oct/2025:14:00:01 +0200"],
    ...["Sun Oct 05 2025 14:00:01 GMT+0200 (Central European Summer Time)", "2025-10-05 02:00:01 PM +02:00"],
  ])
    assert.is(parseDate(text), Date.UTC(2025, 9, 5, 12, 0, 1), text);
  for (const text of [
    ...["Sunday, October 5, 2025 2:00:01 PM", "Oct 5, 2025 @ 14:00:01.000", "So 5.10.2025 14:00:01"],
    ...["2025-10-05_14:00:01", "2025-10-05-14-00-01", "2025-10-05 14.00.01", "2025/10/05-14:00:01"],
  ])
    assert.is(parseDate(text), new Date(2025, 9, 5, 14, 0, 1).getTime(), text);
  for (const text of ["2025-10-05 14.00", "Sun 5", "2025-10-05-14", "Phase 5 Oct 2025", "Sunday"])
    assert.ok(Number.isNaN(parseDate(text)), text);
});

test("a program's values behind seconds since 1970 are read with that time", async () => {
  const rows = makeRows((i) => `${1_638_202_643 + 30 * i}.94 Temp=${temp(i)} C and Humidity=6${i % 9}.3`);
  const { features, time, description } = await imported(write(lines(...rows), "log"));
  assert.equal([features, time.periodSeconds, description.period], [["Temp", "Humidity"], 30, 30_000]);
});

test("a clock that begins anew with each recording is no reading", async () => {
  for (const name of ["ts_ns", "t_ms", "tRel", "time_s", "Tempo"]) {
    const rows = makeRows((i) => `${((i % 30) * 19.8).toFixed(1)},${i % 7}.5,${stateAt(i)}`);
    const { features } = await imported(write(lines(`${name},x,state`, ...rows)));
    assert.equal(features, ["x"], name);
  }
  const outdoor = makeRows((i) => `${(i * 0.13 + (i % 3) * 0.05).toFixed(2)},${i % 7}.5,${stateAt(i)}`);
  assert.equal((await imported(write(lines("t_out,x,state", ...outdoor)))).features, ["t_out", "x"]);
});

test("a day or a month that isn't there is no date", () => {
  for (const text of ["2024/13/1", "2024-3-32 10:00", "2024.3.0", "2024年13月1日"])
    assert.ok(Number.isNaN(parseDate(text)), text);
});

test("a French time of the day beside its date is part of the time", async () => {
  const { time, features } = await imported(
    write(
      lines("Date;Heure;Temp;État", ...makeRows((i) => `17/03/2026;08h${two(i)};${i % 7},5;${stateAt(i)}`)),
    ),
  );
  assert.equal([time.parts.clock, time.periodSeconds, features], ["Heure", 60, ["Temp"]]);
});

test("seconds since 1970 that rise are the time of a table without names, too", async () => {
  const { time, description } = await imported(
    write(lines(...makeRows((i) => `${1709280000000 + 5000 * i},${i % 7}.5,${stateAt(i)}`))),
  );
  assert.equal([description.time, description.period, time.periodSeconds], [1, 5000, 5]);
});

test("dashes among numbers are missing readings, and a label stays one", async () => {
  const { missing, data, features, labelNames } = await imported(
    write(
      lines(
        "temp,hum,state",
        ...makeRows((i) => `${i % 5 === 3 ? "--" : `${i % 7}.5`},${i % 5 === 2 ? "-" : i % 9},${stateAt(i)}`),
      ),
    ),
  ).then(({ description, data, features }) => ({
    missing: [...description.missingWords].sort(),
    ...{ data, features, labelNames: data.labelNames },
  }));
  assert.equal(
    [missing, features, labelNames],
    [
      ["-", "--"],
      ["temp", "hum"],
      ["ok", "worn"],
    ],
  );
  assert.equal([...data.rows.slice(4, 8)], [2.5, Number.NaN, Number.NaN, 3]);
  const classes = await imported(
    write(lines("temp,state", ...makeRows((i) => `${i % 7}.5,${i % 20 < 10 ? "-" : "worn"}`))),
  );
  assert.equal(classes.data.labelNames, ["-", "worn"]);
});

test("a line of dashes between recordings is no header", async () => {
  const one = ["-,-,-", ...makeRows((i) => `${i % 7}.5,${i % 5},${i % 3}.25`)];
  const { rows, features, label } = await imported(write(lines(...one, "", ...one)));
  assert.equal([rows, features, label], [2 * ROWS + 2, ["column 1", "column 2"], "column 3"]);
});

test("a title above a header that begins as comments do is no row", async () => {
  const { rows, features } = await imported(
    write(
      lines(
        "Plot Title: pond",
        '#,"Date Time, GMT-07:00","Temp, C",state',
        ...makeRows((i) => `${i + 1},6/20/2025 13:${two(i)},${12 + (i % 7) / 10},${stateAt(i)}`),
      ),
    ),
  );
  assert.equal([rows, features], [ROWS, ["Temp, C"]]);
});

test("Zeek's log has its names", async () => {
  const head = [
    "#separator \\x09",
    "#path\tconn",
    "#fields\tts\tuid\torig_bytes\tlabel",
    "#types\ttime\tstring\tcount\tstring",
  ];
  const rows = makeRows((i) => `${1521911721.25 + i}\tC8T${i}\t${(i * 7) % 50}\t${stateAt(i)}`);
  const { description, features, label, time } = await imported(
    write(lines(...head, ...rows, "#close\t2019")),
  );
  assert.equal([description.time, features, label, time.periodSeconds], ["ts", ["orig_bytes"], "label", 1]);
});

test("readings one by one, by a clock of seconds of their own, become rows", async () => {
  const { features, rows, description, data } = await imported(
    write(
      lines(
        '"SECONDS";"PID";"VALUE";"UNITS";"LATITUDE";"LONGTITUDE";',
        ...makeRows((i) => {
          const at = (name: string, value: number) =>
            `"${30189.2 + i / 2}";"${name}";"${value}";"x";"40.91";"29.29";`;
          return `${at("Engine RPM", 800 + i)}\n${at("Speed (GPS)", i % 7)}`;
        }),
      ),
    ),
  );
  assert.equal([features, rows, description.timeUnit], [["Engine RPM", "Speed (GPS)"], ROWS, "clock"]);
  assert.equal([...data.rows.slice(0, 4)], [800, 0, 801, 1]);
  const each = await imported(
    write(lines("seconds,sensor,value", ...makeRows((i) => `${i / 2},${["a", "b"][i % 2]},${i}`))),
    ...["--every", "10"],
  );
  assert.equal([each.rows, [...each.data.rows]], [2, [20, 19, 40, 39]]);
});

test("a number in brackets behind a name is no unit", async () => {
  const { columns } = await imported(
    write(lines("axis[0],temp [C],state", ...makeRows((i) => `${i % 9},${i % 7}.5,${stateAt(i)}`))),
  );
  assert.equal(
    columns.map(({ unit }: { unit?: string }) => unit),
    [undefined, "C", undefined],
  );
});

test("a date behind its clock is a time; where a day is in the middle, a short year can't be", async () => {
  for (const [year, order] of [
    ["2026", "07/24/2026"],
    ["26", "07/24/26"],
  ]) {
    const rows = makeRows((i) => `00:${two(i)}:00 ${order},${i % 7}.5,${stateAt(i)}`);
    const { time, description } = await imported(write(lines("horodatage,temp,state", ...rows)));
    assert.equal([time.periodSeconds, description.dateOrder], [60, "MDY"], year);
    assert.is(time.first, new Date(2026, 6, 24).toISOString());
  }
  assert.is(parseDate("08:05 24.07.2026"), new Date(2026, 6, 24, 8, 5).getTime());
});

test("microseconds of a microcontroller's own clock are no time since 1970, and no reading", async () => {
  for (const name of ["local_time", "local_timestamp", "esp timestamp"]) {
    const rows = makeRows((i) => `${152147309 + 15_171 * (i % 40) + (i % 3) * 700},${i % 7}.5,${stateAt(i)}`);
    const { time, features } = await imported(write(lines(`${name},rssi,state`, ...rows)));
    assert.equal([time, features], [undefined, ["rssi"]], name);
  }
});

test("the first column of a table without names is a clock if it rises from row to row", async () => {
  const rows = makeRows((i) => `${(16 * i - (i % 5 === 4 ? 1 : 0)).toFixed(6)},${i % 7}.5,${i % 5}.25`);
  assert.equal((await imported(write(lines(...rows)))).features, ["column 2", "column 3"]);
});

test("whole numbers that rise in each of many rows are a clock's, whatever their name", async () => {
  const rows = Array.from(
    { length: 1100 },
    (_, i) => `${i % 7}.5,${1829 + 1300 * (i % 600) + (i % 5) * 40},${stateAt(i)}`,
  );
  assert.equal((await imported(write(lines(...rows)))).features, ["column 1"]);
  const bad = rows.map((row, i) => (i === 300 ? row.replace(/,(\d+),/, ",$1;,") : row));
  for (const flags of [[], ["--skip-bad-rows"]])
    assert.equal((await imported(write(lines(...bad)), ...flags)).features, ["column 1"]);
  const readings = rows.map((row) => row.replace(/,/, ",0."));
  assert.equal((await imported(write(lines(...readings)))).features.length, 2);
});

test("readings of a database, by their own ids and the sensors', become a column a sensor", async () => {
  const rows = makeRows((i) => `${i + 1},${[23, 20][i % 2]},2025-04-28 13:${two(i >> 1)}:00,${i % 7}.5`);
  const { description, features } = await imported(
    write(lines("measurement_id,sensor_id,timestamp,value", ...rows)),
  );
  assert.equal([description.long.series, features.sort()], [["sensor_id"], ["20", "23"]]);
});

test("ids are no readings: a map's, and one of digits and an E", async () => {
  const rows = makeRows((i) => `${11582 + ((i * 7) % 90)},2E000048,${i % 7}.5,${stateAt(i)}`);
  assert.equal((await imported(write(lines("OBJECTID,devaddr,g,state", ...rows)))).features, ["g"]);
});

test("what PuTTY writes above a log is a title, and its first line no header", async () => {
  const rows = makeRows((i) => `${46 + (i % 3)}.00,${20 + (i % 9)}.00`);
  const log = lines("=~=~=~=~= PuTTY log 2024.05.17 18:09:59 =~=~=~=~=", "$%=46,31.00", ...rows);
  const { description, features, label, rows: count } = await imported(write(log), "--skip-bad-rows");
  assert.equal([description.header, description.skipLines, count], [false, 1, ROWS]);
  assert.equal([features, label], [["column 1"], "column 2"]);
  const spectrum = makeRows((i) => `${i % 7}.5,${i % 5}.25,${i % 3}.5,${stateAt(i)}`);
  assert.equal((await imported(write(lines("410.5,435.25,460.0,state", ...spectrum)))).features.length, 3);
});

test("a LabVIEW measurement file has its names and units, with a clock or an empty column for it", async () => {
  const head = (mark: string) => [
    ...["LabVIEW Measurement\t", "Writer_Version\t2", "Separator\tTab", "Multi_Headings\tYes"],
    ...[
      "Date\t2024/05/17",
      `Time\t09:51:39${mark}25`,
      "***End_of_Header***\t",
      "\t",
      "Channels\t2\t\t",
      "Samples\t60\t60\t",
    ],
    ...["Y_Unit_Label\tNewtons\tm/s^2\t", "X_Dimension\tTime\tTime\t", `Delta_X\t1${mark}0\t1${mark}0\t`],
    ...["***End_of_Header***\t\t\t", "X_Value\tForce\tShake\tComment"],
  ];
  for (const [mark, clock] of [
    [",", (_: number) => ""],
    [".", (i: number) => `${i}.000000`],
  ] as const) {
    const rows = makeRows((i) => `${clock(i)}\t${i % 7}${mark}914\t${i % 5}${mark}25`);
    const { features, label, description } = await imported(write(lines(...head(mark), ...rows)));
    assert.equal([features, label], [["Force [Newtons]", "Shake [m/s^2]"], null]);
    assert.is(description.period, 1000);
  }
});

test("a table of a reading a row is known by its cells, whatever its columns are called", async () => {
  const gases = ["CO", "NO", "CH4"];
  const rows = Array.from({ length: 90 }, (_, i) => {
    const hour = String(Math.floor(i / 3) % 24).padStart(2, "0");
    return `2022-06-${10 + Math.floor(i / 72)} ${hour}:00,west,${gases[i % 3]},0.${10 + (i % 7)}`;
  });
  const { description } = await imported(write(lines("when,area,pollutant,concentration", ...rows)));
  assert.equal(description.long, { time: "when", series: ["pollutant"], value: "concentration" });
  const states = Array.from(
    { length: 90 },
    (_, i) => `2022-06-10 10:${10 + (i >> 1)},${["on", "hot"][i >> 6]},${i % 7}.5`,
  );
  const found = await imported(write(lines("when,mode,temp", ...states)));
  assert.equal([found.description.long, found.description.label], [undefined, "mode"]);
});

test("a PLC's log of its variables is a table of a reading a row, whatever else stands in it", async () => {
  const row = (i: number, name: string, value: string) =>
    `"${name}";"01.03.2024 10:${two(i)}:00";${value};1;${45352416666 + 694 * i},67`;
  const rows = makeRows((i) => `${row(i, "Temp", `${i % 7},5`)}\n${row(i, "Drehzahl", `${1400 + (i % 9)}`)}`);
  const start = '"$RT_OFF$";"01.03.2024 10:00:00";0;2;45352416666,67';
  const { features, description, data, time, doubts } = await imported(
    write(lines('"VarName";"TimeString";"VarValue";"Validity";"Time_ms"', start, ...rows)),
  );
  assert.equal(description.long, { time: "TimeString", series: ["VarName"], value: "VarValue" });
  assert.equal([features, data.count, time.periodSeconds], [["Temp", "Drehzahl"], ROWS, 60]);
  assert.match(doubts.join(), /\$RT_OFF\$ is left out, as 1 of 60 rows have it/);
});

test("days in digits are the time of a table of a reading a row, too", async () => {
  const day = (i: number) => `202403${two(1 + (i % 30))}`;
  const rows = makeRows((i) => `S1,${day(i)},TMAX,${100 + i},,W\nS1,${day(i)},PRCP,${i % 7},,W`, 30);
  const { description, features, data, time } = await imported(write(lines(...rows)));
  assert.equal([description.timeUnit, features, data.count], ["digits", ["TMAX", "PRCP"], 30]);
  assert.is(time.periodSeconds, 86_400);
});

test("a table of a reading a row without a header is known by its cells, too", async () => {
  for (const timeAt of [
    (i: number) => `2024-03-01 10:${two(i)}:00`,
    (i: number) => `${1709287200 + 60 * i}`,
  ]) {
    const rows = makeRows((i) =>
      lines(`${timeAt(i)};n1;temp;${temp(i)}`, `${timeAt(i)};n1;hum;4${i % 7}`).trimEnd(),
    );
    const { description, features, data, stdout, time } = await imported(write(lines(...rows)));
    assert.equal(description.long, { time: "1", series: ["3"], value: "4" });
    assert.equal([features, data.count, time.periodSeconds], [["temp", "hum"], ROWS, 60]);
    assert.equal([...data.rows.slice(0, 2)], [20.5, 40]);
    assert.match(stdout, /series +column 3, read in column 4\n/);
    assert.match(stdout, /time +column 1 \(/);
  }
});

test("a date in digits is one with an underscore before its time, too", async () => {
  const rows = makeRows((i) => `20170407_0544${two(i)},${temp(i)},${stateAt(i)}`);
  const { time, features } = await imported(write(lines(...rows)));
  assert.equal([time.periodSeconds, features], [1, ["column 2"]]);
});

test("rows that aren't in the order of their times are said to be so, with the remedy", async () => {
  const rows = makeRows((i) => `2024-03-01 10:${two((i * 23) % 60)},${temp(i)},${stateAt(i)}`);
  const { doubts } = await imported(write(lines("when,temp,state", ...rows)));
  assert.match(doubts.join(), /the rows aren't in the order of their times.*--every SECONDS/);
});

test("a series that begins late is named, as the rows begin with it", async () => {
  const rows = makeRows((i) =>
    [
      `2024-03-01 10:${two(i)},temp,${temp(i)}`,
      `2024-03-01 10:${two(i)},hum,4${i % 7}`,
      ...(i < 30 ? [] : [`2024-03-01 10:${two(i)},co2,4${i % 7}0`]),
    ].join("\n"),
  );
  const { doubts, data } = await imported(write(lines("time,sensor,value", ...rows)));
  assert.is(data.count, 30);
  assert.match(doubts.join(), /co2 begins after 41 % of the readings, and the rows with it;/);
});

test("a log of devices' states is a table of a reading a row, without what all rows have alike", async () => {
  const rows = makeRows((i) => `R1,2024-03-01 10:${two(i)}:00,${["pump", "valve"][i % 2]},${(i >> 1) % 2}`);
  const { description, columns } = await imported(write(lines("Rack,Date_Time,Device,State", ...rows)));
  assert.equal(description.long, { time: "Date_Time", series: ["Device"], value: "State" });
  assert.equal(
    columns.map(({ name }: { name: string }) => name),
    ["time", "pump", "valve"],
  );
});

test("numbers of a printed line that no name stands before are said", async () => {
  const row = (i: number) =>
    ` temp: ${temp(i)}^C  pH:3.${10 + (i % 9)} Oxygen ${11_000 + i * 7}Board time: 0:${i}:5`;
  const { features, doubts } = await imported(write(lines(...makeRows(row)), "txt"));
  assert.equal(features, ["temp", "pH"]);
  assert.match(
    doubts.join("\n"),
    /numbers of each line aren't read, as "11000Board" and "0:0:5"; --pattern takes/,
  );
  const whole = await imported(write(lines(...makeRows((i) => `temp:${temp(i)} hum:${i % 9}.25`)), "txt"));
  assert.equal(whole.doubts, []);
});

test("a time and a number in one cell are refused with the command that parts them", async () => {
  const rows = makeRows((i) => `01/11/2026 13:${10 + (i % 50)}:57 ${temp(i)}C, ${i % 9}.25C, ${i % 7}.5C`);
  const file = write(lines(...rows), "txt");
  await refusesHere(
    ["import", file],
    'a time and a number in one cell, as "01/11/2026 13:10:57 20.5C"',
    `sed -E 's/(:[0-9]{2}[0-9.]*) +/\\1,/' ${file} > NEW parts them`,
  );
  const zoned = makeRows((i) => `2026-03-01 13:${10 + (i % 50)}:57 +0100,${temp(i)},${i % 9}.25`);
  assert.is((await imported(write(lines("when,a,b", ...zoned)))).features.length, 2);
});

test.run();
