import { test } from "uvu";
import * as assert from "uvu/assert";
import { refusesHere } from "../cli/program.ts";
import { imported, write } from "./imported.ts";

const STARTS = 4;
const ROWS = 600;
const HEADER = ["time", "temp", "state"];
/** A row each second; the state changes each 20 rows. */
const rowAt = (i: number) => [1700000000 + i, `${20 + (i % 7)}.5`, i % 40 < 20 ? "ok" : "worn"];

interface Log {
  readonly between?: readonly string[];
  readonly separator?: string;
  readonly end?: string;
}

/** What a logger writes that starts several times: the lines between, a header, and rows. */
function restarted({ between = [], separator = ",", end = "\n" }: Log): string {
  const of = (k: number) => Array.from({ length: ROWS }, (_, i) => rowAt(k * ROWS + i).join(separator));
  const starts = Array.from({ length: STARTS }, (_, k) => [
    ...(k > 0 ? between : []),
    HEADER.join(separator),
    ...of(k),
  ]);
  return starts.flat().join(end) + end;
}

const CUT = ["5001,23.", "rst:0x1 (POWERON_RESET),boot:0x13", "", "SD card OK"];
const LOGS: readonly (readonly [about: string, log: Log])[] = [
  ["alone", {}],
  ["behind a blank line, with CRLF", { between: [""], end: "\r\n" }],
  ["behind a row cut short, and what the logger says", { between: CUT }],
  ["between semicolons", { between: ["Start"], separator: ";" }],
  ["between blanks", { between: ["Start"], separator: " " }],
];

for (const [about, log] of LOGS)
  test(`a header that returns at each start of a logger is no row, and counted: ${about}`, async () => {
    const lines = [...(log.between ?? []).filter((line) => line !== ""), "header"].length;
    const { stdout, data, ...found } = await imported(write(restarted(log)));
    assert.equal([found.rows, data.count], [STARTS * ROWS, STARTS * ROWS]);
    assert.equal(found.badRows.rows, (STARTS - 1) * lines);
    assert.equal([data.badRows, found.description.badRows], [found.badRows, undefined]);
    assert.match(stdout, /bad rows skipped: line 60[23]: /);
    const returns = `line ${602 + (log.between?.length ?? 0)}: the header again`;
    assert.is(found.badRows.first[lines - 1] ?? returns, returns);
    const seconds = await imported(write(restarted(log)), "--every", "1");
    assert.equal([seconds.data.count, seconds.data.badRows?.first], [STARTS * ROWS, found.badRows.first]);
  });

test("a header in quotes that returns at the end is no row, and neither are words below it", async () => {
  const rows = Array.from({ length: ROWS }, (_, i) => `${1700000000 + i},${20 + (i % 7)}.5,${i % 3}.25,`);
  const header = 'time,"CPU [°C]","Fan, left",';
  const { data, ...found } = await imported(
    write(`${[header, ...rows, header, ',"Board: X","Board: X",'].join("\n")}\n`),
  );
  assert.equal([data.count, found.rows], [ROWS, ROWS]);
  assert.equal(found.badRows.first, [
    `line ${ROWS + 2}: the header again`,
    `line ${ROWS + 3}: no row: ${JSON.stringify(',"Board: X","Board: X",')}`,
  ]);
});

test("a head of several lines that returns is no row", async () => {
  const head = ["Logger 7", "Time,Temp,Hum", "[s],[°C],[%]"];
  const rows = Array.from({ length: ROWS }, (_, i) => `${i},${20 + (i % 7)}.5,${i % 3}.25`);
  const { data, badRows, features } = await imported(
    write(`${[...head, ...rows.slice(0, 300), ...head, ...rows.slice(300)].join("\n")}\n`),
  );
  assert.equal([data.count, features], [ROWS, ["Temp [°C]", "Hum [%]"]]);
  assert.equal(badRows.rows, 3);
});

test("a row cut short that no header follows is refused", async () => {
  const rows = restarted({}).split("\n");
  for (const at of [300, 601, STARTS * ROWS]) {
    const cut = [...rows.slice(0, at), "1700000000,23.", ...rows.slice(at)];
    if (at === 601) cut.splice(at + 1, 1);
    const file = write(cut.join("\n"));
    await refusesHere(["import", file], `:${at + 1}: 2 fields where the first row has 3`);
  }
});

test("rows that are as the first one are rows where that is no header", async () => {
  const rows = Array.from({ length: ROWS }, (_, i) => `${i % 3},${i % 3},${i % 3 === 0 ? "ok" : "worn"}`);
  const { data, ...found } = await imported(write(`${rows.join("\n")}\n`));
  assert.equal([data.count, found.badRows], [ROWS, undefined]);
});

test.run();
