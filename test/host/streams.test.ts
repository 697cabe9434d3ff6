import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DecimalScanner } from "../../host/streams/decimal.ts";
import {
  byNode,
  type DataSet,
  labelledRows,
  readStored,
  readTable,
  StreamError,
  type TableOptions,
} from "../../host/streams/index.ts";
import { makeFolder } from "../folder.ts";
import * as fc from "../properties.ts";

const test = suite("streams");
const folder = makeFolder();

let files = 0;

function written(name: string, content: string | Uint8Array): string {
  const path = join(folder, `${files++}-${name}`);
  writeFileSync(path, content);
  return path;
}

function read(name: string, content: string | Uint8Array, options?: TableOptions): Promise<DataSet> {
  return readTable(written(name, content), options);
}

/** The error's line with the path taken off, and the rows read before it. */
async function failure(
  name: string,
  content: string | Uint8Array,
  options?: TableOptions,
): Promise<[string, number]> {
  const path = written(name, content);
  try {
    await readTable(path, { optionNames: { columns: "--columns" }, ...options });
  } catch (error) {
    assert.instance(error, StreamError);
    const { message, rowsRead, file } = error as StreamError;
    assert.is(file, path);
    assert.ok(message.startsWith(path) && !message.includes("\n"), message);
    return [message.slice(path.length), rowsRead];
  }
  return ["nothing was thrown", 0];
}

const CSV = "a,b,y\n1,2,3\n4,5,6\n";

test("CSV: the last column is the label, a header names the columns, numbers are kept", async () => {
  const data = await read("t.csv", CSV);
  assert.equal([data.dimension, data.count, data.columns], [2, 2, ["a", "b"]]);
  assert.equal([...data.rows], [1, 2, 4, 5]);
  assert.equal([...data.labels], [3, 6]);
  assert.is(data.labelNames, undefined);
});

test("plain decimals are read as Number reads them, also with more digits than a float32 needs", () => {
  const scanner = new DecimalScanner();
  const bytes = (text: string) => new TextEncoder().encode(text);
  const written = fc.oneof(
    fc.double({ noNaN: true }).map(String),
    fc.float({ noNaN: true }).map(String),
    fc.stringMatching(/^[-+]?\d{0,25}\.?\d{0,25}([eE][-+]?\d{0,4})?$/),
  );
  fc.assert(
    fc.property(written, (text) => {
      if (scanner.read(bytes(text), 0) && scanner.end === text.length) assert.is(scanner.value, Number(text));
      if (scanner.readFloat32(bytes(text), 0) && scanner.end === text.length)
        assert.is(Math.fround(scanner.value), Math.fround(Number(text)));
    }),
    { numRuns: 5000 },
  );
  for (const [text, value] of [
    ["-12.5,", -12.5],
    ["+.25e-3\n", 0.00025],
    ["7.", 7],
    ["-0", -0],
  ] as const) {
    assert.ok(scanner.read(bytes(text), 0), text);
    assert.is(scanner.value, value);
  }
  for (const text of ["", ".", "-", "e5", "1e", "x", " 1"]) assert.not.ok(scanner.read(bytes(text), 0), text);
});

/** Rows: some plain, others quoted, blank, of many digits, with words or letters of several bytes. */
function mixedCsv(rows: number): { text: string; x: number[][]; labels: string[] } {
  const x = Array.from({ length: rows }, (_, i) => [Math.sin(i), i / 7, Math.fround(Math.cos(i)) * 1e-9]);
  const labels = x.map((_, i) => ["up", "down", "\u00fcber"][i % 3]);
  const lines = x.map((row, i) => {
    if (i % 97 === 3) return `${row.map((v) => `"${v}"`).join()},,"${labels[i]}"`;
    if (i % 89 === 5) return `\n${row.join()},"a\nb",${labels[i]}`;
    return `${row.map((v) => v.toFixed(i % 5 === 0 ? 20 : 12)).join()},-,${labels[i]}`;
  });
  return { text: `a,b,c,note,way\n${lines.join("\n")}\n`, x, labels };
}

test("CSV: plain rows and others between them, over many pieces of the file, give one table", async () => {
  const { text, x, labels } = mixedCsv(4000);
  const data = await read("t.csv", text, { columns: ["a", "b", "c"] });
  assert.is(data.count, 4000);
  assert.equal(
    Array.from(data.labels, (label) => data.labelNames?.[label]),
    labels,
  );
  x.forEach((row, i) => {
    row.forEach((value, j) => {
      assert.ok(Math.abs(data.rows[3 * i + j] - value) <= 1e-7 * Math.abs(value) + 1e-12, `row ${i}`);
    });
  });
  const [line] = await failure("t.csv", `${text}1,2,3,x\n`, { columns: ["a", "b", "c"] });
  const number = text.split("\n").length;
  assert.is(line, `:${number}: 4 fields where the first row has 5; every row needs as many`);
});

test("a stored table has the rows and labels of the table in memory, in any order, also out of its file", async () => {
  const rows = 3000;
  const numbers = Array.from({ length: rows * 160 }, (_, i) => (i * 7919) % 1000);
  const lines = Array.from(
    { length: rows },
    (_, i) => `${numbers.slice(160 * i, 160 * (i + 1)).join()},${"pqr"[i % 3]}`,
  );
  const path = written("t.csv", lines.join("\n"));
  const table = await readTable(path);
  const stored = await readStored(path);
  assert.ok(table.rows.byteLength > 1.3 * (1 << 20));
  assert.equal([stored.count, stored.dimension, stored.labelNames], [rows, 160, ["p", "q", "r"]]);
  assert.equal([...stored.labels], [...table.labels]);
  for (const order of [null, Uint32Array.from({ length: rows }, (_, i) => (i * 1001) % rows)]) {
    let place = 0;
    stored.each(order, (x, label) => {
      const row = order ? order[place] : place;
      if (label !== table.labels[row] || x.some((value, j) => value !== table.rows[160 * row + j]))
        assert.unreachable(`row ${row}`);
      place++;
    });
    assert.is(place, rows);
  }
  stored.close();
  const folder = process.env.TMPDIR;
  process.env.TMPDIR = join(path, "nowhere");
  const message = await readStored(path).catch((error: Error) => error.message);
  if (folder === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = folder;
  assert.match(
    String(message),
    /^.*t\.csv:\d+: no room in .*nowhere for its rows \(ENOTDIR\); a TMPDIR with as much/,
  );
});

test("a stored log keeps the samples without a label, as the table does", async () => {
  const sample = (seq: number, label = "") => `{"seq":${seq},"sid":1,"x":[${seq},1]${label}}`;
  const lines = [
    sample(1),
    sample(2, ',"label":"b"'),
    sample(3),
    '{"type":"label","sid":1,"seq":1,"label":"c"}',
  ];
  const path = written("t.ndjson", lines.join("\n"));
  const { labels, labelNames, rows } = await readTable(path);
  const stored = await readStored(path);
  const seen: number[] = [];
  stored.each(null, (x, label) => seen.push(...x, label));
  assert.equal(
    [labelNames, [...rows], [...labels]],
    [
      ["b", "c"],
      [1, 1, 2, 1, 3, 1],
      [1, 0, NaN],
    ],
  );
  assert.equal(
    [stored.labelNames, seen, [...stored.labels]],
    [
      ["b", "c"],
      [1, 1, 1, 2, 1, 0, 3, 1, NaN],
      [1, 0, NaN],
    ],
  );
});

test("every format gives back the numbers that were written, plain and gzipped, whatever the line ends", async () => {
  const number = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => Math.fround(value) + 0);
  const table = fc.array(fc.array(number, { minLength: 4, maxLength: 4 }), { minLength: 2, maxLength: 9 });
  const formats: Record<string, (row: number[]) => string> = {
    csv: (row) => row.join(","),
    tsv: (row) => row.join("\t"),
    libsvm: ([a, b, c, y]) => `${y} 1:${a} 2:${b} 3:${c}`,
    ndjson: ([a, b, c, y]) => JSON.stringify({ x: [a, b, c], label: y }),
  };
  await fc.assert(
    fc.asyncProperty(table, fc.constantFrom("\n", "\r\n"), fc.boolean(), async (rows, end, gzipped) => {
      for (const [extension, format] of Object.entries(formats)) {
        const text = rows.map(format).join(end);
        const content = gzipped ? gzipSync(text) : text;
        const data = await read(`t.${extension}${gzipped ? ".gz" : ""}`, content);
        assert.equal(
          Array.from(data.rows),
          rows.flatMap((row) => row.slice(0, 3)),
        );
        assert.equal(
          Array.from(data.labels),
          rows.map((row) => row[3]),
        );
      }
    }),
    { numRuns: 30 },
  );
});

test("where the name says neither, the magic number shows gzip and the first line the format", async () => {
  assert.is((await read("data", gzipSync(CSV))).count, 2);
  assert.is((await read("data.txt", "\n+1 1:2 5:3 # comment\n-1\n")).dimension, 5);
  assert.equal([...(await read("data", '{"x":[1],"label":2}\n')).labels], [2]);
  assert.equal([...(await read("odd.libsvm", CSV, { format: "csv" })).labels], [3, 6]);
});

test("gzip members that follow each other are one text", async () => {
  assert.is((await read("t.csv", Buffer.concat([gzipSync(CSV), gzipSync("7,8,9\n")]))).count, 3);
});

test("CSV: a header is found by words above numbers or by words alone, and an option overrules", async () => {
  assert.is((await read("t.csv", "1,2\n3,4\n")).count, 2);
  assert.is((await read("t.csv", "5.1,ham\n4.9,spam\n")).count, 2);
  assert.is((await read("t.csv", "width,kind\n4.9,spam\n")).count, 1);
  assert.is((await read("t.csv", "1,2\n3,4\n", { header: true })).count, 1);
});

test("CSV: separators, quotes, blank lines and a byte order mark", async () => {
  for (const separator of [";", "\t"]) {
    const data = await read("t.csv", `\uFEFF"the ""a"", b"${separator}y\n\n"1"${separator} 2 \n`);
    assert.equal([data.columns, [...data.rows], [...data.labels]], [['the "a", b'], [1], [2]]);
  }
  assert.equal(
    [
      ...(
        await read("t.csv", "1;2,5\n", {
          separator: ",",
          header: false,
          columns: [2],
          label: false,
          format: "csv",
        })
      ).rows,
    ],
    [5],
  );
});

test("CSV: columns by name, number and range; a label anywhere", async () => {
  const text = '"no","date","t","h","y"\n"1","2015-02-04",23.5,27,1\n"2","2015-02-05",24.5,28,0\n';
  assert.equal([...(await read("t.csv", text, { columns: ["3-4"] })).rows], [23.5, 27, 24.5, 28]);
  assert.equal((await read("t.csv", text, { columns: ["h", 3] })).columns, ["h", "t"]);
  const other = await read("t.csv", text, { columns: ["t"], label: "h" });
  assert.equal(
    [[...other.rows], [...other.labels]],
    [
      [23.5, 24.5],
      [27, 28],
    ],
  );
  const none = await read("t.csv", text, { columns: ["t", "y"], label: false });
  assert.equal(
    [[...none.rows], [...none.labels]],
    [
      [23.5, 1, 24.5, 0],
      [NaN, NaN],
    ],
  );
});

test("words become indices into their sorted names; a test file takes the training file's", async () => {
  const train = await read("t.csv", "1,spam\n2,eggs\n3,spam\n");
  assert.equal(
    [train.labelNames, [...train.labels]],
    [
      ["eggs", "spam"],
      [1, 0, 1],
    ],
  );
  const test = await read("t.csv", "1,spam\n", { knownLabels: train.labelNames });
  assert.equal([test.labelNames, [...test.labels]], [["eggs", "spam"], [1]]);
});

test("LIBSVM: what is left out is zero, and the dimension is the largest index unless given", async () => {
  const text = "1 2:5\n2 1:1 4:2\n3\n";
  assert.equal([...(await read("t.svm", text)).rows], [0, 5, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0]);
  assert.equal([...(await read("t.svm", "1 2:5\n", { dimension: 3 })).rows], [0, 5, 0]);
  const widening = Array.from({ length: 60 }, (_, i) => `1 ${i + 1}:${i + 1}`).join("\n");
  const { rows, dimension } = await read("t.svm", widening);
  assert.is(dimension, 60);
  assert.ok(rows.every((value, i) => value === (i % 61 === 0 ? i / 61 + 1 : 0)));
});

test("NDJSON keeps ECMA-419's provenance and can be told apart by node", async () => {
  const lines = [
    '{"time":1000,"ticks":5,"node":"b","x":[1,2],"label":1,"faults":["clipped"],"more":{}}',
    "",
    '{"time":2000,"node":7,"x":[3,4],"label":null}',
    '{"time":3000,"node":"b","x":[5,6],"label":-1}',
  ];
  const data = await read("t.ndjson", lines.join("\n"), { unlabelled: true });
  assert.equal([...data.labels], [1, NaN, -1]);
  const { time, ticks, faults, node } = data.provenance ?? {};
  assert.equal([...(time ?? [])], [1000, 2000, 3000]);
  assert.equal([...(ticks ?? [])], [5, NaN, NaN]);
  assert.equal(
    [faults, node],
    [
      [["clipped"], null, null],
      ["b", "7", "b"],
    ],
  );
  const nodes = byNode(data);
  assert.equal([...nodes.keys()], ["b", "7"]);
  const b = nodes.get("b") as DataSet;
  assert.equal([b.count, [...b.rows], [...b.labels]], [2, [1, 2, 5, 6], [1, -1]]);
  assert.equal([...(b.provenance?.time ?? [])], [1000, 3000]);
  assert.equal([...byNode(await read("t.csv", CSV)).keys()], [""]);
});

test("a log's labels come after their samples; those that got none have none", async () => {
  const lines = [
    '{"node":"a","sid":1,"seq":1,"x":[1,2]}',
    '{"type":"prediction","node":"a","sid":1,"seq":1,"decision":null}',
    '{"node":"a","sid":1,"seq":2,"x":[3,4]}',
    '{"node":"b","sid":1,"seq":2,"x":[5,6]}',
    '{"type":"label","node":"a","sid":1,"seq":2,"label":1,"status":"applied"}',
    '{"type":"label","node":"a","sid":2,"seq":1,"label":1,"status":"session"}',
    '{"type":"label","node":"b","sid":1,"seq":2,"label":-1}',
    '{"node":"a","sid":1,"seq":2,"x":[7,8]}',
    '{"type":"label","node":"a","sid":1,"seq":2,"label":-1}',
    '{"node":"a","sid":1,"seq":3,"x":[9,0],"label":1}',
  ].join("\n");
  const all = await read("t.ndjson", lines, { unlabelled: true });
  assert.equal([...all.labels], [NaN, 1, -1, -1, 1]);
  const data = labelledRows(await read("t.ndjson", lines));
  assert.equal([data.count, [...data.labels]], [4, [1, -1, -1, 1]]);
  assert.equal([...data.rows], [3, 4, 5, 6, 7, 8, 9, 0]);
  assert.equal(data.provenance?.node, ["a", "b", "a", "a"]);
  const [never] = await failure("t.ndjson", lines.split("\n").slice(0, 4).join("\n"));
  assert.is(never, ": no row has a label; one or more needs one");
  const [unknown] = await failure("t.ndjson", lines, { knownLabels: [-1] });
  assert.match(unknown, /^:5: unknown label "?1"?; known are -1$/);
});

test("CSV keeps provenance by header name when asked to, and never takes it for a reading", async () => {
  const text = "node,time,x1,x2,label\na,1,2,3,1\nb,2,4,5,\n";
  const data = await read("t.csv", text, { provenance: true });
  assert.equal(
    [data.columns, data.provenance?.node],
    [
      ["x1", "x2"],
      ["a", "b"],
    ],
  );
  assert.equal([...data.labels], [1, NaN]);
  const without = await read("t.csv", text);
  assert.equal(
    [without.columns, without.provenance, [...without.rows]],
    [["x1", "x2"], undefined, [2, 3, 4, 5]],
  );
});

test("columns that are no readings are none for every reader, unless they are chosen", async () => {
  const rows = (head: string, before: string, after = "") =>
    `${head}\n${[3, 4].map((x) => `${before}${x},${x + 1},${x - 3}${after}`).join("\n")}\n`;
  for (const name of ["time", "ticks", "faults", "node", "source", "confidence"]) {
    const first = rows(`${name},t,h,y`, "7,");
    for (const options of [{}, { provenance: true }, { missing: "skip" }] as TableOptions[]) {
      const { columns, labels } = await read("t.csv", first, options);
      assert.equal(
        [columns, [...labels]],
        [
          ["t", "h"],
          [0, 1],
        ],
        name,
      );
    }
    const last = await read("t.csv", rows(`t,h,y,${name}`, "", ",7"));
    assert.equal(
      [last.columns, [...last.labels]],
      [
        ["t", "h"],
        [0, 1],
      ],
      `${name} is no label`,
    );
    const chosen = await read("t.csv", first, { columns: [name, "t"], provenance: true });
    assert.equal([chosen.columns, chosen.provenance], [[name, "t"], undefined]);
  }
  for (const [head, first] of [
    ["", "0,"],
    ["", "1,"],
    ["Unnamed: 0", "17,"],
    ['""', '"1",'],
  ])
    assert.equal(
      (await read("t.csv", rows(`${head},t,h,y`, first))).columns,
      ["t", "h"],
      `an index: ${head} ${first}`,
    );
  assert.equal((await read("t.csv", rows(",t,h,y", "0.5,"))).columns, ["column 1", "t", "h"], "no index");
  assert.equal(
    (await read("t.csv", ",0,1,2\n0,3,4,1\n1,4,5,2\n")).columns,
    ["0", "1"],
    "a frame without names",
  );
});

test("a time may be a date; one that is neither is refused where it is kept", async () => {
  const text = "time,t,y\n2024-03-31T00:00:01Z,1,1\n1000,2,0\n";
  assert.equal(
    [...((await read("t.csv", text, { provenance: true })).provenance?.time ?? [])],
    [1711843201000, 1000],
  );
  const [line] = await failure("t.csv", "time,t,y\nnoon,1,1\n", { provenance: true });
  assert.is(
    line,
    ':2: column "time" is "noon", not a time; milliseconds since 1970, or an ISO 8601 date, or one like 31.12.2026 23:59, are needed',
  );
});

test("the label is the column of that name, else the last", async () => {
  assert.equal([...(await read("t.csv", "label,t,h\n7,1,2\n")).labels], [7]);
  assert.equal([...(await read("t.csv", "class,t,h\n7,1,2\n")).labels], [2]);
  assert.equal([...(await read("t.csv", "label,t,h\n7,1,2\n", { label: "h" })).labels], [2]);
});

test("a name or a number that may mean two columns is refused where it is used, and only there", async () => {
  const twice = "label,temp,temp,label\n0,1,0,-1\n1,0,1,1\n";
  const options = { optionNames: { columns: "--columns", label: "--label" } };
  const refused = async (text: string, more: TableOptions) =>
    (await failure("t.csv", text, { ...options, ...more }))[0];
  const label = ":1: label is columns 1 and 4; write the number with --label";
  assert.is(await refused(twice, {}), label);
  assert.is(await refused(twice, { label: "label" }), label);
  const temp = ":1: temp is columns 2 and 3; write the number";
  assert.is(await refused(twice, { columns: ["temp"], label: "4" }), temp);
  assert.equal([...(await read("t.csv", twice, { columns: ["3"], label: 4 })).rows], [0, 1]);
  assert.equal((await read("t.csv", twice, { label: "4" })).columns, ["label", "temp", "temp"]);
  const clocks = "time,time,t,y\n1,2,3,4\n";
  assert.equal((await read("t.csv", clocks)).columns, ["t"]);
  assert.is(await refused(clocks, { provenance: true }), ":1: time is columns 1 and 2; write the number");

  const numbers = "3,1,2,y\n5,6,7,8\n";
  const ambiguous =
    ":1: 3 may mean column 3 or the column named 3, which is column 1; names that aren't numbers are needed";
  for (const columns of [["3"], ["3-3"], ["y", "3"]])
    assert.is(await refused(numbers, { header: true, columns, label: false }), ambiguous);
  assert.equal(
    [...(await read("t.csv", numbers, { header: true, columns: [3] })).rows],
    [7],
    "a number is a place",
  );
  assert.equal([...(await read("t.csv", "1,b,y\n5,6,7\n", { header: true, columns: ["1"] })).rows], [5]);
  assert.equal([...(await read("t.csv", numbers, { header: true })).rows], [5, 6, 7], "nobody asks");
});

test("a file like another has its columns by name; one that lacks some, or has more, is refused", async () => {
  const { roles, source } = await read("train.csv", "temp,hum,label\n1,10,0\n2,20,1\n");
  const like = (text: string, more: TableOptions = {}) => read("t.csv", text, { like: roles, ...more });
  const swapped = await like("hum,label,temp\n10,0,1\n20,1,2\n");
  assert.equal(
    [[...swapped.rows], [...swapped.labels], swapped.columns],
    [
      [1, 10, 2, 20],
      [0, 1],
      ["temp", "hum"],
    ],
  );
  assert.equal(
    [...(await like("time,hum,temp,label\n5,10,1,0\n")).rows],
    [1, 10],
    "time is no feature of either",
  );
  assert.equal([...(await like("1,10,0\n2,20,1\n")).rows], [1, 10, 2, 20], "without a header by place");
  const refusal = async (text: string, more = {}) =>
    (await failure("t.csv", text, { like: roles, ...more }))[0];
  const where = (columns: string, theirs = "temp, hum") =>
    `:1: columns ${columns} where ${source} has ${theirs}; the same columns are needed`;
  assert.is(await refusal("wind,hum,label\n1,2,0\n"), where("wind, hum"));
  assert.is(await refusal("temp,hum,wind,label\n1,2,3,0\n"), where("temp, hum, wind"));
  assert.is(await refusal("temp,hum,y\n1,2,0\n"), where("temp, hum, y", "temp, hum, label"));
  assert.is(await refusal("temp,hum,hum,label\n1,2,3,0\n"), ":1: hum is columns 2 and 3; write the number");
  assert.is(await refusal("1,2,3,4\n"), where("column 1, column 2, column 3, column 4", "temp, hum, label"));
  const chosen = await read("train.csv", "a,b,c,y\n1,2,3,0\n", { columns: ["1-2"], label: 4 });
  const other = await read("t.csv", "y,c,b,a\n0,3,2,1\n", { like: chosen.roles, columns: ["1-2"], label: 4 });
  assert.equal([[...other.rows], [...other.labels]], [[1, 2], [0]], "numbers count the first file's columns");
});

test("advice names only options that its reader has", async () => {
  const faults: [string, TableOptions][] = [
    ["a,b,y\n1,x,1\n", {}],
    ["a,b,y\n1,NA,1\n", {}],
    ["a,b,y\n1,1e39,1\n", {}],
    ["label,a,label\n1,2,3\n", {}],
    ["a,y\n1,2\n", { columns: ["c"] }],
  ];
  for (const [text, options] of faults) {
    const [none] = await failure("t.csv", text, { ...options, optionNames: {} });
    assert.not.match(none, /option|--|stream\./, none);
    const [own] = await failure("t.csv", text, {
      ...options,
      optionNames: { columns: "THESE", missing: "THOSE", label: "THAT" },
    });
    assert.not.match(own, /option|--|stream\./, own);
  }
  const iso = "timestamp,temp,hum,label\n2024-03-31T00:00:00Z,1,2,1\n";
  const [line] = await failure("t.csv", iso, { optionNames: { columns: "stream.columns" } });
  assert.match(line, /choose columns of numbers with stream\.columns, such as temp,hum$/);
});

test("what is wrong with a CSV file is one line that names file, line and what would be right", async () => {
  const cases: [string, TableOptions, string, number][] = [
    ["1,2,3\n4,5\n", {}, ":2: 2 fields where the first row has 3; every row needs as many", 1],
    [
      "a,b,y\n\n1,2,3\n1,x,3\n",
      {},
      ':4: column "b" is "x", not a number; choose columns of numbers with --columns, such as a',
      1,
    ],
    ["1,2\n,4\n", {}, ':2: column 1 is "", not a number; choose columns of numbers with --columns', 1],
    [
      "1,2\n1e39,4\n",
      {},
      ":2: column 1: 1e39 is beyond float32 (at most 3.4028235e38); a smaller number is needed, or other columns with --columns",
      1,
    ],
    [
      "a,b,y\n1,-1e400,4\n",
      {},
      ':2: column "b": -1e400 is beyond float32 (at most 3.4028235e38); a smaller number is needed, or other columns with --columns',
      0,
    ],
    [
      "1,2\n0x1F,4\n",
      {},
      ':2: column 1 is "0x1F", not a number; choose columns of numbers with --columns',
      1,
    ],
    [
      "1,2\n3,x\n",
      {},
      ':2: label "x" isn\'t a number, as the labels before it are; all labels numbers, or all words, is right',
      1,
    ],
    [
      "1,2\n3,1e39\n",
      {},
      ":2: label: 1e39 is beyond float32 (at most 3.4028235e38); a smaller number is needed",
      1,
    ],
    ["1,2\n3,4\n", { knownLabels: [2, 3] }, ':2: unknown label "4"; known are 2, 3', 1],
    [
      "1,b\n",
      { knownLabels: [..."acdefghijk"] },
      ':1: unknown label "b"; known are a, c, d, e, f, g, h, i and 2 more',
      0,
    ],
    ["1,2,3\n", { dimension: 3 }, ":1: 2 features where 3 were asked for; every row needs as many", 0],
    [CSV, { columns: ["bb"] }, ':1: no column "bb"; the columns are, nearest first: b, a, y', 0],
    [
      "1,2\n",
      { columns: ["b"] },
      ':1: no column "b"; the file has no header, so columns are numbered from 1 to 2',
      0,
    ],
    [CSV, { label: "nope" }, ':1: no column "nope"; the columns are, nearest first: a, b, y', 0],
    [
      `${Array.from({ length: 40 }, (_, i) => `x${i + 10}`).join()},label\n`,
      { header: true, label: "labl" },
      ':1: no column "labl"; the columns are, nearest first: label, x10, x11, x12, x13, x14, x15, x16, x17, x18, x19, x20 and 29 more',
      0,
    ],
    [CSV, { columns: [4] }, ":1: no column 4; columns are numbered from 1 to 3", 0],
    [
      CSV,
      { columns: ["b", "y"] },
      ':1: column "y" is both a feature and the label; one of the two is right',
      0,
    ],
    [CSV, { label: "1-2" }, ':1: label "1-2" is 2 columns; one is right', 0],
    ["1\n2\n", {}, ":1: no column is left for the features; one or more beside the label is needed", 0],
    ['1,2\n"3,4\n5,6\n', {}, ':3: a quote is never closed; a " at the end of its field is needed', 1],
    ['1,2\n3"4,5\n', {}, ':2: a quote inside a field; whole fields in quotes, inner ones as "", is right', 1],
    ["a,b\n", {}, ": no rows; one row a line is needed", 0],
    ["", {}, ": no rows; one row a line is needed", 0],
    ["1,2\n3,4567890123456789\0\n", {}, ":2: not text; a text file in UTF-8, gzipped or not, is needed", 1],
  ];
  for (const [text, options, line, rowsRead] of cases) {
    assert.equal(await failure("t.csv", text, options), [line, rowsRead]);
  }
});

test("what is wrong with a LIBSVM file is one line", async () => {
  const cases: [string, TableOptions, string][] = [
    ["1 1:1\nx 1:2\n", {}, ':2: label "x"; a number is needed'],
    ["1 1:1\n2 1=2\n", {}, ':2: bad entry "1=2"; index:value is right, such as 3:0.5'],
    ["1 1:1\n2 1:\n", {}, ':2: bad entry "1:"; index:value is right, such as 3:0.5'],
    ["1 1:1\n2 group:3\n", {}, ':2: bad entry "group:3"; index:value is right, such as 3:0.5'],
    [
      "1 1:1\n2 1:1e39\n",
      {},
      ":2: index 1: 1e39 is beyond float32 (at most 3.4028235e38); a smaller number is needed",
    ],
    [
      "1 1:1\n2 0:2\n",
      {},
      ':2: index 0 in "0:2"; 1 to 65536 is right, from scikit-learn by zero_based=False',
    ],
    ["1 1:1\n2 2:1 2:2\n", {}, ':2: index 2 in "2:2"; indices must rise'],
    ["1 1:1\n2 70000:2\n", {}, ':2: index 70000 in "70000:2"; 1 to 65536 is right'],
    ["1 1:1\n2 3:2\n", { dimension: 2 }, ":2: 3 features where 2 were asked for; every row needs as many"],
  ];
  for (const [text, options, line] of cases)
    assert.equal(await failure("t.libsvm", text, options), [line, 1]);
  const [line] = await failure("t.libsvm", "1 1:1\n", { columns: [1] });
  assert.is(line, ": --columns was given for libsvm; it is for csv only");
});

test("what is wrong with an NDJSON file is one line", async () => {
  const cases: [string, string][] = [
    ['{"x":[1', ':2: not JSON: "{\\"x\\":[1"; one JSON object a line is needed'],
    ["[1]", ':2: not an object: "[1]"; one JSON object a line is needed'],
    ['{"type":"label","seq":1,"sid":2,"x":1}', ':2: x isn\'t an array; "x": [numbers] is needed'],
    ['{"label":1}', ':2: no x; "x": [numbers] is needed; motelearn import describes a file of named fields'],
    ['{"x":1,"label":1}', ':2: x isn\'t an array; "x": [numbers] is needed'],
    ['{"x":[1,null],"label":1}', ':2: x[1] is "null", not a number; finite float32 numbers are needed'],
    [
      '{"x":[1,1e40],"label":1}',
      ":2: x[1]: 1e+40 is beyond float32 (at most 3.4028235e38); a smaller number is needed",
    ],
    [
      '{"x":[1e400,1],"label":1}',
      ":2: x[0]: 1.8e308 or more is beyond float32 (at most 3.4028235e38); a smaller number is needed",
    ],
    ['{"x":[1],"label":1}', ":2: 1 features where 2 came before; every row needs as many"],
    ['{"x":[1,2],"label":{}}', ':2: label is "{}"; a number or a word is needed'],
    ['{"x":[1,2],"label":1,"time":"now"}', ':2: time is "\\"now\\""; a number is needed'],
  ];
  for (const [line, expected] of cases) {
    assert.equal(await failure("t.ndjson", `{"x":[1,2],"label":1}\n${line}\n`), [expected, 1]);
  }
});

/** Two channels and labels 1, 2, ...; rows 1, 3 and 5 lack readings, each written in another way. */
const LACKING = [
  ["?", 7],
  [1, 2],
  ["NaN", ""],
  [3, 4],
  [5, "n/a"],
  [6, 8],
];
const AS_TEXT: readonly [string, (row: readonly (string | number)[], label: number) => string][] = [
  ["t.csv", ([a, b], label) => `${a},${b},${label}`],
  ["t.libsvm", ([a, b], label) => `${label} 1:${a} 2:${b}`],
  [
    "t.ndjson",
    (row, label) => JSON.stringify({ x: row.map((value) => (value === "" ? null : value)), label }),
  ],
];

test("rows that lack readings are skipped, held or have NaN, alike in every format, and are counted", async () => {
  const { NaN: no } = Number;
  const tally = { rows: 3, readings: 4 };
  const skipped = [1, 2, 3, 4, 6, 8];
  const held = [1, 2, 1, 2, 3, 4, 5, 4, 6, 8];
  const all = [no, 7, 1, 2, no, no, 3, 4, 5, no, 6, 8];
  const cases = [
    ["skip", 3, skipped, [2, 4, 6]],
    ["hold", 1, held, [2, 3, 4, 5, 6]],
    ["nan", 0, all, [1, 2, 3, 4, 5, 6]],
  ] as const;
  for (const [name, writeLine] of AS_TEXT) {
    const text = LACKING.map((row, i) => `${writeLine(row, i + 1)}\n`).join("");
    for (const [how, left, rows, labels] of cases) {
      const report = { how, ...tally, skipped: left };
      const data = await read(name, text, { missing: how });
      assert.equal(
        [[...data.rows], [...data.labels], data.missing],
        [rows, labels, report],
        `${name} ${how}`,
      );
      assert.is(data.lacking, undefined);
      const placed = await read(name, text, { missing: how, keepsPlaces: true });
      assert.equal([placed.count, [...(placed.lacking ?? [])]], [6, [1, 0, 2, 0, 1, 0]]);
      const stored = await readStored(written(name, text), { missing: how });
      const seen: number[] = [];
      stored.each(null, (x) => seen.push(...x));
      assert.equal([seen, [...stored.labels], stored.missing], [rows, labels, report]);
      stored.close();
    }
    const whole = await read(name, `${writeLine([1, 2], 1)}\n`, { missing: "refuse" });
    assert.is(whole.missing, undefined);
  }
});

test("a reading is held for each node, and what LIBSVM leaves out is a reading of zero", async () => {
  const log = [
    { node: "a", x: [1] },
    { node: "b", x: [null] },
    { node: "a", x: [null] },
    { node: "b", x: [5] },
    { node: "b", x: [null] },
  ];
  const lines = log.map((row, i) => JSON.stringify({ ...row, label: i }));
  const data = await read("t.ndjson", lines.join("\n"), { missing: "hold" });
  assert.equal(
    [[...data.rows], [...data.labels]],
    [
      [1, 1, 5, 5],
      [0, 2, 3, 4],
    ],
  );
  const placed = await read("t.ndjson", lines.join("\n"), { missing: "hold", keepsPlaces: true });
  const nodes = byNode(placed);
  assert.equal([...(nodes.get("b")?.lacking ?? [])], [1, 0, 1]);
  const sparse = await read("t.libsvm", "0 1:5 3:2\n1 2:nan 3:na\n2 1:nan 4:?\n", { missing: "hold" });
  assert.equal([...sparse.rows], [5, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0]);
});

test("a log's label doesn't reach the sample after one that was skipped", async () => {
  const log = [
    '{"x":[1,1],"sid":1,"seq":1}',
    '{"x":[null,2],"sid":1,"seq":2}',
    '{"x":[3,3],"sid":1,"seq":3}',
    '{"type":"label","sid":1,"seq":2,"label":7}',
    '{"type":"label","sid":1,"seq":1,"label":9}',
  ].join("\n");
  const data = await read("t.ndjson", log, { missing: "skip" });
  assert.equal(
    [[...data.rows], [...data.labels]],
    [
      [1, 1, 3, 3],
      [9, NaN],
    ],
  );
});

test("what missing readings leave wrong is one line: rows, their width, all of them, and what isn't missing", async () => {
  const optionNames = { columns: "--columns", missing: "--missing" };
  const taken = "--missing skip, hold or nan takes such rows";
  const cases: [string, string, TableOptions["missing"], string][] = [
    [
      "t.csv",
      "1,2\nNA,4\n",
      "refuse",
      `:2: column 1 is "NA", not a number; ${taken}, or choose columns of numbers with --columns`,
    ],
    ["t.libsvm", "1 1:1\n2 1:\n", "refuse", `:2: no number in "1:"; ${taken}`],
    [
      "t.ndjson",
      '{"x":[1],"label":1}\n{"x":[null],"label":1}',
      "refuse",
      `:2: x[0] is "null", not a number; finite float32 numbers are needed, or ${taken}`,
    ],
    [
      "t.csv",
      "1,2\n1e39,4\n",
      "skip",
      ":2: column 1: 1e39 is beyond float32 (at most 3.4028235e38); a smaller number is needed, or other columns with --columns",
    ],
    [
      "t.csv",
      "1,2\nx,4\n",
      "nan",
      ':2: column 1 is "x", not a number; choose columns of numbers with --columns',
    ],
    [
      "t.csv",
      "1,2\nInfinity,4\n",
      "hold",
      ':2: column 1 is "Infinity", not a number; choose columns of numbers with --columns',
    ],
    [
      "t.ndjson",
      '{"x":[1,null],"label":1}\n{"x":[1],"label":1}',
      "skip",
      ":2: 1 features where 2 came before; every row needs as many",
    ],
    ...(["skip", "hold", "nan"] as const).map((how): (typeof cases)[number] => [
      "t.csv",
      "a,b,y\n1,,1\n2,NA,0\n",
      how,
      ": each of its 2 rows lacks a reading (2 are missing); a row that has all is needed, or other columns",
    ]),
  ];
  for (const [name, text, missing, line] of cases)
    assert.is((await failure(name, text, { missing, optionNames }))[0], line);
});

test("3.4028235e38 is within float32, and 3.4028236e38 is beyond", async () => {
  assert.is((await read("t.csv", "3.4028235e38,1\n")).rows[0], 3.4028234663852886e38);
  const [line] = await failure("t.csv", "3.4028236e38,1\n");
  assert.match(line, /^:1: column 1: 3.4028236e38 is beyond float32/);
});

test("a missing file, a directory and damaged gzip are one line; what was read before is counted", async () => {
  const message = async (path: string) => readTable(path).catch((error: Error) => error.message);
  assert.is(
    await message(join(folder, "none.csv")),
    `${join(folder, "none.csv")}: no such file; the path of a data file is needed`,
  );
  assert.is(await message(folder), `${folder}: a directory; the path of a data file is needed`);
  const rows = Array.from({ length: 20000 }, (_, i) => `${i},${Math.imul(i, 0x9e3779b1)},1\n`).join("");
  const packed = gzipSync(rows);
  const cut = packed.subarray(0, packed.length >> 1);
  const [cutLine, cutRows] = await failure("t.csv.gz", cut);
  assert.match(cutLine, /^:\d+: the gzip data ends too early; the whole file is needed$/);
  assert.ok(cutRows > 5000 && cutRows < 15000, `${cutRows}`);
  const damaged = Buffer.from(packed).fill(0xff, packed.length >> 1, (packed.length >> 1) + 2000);
  const [damagedLine] = await failure("t.csv.gz", damaged);
  assert.match(damagedLine, /^:\d+: the gzip data is damaged; an undamaged copy is needed$/);
});

test("binary garbage of any kind ends in one line, never in a crash or a hang", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 1, maxLength: 300 }),
      fc.constantFrom("t", "t.csv", "t.svm", "t.ndjson"),
      async (bytes, name) => {
        const path = written(name, bytes);
        try {
          await readTable(path);
        } catch (error) {
          assert.instance(error, StreamError, String(error));
          assert.not.match((error as Error).message, /\n/);
        }
      },
    ),
    { numRuns: 200 },
  );
});

/** Ways to write that a row has no label. */
const NO_LABEL = ["", " ", "?", "NaN", "nan", "NA", "n/a", "null", "None"];

test("a word for a missing reading means no label, in every format, and the other rows keep theirs", async () => {
  for (const none of NO_LABEL) {
    const csv = await read("t.csv", `a,label\n1,${none}\n2,5\n3,${none}\n`);
    assert.equal([...csv.labels], [NaN, 5, NaN], `CSV ${none}`);
    const words = await read("t.csv", `a,label\n1,${none}\n2,odd\n3,${none}\n`);
    assert.equal([[...words.labels], words.labelNames], [[NaN, 0, NaN], ["odd"]], `CSV ${none}`);
    const lines = [`{"x":[1],"label":${JSON.stringify(none)}}`, '{"x":[2],"label":5}', '{"x":[3]}'];
    assert.equal([...(await read("t.ndjson", lines.join("\n"))).labels], [NaN, 5, NaN], `NDJSON ${none}`);
    if (none.trim() === "") continue;
    assert.equal([...(await read("t.svm", `${none} 1:1\n5 1:2\n`)).labels], [NaN, 5], `LIBSVM ${none}`);
  }
});

test("a file without any label is refused, unless labels aren't asked for", async () => {
  for (const [name, text] of [
    ["t.csv", "a,label\n1,\n2,NA\n"],
    ["t.ndjson", '{"x":[1]}\n{"x":[2],"label":null}\n'],
    ["t.svm", "? 1:1\nnan 1:2\n"],
  ]) {
    assert.equal((await failure(name, text))[0], ": no row has a label; one or more needs one");
    assert.equal([...(await read(name, text, { unlabelled: true })).labels], [NaN, NaN]);
  }
});

test("a class of that name is a label all the same, and names of words and numbers make words of numbers", async () => {
  const text = "a,label\n1,none\n2,fault\n3,\n";
  const { labels, labelNames } = await read("t.csv", text, { classes: ["none", "fault"] });
  assert.equal(
    [[...labels], labelNames],
    [
      [1, 0, NaN],
      ["fault", "none"],
    ],
  );
  const mixed = await read("t.csv", "a,label\n1,1\n2,A\n", { classes: ["1", "A"] });
  assert.equal(mixed.labelNames, ["1", "A"]);
});

test.run();
