// Rows of several devices, in turn or one after the other.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { imported, lines, makeRows, stateAt, temp, write } from "./imported.ts";

const clock = (i: number, second = 0) =>
  `2024-03-01 10:${String(i).padStart(2, "0")}:${String(second).padStart(2, "0")}`;
const NAMES = ["hall", "attic", "cellar"];

type Row = (i: number, device: number) => string;
const inTurn = (row: Row) => makeRows((i) => NAMES.map((_, device) => row(i, device)).join("\n"));
const oneByOne = (row: Row) => NAMES.map((_, device) => makeRows((i) => row(i, device)).join("\n"));

for (const [about, header, rows] of [
  [
    "at the same times, by a name",
    "when,room,temp,hum",
    inTurn((i, d) => `${clock(i)},${NAMES[d]},${temp(i + d)},${i % 9}.25`),
  ],
  [
    "some seconds apart, by a number",
    "when,sensor_id,temp,hum",
    inTurn((i, d) => `${clock(i, 7 * d)},${d + 1},${temp(i + d)},${i % 9}.25`),
  ],
  [
    "one after the other",
    "when,device,temp,hum",
    oneByOne((i, d) => `${clock(i)},${NAMES[d]},${temp(i + d)},${i % 9}.25`),
  ],
  [
    "one after the other over the same time, by any name",
    "when,town,temp,hum",
    oneByOne((i, d) => `${clock(i)},${NAMES[d]},${temp(i + d)},${i % 9}.25`),
  ],
  [
    "in turn, by a number without a device's name",
    "when,ch,temp,hum",
    inTurn((i, d) => `${clock(i, 7 * d)},${d + 1},${temp(i + d)},${i % 9}.25`),
  ],
] as const)
  test(`rows of several devices are named, with the command that takes one: ${about}`, async () => {
    const { features, label, description, stdout, doubts, sources } = await imported(
      write(lines(header, ...rows)),
    );
    const column = header.split(",")[1];
    assert.equal([features, label], [["temp", "hum"], null]);
    assert.equal([sources.column, sources.count, description.period], [column, 3, 60_000]);
    assert.match(stdout, new RegExp(`a row of each ${column} each 60 s; 0 gaps, in order`));
    const told = doubts.find((doubt: string) => doubt.startsWith("the rows are of 3 sources"));
    assert.match(told ?? "", /awk -F , 'NR <= 1 \|\| \$2 ~ \/\^"\?(hall|1)"\?\$\/' /);
  });

test("rows of several devices in JSON are named with the command that takes one", async () => {
  const texts = makeRows((i) => String(i)).flatMap((i) =>
    NAMES.map((name) =>
      JSON.stringify({ when: clock(Number(i)), "id of": { room: name }, temp: 20 + (Number(i) % 7) }),
    ),
  );
  for (const content of [lines(...texts), `[${texts.join()}]`]) {
    const { doubts, sources } = await imported(write(content, "json"));
    assert.equal([sources.column, sources.count], ["id of.room", 3]);
    const told = doubts.find((doubt: string) => doubt.startsWith("the rows are of 3 sources"));
    assert.match(told, / jq -c '\.\. \| objects \| select\(\."id of"\?\.room\? \| tostring == "hall"\)' /);
  }
});

test("states within the rows of one device tell no devices apart", async () => {
  const { sources, label } = await imported(
    write(lines("when,temp,state", ...makeRows((i) => `${clock(i >> 1)},${temp(i)},${stateAt(i)}`))),
  );
  assert.equal([sources, label], [undefined, "state"]);
});

test("states one after the other in a time of their own tell no devices apart", async () => {
  const rows = ["ok", "worn"].map((state, at) =>
    makeRows((i) => `2024-03-0${2 - at} 10:${String(i).padStart(2, "0")}:00,${temp(i)},${state}`).join("\n"),
  );
  const { sources, label } = await imported(write(lines("when,temp,room", ...rows)));
  assert.equal([sources, label], [undefined, "room"]);
});

test("rows of several units are of several series, and import says so", async () => {
  const rows = makeRows(
    (i) => `${["Temp", "Druck"][i % 2]};${temp(i)};${["°C", "hPa"][i % 2]};${stateAt(i)}`,
  );
  const { doubts } = await imported(write(lines("Sensor;Messwert;Einheit;Ort", ...rows)));
  assert.match(doubts.join("\n"), /^Einheit has several units, °C, hPa: the rows are of several series/m);
});

test("numbers that always rise, or always fall, among the rows of one time may tell series apart", async () => {
  const said = async (series: (i: number) => number) => {
    const rows = makeRows((i) => `${clock(Math.floor(i / 5))},${series(i)},${temp(i)}`);
    const { doubts } = await imported(write(lines("when,measure,value", ...rows)));
    return doubts.some((doubt: string) => doubt.startsWith("rows of one time differ in measure: "));
  };
  const gap = (i: number) => Math.floor(i / 5) % 3;
  assert.ok(await said((i) => 3020 - (i % 5) - gap(i)));
  assert.ok(await said((i) => 3 + (i % 5) + gap(i)));
  assert.not.ok(await said((i) => (7 * i) % 11));
});

test.run();
