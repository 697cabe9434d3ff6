// What instruments, programs and data sets write otherwise than a plain table.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { refusesHere } from "../cli/program.ts";
import { imported, lines, makeRows, stateAt, temp, write } from "./imported.ts";

const two = (number: number) => String(number).padStart(2, "0");
const at = (i: number) => `2026-03-15 10:${two(i)}:00`;
const hum = (i: number) => `${40 + (i % 9)}.25`;

test("a separator behind each row, but not behind lines between them, shifts no name", async () => {
  const rows = makeRows(
    (i) => `${at(i)},${temp(i)},${hum(i)},${["North", "SE", "East", "West", "NNW"][i % 5]},\n<br>`,
  );
  const { features, label, time, data } = await imported(
    write(lines("Time,TempF,Hum,WindDirection<br>", ...rows)),
  );
  assert.equal([features, label, time?.column, data.count], [["TempF", "Hum"], null, "Time", 60]);
  const unnamed = makeRows((i) => `${at(i)},${temp(i)},${hum(i)},${i % 7}.125`);
  const more = await imported(write(lines("time,temp,hum", ...unnamed)));
  assert.equal(
    [more.time?.column, more.data.rows[0], more.features.slice(0, 2)],
    ["time", 20.5, ["temp", "hum"]],
  );
});

test("a line drawn below the names is none of them, and no row", async () => {
  const row = (i: number) => `| ${at(i)} | ${temp(i)} | ${hum(i)} |`;
  const markdown = write(lines("| time | temp | hum |", "|------|-----:|:---:|", ...makeRows(row)));
  const console = write(
    lines(" time | temp | hum", "------+------+-----", ...makeRows((i) => row(i).slice(1, -1))),
  );
  for (const file of [markdown, console]) {
    const { features, time, rows } = await imported(file);
    assert.equal([features, time?.column, time?.periodSeconds, rows], [["temp", "hum"], "time", 60, 60]);
  }
});

test("names of several lines above the name of an index are joined", async () => {
  const head = [",press,press,room", ",temp,hum,temp", "time,,,"];
  const rows = makeRows((i) => `${at(i)},${temp(i)},${hum(i)},${i % 5}.5`);
  const { features, time } = await imported(write(lines(...head, ...rows)));
  assert.equal([features, time?.column], [["press temp", "press hum", "room temp"], "time"]);
});

test("another header among the rows is refused, also where bad rows are skipped", async () => {
  const rows = makeRows((i) => `${at(i)},${temp(i)},${hum(i)}`);
  for (const header of ["time,hum,temp", "time,volt,amp"]) {
    const file = write(lines("time,temp,hum", ...rows, header, ...rows));
    const right = `another header, "${header}"; one table is needed: head -n 61 takes the lines before it, tail -n +62 the others`;
    for (const flags of [[], ["--skip-bad-rows"]]) await refusesHere(["import", file, ...flags], right);
  }
});

test("lines of several kinds are refused with the command for one, though most are of one kind", async () => {
  const rows = makeRows(
    (i) =>
      `IMU, ${20_000 * i}, ${temp(i)}, ${hum(i)}${i % 5 ? "" : `\nGPS, ${20_000 * i}, 47.5, 8.5, ${430 + i}`}`,
  );
  const head = ["FMT, 131, 32, IMU, Qff, TimeUS,Gyr,Acc", "FMT, 132, 32, GPS, QLLe, TimeUS,Lat,Lng,Alt"];
  const file = write(lines(...head, ...rows), "log");
  await refusesHere(["import", file], `grep '^IMU' ${file} > NEW takes those of one kind, of IMU, GPS`);
});

test("seconds since another year than 1970 are no time in the far future", async () => {
  const rows = makeRows((i) => `${3_856_334_400 + i / 2},${temp(i)},${hum(i)}`);
  const { time, features, doubts } = await imported(write(lines("Timestamp,temp,hum", ...rows)));
  assert.equal([time, features], [undefined, ["temp", "hum"]]);
  assert.match(doubts.join("\n"), /Timestamp is left out/);
});

test("clocks have their unit in their cells or behind a slash, or days before them", async () => {
  for (const [name, clock] of [
    ["Time", (i: number) => `${i / 10} sec`],
    ["time/s", (i: number) => `${i / 10}`],
    ["", (i: number) => `0 days 00:00:${two(Math.floor(i / 10))}.${i % 10}00000`],
    ["Test Time", (i: number) => `0d 00:00:${two(Math.floor(i / 10))}.${i % 10}`],
  ] as const) {
    const rows = makeRows((i) => `${clock(i)},${temp(i)},${hum(i)}`);
    const { description, features } = await imported(write(lines(`${name},temp,hum`, ...rows)));
    assert.equal([description.period, features], [100, ["temp", "hum"]], name);
  }
});

test("fractions of a second beside a clock, and Julian days, are no readings", async () => {
  const fraction = (i: number) => `15.03.2026;10:00:${two(i >> 1)};${i % 2 ? "0.500" : "0.000"};${temp(i)}`;
  const found = await imported(write(lines("Date;Time;Fractional Seconds;temp", ...makeRows(fraction))));
  assert.equal(found.features, ["temp"]);
  const julian = makeRows(
    (i) => `${(2_461_115.9 + i / 288 + (i % 3) / 9000).toFixed(5)},${temp(i)},${hum(i)}`,
  );
  assert.equal((await imported(write(lines("JD,mag,err", ...julian)))).features, ["mag", "err"]);
});

test("a class that isn't defined yet is a missing label", async () => {
  const rows = makeRows((i) => `${at(i)},${temp(i)},${i < 5 ? "<undefined>" : stateAt(i)}`);
  const { classes, unlabelled } = await imported(write(lines("time,temp,state", ...rows)));
  assert.equal([classes?.map(({ name }: { name: string }) => name), unlabelled], [["ok", "worn"], 5]);
});

test("a minus behind a number is its sign", async () => {
  const flow = (i: number) => `${i % 3 ? "1." : ""}${100 + (i % 7)},5${i % 2 ? "-" : ""}`;
  const rows = makeRows((i) => `${at(i)};${temp(i).replace(".", ",")};${flow(i)}`);
  const { features, data } = await imported(write(lines("time;temp;flow", ...rows)));
  assert.equal(features, ["temp", "flow"]);
  assert.equal([data.rows[1], data.rows[3], data.rows[5]], [100.5, -1101.5, 1102.5]);
});

test("a text is shown as its cell has it, with its comma", async () => {
  const rows = makeRows((i) => `${at(i)};${temp(i).replace(".", ",")};${i},5-${i + 1},25`);
  const { doubts } = await imported(write(lines("time;temp;span", ...rows)));
  assert.match(doubts.join("\n"), /span, as "0,5-1,25"/);
});

test("SenML's readings are refused with the command that adds their names and times", async () => {
  const pack = (i: number) => [
    { bn: "urn:dev:1/", bt: 1_773_568_800 + 30 * i, n: "temp", v: Number(temp(i)) },
    { n: "hum", t: 1, v: Number(hum(i)) },
  ];
  const file = write(lines(...makeRows((i) => JSON.stringify(pack(i)))), "ndjson");
  await refusesHere(
    ["import", file],
    "readings of SenML, whose names and times are relative to the first; jq -c",
  );
});

test("labels with a beginning and a duration are of the rows in their spans", async () => {
  const file = write(lines("t_s,temp,hum", ...makeRows((i) => `${i / 2},${temp(i)},${hum(i)}`)));
  for (const [header, row] of [
    ["onset\tduration\ttrial_type", (i: number) => `${10 * i}\t4\t${stateAt(10 * i)}`],
    ["time\tDauer\tlabel", (i: number) => `0:${two(10 * i)}\t0:04\t${stateAt(10 * i)}`],
  ] as const) {
    const labels = write(lines(header, ...makeRows(row, 3)), "tsv");
    const { classes, unlabelled, description } = await imported(file, "--labels", labels, "--force");
    assert.equal(
      [classes, unlabelled, description.labels.lasts],
      [
        [
          { name: "ok", rows: 18 },
          { name: "worn", rows: 9 },
        ],
        33,
        header.split("\t")[1],
      ],
    );
  }
  const wrong = write(lines("onset\tduration\ttrial_type", "1\t2\trun", "5\tlong\tidle", "9\t2\trun"), "tsv");
  await refusesHere(
    ["import", file, "--labels", wrong, "--force"],
    '"long" is no time that a span lasts; seconds are needed',
  );
});

test("numbers at the same distance are names, of a row's readings", async () => {
  const rows = makeRows((i) => `s${i},${makeRows((k) => (Math.sin(i + k) * 9).toFixed(2), 8).join()}`);
  const header = makeRows((k) => String(400 + 4 * k), 8).join();
  const { features, data } = await imported(write(lines(`sample,${header}`, ...rows)));
  assert.equal([features, data.count], [header.split(","), 60]);
});

test("a line of counts below the names is no row, also where it begins with a word", async () => {
  const head = [
    "Messung\t2\t",
    "",
    "Channel\tTime\tTemp\tFlow",
    "Datatype\tDT\tDT\tDT",
    "Length\t60\t60\t60",
  ];
  const rows = makeRows((i) => `\t${i / 10}\t${temp(i)}\t${hum(i)}`);
  const { features, data } = await imported(write(lines(...head, ...rows), "txt"));
  assert.equal([features, data.count, data.rows[0]], [["Temp", "Flow"], 60, 20.5]);
});

test("lines of a system's log have their values behind their names", async () => {
  const rows = makeRows((i) => `Apr 17 06:${two(i)}:00 pi sensord[412]: temp=${temp(i)} H=${hum(i)}`);
  const { features, description, doubts } = await imported(write(lines(...rows), "log"));
  assert.equal([features, description.period], [["temp", "H"], 60_000]);
  assert.ok(doubts.includes("clock is left out, as a time of the day without its date"), doubts.join("\n"));
});

test("points and commas as decimal marks in one column are refused with the remedy", async () => {
  const rows = makeRows((i) => `${at(i)};${i % 2 ? temp(i) : temp(i).replace(".", ",")}`);
  await refusesHere(
    ["import", write(lines("time;temp", ...rows))],
    "one decimal mark is needed: sed 's/,/./g'",
  );
});

test("objects of JSON in cells name no class", async () => {
  const rows = makeRows((i) => `${at(i)},${temp(i)},"{""deep"": ${60 + (i % 9)}}"`);
  assert.is((await imported(write(lines("time,temp,parts", ...rows)))).label, null);
});

test("days of a spreadsheet stand under a date's name of several words", async () => {
  const rows = makeRows((i) => `${(46_129.25 + i / 1440).toFixed(9)},${temp(i)}`);
  assert.is((await imported(write(lines("TheTime,temp", ...rows)))).time?.periodSeconds, 60);
});

test("a name over several columns is that of each", async () => {
  const head = ["Trajectories", "100", ",,hip,,knee", "Frame,Sub Frame,X,Y,X", ",,mm,mm,mm"];
  const rows = makeRows((i) => `${i + 1},${i % 3},${temp(i)},${hum(i)},${i % 5}.5`);
  const { features } = await imported(write(lines(...head, ...rows)));
  assert.equal(features, ["Sub Frame", "hip X mm", "hip Y mm", "knee X mm"]);
});

test("readings in a form of their own are no classes", async () => {
  for (const cell of [(i: number) => `${20 + i / 4} ± 0.2`, (i: number) => `47°0${i % 12}'00″N`]) {
    const { label } = await imported(
      write(lines("time,temp,x", ...makeRows((i) => `${at(i)},${temp(i)},${cell(i % 25)}`))),
    );
    assert.is(label, null);
  }
});

test("XML is refused as such", async () => {
  const rows = makeRows((i) => `<row time="${at(i)}" temp="${temp(i)}"/>`);
  const file = write(lines('<?xml version="1.0"?>', "<log>", ...rows, "</log>"), "xml");
  await refusesHere(["import", file], "a file in XML; its readings as a table, such as CSV, are needed");
});

test.run();
