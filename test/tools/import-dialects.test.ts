import { gzipSync } from "node:zlib";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { namedColumns, readTable } from "../../host/streams/index.ts";
import { labelledCount } from "../../host/streams/targets.ts";
import { refusesHere, runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";

const written = temporaryFolder();
let files = 0;

const lines = (...rows: readonly string[]) => `${rows.join("\n")}\n`;
const STATES = ["idle", "run", "worn"];
/** Rows that a function makes of their place and a state. */
const makeRows = (row: (i: number, state: string) => string, count = 12) =>
  Array.from({ length: count }, (_, i) => row(i, STATES[Math.floor(i / 2) % 3]));

/** What all commands must read in a file: columns, rows, classes, and the first reading. */
interface Read {
  readonly features: readonly string[];
  readonly label: string | null;
  readonly rows?: number;
  readonly classes?: readonly string[];
  readonly first?: number;
  /** The same of the second row. */
  readonly second?: number;
}

/** How a program writes a file: its name, its lines, and what is in it. */
type Written = readonly [about: string, name: string, content: string | Buffer, read: Read];

const MACHINE: Read = { features: ["temp", "hum"], label: "state", classes: STATES, first: 1.5 };

const DIALECTS: readonly Written[] = [
  [
    "columns that pandas calls by their numbers, and a label",
    "a.csv",
    lines("0,1,2,label", ...makeRows((i, state) => `${i}.5,1.25,3.5,${state}`)),
    { features: ["0", "1", "2"], label: "label", classes: STATES, first: 0.5 },
  ],
  [
    "samples of whole numbers that count up are no header",
    "a.csv",
    lines("0,1,2,idle", ...makeRows((i, state) => `${i % 5},3,4,${state}`)),
    { features: ["column 1", "column 2", "column 3"], label: "column 4", rows: 13, first: 0 },
  ],
  [
    "commas between thousands, in quotes",
    "a.csv",
    lines("rpm,hum,state", ...makeRows((i, state) => `"2,0${10 + i}",${i % 7},${state}`)),
    { features: ["rpm", "hum"], label: "state", first: 2010 },
  ],
  [
    "commas between thousands, and decimal points",
    "a.csv",
    lines("rpm,hum,state", ...makeRows((i, state) => `"1,234,5${10 + i}.5",0.${i},${state}`)),
    { features: ["rpm", "hum"], label: "state", first: 1234510.5 },
  ],
  [
    "decimal commas of three digits between semicolons",
    "a.csv",
    lines("temp;hum;state", ...makeRows((i, state) => `1,5${10 + i};${i % 7};${state}`)),
    { ...MACHINE, first: 1.51 },
  ],
  [
    "commas between thousands and semicolons, where lesser numbers have none",
    "a.csv",
    lines(
      "rpm;hum;state",
      ...makeRows((i, state) => `${["900", "1,200", "2,350"][i % 3]};${i % 7};${state}`),
    ),
    { features: ["rpm", "hum"], label: "state", first: 900, second: 1200 },
  ],
  [
    "points between thousands, where lesser numbers have none",
    "a.csv",
    lines(
      "rpm;hum;state",
      ...makeRows((i, state) => `${["900", "1.200", "2.350"][i % 3]};${i % 7};${state}`),
    ),
    { features: ["rpm", "hum"], label: "state", first: 900, second: 1200 },
  ],
  [
    "decimals of three digits beside others",
    "a.csv",
    lines("rpm,hum,state", ...makeRows((i, state) => `${["900", "1.200", "1.25"][i % 3]},${i % 7},${state}`)),
    { features: ["rpm", "hum"], label: "state", first: 900, second: 1.2 },
  ],
  [
    "German numbers",
    "a.csv",
    lines("temp;hum;state", ...makeRows((i, state) => `1.23${i % 10};${i % 7},5;${state}`)),
    { ...MACHINE, first: 1230 },
  ],
  [
    "French numbers",
    "a.csv",
    lines("temp;hum;state", ...makeRows((i, state) => `1\u202f23${i % 10},5;${i % 7},5;${state}`)),
    { ...MACHINE, first: 1230.5 },
  ],
  [
    "exponents behind decimal commas",
    "a.csv",
    lines("temp;hum;state", ...makeRows((i, state) => `1,5E0${i % 2};${i % 7}E-1;${state}`)),
    MACHINE,
  ],
  [
    "a separator at the end of each row, but not of the header",
    "a.csv",
    lines("temp,hum,state", ...makeRows((i, state) => `1.5,${i % 7},${state},`)),
    MACHINE,
  ],
  [
    "a title of several lines",
    "a.csv",
    lines(
      "Logger X",
      '"Press 4, week 9"',
      "",
      "temp,hum,state",
      ...makeRows((i, state) => `1.5,${i % 7},${state}`),
    ),
    MACHINE,
  ],
  [
    "a terminal's title above numbers without names",
    "a.log",
    lines("=~=~= PuTTY log =~=~=", ...makeRows((i) => `1.5\t${i % 7}.5\t${i % 3}`)),
    { features: ["column 1", "column 2"], label: "column 3", classes: ["0", "1", "2"], first: 1.5 },
  ],
  [
    "names in the comment above, as numpy writes them",
    "a.csv",
    lines("# run 3", "# temp,hum,state", ...makeRows((i, state) => `1.5,${i % 7},${state}`)),
    MACHINE,
  ],
  [
    "a first column called as Parquet's files begin",
    "a.csv",
    lines("PAR1,temp,hum,state", ...makeRows((i, state) => `x,1.5,${i % 7},${state}`)),
    MACHINE,
  ],
  [
    "a first column called #",
    "a.csv",
    lines("#,temp,hum,state", ...makeRows((i, state) => `${i + 1},1.5,${i % 7},${state}`)),
    MACHINE,
  ],
  [
    "cells of several lines with other separators",
    "a.csv",
    lines("temp,hum,note,state", ...makeRows((i, state) => `1.5,${i % 7},"a; ""b""\n1;2, c",${state}`)),
    MACHINE,
  ],
];

const BLANKS: readonly Written[] = [
  [
    "blanks around numbers, and no header",
    "a.txt",
    lines(...makeRows((i) => `  1.5e+000 ${i % 7}.25  ${Math.floor(i / 2) % 3} `)),
    { features: ["column 1", "column 2"], label: "column 3", classes: ["0", "1", "2"], first: 1.5 },
  ],
  [
    "R's table between blanks, with names of its rows",
    "a.txt",
    lines('"temp" "hum" "state"', ...makeRows((i, state) => `"${i + 1}" 1.5 ${i % 7} "${state}"`)),
    MACHINE,
  ],
  [
    "a date and a clock between blanks, and a word of two",
    "a.dat",
    lines(
      "date time temp hum state",
      ...makeRows((i, state) => `2024-03-01 10:${10 + i}:00.5 1.5 ${i % 7}.5 "${state} on"`),
    ),
    { ...MACHINE, classes: STATES.map((state) => `${state} on`) },
  ],
  [
    "decimal commas between blanks",
    "a.txt",
    lines("temp hum level", ...makeRows((i) => `1,5 ${i % 7},25 ${i}`)),
    { features: ["temp", "hum", "level"], label: null, first: 1.5 },
  ],
  [
    "commas, and dates with a blank",
    "a.csv",
    lines(...makeRows((i, state) => `2024-03-01 10:${10 + i},1.5,${i % 7},${state}`)),
    { features: ["column 2", "column 3"], label: "column 4", classes: STATES, first: 1.5 },
  ],
];

/** Imports a file of that content in a name of its own. */
async function imported(name: string, content: string | Buffer) {
  const path = written(`${files++}-${name}`, content);
  return (await runJsonHere("motelearn.import/1", "import", path)).files[0];
}

const TIMES = ["10:00", "10:01", "10:02", "10:03"].map((time) => `2024-03-01T${time}:00Z`);

const PRINTED: readonly Written[] = [
  [
    "a serial plotter's tabs",
    "a.log",
    lines(...makeRows((i, state) => `temp:1.5\thum:${i % 7}\tstate:${state}`)),
    MACHINE,
  ],
  [
    "names and commas, and a word before them",
    "a.log",
    lines(...makeRows((i, state) => `DHT temp=1.5, hum=${i % 7} %, state=${state}`)),
    MACHINE,
  ],
  [
    "a log's date, level and names",
    "a.log",
    lines(
      ...makeRows(
        (i, state) => `2024-03-01 10:00:${10 + i},123 INFO main temp=1.5 hum=${i % 7} state=${state}`,
      ),
    ),
    MACHINE,
  ],
  [
    "Arduino's monitor with its time",
    "a.log",
    lines(...makeRows((i) => `10:00:${10 + i}.123 -> 1.5,${i % 7}.5,${(i >> 1) % 3}`)),
    { features: ["column1", "column2"], label: "column3", classes: ["0", "1", "2"], first: 1.5 },
  ],
  [
    "PlatformIO's monitor with its time, and names",
    "a.log",
    lines(...makeRows((i, state) => `10:00:${10 + i}.123 > temp: 1.5 hum: ${i % 7} state: ${state}`)),
    MACHINE,
  ],
];

const LONG: readonly Written[] = [
  [
    "a reading a row, under the name of its sensor",
    "a.csv",
    lines(
      "timestamp,sensor,value",
      ...TIMES.flatMap((time, i) => [
        `${time},temp,1.5`,
        `${time},hum,${i}`,
        `${time},state,${STATES[i % 3]}`,
      ]),
    ),
    { ...MACHINE, rows: 4 },
  ],
  [
    "Home Assistant's statistics",
    "a.csv",
    lines(
      "statistic_id,unit,start,mean,min,max",
      ...TIMES.flatMap((time, i) => [`sensor.a,W,${time},1.5,1,2`, `sensor.b,W,${time},${i}.5,0,9`]),
    ),
    { features: ["sensor.a", "sensor.b"], label: null, rows: 4, first: 1.5 },
  ],
];

/** Rows enough to see that a column counts. */
const MANY = 24;

const QUOTES: readonly Written[] = [
  [
    "blanks before quotes",
    "a.csv",
    lines('temp, hum, "note, long", state', ...makeRows((i, state) => `1.5, ${i % 7}, "a, b", "${state}"`)),
    MACHINE,
  ],
  [
    "single quotes",
    "a.csv",
    lines("temp,hum,note,state", ...makeRows((i, state) => `'1.5',${i % 7},'a, b','${state}'`)),
    MACHINE,
  ],
  [
    "Weka's quotes, dates and declared classes",
    "a.arff",
    lines(
      "@relation 'a machine'",
      "@attribute when date 'yyyy-MM-dd HH:mm'",
      "@attribute temp real",
      "@attribute hum real",
      "@attribute mode {a, 'b, c'}",
      "@attribute note string",
      "@attribute state {worn, 'as new', idle, run}",
      "@data",
      ...makeRows((i, state) => `'2024-03-01 10:${10 + i}',1.5,${i % 7},'b, c','it\\'s',${state}`),
    ),
    { ...MACHINE, classes: ["worn", "as new", "idle", "run"] },
  ],
];

const TABS = makeRows((i, state) => `1.5\t${i % 7}\t${state}`);
const UTF16 = Buffer.from(`\ufefftemp\thum\tstate\r\n${TABS.join("\r\n")}\r\n`, "utf16le");

const ENCODINGS: readonly Written[] = [
  ["a spreadsheet's Unicode text, little endian", "a.txt", UTF16, MACHINE],
  ["UTF-16 without its mark", "a.txt", UTF16.subarray(2), MACHINE],
  ["UTF-16, big endian", "a.txt", Buffer.from(UTF16).swap16(), MACHINE],
];

const COLUMNS: readonly Written[] = [
  [
    "milliseconds since the start, not quite steady",
    "a.csv",
    lines(
      "millis,temp,hum,label",
      ...makeRows((i, state) => `${10 * i + (i % 3)},1.5,${i % 7},${state}`, MANY),
    ),
    { ...MACHINE, label: "label", rows: MANY },
  ],
  [
    "an oscilloscope's time",
    "a.csv",
    lines(
      "Time (s),temp,hum,state",
      ...makeRows((i, state) => `${(i / 60).toFixed(4)},1.5,${i % 7},${state}`, MANY),
    ),
    { ...MACHINE, rows: MANY },
  ],
  [
    "numbers of the rows, behind a first one",
    "a.csv",
    lines("UDI,temp,hum,fault", ...makeRows((i) => `${i + 1},1.5,${i % 7},${i % 2}`, MANY)),
    { ...MACHINE, label: "fault", classes: ["0", "1"], rows: MANY },
  ],
  [
    "dates that are numbers",
    "a.csv",
    lines("date,temp,hum,state", ...makeRows((i, state) => `20240301,1.5,${i % 7},${state}`)),
    MACHINE,
  ],
  [
    "readings that rise, in a table of nothing else",
    "a.csv",
    lines("level,y", ...makeRows((i) => `${i},${i % 2}`, MANY)),
    { features: ["level"], label: "y", classes: ["0", "1"], rows: MANY },
  ],
  [
    "words first, and readings last",
    "a.csv",
    lines("state,temp,hum", ...makeRows((i, state) => `${state},1.5,${i % 7}.5`)),
    MACHINE,
  ],
  [
    "a row of units below the header",
    "a.csv",
    lines("temp;hum;state", "[°C];[%];", ...makeRows((i, state) => `1.5;${i % 7};${state}`)),
    { ...MACHINE, features: ["temp [°C]", "hum [%]"] },
  ],
  [
    "a row of units below the header, spelt out, and a dash",
    "a.csv",
    lines("temp,hum,state", "degC,%,-", ...makeRows((i, state) => `1.5,${i % 7},${state}`)),
    { ...MACHINE, features: ["temp [degC]", "hum [%]"] },
  ],
  [
    "a first row of words that are no units",
    "a.csv",
    lines("temp,hum,machine,state", ...makeRows((i, state) => `1.5,${i % 7},${i % 2 ? 3 : "A"},${state}`)),
    MACHINE,
  ],
  [
    "a class that is none of the faults",
    "a.csv",
    lines("temp,hum,state", ...makeRows((i) => `1.5,${i % 7},${["None", "belt"][i % 2]}`)),
    { ...MACHINE, classes: ["None", "belt"] },
  ],
];

for (const [about, name, content, read] of [
  ...DIALECTS,
  ...BLANKS,
  ...QUOTES,
  ...ENCODINGS,
  ...LONG,
  ...PRINTED,
  ...COLUMNS,
])
  test(`${about}: import and all commands read what the file says`, async () => {
    const { file, classes, rows, description } = await imported(name, content);
    const data = await readTable(file, { missing: "nan", unlabelled: true });
    const { features, label } = namedColumns(data.roles as NonNullable<typeof data.roles>);
    assert.equal([features, label], [read.features, read.label]);
    assert.equal([rows, data.count], [read.rows ?? 12, read.rows ?? 12]);
    if (read.classes)
      assert.equal(description.classes ?? classes?.map((each: { name: string }) => each.name), read.classes);
    if (read.first !== undefined) assert.is(data.rows[0], Math.fround(read.first));
    if (read.second !== undefined) assert.is(data.rows[data.dimension], Math.fround(read.second));
    if (read.label) assert.is(labelledCount(data), rows);
  });

test("numbers between blanks are read without a description, too", async () => {
  const { rows, count } = await readTable(
    written("bare.txt", lines("  1.5   2.5 0", "11.5 -2.5 1", "", " 3 4 0 ")),
  );
  assert.equal([count, [...rows]], [3, [1.5, 2.5, 11.5, -2.5, 3, 4]]);
  await refusesHere(
    ["evaluate", "--learner", "pa", "--train", written("short.txt", lines("1 2 0", "3 4 1", "5 6"))],
    "short.txt:3: 2 fields where the first row has 3; every row needs as many",
  );
});

test("import prints how thousands are separated, and where names come from", async () => {
  const dialect = async (content: string) =>
    (await runHere(["import", written(`${files++}.csv`, content)])).stdout;
  const grouped = await dialect(lines("rpm,y", ...makeRows((i) => `"2,0${10 + i}",${i % 2}`)));
  assert.match(grouped, /thousands +separated by ,\n/);
  const commented = await dialect(lines("#a,y", "1.5,0", "2.5,1"));
  assert.match(commented, /header +no; the description names the columns\n/);
});

test("import says why a column is left out, and what its guess of the label rests on", async () => {
  const doubts = async (content: string) => {
    const { stdout } = await runHere(["import", written(`${files++}.csv`, content)]);
    return stdout.split("\n").flatMap((line) => /^ *to be checked +(.*)/.exec(line)?.[1] ?? []);
  };
  const rising = lines("n,temp,load", ...makeRows((i) => `${i},1.${i % 5},${i % 7}.5`, MANY));
  assert.equal(await doubts(rising), [
    "n is left out, as it rises from row to row like a counter or a clock",
  ]);
  const texts = lines(
    "temp,load,note,label",
    ...makeRows((i, state) => `${i % 5},${i} ${i % 2 ? "%" : "pieces"},x${i},${state}`),
  );
  assert.equal(await doubts(texts), [
    'texts are left out: load, as "0 pieces"; note, as "x0"; --label makes one the label',
  ]);
  const stays = makeRows((i) => `1.${i},${Math.floor(i / 10) % 3},${i % 7}.5`, MANY);
  assert.equal(await doubts(lines("temp,zone,load", ...stays)), [
    "no column is called label; zone could be it, too: --label zone chooses it",
  ]);
  assert.equal(await doubts(lines("temp,zone,label", ...stays)), []);
  const sensors = lines("temp,hum", ...makeRows((i) => `1.${i},${40 + (i % 7)}`, MANY));
  assert.equal(await doubts(sensors), [
    'hum is the label, as the last column; --label chooses another, "label": false in the description none',
  ]);
  assert.equal(await doubts(lines("temp,load", ...makeRows((i) => `1.${i},${i % 3}`, MANY))), [
    'load is the label, as the last column; --label chooses another, "label": false in the description none',
  ]);
  const twice = makeRows((i, state) => `1.${i},${state},${["early", "late"][i % 2]},${i % 7}.5`, MANY);
  assert.equal(await doubts(lines("temp,machine state,shift,load", ...twice)), [
    "machine state is the label, by a part of its name; shift could be it, too: --label shift chooses it",
  ]);
  assert.equal(await doubts(lines("temp,machine part,shift,load", ...twice)), [
    "shift is the label, by its states, though no name says so; machine part could be it, too: --label 'machine part' chooses it",
  ]);
  const noted = makeRows((i) => `1.${i},${i % 7}.5,seen by ${i}`, MANY);
  assert.equal(await doubts(lines("temp,load,note", ...noted)), [
    'texts are left out: note, as "seen by 0"; --label makes one the label',
  ]);
  const index = lines(",temp,label", ...makeRows((i, state) => `${i},${20 + (i % 5)},${state}`, MANY));
  assert.equal(await doubts(index), []);
});

test("what import says of many columns and classes is short", async () => {
  const width = 40;
  const names = Array.from({ length: width }, (_, k) => `n${k},c${k} [K]`);
  const row = (i: number) => names.map((_, k) => `${i === 2 * k ? "" : (i * k) % 7},${10 * i + k}`).join();
  const rows = Array.from({ length: MANY }, (_, i) => `${row(i)},state ${i % 20}`);
  const { stdout } = await runHere(["import", written("many.csv", lines(`${names.join()},state`, ...rows))]);
  assert.match(
    stdout,
    /to be checked +c0 \[K\], c1 \[K\], .* and 34 more are left out, as they rise from row to row/,
  );
  assert.match(stdout, /missing readings +n0 1, n1 1, n2 1, n3 1, n4 1, n5 1 and 6 more\n/);
  assert.match(stdout, /units +c0 \[K\]: K, .* and 34 more\n/);
  assert.match(stdout, /labels +classes state 0 2, .* and 8 more\n/);
  assert.ok(stdout.length < 2000, stdout);
});

test("names and classes of many letters are printed by their beginnings", async () => {
  const long = "hum:4".repeat(20_000);
  const rows = makeRows((i) => `${i % 7}.5,"${i < 6 ? long : `not, ${long}`}"`);
  const { stdout } = await runHere(["import", written("long.csv", lines("temp,state", ...rows))]);
  assert.match(stdout, /classes "hum:4.{35}\.\.\." 6, "not, hum:4.{30}\.\.\." 6\n/);
  assert.ok(stdout.length < 1000, stdout);
  const words = lines(`${long},label`, ...makeRows((i, state) => `T${i},${state}`));
  await refusesHere(
    ["import", written("words.csv", words)],
    `beside the label: "${long.slice(0, 40)}..." is "T0"; readings`,
  );
});

test("a file without a column of numbers is refused with what stands there", async () => {
  const grafana = lines(
    "Time,temp,label",
    ...makeRows((i, state) => `2024-03-01 10:${10 + i}:00,T${i},${state}`),
  );
  await refusesHere(
    ["import", written("grafana.csv", grafana)],
    'no column of numbers beside the label: temp is "T0"; readings are numbers, with or without a unit, or words such as on and off',
  );
  const can = lines(...makeRows((i) => `(17092872${10 + i}.5) can0 123#2${i}F`));
  await refusesHere(
    ["import", written("can.log", can)],
    "or words such as on and off; --pattern finds the fields of lines that are no table",
  );
  const repeated = lines("temp,label", ...makeRows((i, state) => (i === 5 ? "T,idle" : `${i % 7},${state}`)));
  await refusesHere(
    ["import", written("repeated.csv", repeated)],
    'temp has 1 word such as "T"; readings are numbers, with or without a unit, or words such as on and off; or skip such rows by --skip-bad-rows',
  );
});

test("a file in another encoding, of another kind, or with other ends of lines is refused with the command that mends it", async () => {
  const latin = Buffer.from(`${"1,5;0\n".repeat(6000)}20 \xb0C;0\n`, "latin1");
  await refusesHere(
    ["import", written("latin.csv", latin)],
    "latin.csv:6001: not UTF-8; a text file in UTF-8, gzipped or not, is needed: iconv -f WINDOWS-1252 -t UTF-8 ",
  );
  await refusesHere(
    ["evaluate", "--learner", "pa", "--train", written("mac.csv", "a,label\r1.5,0\r2.5,1\r")],
    "mac.csv:1: lines that end in a carriage return alone; tr '\\r' '\\n' < ",
  );
});

for (const [start, refusal] of [
  ["PK\x03\x04\x14\0\x06\0a.csv", ": a zip file; save a spreadsheet as CSV in UTF-8; unzip "],
  ["PK\x03\x04\x14\0\x06\0[Content_Types].xml", ": a spreadsheet; save it as CSV in UTF-8"],
  ["\xd0\xcf\x11\xe0\0\0", ": an old spreadsheet; save it as CSV in UTF-8"],
  ["PAR1\x15\0", ": a Parquet file; python3 -c 'import sys, pandas; pandas.read_parquet(sys.argv[1])"],
  ["SQLite format 3\0", ": a database; sqlite3 -csv -header "],
  ["\x93NUMPY\x01\0", ": a numpy array; numpy.savetxt(NEW, array, delimiter=',') makes CSV of it"],
  [`a.csv${"\0".repeat(252)}ustar\0`, ": a tar archive; tar -xf "],
  ["\x28\xb5\x2f\xfd\0", ": packed by zstd; zstd -d "],
] as const)
  test(`a file of another program is refused with the remedy${refusal.split(";")[0]}`, async () => {
    const bytes = Buffer.from(start, "latin1");
    await refusesHere(["import", written(`${files++}.bin`, bytes)], refusal);
    await refusesHere(["import", written(`${files++}.bin.gz`, gzipSync(bytes))], refusal);
  });

test("a text that stands for a file is refused with the remedy", async () => {
  await refusesHere(
    ["import", written("login.csv", "<!DOCTYPE html>\n<html></html>\n")],
    "login.csv: a page in HTML; the file that the page is about is needed",
  );
  await refusesHere(
    ["import", written("lfs.csv", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7\nsize 1\n")],
    "lfs.csv: a pointer of Git LFS; git lfs pull fetches the file itself",
  );
});

test("a file without labels is refused by classifiers with the option that names their column", async () => {
  const { file } = await imported("a.lp", lines("a x=1 1700000000", "a x=2 1700000001"));
  for (const command of [["evaluate", "--learner", "pa"], ["choose"]])
    await refusesHere(
      [...command, "--train", file],
      "a.lp: no row has a label; --label chooses their column",
    );
});

test("a node that simulate flashes samples as often as the described recording, unless the scenario says how often", async () => {
  const rows = Array.from({ length: 40 }, (_, i) => `2024-03-01 10:${10 + i},${(i * 7) % 5},${i % 2}`);
  const { file } = await imported("minutes.csv", lines("time,a,label", ...rows));
  const tasks = [{ name: "t", task: "classification", learners: [{ learner: "pa" }] }];
  const stream = { type: "files", files: [{ node: "n", path: file }] };
  const scenario = { schema: "motelearn.scenario/1", stream, tasks };
  for (const [node, period] of [
    [{}, 60_000],
    [{ periodMs: 50 }, 50],
  ] as const) {
    const path = written(`${files++}.json`, JSON.stringify({ ...scenario, node }));
    const { stdout, stderr } = await runHere(["simulate", path]);
    assert.match(`${stdout}${stderr}`, new RegExp(`motelearn flash .* --period ${period}( |$)`, "m"));
  }
});

test("a command refuses the first row of a file without a description with the command that describes it", async () => {
  const file = written(
    "sep.csv",
    lines("sep=;", "temp;state", ...makeRows((i, state) => `${i % 7},5;${state}`)),
  );
  const evaluated = ["evaluate", "--learner", "pa", "--train", file];
  await refusesHere(evaluated, "or let motelearn import find out how the file is written");
  assert.is((await runHere(["import", file])).code, 0);
  const { code, stderr } = await runHere(evaluated);
  assert.is(code, 0, stderr);
});

test("a signal's clock that names its unit gives its rate, a slow one the node's period", async () => {
  const sampled = async (name: string, timeAt: (i: number) => string) => {
    const rows = makeRows((i, state) => `${timeAt(i)},${i % 7},${state}`, MANY);
    const { description } = await imported("clock.csv", lines(`${name},a,label`, ...rows));
    return [description.rate, description.period];
  };
  assert.equal(await sampled("Time (s)", (i) => (i / 60).toFixed(4)), [60, undefined]);
  assert.equal(await sampled("t_ms", (i) => (1.25 * i).toFixed(2)), [800, undefined]);
  assert.equal(await sampled("time_us", (i) => `${250 * i}`), [4000, undefined]);
  assert.equal(await sampled("elapsed [s]", (i) => `${60 * i}`), [undefined, 60_000]);
  assert.equal(await sampled("millis", (i) => `${10 * i + (i % 3)}`), [undefined, undefined]);
  assert.equal(await sampled("index", (i) => `${i}`), [undefined, undefined]);
});

test("the start and the rate above a wristband's readings are no readings", async () => {
  const accelerations = makeRows((i) => `${(i * 7) % 11},${(i * 5) % 13},${(i * 3) % 7}`, MANY);
  for (const [start, rate, rows] of [
    [
      "1582758851.000000, 1582758851.000000, 1582758851.000000",
      "32.000000, 32.000000, 32.000000",
      accelerations,
    ],
    ["1582758851.00", "4.000000", makeRows((i) => `${(i * 7) % 11}.5`, MANY)],
  ] as const) {
    const { rows: count, description } = await imported("ACC.csv", lines(start, rate, ...rows));
    assert.equal(
      [count, description.skipLines, description.rate ?? 1000 / description.period],
      [MANY, 2, Number.parseFloat(rate)],
    );
  }
});

test("a recording that is shorter than a sample is refused as such", async () => {
  const { file } = await imported(
    "short.csv",
    lines("a,label", ...makeRows((i, state) => `${i % 5},${state}`)),
  );
  for (const command of [["choose"], ["evaluate", "--learner", "pa"]])
    await refusesHere(
      [...command, "--train", file, "--rate", "1000", "--period", "100"],
      "short.csv: 12 rows, fewer than the 100 of one sample; a longer recording is needed, or a shorter period (--period ms)",
    );
});

test("LIBSVM: groups of a query are no features; indices from 0, and ARFF's sparse rows, are refused with the remedy", async () => {
  const { dimension, rows } = await imported("a.txt", lines("1 qid:1 1:0.5 2:1 # a", "0 qid:1 2:2"));
  assert.equal([dimension, rows], [2, 2]);
  await refusesHere(
    ["import", written("zero.svm", "1 0:1 1:2\n")],
    'index 0 in "0:1"; 1 to 65536 is right, from scikit-learn by zero_based=False',
  );
  await refusesHere(
    [
      "import",
      written("sparse.arff", "@relation r\n@attribute a real\n@attribute y {0,1}\n@data\n{0 1.5, 1 1}\n"),
    ],
    "sparse.arff:5: a sparse row; Weka's filter SparseToNonSparse makes rows of all values",
  );
});

test("decimal commas in quotes between commas have no thousands unless a number shows them", async () => {
  const rows = makeRows((i, state) => `"${i % 7},5","${4475770 + i},25",${state}`);
  const file = written(`${files++}.csv`, lines("temp,count,state", ...rows));
  const { description } = (await runJsonHere("motelearn.import/1", "import", file)).files[0];
  assert.equal([description.decimal, description.thousands], [",", undefined]);
});

test("lines of many kinds are no table, and are refused with the command that takes one kind", async () => {
  const kinds = (i: number) =>
    [`$GPGGA,10${i},32.${i},35.${i},1`, `$GPRMC,10${i},A`, `$GPGSA${",1".repeat(3 + (i % 9))}`][i % 3];
  const gps = written("gps.log", lines(...makeRows(kinds)));
  await refusesHere(
    ["import", gps],
    `${gps}: lines of many kinds, which are no table; grep '^\\$GPGGA' ${gps} > NEW takes those of one kind, of $GPGGA, $GPRMC`,
  );
  const words = makeRows((i) => `[${i}s left] node ${"a, ".repeat(i % 7)}sent${" it".repeat(i % 5)}`);
  const log = written("sent.log", lines(...words));
  await refusesHere(
    ["import", log],
    `${log}: lines of many kinds, which are no table; --pattern finds the fields`,
  );
});

test.run();
