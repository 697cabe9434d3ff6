import { test } from "uvu";
import * as assert from "uvu/assert";
import { refusesHere } from "../cli/program.ts";
import { imported, lines, makeRows, ROWS, stateAt, temp, write } from "./imported.ts";

test("a dash is a missing reading where other columns have nothing else, or dates, as Torque writes them", async () => {
  const rows = makeRows((i) => {
    const gps = i < 5 ? ["-", "-"] : [`Wed Feb 23 06:${String(i).padStart(2, "0")}:13 2022`, `${i % 9}.25`];
    return [...gps, temp(i), "-", stateAt(i)].join();
  });
  const { description, features, data } = await imported(
    write(lines("GPS Time,speed,temp,0-100 (s),state", ...rows)),
  );
  assert.equal([description.missingWords, features], [["-"], ["speed", "temp"]]);
  assert.ok(Number.isNaN(data.rows[0]));
});

test("a word that alone stands among a column's numbers is a missing reading", async () => {
  const rows = makeRows(
    (i) => `${i % 5 === 1 ? "OL" : `${i % 7}.25`},${i % 6 === 2 ? "ol" : temp(i)},${stateAt(i)}`,
  );
  const { description, features, stdout } = await imported(write(lines("ohm,temp,state", ...rows)));
  assert.equal([description.missingWords, features], [["ol"], ["ohm", "temp"]]);
  assert.match(stdout, /missing words +ol\n/);
});

for (const [about, row] of [
  ["once", (i: number) => `${i === 9 ? "x9" : temp(i)},${i % 7}.5,${stateAt(i)}`],
  ["beside another", (i: number) => `${i === 9 ? "x9" : i === 19 ? "y9" : temp(i)},${i % 7}.5,${stateAt(i)}`],
] as const)
  test(`a word is a bad row's if it stands among numbers ${about}`, async () => {
    const { description, features } = await imported(write(lines("a,b,state", ...makeRows(row))));
    assert.equal([description.missingWords, features], [undefined, ["b"]]);
  });

test("a word that is a class elsewhere is none for a missing reading", async () => {
  const rows = makeRows((i) => `${i % 5 === 1 ? "worn" : temp(i)},${i % 7}.5,${stateAt(i)}`);
  const { description, data } = await imported(write(lines("a,b,state", ...rows)));
  assert.equal([description.missingWords, data.labelNames], [undefined, ["ok", "worn"]]);
});

test("a column that few rows have is left out, and said", async () => {
  const rows = makeRows((i) => `${temp(i)},${i % 7}.5,${i === 0 ? "3.25" : ""},${stateAt(i)}`);
  const { features, columns, stdout } = await imported(write(lines("a,b,offset,state", ...rows)));
  assert.equal([features, columns[2].role], [["a", "b"], "rare"]);
  assert.match(stdout, /offset is left out, as 1 of 60 rows have it; in the description/);
});

test("where no row has all readings, each repeats its last one, in every command", async () => {
  const objects = makeRows((i) =>
    JSON.stringify({
      ...(i % 2 === 0 ? { temp: 20.5 + (i % 7) } : { hum: 40.25 + (i % 5) }),
      state: stateAt(i),
    }),
  );
  const file = write(lines(...objects), "ndjson");
  const { description, rows, stdout, data } = await imported(file);
  assert.equal([description.missing, rows, data.count], ["hold", ROWS - 1, ROWS - 1]);
  assert.match(stdout, /no row has all: each repeats its last one, after 1 skipped row\n/);
  assert.equal([...data.rows.slice(0, 4)], [20.5, 41.25, 22.5, 41.25]);
});

test("times are no readings where bad rows spoil the readings", async () => {
  const rows = makeRows(
    (i) => `${i === 30 ? "DATALOG" : temp(i)},${i * 10},${(i / 6).toFixed(2)},${stateAt(i)}`,
  );
  const file = write(lines("speed,Time in seconds,Minutes,heading", ...rows));
  await refusesHere(["import", file], 'speed has 1 word such as "DATALOG"; readings are numbers');
  assert.equal((await imported(file, "--skip-bad-rows")).features, ["speed"]);
});

test("a counter is no reading of a file with one other column", async () => {
  const rows = makeRows((i) => `${i + 1},${30 + 5 * (i % 9)}`);
  const { features, label } = await imported(write(lines("nr,soil", ...rows)));
  assert.equal([features, label], [["soil"], null]);
});

test("whole numbers of many values that don't count from 0 or 1 are no classes", async () => {
  const rows = (least: number) => lines("a,y", ...makeRows((i) => `${temp(i)},${least + (i % 40)}`, 800));
  for (const least of [-20, 6481]) {
    const file = write(rows(least));
    assert.match((await imported(file, "--label", "y")).stdout, /labels +numbers to be estimated\n/);
    await refusesHere(
      ["evaluate", "--learner", "auto", "--train", file],
      "40 different labels are numbers to be estimated",
    );
  }
  assert.is((await imported(write(rows(1)), "--label", "y")).classes.length, 40);
});

test("a word that stands alone in a column of few numbers is a missing reading where it is in others", async () => {
  const sky = (i: number) => (i % 10 === 3 ? "9000.00" : "M");
  const rows = makeRows(
    (i) => `${i % 9 === 4 ? "M" : temp(i)},${i % 50 === 7 ? "M" : 10 * (i % 5)},${sky(i)},${stateAt(i)}`,
  );
  const { columns, description, label } = await imported(write(lines("temp,wind,sky,state", ...rows)));
  assert.equal([description.missingWords, label], [["m"], "state"]);
  assert.equal(
    columns.map(({ missing }: { missing: number }) => missing),
    [7, 2, 54, 0],
  );
});

test("a word beside numbers in three columns is a missing reading, however few numbers they have", async () => {
  const cell = (i: number, each: number) => (i % each === 1 ? `${i % 4}` : "M");
  const sky = (i: number) => ["CLR", "SCT", "M"][i % 3];
  const rows = makeRows(
    (i) => `${cell(i, 9)},${cell(i, 8)},${cell(i, 7)},${sky(i)},${temp(i)},${stateAt(i)}`,
  );
  const { description, label, columns } = await imported(
    write(lines("low,middle,high,sky,temp,state", ...rows)),
  );
  assert.equal([description.missingWords, label, columns[3].missing], [["m"], "state", 20]);
});

test("a number that alone is below zero is named, as it may mean a missing reading", async () => {
  const rows = makeRows((i) => `${i % 3 ? -1 : temp(i)},${i % 7}.25,${stateAt(i)}`);
  const { doubts, columns } = await imported(write(lines("temp,hum,state", ...rows)));
  assert.match(doubts.join(), /temp has -1 in 40 rows, unlike its other readings; "missingWords"/);
  assert.is(columns[0].missing, 0);
  const both = makeRows((i) => `${i % 3 ? -1 - (i % 2) : temp(i)},${i % 7}.25,${stateAt(i)}`);
  assert.equal((await imported(write(lines("temp,hum,state", ...both)))).doubts.length, 0);
});

test("readings beyond a range, as oscilloscopes and programs write them, are missing ones; a class stays one", async () => {
  const beyond = ["∞", "-∞", "inf", "-Infinity"];
  const rows = makeRows((i) => `${i % 9 === 4 ? beyond[i % 4] : temp(i)},${i % 7}.25,${stateAt(i)}`);
  const { features, columns } = await imported(write(lines("A,B,label", ...rows)));
  assert.equal([features, columns[0].missing], [["A", "B"], 7]);
  const classes = makeRows((i) => `${temp(i)},${i % 20 < 10 ? "inf" : "def"}`);
  assert.equal((await imported(write(lines("A,label", ...classes)))).data.labelNames, ["def", "inf"]);
});

test("numbers by which an instrument says that it was overloaded are missing readings, also a lone one", async () => {
  for (const overload of ["+9.90000000E+37", "9.91E37", "1e+31", "-1.0E+31", "1.7976931348623157E+308"]) {
    const rows = makeRows((i) => `${i === 30 ? overload : `+${temp(i)}0000E+00`},${i % 7}.25`);
    const { data, description, columns } = await imported(write(lines("volt,hum", ...rows)));
    assert.equal(description.missingWords.map(Number), [Number(overload)]);
    assert.equal([columns[0].missing, Number.isNaN(data.rows[60])], [1, true], overload);
  }
});

test("what is taken for no label, and a limit that is taken for a missing reading, are said", async () => {
  for (const [label, cell, wanted] of [
    [(i: number) => [1, 2, 999][i % 3], temp, /^label has "999" in 20 rows, taken for no label: /],
    [(i: number) => ["cat", "dog", "unknown"][i % 3], temp, /^label has "unknown" in 20 rows, taken for no/],
    [stateAt, (i: number) => (i % 9 ? temp(i) : "<0.5"), /^temp has "<0.5" in 7 rows, taken for a missing r/],
  ] as const) {
    const rows = makeRows((i) => `${cell(i)},${i % 7}.25,${label(i)}`);
    const { doubts } = await imported(write(lines("temp,hum,label", ...rows)));
    assert.is(doubts.filter((doubt: string) => wanted.test(doubt)).length, 1, doubts.join("\n"));
  }
});

test.run();
