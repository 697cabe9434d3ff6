import { test } from "uvu";
import * as assert from "uvu/assert";
import { imported, lines, makeRows, ROWS, stateAt, temp, write } from "./imported.ts";

test("names between blanks stand above columns between tabs", async () => {
  const rows = makeRows((i) => `${(i % 7) / 2}\t${temp(i)}`);
  const { features, description } = await imported(write(lines("voltage current", ...rows)));
  assert.equal([features, description.rowNames], [["voltage", "current"], undefined]);
});

test("a list of numbers in the first row is a sample, no name", async () => {
  const rows = makeRows((i) => `"${i % 9},  ${i % 5}, ${i % 3} , ${i % 7}"`);
  const { rows: count, description } = await imported(write(lines(...rows)));
  assert.equal([count, description.header, description.lists], [ROWS, false, { 1: 4 }]);
});

test("facts about a recording, in as many fields, aren't the names of its columns", async () => {
  const rows = makeRows((i) => `${3 + (i % 7)},${temp(i)},-0.${i % 9}`);
  const facts = "Device: Dot 4,Firmware: 2.2.1,Filter: none (default)";
  const { features } = await imported(write(lines(facts, "w,x,y", ...rows)));
  assert.equal(features, ["w", "x", "y"]);
});

test("a header that a program wrote at each of its first starts is one header", async () => {
  const head = "level,temp,state";
  const rows = makeRows((i) => (i === 40 ? head : `${i % 9}.25,${temp(i)},${stateAt(i)}`));
  const { features, rows: count, description } = await imported(write(lines(head, head, head, ...rows)));
  assert.equal([features, count, description.skipLines], [["level", "temp"], ROWS - 1, 2]);
});
const stamp = (i: number) => `2024-03-01 10:${String(i % 60).padStart(2, "0")}:00`;

test("lines that end in two returns are lines, as where a program wrote CRLF in text mode", async () => {
  const rows = makeRows((i) => `"${temp(i)}";"${i % 9}.25";"${stateAt(i)}"`);
  const content = `\uFEFF${['"a";"b";"state"', ...rows].join("\r\r\n")}\r\r\n`;
  const { features, rows: count, classes } = await imported(write(content));
  assert.equal([features, count, classes.length], [["a", "b"], ROWS, 2]);
});

test("lines that a spreadsheet has filled up with separators are a title", async () => {
  const title = ["# FILE M12;;;;;", "headers;4;;;;", "operator;Kim;;;;", "0;reload;;;;"];
  const rows = makeRows((i) => `${i};${120 + i * 60}.00;${temp(i)};0.${i % 9};${i % 5}.1;${stateAt(i)}`);
  const { features, description } = await imported(
    write(lines(...title, "index;test_time;volt;amp;watt;state", ...rows)),
  );
  assert.equal([features, description.skipLines], [["volt", "amp", "watt"], 4]);
});

test("a title of two lines stands above numbers between blanks without names", async () => {
  const rows = makeRows((i) => ` 2016  1  ${temp(i)} 0   ${i % 9}.25 ${i % 2}`);
  const { description, rows: count } = await imported(
    write(lines(" Ridgetop", "   51.25   12.75  140 m", ...rows)),
  );
  assert.equal([description.skipLines, description.separator, count], [2, " ", ROWS]);
});

test("TOA5 has its names where a spreadsheet has written it, too", async () => {
  const rows = makeRows((i) => `11/${1 + (i % 28)}/2015 0:00,${i},${temp(i)},${i % 9}.25,${stateAt(i)}`);
  const { features } = await imported(
    write(lines("TOA5,Roof,CR1000,66,,", "TIMESTAMP,RECORD,V,I,state", "TS,RN,,,", ",,Avg,Avg,Smp", ...rows)),
    ...["--date-order", "MDY"],
  );
  assert.equal(features, ["V", "I"]);
});

test("a header between doubled tabs has as many names as there are columns", async () => {
  const rows = makeRows((i) => `${i % 9}.5\t${temp(i)}\t${stateAt(i)}`);
  const { features, label } = await imported(write(lines("Mass (g)\t\tUair (kPa)\tState", ...rows)));
  assert.equal([features, label], [["Mass (g)", "Uair (kPa)"], "State"]);
});

test("a header is one above a row that lacks its reading", async () => {
  const rows = makeRows((i) => `1990-01-${String(1 + (i % 28)).padStart(2, "0")},${i === 0 ? "" : temp(i)}`);
  assert.equal((await imported(write(lines(",river", ...rows)))).features, ["river"]);
});

test("two comments above the rows have names, and units that come again", async () => {
  const rows = makeRows(
    (i) => `2019 04 ${1 + Math.floor(i / 24)} ${i % 24} ${i % 5 ? temp(i) : "MM"} ${i % 9}.25 MM`,
  );
  const head = ["#YY MM DD hh WTMP ATMP TIDE", "#yr mo dy hr degC degC ft"];
  const { features, label, description, columns } = await imported(write(lines(...head, ...rows)));
  assert.equal([features, label], [["WTMP [degC]", "ATMP [degC]"], null]);
  assert.equal([description.missingWords, columns[6].role], [["mm"], "left out"]);
});

test("a second row of a header has units, or the forms of the columns, and is no sample", async () => {
  const scope = await imported(
    write(
      lines(
        "x-axis,1,2",
        "second,Volt,Volt",
        ...makeRows((i) => `${-1 + i / 1000},+${i % 9}.298E+00,-19.${i % 7}E-03`),
      ),
    ),
  );
  assert.equal([scope.rows, scope.features, scope.label], [ROWS, ["1 [Volt]", "2 [Volt]"], null]);
  const rows = makeRows(
    (i) => `GAUGE\t0815\t2013-09-01 00:${String(i).padStart(2, "0")}\t${50 + (i % 7)}.5\tA`,
  );
  const gauge = await imported(
    write(
      lines("# warning", "agency_cd\tsite_no\tdatetime\tflow\tflow_cd", "5s\t15s\t20d\t14n\t10s", ...rows),
    ),
  );
  assert.equal(
    [gauge.rows, gauge.features, gauge.label, gauge.description.time],
    [ROWS, ["flow"], null, "datetime"],
  );
});

test("semicolons around a date with its time of the day aren't LIBSVM's second label", async () => {
  const rows = makeRows(
    (i) => `${i};53;05/05/2021 15:36:${String(i).padStart(2, "0")}.757;${temp(i)};${stateAt(i)}`,
  );
  const { features, description } = await imported(
    write(lines(";mode;time/s;Ecell/V;state", ...rows)),
    "--date-order",
    "DMY",
  );
  assert.equal([features, description.separator, description.time], [["mode", "Ecell/V"], ";", "time/s"]);
});

test("nines far from all other readings stand for a missing one, where no column has them as a reading", async () => {
  const row = (i: number, wave: string) =>
    `${i % 3 ? temp(i) : "-7999.0"},${i % 4 ? `${i % 59}.0` : "99.00"},${wave},${stateAt(i)}`;
  const alone = await imported(write(lines("temp,gust,hs,state", ...makeRows((i) => row(i, `${i % 9}.25`)))));
  assert.equal(alone.description.missingWords, ["-7999", "99"]);
  assert.equal([alone.columns[0].missing, alone.columns[1].missing], [20, 15]);
  const beside = await imported(
    write(lines("temp,gust,hum,state", ...makeRows((i) => row(i, `${60 + (i % 40)}`)))),
  );
  assert.equal(beside.description.missingWords, ["-7999"]);
  assert.match(beside.stdout, /gust has 99 in 15 rows, unlike its other readings; "missingWords"/);
});

test("a counter that comes by 99 and 999 is one", async () => {
  const rows = makeRows((i) => `${90 + i},${temp(i)},${stateAt(i)}`);
  const { features, description } = await imported(write(lines("n,temp,state", ...rows)));
  assert.equal([features, description.missingWords], [["temp"], undefined]);
});

test("a unit stands behind a comma, before what else the name says; a port or a date's form is none", async () => {
  const name = '"Temp, °C (LGR S/N: 471100, SEN S/N: 471100)"';
  const { columns } = await imported(
    write(
      lines(
        `${name},Digital (D11),DATE (MM/DD),flow (l/min),state`,
        ...makeRows((i) => `${temp(i)},${i % 2},${i % 9},${i % 7}.5,${stateAt(i)}`),
      ),
    ),
  );
  assert.equal(
    columns.map(({ unit }: { unit?: string }) => unit),
    ["°C", undefined, undefined, "l/min", undefined],
  );
});

test("a table of names and values is of readings, a channel each", async () => {
  for (const series of ["name", "data_type"]) {
    const rows = makeRows((i) => `${1709287200 + i},rpm,${800 + (i % 7)}\n${1709287200 + i},load,${i % 9}.5`);
    const { features, description } = await imported(write(lines(`timestamp,${series},value`, ...rows)));
    assert.equal([features, description.long.series], [["rpm", "load"], [series]]);
  }
});

test("a table's names stand in the nearest line above its samples, however many fields that has", async () => {
  const volts = (i: number) => `${i % 7}.25,${i % 5}.5`;
  const rows = makeRows(volts);
  for (const [about, content, names] of [
    [
      "names are lacking",
      lines("temp\thum\tgust", ...makeRows((i) => `${i % 7}.5\t${i % 5}.5\t${i % 3}.5\t${i % 9}.5\t`)),
      ["temp", "hum", "gust"],
    ],
    [
      "more names, and units below them",
      lines("CH1,CH2,Start,Step,", "Volt,Volt,-6e-2,1e-4", ...rows.map((row) => `${row},`)),
      ["CH1 [Volt]", "CH2 [Volt]"],
    ],
    [
      "lines of as many fields above",
      lines(
        "Model,S1202",
        "Interval,0.02",
        "Source,CH1",
        "Second,Volt",
        ...makeRows((i) => `0.${10 + i},${i % 5}.5`),
      ),
      ["Source [Second]", "CH1 [Volt]"],
    ],
    [
      "three lines of names",
      lines(
        ";;Heat;Heat;Cold",
        ";;sum;pool;sum",
        "kind;when;kWh;kWh;kWh",
        ...makeRows((i) => `hour;2026-02-28T${10 + (i % 10)}:00;${i % 7},5;${i % 5},25;${i % 3},1`),
      ),
      ["kind", "when", "Heat sum kWh", "Heat pool kWh", "Cold sum kWh"],
    ],
    [
      "types and a count below them",
      lines(
        '"#NAMES"',
        '"t_stamp","Tank/Level","Tank/Temp","Valve"',
        '"#TYPES"',
        '"date","D","D","B"',
        `"#ROWS","${ROWS}"`,
        ...makeRows(
          (i) =>
            `"2024-03-01 08:${10 + (i % 50)}:00","${i % 7}.25","${i % 5}.5","${i % 3 ? "true" : "false"}"`,
        ),
      ),
      ["t_stamp", "Tank/Level", "Tank/Temp", "Valve"],
    ],
    [
      "units and types below them",
      lines(
        "sampleCount;60",
        "time;nmot;tmot",
        "s;1/min;deg C",
        "f8;f4;f4",
        ...makeRows((i) => `0.${10 + i};${1400 + (i % 9)};${i % 7}.5`),
      ),
      ["time [s]", "nmot [1/min]", "tmot [deg C]"],
    ],
    [
      "facts of each channel below them",
      lines(
        "File\tC:\\run1.svdx",
        "Name\tfSpeed\tName\tfTorque",
        "SymbolName\tMAIN.fSpeed\tSymbolName\tMAIN.fTorque",
        "Port\t851\tPort\t851",
        "Data-Type\tREAL64\tData-Type\tREAL64",
        "VariableSize\t8\tVariableSize\t8",
        ...makeRows((i) => `${i}\t${i % 7}.25\t${i}\t${i % 5}.5`),
      ),
      ["fSpeed", "fTorque"],
    ],
    [
      "readings that are missing in the first rows",
      lines(
        "when,flow,level",
        ...makeRows(
          (i) => `2024-03-01 08:${10 + (i % 50)}:00,${i < 5 ? "No Data" : `${i % 7}.25`},${i % 5}.5`,
        ),
      ),
      ["flow", "level"],
    ],
  ] as const) {
    const { columns, data } = await imported(write(content));
    const found = columns.map(({ name }: { name: string }) => name);
    assert.ok(
      names.every((name) => found.includes(name)),
      `${about}: ${found}`,
    );
    assert.is(data.count, ROWS, about);
  }
});

test("a title above numbers names no columns", async () => {
  const rows = makeRows((i) => `${i % 7}.25,${i % 5}.5,${i % 3},${i % 9}`);
  const { columns } = await imported(write(lines("Logger 5,Cellar", ...rows)));
  assert.equal(
    columns.map(({ name }: { name: string }) => name),
    ["column 1", "column 2", "column 3", "column 4"],
  );
});

test("columns between blanks are found below a title of many lines with commas", async () => {
  const title = [
    "Survey of 1996",
    "Log (denoised, deconvolved)",
    "Contact Information:",
    "  a@b.org, c@d.org",
    "___",
  ];
  const rows = makeRows((i) => `${70 + i}.5 -31.${10 + (i % 9)}`);
  const { data, columns } = await imported(write(lines(...title, "Depth  Temperature ", ...rows), "txt"));
  assert.equal(
    [data.count, columns.map(({ name }: { name: string }) => name)],
    [ROWS, ["Depth", "Temperature"]],
  );
});

test("names in a comment are those of rows that end with a separator, too", async () => {
  const rows = makeRows((i) => `1;${1 + Math.floor(i / 24)};${i % 24};${i % 7}.5;${temp(i)};`);
  const { features, label } = await imported(write(lines("# Month;Day;Hour;Sun;Temperature", ...rows)));
  assert.equal([features, label], [["Sun", "Temperature"], null]);
});

test("a sign may stand apart from its number", async () => {
  const rows = makeRows((i) => `${i % 2 ? "-" : "+"}  ${i % 7}.5,+   ${i % 9}.25,${stateAt(i)}`);
  const { features, data } = await imported(write(lines("CH1,CH2,label", ...rows)));
  assert.equal(
    [features, [...data.rows.slice(0, 4)]],
    [
      ["CH1", "CH2"],
      [0.5, 0.25, -1.5, 1.25],
    ],
  );
});

test("a comment of names may stand further above, behind a word for columns", async () => {
  const head = ["# Bench 7, 2 probes", "# columns: no ; time_s ; volt_v ; state", "#", "# NOTE: checked", ""];
  const rows = makeRows((i) => `${i} ; ${(i * 0.002).toFixed(6)} ; ${temp(i)} ; ${stateAt(i)}`);
  const { features, label, description } = await imported(write(lines(...head, ...rows)));
  assert.equal([features, label, description.rate], [["volt_v"], "state", 500]);
});

test("a head with more names than the rows have fields is said", async () => {
  const rows = makeRows((i) => `${temp(i)},${i % 9}.25,${stateAt(i)}`);
  const { features, doubts } = await imported(write(lines("temp,hum,state,pcTime", ...rows)));
  assert.equal(features, ["temp", "hum"]);
  assert.match(doubts.join("\n"), /^the rows have fewer fields than the head has names: pcTime is of none$/m);
});

test("a lone line of very many numbers is said to be one row", async () => {
  const { doubts, rows } = await imported(write(lines(makeRows(temp, 300).join())));
  assert.is(rows, 1);
  assert.ok(doubts.includes("the file has one row: each sample needs a line of its own"), doubts.join("\n"));
});

test("facts of a logger stand above rows between blanks that begin with their date", async () => {
  const facts = ["METADATA", "wait: 1", "depth: 3.50", "time: 2106-2-6 6:28:16", "place: North Loch"];
  const rows = makeRows((i) => `2018-8-22 ${9 + Math.floor(i / 60)}:${i % 60}:0 ${temp(i)} ${i % 9}.25 6.5`);
  const { features, time, description } = await imported(write(lines(...facts, ...rows), "txt"));
  assert.equal([features.length, time.periodSeconds, description.skipLines], [3, 60, 5]);
});

test("words above dates and times are a header, though it calls other columns by numbers", async () => {
  for (const [head, time] of [
    ["Date,Time", (i: number) => `03/15/2026,10:${String(i).padStart(2, "0")}:00`],
    ["read at", (i: number) => `2026-03-15 10:${String(i).padStart(2, "0")}:00`],
  ] as const) {
    const rows = makeRows((i) => `${time(i)},${temp(i)},${(i % 9) + 100}.25`);
    const { description, data, features } = await imported(write(lines(`${head},2050012,2044813`, ...rows)));
    assert.equal([description.header, features, data.count], [true, ["2050012", "2044813"], ROWS]);
  }
});

for (const [about, head, row, features] of [
  [
    "pandas' rows",
    "                 when  temp   hum",
    (i: number) => `${i}  ${stamp(i)}  ${temp(i)}  ${i % 7}.25`,
    ["temp", "hum"],
  ],
  [
    "pandas' index",
    "                     temp   hum",
    (i: number) => `${stamp(i)}  ${temp(i)}  ${i % 7}.25`,
    ["temp", "hum"],
  ],
  [
    "a box",
    "┌────┬────┐\n│        when         │ temp │ hum  │\n├────┼────┤",
    (i: number) => `│ ${stamp(i)} │ ${temp(i)} │ ${i % 7}.25 │`,
    ["temp", "hum"],
  ],
  ["both named", "date time temp hum", (i: number) => `${stamp(i)} ${temp(i)} ${i % 7}.25`, ["temp", "hum"]],
] as const)
  test(`one name may stand above a date and its clock between blanks: ${about}`, async () => {
    const { description, time } = await imported(write(lines(head, ...makeRows(row)), "txt"));
    const named = description.features.map((each: string | number) =>
      typeof each === "number" ? description.names[each - 1] : each,
    );
    assert.equal([named, time.periodSeconds], [[...features], 60]);
  });

for (const mark of ["%", "!", "//", "*", "--", ";"])
  test(`comments above a table may begin with ${mark}, and have the names`, async () => {
    for (const separator of [" ", ","]) {
      const comments = [
        "press 7, hall 2",
        "operator: Kim",
        "made 2026-05-20",
        ["time", "temp", "flow"].join(separator),
      ];
      const rows = makeRows((i) => [(0.1 * i).toFixed(1), temp(i), `${i % 9}.25`].join(separator));
      const later = [...rows.slice(0, 20), `${mark} paused`, ...rows.slice(20)];
      const { features, data, description } = await imported(
        write(lines("# written by rig 3", ...comments.map((text) => `${mark} ${text}`), ...later), "txt"),
      );
      assert.equal([features, data.count, description.comment], [["temp", "flow"], ROWS, mark]);
      assert.is(description.period, 100);
    }
  });

test("a semicolon before a blank cell is no comment, and a quote none", async () => {
  const rows = makeRows((i) => `;${temp(i)};${i % 9}.25`);
  const { description, data } = await imported(write(lines("; temp;flow", ...rows)));
  assert.equal([description.separator, description.comment, data.count], [";", undefined, ROWS]);
});

test.run();
