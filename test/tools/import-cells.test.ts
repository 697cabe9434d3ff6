import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { namedColumns, readTable } from "../../host/streams/index.ts";
import { parseDate } from "../../host/streams/time-text.ts";
import { refusesHere, runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";

const written = temporaryFolder();
let files = 0;

const lines = (...rows: readonly string[]) => `${rows.join("\n")}\n`;
const STATES = ["idle", "run", "worn"];
const stateAt = (i: number) => STATES[Math.floor(i / 2) % 3];
const makeRows = (row: (i: number) => string, count = 40) => Array.from({ length: count }, (_, i) => row(i));

/** What import says of a file and prints, and what every command then reads. */
async function imported(content: string, ...flags: readonly string[]) {
  const file = written(`${files++}.csv`, content);
  const { stdout, stderr } = await runHere(["import", file, ...flags]);
  assert.is(stderr, "");
  const { files: found } = await runJsonHere("motelearn.import/1", "import", file, ...flags);
  const data = await readTable(file, { missing: "nan", unlabelled: true, provenance: true });
  const { features, label } = namedColumns(data.roles as NonNullable<typeof data.roles>);
  return { ...found[0], stdout, data, features, label };
}

/** A column's cells and their numbers: the first three rows. */
type Cells = readonly [about: string, cells: (i: number) => string, numbers: readonly number[], unit: string];

const QUANTITIES: readonly Cells[] = [
  ["degrees behind a blank", (i) => `${i % 7}.5 °C`, [0.5, 1.5, 2.5], "°C"],
  ["per cent", (i) => `${i % 7} %`, [0, 1, 2], "%"],
  ["volts without a blank", (i) => `3.${i % 7}V`, [3, 3.1, 3.2], "V"],
  ["dollars, with thousands", (i) => `"$1,20${i % 7}.50"`, [1200.5, 1201.5, 1202.5], "$"],
  ["a loss in pounds", (i) => `-£${i % 7}.25`, [-0.25, -1.25, -2.25], "£"],
  ["a minus of typographers", (i) => `\u2212${i % 7}.25 m/s²`, [-0.25, -1.25, -2.25], "m/s²"],
  ["revolutions", (i) => `${1500 + (i % 7)} 1/min`, [1500, 1501, 1502], "1/min"],
  ["a unit of two words", (i) => `2${i % 7}.5 in Hg`, [20.5, 21.5, 22.5], "in Hg"],
  ["an exponent", (i) => `1e${i % 7} Pa`, [1, 10, 100], "Pa"],
];

for (const [about, cells, numbers, unit] of QUANTITIES)
  test(`numbers with a unit in each cell are readings: ${about}`, async () => {
    const { description, columns, stdout, data, features } = await imported(
      lines("value,state", ...makeRows((i) => `${cells(i)},${stateAt(i)}`)),
    );
    assert.equal([features, description.units, columns[0].unit], [["value"], { value: unit }, unit]);
    assert.equal([...data.rows.slice(0, 3)], numbers.map(Math.fround));
    assert.ok(stdout.includes(`numbers in ${unit}`), stdout);
  });

test("other marks of numbers are read: the minus of typographers, and an exponent of Fortran's", async () => {
  for (const [separator, cells, numbers] of [
    [",", (i: number) => `\u2212${i % 7}.25`, [-0.25, -1.25, -2.25]],
    [",", (i: number) => `\u2013${i % 7}.25E\u221202`, [-0.0025, -0.0125, -0.0225]],
    [";", (i: number) => `\u22121.20${i % 7},5`, [-1200.5, -1201.5, -1202.5]],
    [",", (i: number) => `0.2${i % 7}50D+02`, [20.5, 21.5, 22.5]],
    [",", (i: number) => `${1 + (i % 7)}.D-01`, [0.1, 0.2, 0.3]],
  ] as const) {
    const rows = makeRows((i) => [cells(i), separator === ";" ? `${i % 9},5` : `${i % 9}.5`].join(separator));
    const { data, features } = await imported(lines(["value", "other"].join(separator), ...rows));
    assert.equal(features, ["value", "other"]);
    assert.equal(
      [0, 2, 4].map((at) => data.rows[at]),
      numbers.map(Math.fround),
    );
  }
});

test("decimal commas and points between thousands stand before a unit, too; a missing reading stays one", async () => {
  const rows = makeRows((i) =>
    i === 1 ? "unavailable;-9999 °C;an" : `1.20${i % 7},50 €;2${i % 7},5 °C;aus`,
  );
  const { description, data, columns } = await imported(lines("Preis;Temp;Zustand", ...rows));
  assert.equal([description.decimal, description.thousands], [",", "."]);
  assert.equal(description.units, { Preis: "€", Temp: "°C" });
  assert.equal([...data.rows.slice(0, 6)], [1200.5, 20.5, Number.NaN, Number.NaN, 1202.5, 22.5]);
  assert.equal(columns.map(({ missing }: { missing: number }) => missing).slice(0, 2), [1, 1]);
});

test("a number to be estimated may have a unit, and a file no header", async () => {
  const { data, description } = await imported(
    lines(...makeRows((i) => `${i % 7}.5 °C,${i % 5}.25 kW`)),
    "--label",
    "2",
  );
  assert.equal([description.header, description.units], [false, { 1: "°C", 2: "kW" }]);
  assert.equal([data.rows[1], data.labels[1]], [1.5, 1.25]);
});

test("another unit, or none, in one column is refused at its line, with the remedy; such rows can be skipped", async () => {
  const mixed = (other: string) =>
    lines("temp,state", ...makeRows((i) => `${i === 30 ? other : `${20 + (i % 7)}.5 °C`},${stateAt(i)}`));
  for (const other of ["70.5 °F", "21.5", "21 K"]) {
    const file = written(`mixed${files++}.csv`, mixed(other));
    await refusesHere(
      ["import", file],
      `:32: column "temp" is "${other}", not a number in °C; one unit in all cells of a column is needed`,
      "or skip such rows by --skip-bad-rows",
    );
  }
  const { data, badRows } = await imported(mixed("70.5 °F"), "--skip-bad-rows");
  assert.equal([data.count, badRows.rows], [39, 1]);
});

test("numbers of devices, of digits and letters, are no readings", async () => {
  const rows = makeRows((i) => `70B3D57ED000000${i % 2},${i % 7}.5,${stateAt(i)}`);
  const { features } = await imported(lines("dev_eui,temp,state", ...rows));
  assert.equal(features, ["temp"]);
});

test("names with numbers in them are no readings", async () => {
  for (const name of [(i: number) => `${i % 5}${"ABCDE"[i % 5]}`, (i: number) => `${i}x${(i * 7) % 5}f`]) {
    const { description, features } = await imported(
      lines("machine,temp,state", ...makeRows((i) => `${name(i)},${i % 7}.5,${stateAt(i)}`)),
    );
    assert.equal([features, description.units], [["temp"], undefined]);
  }
});

for (const [about, on, off] of [
  ["true", "True", "False"],
  ["yes", "yes", "no"],
  ["on", "ON", "off"],
  ["open", "open", "closed"],
  ["a German spreadsheet's", "WAHR", "FALSCH"],
] as const)
  test(`two words for a switch are 1 and 0 as a feature: ${about}`, async () => {
    const { description, stdout, data, label } = await imported(
      lines("temp,state,door", ...makeRows((i) => `${i % 7}.5,${stateAt(i)},${i % 3 === 1 ? on : off}`)),
    );
    assert.equal([label, description.features, description.booleans], ["state", ["temp", "door"], ["door"]]);
    assert.equal([data.rows[1], data.rows[3], data.rows[5]], [0, 1, 0]);
    assert.ok(stdout.includes(`door: ${on} is 1, ${off} is 0`), stdout);
  });

test("choose writes units of cells into the node's file, and names learners that no firmware has in one line", async () => {
  const rows = makeRows((i) => `${i % 7}.5 °C,${i % 5}.25,${stateAt(i)}`);
  const file = written("choose.csv", lines("temp,load,state", ...rows));
  await runHere(["import", file]);
  const node = file.replace("choose.csv", "node.json");
  const short = ["--budgets", "16", "--seconds", "0.1", "--threads", "1", "--no-features"];
  const { stdout } = await runHere([
    "choose",
    "--train",
    file,
    ...short,
    "--target",
    "esp32c3",
    "--node",
    node,
  ]);
  const { channels } = JSON.parse(readFileSync(node, "utf8"));
  assert.equal(channels, [{ name: "temp", unit: "°C" }, { name: "load" }]);
  const leftOut = stdout.split("\n").filter((line) => line.endsWith("the firmware has no one-vs-all"));
  assert.is(leftOut.length, 1);
  assert.match(leftOut[0], /^left out: \S.*perceptron, .*: the firmware/);
});

test("two words are the label's classes where they are the label", async () => {
  const content = lines("temp,door", ...makeRows((i) => `${i % 7}.5,${i % 3 ? "open" : "closed"}`));
  const { description, label } = await imported(content);
  assert.equal([label, description.classes, description.booleans], ["door", ["closed", "open"], undefined]);
});

test("a word of no pair in a column of switches is refused at its line", async () => {
  const file = written("ajar.csv", lines("temp,door,y", "1.5,open,0", "2.5,ajar,1"));
  written("ajar.csv.data.json", '{"schema":"motelearn.data/1","booleans":["door"]}');
  await refusesHere(
    ["evaluate", "--learner", "pa", "--train", file],
    'ajar.csv:3: column "door" is "ajar", neither true nor false; true or false, yes or no, on or off, open or closed is needed',
  );
});

test("without a description the message names import for such cells", async () => {
  for (const cell of ["21.5 °C", "on", "2026-03-01T08:00:00Z", "3/1/2026 8:00"])
    await refusesHere(
      [
        "evaluate",
        "--learner",
        "pa",
        "--train",
        written("bare.csv", lines("a,b,y", `1,${cell},0`, `2,${cell},1`)),
      ],
      "motelearn import finds out how it is written",
    );
});

test("a test file in another unit than the train file is refused", async () => {
  const content = (unit: string) =>
    lines("temp,state", ...makeRows((i) => `${i % 7}.5 ${unit},${stateAt(i)}`));
  const [train, other] = ["°C", "°F"].map((unit) => written(`in${files++}.csv`, content(unit)));
  await runHere(["import", train, other]);
  await refusesHere(
    ["evaluate", "--learner", "pa", "--train", train, "--test", other],
    `column "temp" in °F where ${train} has °C; one unit is needed`,
  );
});

const HOUR = 3_600_000;
/** A row each so many hours from noon on that day of 2024, its date written with slashes. */
function slashed(hours: number, order: "DMY" | "MDY", [month, day]: readonly number[], count = 40): string {
  const rows = makeRows((i) => {
    const date = new Date(new Date(2024, month - 1, day, 12).getTime() + i * hours * HOUR);
    const [d, m] = [date.getDate(), date.getMonth() + 1].map((each) => String(each).padStart(2, "0"));
    const clock = `${date.getHours()}:${String(date.getMinutes()).padStart(2, "0")}`;
    return `${order === "DMY" ? `${d}/${m}` : `${m}/${d}`}/2024 ${clock},${i % 7}.5,${stateAt(i)}`;
  }, count);
  return lines("time,temp,state", ...rows);
}

for (const order of ["DMY", "MDY"] as const) {
  test(`dates with slashes are read where a day above 12 decides: ${order}`, async () => {
    const { description, time, data } = await imported(slashed(12, order, [3, 1]));
    assert.equal([description.time, description.dateOrder, time.periodSeconds], ["time", order, 43200]);
    assert.is(time.first, new Date(2024, 2, 1, 12).toISOString());
    assert.is(data.provenance?.time?.[0], new Date(2024, 2, 1, 12).getTime());
  });

  test(`dates with slashes are read if only one order keeps the step over midnight: ${order}`, async () => {
    const { description, time, stdout } = await imported(slashed(1, order, [3, 1]));
    assert.equal([description.dateOrder, time.gaps, time.disorder], [order, 0, 0]);
    assert.ok(
      stdout.includes(order === "DMY" ? "dates with the day first" : "dates with the month first"),
      stdout,
    );
  });

  test(`dates that can be of two days are refused, until --date-order says which: ${order}`, async () => {
    const sameDay = slashed(0.1, order, [3, 1]);
    const file = written(`same${files++}.csv`, sameDay);
    const first = sameDay.split("\n")[1].split(",")[0];
    await refusesHere(
      ["import", file],
      `${file}: column "time" has dates such as "${first}", which several orders fit; --date-order DMY reads the day first, --date-order MDY the month`,
    );
    const { time } = await imported(sameDay, "--date-order", order);
    assert.is(time.first, new Date(2024, 2, 1, 12).toISOString());
  });
}

for (const [about, write] of [
  ["a month's name between hyphens", (day, hour) => `${day}-Mar-2024 ${hour}:00:00`],
  ["a month's name, and two digits of the year", (day, hour) => `${day}-MAR-24 ${hour}:00`],
  ["a month's whole name", (day, hour) => `${day} March 2024 ${hour}:00`],
  ["a German month's whole name", (day, hour) => `${day}. März 2024 ${hour}:00`],
  ["a German month's name, and two digits of the year", (day, hour) => `${day}. Mrz 24 ${hour}:00`],
  [
    "a month's name first",
    (day, hour) => `"Mar ${day}, 2024, ${hour % 12 || 12}:00:00 ${hour < 12 ? "AM" : "PM"}"`,
  ],
  ["dots, and two digits of the year", (day, hour) => `${day}.03.24 ${hour}:00`],
  ["slashes, and two digits of the year", (day, hour) => `3/${day}/24 ${hour}:00`],
] as readonly (readonly [about: string, write: (day: number, hour: number) => string])[])
  test(`dates with ${about} are read`, async () => {
    const rows = makeRows(
      (i) => `${write(10 + Math.floor((13 + i) / 24), (13 + i) % 24)},${i % 7}.5,${stateAt(i)}`,
    );
    const { time, data } = await imported(lines("time,temp,state", ...rows));
    assert.equal(
      [time.column, time.first, time.periodSeconds],
      ["time", new Date(2024, 2, 10, 13).toISOString(), 3600],
    );
    assert.is(data.provenance?.time?.[0], new Date(2024, 2, 10, 13).getTime());
  });

test("each month has its German name, too", () => {
  const names = "Januar Feb. März Apr Mai Juni Juli August Sept. Oktober Nov Dez.".split(" ");
  for (const [month, name] of names.entries())
    assert.is(parseDate(`7. ${name} 2024`), new Date(2024, month, 7).getTime());
  assert.ok(Number.isNaN(parseDate("7. Foo 2024")));
});

test("dates of two digits each are refused where a year may come first", async () => {
  const rows = makeRows((i) => `24/03/${10 + Math.floor(i / 6)} ${13 + (i % 6)}:00,${i % 7}.5,${stateAt(i)}`);
  const file = written(`short${files++}.csv`, lines("time,temp,state", ...rows));
  await refusesHere(
    ["import", file],
    `${file}: column "time" has dates such as "24/03/10 13:00", which several orders fit; --date-order DMY reads the day first, --date-order MDY the month, --date-order YMD the year`,
  );
  const { time } = await imported(lines("time,temp,state", ...rows), "--date-order", "YMD");
  assert.is(time.first, new Date(2024, 2, 10, 13).toISOString());
  const versions = await imported(
    lines("firmware,temp,state", ...makeRows((i) => `1.2.10,${i % 7}.5,${stateAt(i)}`)),
  );
  assert.is(versions.time, undefined);
});

test("a clock of twelve hours beside a date with slashes", async () => {
  const { time } = await imported(
    lines("time,a,y", "3/13/2024 12:30:00 AM,1,0", "3/13/2024 11:30:00 AM,2,1", "3/13/2024 12:30 PM,3,1"),
  );
  assert.equal(
    [time.first, time.last],
    [new Date(2024, 2, 13, 0, 30).toISOString(), new Date(2024, 2, 13, 12, 30).toISOString()],
  );
});

for (const [about, date, clock] of [
  ["days first, as in Excel", "01.03.2024", (i: number) => `10:${i}`],
  ["with slashes and dots, as an electronic nose", "13/03/2024", (i: number) => `10.${i}.00`],
] as const)
  test(`a time of the day in a column of its own is read with its date: ${about}`, async () => {
    const day = Number(date.slice(0, 2));
    const rows = makeRows((i) => `${date};${clock(10 + i)};${i % 7},5;${stateAt(i)}`);
    const content = lines("Datum;Uhrzeit;Temp;Zustand", ...rows);
    const { description, features, time, data, stdout } = await imported(content);
    assert.equal([description.time, description.period], [{ date: "Datum", clock: "Uhrzeit" }, 60_000]);
    assert.equal([features, time.periodSeconds], [["Temp"], 60]);
    assert.is(data.provenance?.time?.[2], new Date(2024, 2, day, 10, 12).getTime());
    assert.ok(stdout.includes("Datum Uhrzeit"), stdout);
    assert.ok(!stdout.includes("to be checked"), stdout);
    const each = await imported(content, "--every", "30");
    assert.equal([each.rows, each.description.time.clock, each.features], [79, "Uhrzeit", ["Temp"]]);
    assert.is(each.data.provenance?.time?.[2], new Date(2024, 2, day, 10, 11).getTime());
  });

test("a table of a reading a row has its dates with slashes read, too", async () => {
  const rows = makeRows((i) => `3/${10 + Math.floor(i / 4)}/2024 ${i % 4}:00`).flatMap((time, i) => [
    `${time},temp,${i % 7}.5`,
    `${time},state,${stateAt(i)}`,
  ]);
  const { description, features, time } = await imported(lines("timestamp,sensor,value", ...rows));
  assert.equal([description.dateOrder, features], ["MDY", ["temp"]]);
  assert.is(time.first, new Date(2024, 2, 10).toISOString());
});

for (const [about, list] of [
  ["in brackets, in quotes", (numbers: readonly number[]) => `"[${numbers.join(", ")}]"`],
  ["between blanks", (numbers: readonly number[]) => `[${numbers.join(" ")}]`],
  ["as a tuple", (numbers: readonly number[]) => `"(${numbers.join(", ")})"`],
  ["bare", (numbers: readonly number[]) => `"${numbers.join()}"`],
] as const)
  test(`a list of numbers in each cell becomes a column each: ${about}`, async () => {
    const row = (i: number) => `CSI,${list([i % 7, -(i % 5), 0.5, i % 3])},${-40 - (i % 3)},${stateAt(i)}`;
    const { description, features, stdout, data } = await imported(
      lines("type,data,rssi,state", ...makeRows(row)),
    );
    assert.equal(description.lists, { data: 4 });
    assert.equal(features, ["data.0", "data.1", "data.2", "data.3", "rssi"]);
    assert.equal([...data.rows.slice(5, 10)], [1, -1, 0.5, 1, -41]);
    assert.ok(stdout.includes("data: lists of 4 numbers, a column each"), stdout);
    const bare = await imported(lines(...makeRows(row)));
    assert.equal([bare.description.lists, bare.features.length], [{ 2: 4 }, 5]);
  });

test("a list of another length is a bad row, and no number of a list is the label by its place", async () => {
  const rows = makeRows((i) => `${i % 9}.5,"[${i % 7}, ${i % 5}, 2${i === 30 ? "" : ", 3"}]"`);
  const content = lines("temp,acc", ...rows);
  await refusesHere(["import", written(`${files++}.csv`, content)], "4 fields where the first row has 5");
  const { features, label, badRows } = await imported(content, "--skip-bad-rows");
  assert.equal([features.length, label, badRows.rows], [5, null, 1]);
});

test("a cell of many numbers and then a word is no list, and is judged in linear time", async () => {
  const cell = `${"12 ".repeat(40)}V${" ".repeat(20_000)}`;
  const rows = makeRows((i) => `${cell}.,${i % 9}.5,${stateAt(i)}`);
  const { description, features } = await imported(lines("note,temp,state", ...rows));
  assert.equal([description.lists, features], [undefined, ["temp"]]);
});

test("a ruled line above a table is judged in linear time", async () => {
  const rows = makeRows((i) => `${i % 9}.5,${stateAt(i)}`);
  const { features } = await imported(lines(`${"-".repeat(100_000)}x`, "temp,state", ...rows));
  assert.equal(features, ["temp"]);
});

test.run();
