// What random tables in random dialects say (`npm run fuzz:import`), and the faults that they found.
import * as assert from "uvu/assert";
import { findMisreading } from "../../dev/fuzz-import-check.ts";
import { temporaryFolder } from "../cli/program.ts";
import { test } from "./contained.ts";
import { imported, lines, makeRows, stateAt, temp, write } from "./imported.ts";

const TABLES = 80;

test("80 random tables say what was written", async () => {
  const file = temporaryFolder()("table.csv", "");
  process.env.TZ = "UTC";
  for (let seed = 1; seed <= TABLES; seed++) assert.is(await findMisreading(seed, file), undefined);
});

test("readings of three decimals beside -999 have no thousands", async () => {
  const cell = (i: number) => (i % 9 === 4 ? "-999" : `19.5${10 + (i % 80)}`);
  const { data, description } = await imported(
    write(lines("vib,label", ...makeRows((i) => `${cell(i)},${stateAt(i)}`))),
  );
  assert.is(description.thousands, undefined);
  assert.equal([data.rows[0], data.rows[4]], [Math.fround(19.51), NaN]);
});

test("readings of three decimals beside a zero that returns have no thousands, other whole ones tell them", async () => {
  const found = async (whole: (i: number) => string) =>
    (
      await imported(
        write(lines("flow;label", ...makeRows((i) => `${i % 2 ? whole(i) : `12.5${10 + i}`};${stateAt(i)}`))),
      )
    ).data.rows[0];
  assert.is(await found(() => "0"), Math.fround(12.51));
  assert.is(await found((i) => `${900 + i}`), 12_510);
});

test("whole readings beside those of three decimals, a reading a row, have no thousands", async () => {
  const row = (i: number) =>
    `${1_700_000_000 + 60 * (i >> 1)},${i % 2 ? `hum,${-5 - (i % 9)}` : `flow,12.5${10 + i}`}`;
  const { description } = await imported(write(lines("time,sensor,value", ...makeRows(row))));
  assert.equal([description.long.value, description.thousands], ["value", undefined]);
});

test("texts of a label in JSON stay texts, also True and False; a value without a name is none", async () => {
  const row = (i: number) =>
    JSON.stringify({ "": i, temp: 20 + (i % 7), state: i % 20 < 10 ? "True" : "False" });
  const { data, features, label } = await imported(write(lines(...makeRows(row)), "ndjson"));
  assert.equal([features, label, data.labelNames], [["temp"], "state", ["False", "True"]]);
});

test("a date with slashes in quotes is no topic of a broker", async () => {
  const row = (i: number) => `"17/02/2023 21:${10 + (i % 50)}:00","${temp(i)}","${stateAt(i)}"`;
  const { features, label } = await imported(write(lines('"Date","temp","state"', ...makeRows(row))));
  assert.equal([features, label], [["temp"], "state"]);
});

test("columns between blanks with decimal commas and texts in quotes, as R writes them", async () => {
  const row = (i: number) => `"${i}" 20,${i % 7} "${stateAt(i)}"`;
  const { data, features } = await imported(write(lines('"" "temp" "state"', ...makeRows(row))));
  assert.equal([features, data.rows[1]], [["temp"], Math.fround(20.1)]);
});

test("units below the names of columns, one without a name; units in cells beside a column without one", async () => {
  const rows = makeRows((i) => `${i},${temp(i)},${stateAt(i)}`);
  assert.equal((await imported(write(lines(",temp,label", ",°C,", ...rows)))).features, ["temp [°C]"]);
  const measured = makeRows((i) => `${i},${temp(i)} °C,${stateAt(i)}`);
  assert.equal((await imported(write(lines(",temp,label", ...measured)))).features, ["temp"]);
});

test("classes are the words of the state, not its number beside them", async () => {
  const rows = makeRows((i) => `${temp(i)},${stateAt(i)},${stateAt(i) === "ok" ? 0 : 1}`);
  const { label, data } = await imported(write(lines("temp,condition,label_id", ...rows)));
  assert.equal([label, data.labelNames], ["condition", ["ok", "worn"]]);
});

test.run();
