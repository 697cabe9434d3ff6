import { writeFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { refusesHere, runHere } from "../cli/program.ts";
import { imported, lines, makeRows, stateAt, temp, write } from "./imported.ts";

const OTHERS = '--label chooses another, "label": false in the description none';

test("a last column whose text differs in each row is no label", async () => {
  const rows = makeRows((i) => `${temp(i)},${i % 9}.5,note ${i} of Kim`, 8);
  const { label, features } = await imported(write(lines("current,volt,remark", ...rows)));
  assert.equal([label, features], [null, ["current", "volt"]]);
});

test("a label that isn't called so is a guess, and import says on what it rests", async () => {
  for (const [name, why] of [
    ["room", "by its states, though no name says so"],
    ["heated", "as the last column"],
  ]) {
    const value = (i: number) => (name === "room" ? ["hall", "attic"][i % 2] : i % 2);
    const { doubts, label } = await imported(
      write(lines(`temp,hum,${name}`, ...makeRows((i) => `${temp(i)},${i % 9}.25,${value(i)}`))),
    );
    assert.equal([label, doubts], [name, [`${name} is the label, ${why}; ${OTHERS}`]]);
  }
  const { doubts } = await imported(
    write(lines("temp,label", ...makeRows((i) => `${temp(i)},${stateAt(i)}`))),
  );
  assert.equal(doubts, []);
});

test("a switch in the last column could be the label, and is named first", async () => {
  const rows = makeRows((i) => `${temp(i)},${["N", "SE", "W"][i % 3]},${i % 4 ? "No" : "Yes"}`);
  const content = lines("temp,wind,tomorrow", ...rows);
  const { doubts, label } = await imported(write(content));
  assert.is(label, "wind");
  assert.match(doubts[0], /tomorrow could be it, too: --label tomorrow chooses it$/);
  assert.is((await imported(write(content), "--label", "tomorrow")).label, "tomorrow");
});

test("the last of named columns of readings is the label if its name is a model's", async () => {
  for (const [names, label] of [
    ["temp,hum,load", null],
    ["temp,hum,y", "y"],
    ["temp,hum,RUL", "RUL"],
    ["z,x,y", null],
  ] as const) {
    const found = await imported(
      write(lines(names, ...makeRows((i) => `${temp(i)},${i % 9}.25,${i % 7}.75`))),
    );
    assert.is(found.label, label);
  }
  const total = makeRows((i) => `${temp(i)},${i % 9}.25,${100 * Math.floor(i / 5)}`);
  assert.is((await imported(write(lines("temp,hum,steps", ...total)))).label, null);
});

test("the last column of readings beside a time is a channel, and no label", async () => {
  const day = (i: number) => `2024-03-01 10:${String(i).padStart(2, "0")}:00`;
  for (const [value, label] of [
    [(i: number) => `${i % 9}.25`, null],
    [(i: number) => String(400 + ((i * 7) % 20)), null],
    [(i: number) => String(Math.floor(i / 20)), "co2"],
  ] as const) {
    const found = await imported(
      write(lines("when,temp,co2", ...makeRows((i) => `${day(i)},${temp(i)},${value(i)}`))),
    );
    assert.is(found.label, label);
  }
  const chosen = await imported(
    write(lines("when,temp,co2", ...makeRows((i) => `${day(i)},${temp(i)},${i % 9}.25`))),
    ...["--label", "co2"],
  );
  assert.equal([chosen.features, chosen.label], [["temp"], "co2"]);
});

for (const [about, value, areClasses] of [
  ["far from zero", (i: number) => 400 + ((i * 7) % 20), false],
  ["degrees below zero, too", (i: number) => -8 + ((i * 7) % 20), false],
  ["counted from one", (i: number) => 1 + ((i * 7) % 20), true],
  ["a few far ones", (i: number) => 200 + 100 * (i % 4), true],
] as const)
  test(`whole labels are numbers or classes, by their size and spread: ${about}`, async () => {
    const found = await imported(write(lines("temp,target", ...makeRows((i) => `${temp(i)},${value(i)}`))));
    assert.is(found.classes !== undefined, areClasses);
    assert.match(found.stdout, areClasses ? /labels +classes / : /labels +numbers to be estimated\n/);
    const isEither = about !== "a few far ones";
    assert.is(
      found.doubts.some((doubt: string) => doubt.startsWith("the labels are whole numbers")),
      isEither,
    );
  });

test("import shows the first row as it is read", async () => {
  const rows = makeRows(
    (i) => `2024-03-01T10:${String(i).padStart(2, "0")}:00Z;${i ? temp(i) : ""};20,${i};${stateAt(i)}`,
  );
  const { stdout, first } = await imported(
    write(lines("when;temp;hum;label", ...rows).replaceAll(".5", ",5")),
  );
  assert.match(stdout, /first row +2024-03-01T10:00:00.000Z; temp missing, hum 20; label ok\n/);
  assert.equal(first, { features: [null, 20], label: "ok" });
});

test("an id is neither a reading nor the label, so that a lone reading beside it is no label", async () => {
  const numbers = await imported(
    write(lines("Id,steps", ...makeRows((i) => `${4000 + Math.floor(i / 30)},${(i * 7) % 40}.5`))),
  );
  assert.equal([numbers.features, numbers.label], [["steps"], null]);
  const words = await imported(
    write(lines("device_id,temp", ...makeRows((i) => `${["mote-a", "mote-b"][i % 2]},${temp(i)}`))),
  );
  assert.equal([words.features, words.label], [["temp"], null]);
  assert.match(words.doubts[0], /device_id could be it, too: --label device_id chooses it/);
});

test("bytes in hexadecimal are no readings, also where some have digits alone", async () => {
  const hex = (number: number, digits = 2) => number.toString(16).toUpperCase().padStart(digits, "0");
  const row = (i: number) => [
    5000 + 700 * i,
    ["00000280", "000003E9", "000007A0"][i % 3],
    "8",
    hex(4 * i),
    hex(i),
    hex(16 * (i % 3)),
  ];
  const { features, label, description, doubts } = await imported(
    write(lines("Time Stamp,ID,LEN,D1,D2,D3", ...makeRows((i) => row(i).join()))),
  );
  assert.equal([features, label, description.missingWords], [["LEN"], null, undefined]);
  assert.match(doubts.join(), /ID, D1, D2, D3 are left out, as bytes in hexadecimal, which must be decoded/);
  const coded = makeRows((i) => `0${i % 7},${i % 9}.25,${["0A", "0B", "1C"][i % 3]}`);
  const codes = await imported(write(lines("step,temp,code", ...coded)));
  assert.equal([codes.features, codes.label], [["step", "temp"], "code"]);
});

test("a column of one reading leaves the other one a reading, not a label", async () => {
  const { features, label, doubts } = await imported(
    write(lines("Sample rate,HR (bpm)", ...makeRows((i) => `${i === 0 ? 1 : ""},${70 + (i % 40)}.5`))),
  );
  assert.equal([features, label], [["HR (bpm)"], null]);
  assert.match(doubts[0], /^Sample rate is left out, as 1 of 60 rows have it/);
});

test("zeros and ones that come again and again are a code of classes, no list of readings", async () => {
  const codes = ["0 0 0 0", "1 0 0 1", "0 1 1 0"];
  const { features, label, classes } = await imported(
    write(lines("Ia,Ib,A_B_C_D", ...makeRows((i) => `${temp(i)},${i % 9}.25,${codes[Math.floor(i / 20)]}`))),
  );
  assert.equal([features, label, classes.length], [["Ia", "Ib"], "A_B_C_D", 3]);
});

for (const [about, name, row] of [
  [
    "whose classes are ranges of it",
    "mm",
    (i: number) => `${temp(i)},${(i % 2) * 9 + (i % 7)}.5,${i % 2 ? "wet" : "dry"}`,
  ],
  [
    "that rises as the label falls",
    "free",
    (i: number) => `${temp(i)},${(i * 7) % 50}.5,${100 - ((i * 7) % 50)}.5`,
  ],
] as const)
  test(`import names a feature that tells the label by itself: ${about}`, async () => {
    const { doubts, features } = await imported(write(lines(`temp,${name},target`, ...makeRows(row))));
    const text = `${name} tells the label by itself: is it a reading? If it isn't, take it out of the description's features`;
    assert.ok(doubts.includes(text), doubts.join("\n"));
    assert.equal(features, ["temp", name]);
  });

test("parts of a date are no readings, whatever they are called, and import says so", async () => {
  const rows = makeRows((i) => `03 ${1 + Math.floor(i / 24)} ${i % 24} ${temp(i)} ${i % 9}.5`);
  const { features, doubts } = await imported(write(lines("MM DD hh WSPD GST", ...rows)));
  assert.equal(features, ["WSPD", "GST"]);
  assert.ok(doubts.includes("MM, DD, hh are left out, as parts of the date"), doubts.join("\n"));
});

test("a clock that stands still or begins anew is no reading, nor is a counter that lost some rows", async () => {
  const rows = makeRows(
    (i) =>
      `${900 + i + Math.floor(i / 10)},${510200 + Math.floor(i / 1.5) / 100},${(i % 30) * 7 + (i % 4)},${temp(i)},${stateAt(i)}`,
  );
  const { features } = await imported(write(lines("data_point,test_time,step_time,volt,state", ...rows)));
  assert.equal(features, ["volt"]);
});

test("of two columns of times, the one that steps from row to row is the rows'", async () => {
  const rows = makeRows(
    (i) =>
      `2024-03-2${Math.floor(i / 30)},2024-03-01 ${String(i % 24).padStart(2, "0")}:00,${temp(i)},${stateAt(i)}`,
  );
  assert.is((await imported(write(lines("due,when,temp,state", ...rows)))).description.time, "when");
});

test("the command to go on with takes rows that lack a reading", async () => {
  for (const [share, how] of [
    [20, "skip"],
    [3, "hold"],
  ]) {
    const rows = makeRows((i) => `${i % Number(share) === 1 ? "" : temp(i)},${i % 9}.25,${stateAt(i)}`);
    assert.match(
      (await imported(write(lines("temp,hum,label", ...rows)))).stdout,
      new RegExp(`next: .* --missing ${how}\n`),
    );
  }
});

test("a clock with fractions that rises for very long is no reading, nor is a second stamp", async () => {
  const rows = Array.from(
    { length: 600 },
    (_, i) =>
      `${1709287200 + i}000000000,${120345.5 + i * 0.04 + (i % 3) * 0.01},${1709287200 + i}000000000,${temp(i)},${stateAt(i)}`,
  );
  const { features } = await imported(write(lines("%time,GPST,header.stamp,volt,label", ...rows)));
  assert.equal(features, ["volt"]);
});

for (const [about, cell, remedy] of [
  [
    "the bytes of messages",
    (i: number) => `039#00${10 + i}4D8B`,
    "the bytes of a message must be decoded first",
  ],
  [
    "lists of several lengths",
    (i: number) => `"[60${",60".repeat(i % 40)},2]"`,
    "lists must have as many numbers in each row",
  ],
] as const)
  test(`cells that hold ${about} are refused with what would do`, async () => {
    const file = write(lines("name,data", ...makeRows((i) => `x${i % 3},${cell(i)}`)));
    await refusesHere(["import", file], remedy);
  });

test("a list in brackets without quotes is refused with the command that quotes it", async () => {
  const row = (i: number) => `${i % 9}.5,[${i % 7}, 2, 3],${stateAt(i)}`;
  const file = write(lines("temp,acc,state", ...makeRows(row)));
  await refusesHere(["import", file], `sed 's/\\[[^]]*\\]/"&"/g' ${file} > NEW puts it in quotes`);
  const quoted = await imported(
    write(lines("temp,acc,state", ...makeRows((i) => row(i).replace(/\[[^\]]*\]/, '"$&"')))),
  );
  assert.equal(quoted.features, ["temp", "acc.0", "acc.1", "acc.2"]);
});

test("a list behind its name is refused with the command that leaves the numbers", async () => {
  const row = (i: number) =>
    `Time: ${900 + i}.25, Position: (${i % 9}.5, 8.97, ${i % 7}.25), Yaw: ${-(i % 5)}.5`;
  const file = write(lines(...makeRows(row)));
  const command = "sed 's/[][()]//g; s/[A-Za-z][A-Za-z ]*[:=] *//g'";
  await refusesHere(["import", file], `${command} ${file} > NEW leaves the numbers`);
  const left = makeRows((i) =>
    row(i)
      .replace(/[[\]()]/g, "")
      .replace(/[A-Za-z][A-Za-z ]*[:=] */g, ""),
  );
  const { features, label } = await imported(write(lines(...left)));
  assert.equal([features, label], [["column 2", "column 3", "column 4", "column 5"], null]);
});

test("hours beside a year are a reading where they are more than a day has", async () => {
  for (const [most, expected] of [
    [23, ["temp"]],
    [180, ["hours", "temp"]],
  ] as const) {
    const rows = makeRows((i) => `${1980 + i},${(i * 7) % (most + 1)},${temp(i)},${stateAt(i)}`);
    const { features } = await imported(write(lines("year,hours,temp,state", ...rows)));
    assert.equal(features, expected);
  }
});

test("a rounded clock without a name, which stands at each number as long, is no reading", async () => {
  const rows = makeRows(
    (i) => `${(-2.59 + 0.01 * Math.floor((i + 3) / 5)).toFixed(2)}E-06,${temp(i)},${i % 9}.5`,
    300,
  );
  const { features, doubts } = await imported(write(lines(...rows)));
  assert.equal(features, ["column 2", "column 3"]);
  assert.match(doubts.join("\n"), /column 1 is left out, as it rises from row to row/);
});

test("a column that names who or what was measured is left out, with its remedy", async () => {
  const cell = (i: number) => `${7 + Math.floor(i / 20)},${temp(i)},${(i * i) % 3 === 1 ? 1 : 2}`;
  for (const name of ["Participant", "sensor_index", "Well_Num", "unit number", "station"]) {
    const { features, doubts } = await imported(write(lines(`${name},temp,label`, ...makeRows(cell))));
    assert.equal(features, ["temp"], name);
    assert.match(
      doubts.join(),
      /is left out, as it names something, like an id; add it to the description's features/,
    );
  }
  for (const name of ["sensor", "unit", "humid", "grid", "well depth"]) {
    const { features } = await imported(write(lines(`${name},temp,label`, ...makeRows(cell))));
    assert.equal(features, [name, "temp"], name);
  }
  const long = makeRows((i) => `0220160609${2310 + Math.floor(i / 20)},${temp(i)},${i % 2}`);
  assert.equal((await imported(write(lines(...long)))).features, ["column 2"]);
});

test("row numbers are no reading where there is no other one", async () => {
  const rows = makeRows(
    (i) => `${i},2024-03-01 10:${String(i).padStart(2, "0")},${["low water", "high pH"][i % 2]}`,
  );
  const file = write(lines("Row,When,Alarm", ...rows));
  await refusesHere(["import", file], `--labels ${file}`);
});

test("one row of another word than all others makes no label", async () => {
  const rows = makeRows((i) => `${i === 7 ? "estimated" : "measured"},${temp(i)},${i % 9}.5,${i === 7}`, 120);
  const { label } = await imported(write(lines("source,temp,hum,is estimated", ...rows)));
  assert.is(label, null);
});

test("a label that is one by a part of its name is said to be a guess", async () => {
  const rows = makeRows((i) => `${temp(i)},${10 * (i % 4)},${i % 7}.5`);
  const { doubts, label } = await imported(write(lines("temp,activity_index,freq", ...rows)));
  assert.is(label, "activity_index");
  assert.match(doubts.join(), /activity_index is the label, by a part of its name; --label chooses another/);
});

test("a first feature without a name by which a file is sorted is a reading, row numbers aren't", async () => {
  const age = (i: number) => 30 + Math.floor(i / 6) + (i > 50 ? 4 : 0);
  for (const [first, expected] of [
    [age, ["column 1", "column 2"]],
    [(i: number) => i + 1, ["column 2"]],
  ] as const) {
    const { features } = await imported(
      write(lines(...makeRows((i) => `${first(i)},${temp(i)},${(i * i) % 3 === 1 ? 1 : 2}`))),
    );
    assert.equal(features, expected);
  }
});

test("time series with their class behind a colon are refused with the command that makes rows", async () => {
  const head = ["#a set", "@problemName Steps", "@univariate false", "@classLabel true ok worn", "@data"];
  const rows = makeRows((i) => `${i % 7}.5,2.25,${i % 3}.5:1.5,${i % 5}.25,0.5:${stateAt(i)}`);
  await refusesHere(
    ["import", write(lines(...head, ...rows), "ts")],
    ":6: time series with colons between channels and class; sed '1,5d; s/:/,/g' ",
  );
});

test("a number with zeros before it and a flag behind its comma is no decimal one", async () => {
  const flagged = (i: number) => `"${i % 5 ? "+" : "-"}00${10 + i},1"`;
  const rows = makeRows((i) => `"2024-03-01T08:${10 + (i % 50)}:00",${flagged(i)},"10${100 + i},5"`);
  await refusesHere(
    ["import", write(lines('"DATE","TMP","SLP"', ...rows))],
    `flags behind numbers must be taken off, as sed -E 's/"([-+]?[0-9.]+),[0-9A-Z]+"/\\1/g' does`,
  );
  const beside = rows.map((row, i) => `${row},${temp(i)}`);
  const { features, description } = await imported(write(lines('"DATE","TMP","SLP",hum', ...beside)));
  assert.equal([features, description.decimal], [["hum"], undefined]);
});

test("points of a compass and numbers with flags name no class", async () => {
  const points = ["N", "NNE", "E", "SSW", "W", "WNW", "calm"];
  const rows = makeRows(
    (i) => `2024-03-01 08:${10 + (i % 50)},${temp(i)},${points[i % 7]},"01${10 + (i % 4)},1"`,
  );
  const { features, label, doubts } = await imported(write(lines("when,temp,wind,vis", ...rows)));
  assert.equal([features, label], [["temp"], null]);
  assert.match(
    doubts.join(),
    /^texts are left out: wind, as "N"; vis, as "0110,1"; --label makes one the label/,
  );
  const poles = makeRows((i) => `2024-03-01 08:${10 + (i % 50)},${temp(i)},${i % 20 < 10 ? "N" : "S"}`);
  assert.is((await imported(write(lines("when,temp,pole", ...poles)))).label, "pole");
});

test("the last of several columns that are alike is a channel, also without names", async () => {
  const wave = (i: number, k: number) => (Math.sin(i * (0.7 + k)) / 3 - 0.1).toFixed(3);
  const channels = makeRows((i) => [0, 1, 2, 3].map((k) => wave(i, k)).join("\t"));
  const { features, label } = await imported(write(lines(...channels)));
  assert.equal([features.length, label], [4, null]);
  const priced = channels.map((row, i) => `${row}\t${20 + (i % 7)}.5`);
  assert.is((await imported(write(lines(...priced)))).label, "column 5");
});

test("lines in one pair of quotes each are refused with the command that takes it off", async () => {
  const rows = makeRows((i) => `"2024-03-01 00:${10 + (i % 50)}:00,${temp(i)},${stateAt(i)}"`);
  const file = write(lines('"when,temp,state"', ...rows));
  await refusesHere(["import", file], `sed 's/^"\\(.*\\)"/\\1/' ${file} > NEW takes it off`);
});

test("a wrong name among a description's lists is named", async () => {
  const content = lines("temp,acc,state", ...makeRows((i) => `${temp(i)},"[${i % 7}, 2, 3]",${stateAt(i)}`));
  const file = write(content);
  await runHere(["import", file]);
  const description = {
    schema: "motelearn.data/1",
    format: "csv",
    header: true,
    lists: { ac: 3 },
    label: "state",
  };
  writeFileSync(`${file}.data.json`, JSON.stringify(description));
  await refusesHere(
    ["evaluate", "--learner", "auto", "--train", file],
    `${file}: lists: no column "ac"; the columns are, nearest first: acc, `,
  );
});

test("a verdict that varies comes before others", async () => {
  const rows = makeRows((i) => `${temp(i)},${i > 40 ? 4 : 0},${i % 7}.5,${i > 40},False`);
  const { label, columns } = await imported(write(lines("temp,fault,load,fault_sound,fault_bolt", ...rows)));
  assert.is(label, "fault_sound");
  assert.is(columns[1].role, "second label");
  const one = makeRows((i) => `${temp(i)},${stateAt(i)},OK`);
  assert.is((await imported(write(lines("temp,pump state,status", ...one)))).label, "pump state");
});

test("a lone year is no reading, nor is a clock that begins anew with each trip", async () => {
  const rows = makeRows((i) => `${1998 + (i % 9)}.0,${(i % 9) * 61 + (i % 4)},${temp(i)},${i % 9}.25`);
  const { features, doubts } = await imported(write(lines("year,elapsed_seconds,temp,yield", ...rows)));
  assert.equal(features, ["temp", "yield"]);
  assert.match(doubts.join(), /year is left out, as a part of the date/);
});

test("a feature that rises like a counter is said to do so, where no other column is a reading", async () => {
  const rows = makeRows((i) => `${-4.9921875 + i / 128},"(0.07${i}-1.65e-17j)"`);
  const { features, doubts } = await imported(write(lines("x_axis,channel", ...rows)));
  assert.equal(features, ["x_axis"]);
  assert.match(doubts.join(), /x_axis rises from row to row like a counter or a clock, but no other column/);
});

test("digits behind a zero name something, and are no time and no quantity", async () => {
  const rows = makeRows((i) => `0120160706${1400 + i},04. Ward,${temp(i)},${stateAt(i)}`);
  const { features, time, description } = await imported(write(lines(...rows)));
  assert.equal([features, time, description.units], [["column 3"], undefined, undefined]);
});

test("each column that is left out is named with its reason", async () => {
  const day = (i: number, hour: number) => `2026-03-01 ${String(hour + Math.floor(i / 30))}:${10 + (i % 30)}`;
  const names = ",when,start,end,clock,date,entry_no,temp,hum,note,state,source";
  const rows = makeRows((i) =>
    [
      ...[(i * 7) % 61, day(i, 10), day(0, 10), day(0, 12), `12:${10 + (i % 30)}:00`, 90_817 + (i % 3), i],
      ...[temp(i), `${i % 9}.25`, `note ${i}`, stateAt(i), i % 3],
    ].join(","),
  );
  const { doubts, columns } = await imported(write(lines(names, ...rows)));
  const said = doubts.join("\n");
  for (const { name, role } of columns)
    if (!["feature", "label", "time"].includes(role) && name !== "column 1")
      assert.match(said, new RegExp(`(^|[:,;] |\n)${name}[,; ]`), `${name}: ${said}`);
  assert.match(said, /start, end are left out, as times beside the rows'/);
  assert.match(said, /^clock is left out, as a time of the day without its date$/m);
  assert.match(said, /^date is left out, as its name says a time, but its numbers are none/m);
  assert.match(said, /^source is left out, as it is no reading by its name/m);
});

test("signs in a column of their own are no classes", async () => {
  const rows = makeRows((i) => `${temp(i)},${i % 3 ? "+" : "-"},${["a", "b"][Math.floor(i / 10) % 2]}`);
  const { label, doubts } = await imported(write(lines("temp,zone,sign", ...rows.map(swapped))));
  assert.is(label, "zone");
  assert.match(doubts.join("\n"), /texts are left out: sign, as "[-+]"/);
});
const swapped = (row: string) => {
  const [first, second, third] = row.split(",");
  return `${first},${third},${second}`;
};

test("readings that a spreadsheet has made dates are no classes, and are said", async () => {
  const made = (i: number) => ["Mai 60", "05. Okt", "5.00", "26. Okt", "Apr 90"][i % 5];
  const rows = makeRows((i) => `2026-03-01T10:${10 + (i % 50)}:00;${made(i)};${i % 9}.25`);
  const { label, features, doubts } = await imported(write(lines("when;temp;hum", ...rows)));
  assert.equal([label, features], [null, ["hum"]]);
  assert.match(
    doubts.join("\n"),
    /^temp has "Mai 60" among its numbers, as a spreadsheet makes of a reading/m,
  );
});

test("features that are the same in all rows are named", async () => {
  const row = (i: number) => `${temp(i)},3,${i % 9 === 0 ? "" : "0.0"},off,${stateAt(i)}`;
  const { doubts, description } = await imported(
    write(lines("temp,schema,offset,pump,state", ...makeRows(row))),
  );
  assert.equal(description.features, ["temp", "schema", "offset", "pump"]);
  assert.ok(
    doubts.includes("schema, offset, pump are the same in all rows: they tell a node nothing"),
    doubts.join("\n"),
  );
});

test("a first column that may name the rows is said", async () => {
  const says = async (cell: (i: number) => string | number) =>
    (
      await imported(write(lines(...makeRows((i) => `${cell(i)},${temp(i)},${i % 9}.25,${stateAt(i)}`))))
    ).doubts.some((doubt: string) => doubt.startsWith("column 1 has a large whole number of its own"));
  assert.is(await says((i) => 84_302 + ((i * 7_919_111) % 9_000_007)), true);
  assert.is(await says((i) => 84_302 + (i % 40)), false);
  assert.is(await says((i) => `${84_302 + ((i * 7919) % 9007)}.5`), false);
});

test.run();
