// Files that look like another kind: commas within numbers and between columns, braces that begin no JSON.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { refusesHere } from "../cli/program.ts";
import { imported, lines, makeRows, write } from "./imported.ts";

test("a word in braces begins no JSON", async () => {
  const rows = makeRows((i) => `01.03.2026 08:${String(i).padStart(2, "0")}:00;${20 + (i % 7)},5`);
  const { time, features } = await imported(write(lines("{System 1};", "Zeit;Temp", ...rows)));
  assert.equal([time?.periodSeconds, features], [60, ["Temp"]]);
});

test("commas within numbers beside those between columns are refused with the command for points", async () => {
  const wave = (i: number) => 21.5 + 4 * Math.sin(i / 10);
  const comma = (value: number, digits: number) => value.toFixed(digits).replace(".", ",");
  const time = (i: number) => new Date(1000 * (1_772_352_000 + 30 * i)).toISOString();
  for (const [header, row, fields] of [
    [
      "",
      (i: number) => `${time(i)},${comma(wave(i), 1)},${comma(2 * wave(i), 1)}`,
      '$1, $2 "." $3, $4 "." $5',
    ],
    ["", (i: number) => `${comma(wave(i), 2)},${i % 50 < 25 ? "ok" : "worn"}`, '$1 "." $2, $3'],
    ["", (i: number) => `${comma(wave(i), 1)},${comma(wave((i * 7) % 90), 1)}`, '$1 "." $2, $3 "." $4'],
    ["time,temp", (i: number) => `${time(i)},${comma(wave(i), 1)}`, '$1, $2 "." $3'],
  ] as const) {
    const file = write(lines(...(header === "" ? [] : [header]), ...makeRows(row, 200)));
    const program = `'${header === "" ? "" : "NR <= 1 { print; next } "}{ print ${fields} }'`;
    await refusesHere(["import", file], `awk -F , -v OFS=, ${program} ${file} > NEW writes them with points`);
  }
  const trimmed = makeRows((i) => `${time(i)},${String(Number(wave(i).toFixed(2))).replace(".", ",")}`, 200);
  const right = "semicolons between the columns, or points in the numbers, are needed";
  await refusesHere(["import", write(lines(...trimmed))], right);
});

test("whole numbers side by side are columns of their own", async () => {
  for (const row of [
    (i: number) => `${Math.floor(i / 24)},${i % 24},${(i * 37) % 500}`,
    (i: number) => `${1 + Math.floor(i / 20)},${1 + (i % 20)},${(i * 37) % 500}`,
    (i: number) => `${Math.floor(i / 24)},${100 * (i % 24)},${(i * 37) % 500}`,
    (i: number) => `${(i * 7) % 11},${(i * 13) % 10},${(i * 37) % 500}`,
  ])
    await imported(write(lines(...makeRows(row, 300))));
  const second = makeRows(
    (i) => `${Math.floor(i / 8)},${String((i * 125 + 7) % 1000).padStart(3, "0")},${(i * 37) % 500}`,
    300,
  );
  assert.is((await imported(write(lines("s,part,level", ...second)))).data.count, 300);
});

test.run();
