import { test } from "uvu";
import * as assert from "uvu/assert";
import { refusesHere, runHere } from "../cli/program.ts";
import { imported, write as writeAs } from "./imported.ts";

const write = (content: string) => writeAs(content, "json");

const ROWS = Array.from({ length: 12 }, (_, i) => ({
  t: 1709287200 + 60 * i,
  air: { temp: 20.5 + i },
  note: 'a "[{" in quotes, \\ and €',
  state: ["idle", "run"][(i >> 1) % 2],
}));

const WIDE = [{ id: 7, tags: ["x"] }];
const CHANNEL = { id: 9, fields: ["temp"], size: { all: [1, 2] } };

for (const [about, content] of [
  ["on one line", JSON.stringify(ROWS)],
  ["over several lines", JSON.stringify(ROWS, null, 2)],
  ["a row a line", `[\n${ROWS.map((row) => JSON.stringify(row)).join(",\r\n")}\n]\n`],
  ["within another", JSON.stringify([ROWS])],
  ["of an object", JSON.stringify({ data: ROWS })],
  ["of an object with other names", JSON.stringify({ channel: CHANNEL, feeds: ROWS, count: 12 }, null, 1)],
  ["of a kilobyte between two rows", JSON.stringify(ROWS).replaceAll("},{", `},${" ".repeat(5000)}{`)],
] as const)
  test(`a JSON list is read as lines of objects are: ${about}`, async () => {
    const { data, description, features, label, leftOut, classes } = await imported(write(content));
    assert.equal(
      [description.format, features, label, leftOut],
      ["json-fields", ["air.temp"], "state", ["t", "note"]],
    );
    assert.equal([data.count, [...data.rows]], [12, ROWS.map(({ air }) => air.temp)]);
    assert.equal(classes, [
      { name: "idle", rows: 6 },
      { name: "run", rows: 6 },
    ]);
  });

test("a list of readings becomes a table: Home Assistant's history as its interface answers", async () => {
  const history = ROWS.flatMap(({ t, air, state }) => {
    const last_changed = new Date(1000 * t).toISOString();
    return [
      { entity_id: "sensor.temp", state: String(air.temp), last_changed },
      { entity_id: "input_select.state", state, last_changed },
    ];
  });
  const { features, label, rows } = await imported(write(JSON.stringify([history])));
  assert.equal([features, label, rows], [["sensor.temp"], "input_select.state", 12]);
});

test("a list on one line, larger than any line may be, is read in pieces", async () => {
  const many = Array.from({ length: 1500 }, (_, i) => ({ ...ROWS[i % 12], note: "x".repeat(3000) }));
  const content = JSON.stringify(many);
  assert.ok(content.length > 1 << 22);
  const { data } = await imported(write(content));
  assert.equal([data.count, data.rows[1499]], [1500, 31.5]);
});

test("a wrong object of a list is refused at its line, or skipped", async () => {
  const bad = JSON.stringify(ROWS, null, 1).replace('"temp": 22.5', '"temp": 22.5.1');
  const line = bad.slice(0, bad.indexOf("22.5.1")).split("\n").length - 3;
  await refusesHere(["import", write(bad)], `.json:${line}: not JSON: `, "an object of JSON is needed");
  const { data, badRows } = await imported(write(bad), "--skip-bad-rows");
  assert.equal([data.count, badRows.rows], [11, 1]);
});

test("a list that ends too early is refused, or its last object is skipped", async () => {
  const cut = JSON.stringify(ROWS, null, 1).slice(0, -20);
  await refusesHere(["import", write(cut)], "the JSON ends within its list; the whole file is needed");
  const { data, badRows } = await imported(write(cut), "--skip-bad-rows");
  assert.equal([data.count, badRows.rows], [11, 1]);
});

const INFLUX = {
  results: [
    {
      series: [
        {
          columns: ["time", "a"],
          values: [
            [1, 2],
            [3, 4],
          ],
        },
      ],
    },
  ],
};

const SERIES = ["a", "b"].map((instance, i) => ({
  metric: { __name__: "temp", instance },
  values: [
    [1709287200, `${20 + i}`],
    [1709287215, `${21 + i}`],
  ],
}));
const PROMETHEUS = { status: "success", data: { resultType: "matrix", result: SERIES } };
const PROMETHEUS_ONE = { status: "success", data: { resultType: "matrix", result: SERIES.slice(1) } };
const PROMETHEUS_ROWS = `jq -c '.data.result[] | (.metric | if type == "object" then map(.) | join(" ") else . end) as $name | .values[] | {time: .[0], series: $name, value: .[1]}' `;
for (const [about, content, refusal] of [
  [
    "of numbers",
    "[1, 2]",
    ":1: a value that is no object in a list; one list of objects is needed, each with named values",
  ],
  ["of lists", "[[1, 2],\n[3, 4]]", "jq -c '.[] | {value0: .[0], value1: .[1]}' "],
  [
    "of a time and a value each",
    "[[1709287200000, 2], [1709287210000, 4]]",
    "jq -c '.[] | {time: .[0], value1: .[1]}' ",
  ],
  ["two lists", JSON.stringify({ a: WIDE, b: ROWS }), ":1: a second list of objects; one list"],
  ["brackets that don't fit", '[{"a": 1},\n{"a": 2]}', ":2: a ] that nothing opens"],
  [
    "one object",
    '{\n "a": 1\n}\n',
    "JSON without a list of objects that are rows; one object a line is needed: jq -c '.' ",
  ],
  [
    "InfluxDB 1's answer",
    JSON.stringify(INFLUX),
    "JSON without a list of objects that are rows; one object a line is needed: jq -c '.results[].series[] | .columns as $names | .values[] | [$names, .] | transpose | map({(.[0]): .[1]}) | add' ",
  ],
  [
    "InfluxDB 1's answer over several lines",
    JSON.stringify(INFLUX, null, 1),
    "jq -c '.results[].series[] | .columns as $names | .values[] | [$names, .] | transpose | map({(.[0]): .[1]}) | add' ",
  ],
  ["Prometheus' range", JSON.stringify(PROMETHEUS), PROMETHEUS_ROWS],
  [
    "Prometheus' range of one series over several lines",
    JSON.stringify(PROMETHEUS_ONE, null, 1),
    PROMETHEUS_ROWS,
  ],
  [
    "such a series a line",
    PROMETHEUS.data.result.map((each) => JSON.stringify(each)).join("\n"),
    `jq -c '${PROMETHEUS_ROWS.slice(PROMETHEUS_ROWS.indexOf("(.metric"))}`,
  ],
  [
    "a series a line, of lists of its times and values",
    ["temp", "hum"]
      .map((name) =>
        JSON.stringify({
          metric: { __name__: name },
          values: [1.5, 2.5, 3.5],
          timestamps: [1, 2, 3].map((i) => 1709287200000 + i),
        }),
      )
      .join("\n"),
    `jq -c '(.metric | if type == "object" then map(.) | join(" ") else . end) as $series | [.timestamps, .values] | transpose[] | {time: .[0], series: $series, "values": .[1]}' `,
  ],
  [
    "Datadog's series",
    JSON.stringify({
      status: "ok",
      series: [
        {
          metric: "cpu.idle",
          scope: "host:mill",
          pointlist: [
            [1709287200000, 1],
            [1709287215000, 2],
          ],
        },
      ],
    }),
    `jq -c '.series[] | "\\(.metric) \\(.scope)" as $name | .pointlist[] | {time: .[0], series: $name, value: .[1]}' `,
  ],
  [
    "Graphite's targets, whose times come last",
    JSON.stringify([
      {
        target: "a",
        datapoints: [
          [1.5, 1709287200],
          [2.5, 1709287215],
        ],
      },
    ]),
    `as $name | .datapoints[] | {time: .[1], series: $name, value: .[0]}' `,
  ],
  [
    "readings deep within series, beside a list of notes",
    JSON.stringify({
      value: {
        note: ["site", "span", "method", "date"].map((title) => ({ title })),
        timeSeries: ["flow", "height"].map((name) => ({
          name,
          values: [
            { value: [0, 1, 2].map((i) => ({ value: `${i}`, dateTime: `2019-01-0${1 + i}T00:00:00Z` })) },
          ],
        })),
      },
    }),
    "jq -c '.value.timeSeries[] | .name as $series | .values[].value[] | {series: $series} + .' ",
  ],
  [
    "pandas' split",
    JSON.stringify({
      columns: ["temp", "y"],
      index: [0, 1],
      data: [
        [1.5, 0],
        [2.5, 1],
      ],
    }),
    "jq -c '.columns as $names | .data[] | [$names, .] | transpose | map({(.[0]): .[1]}) | add' ",
  ],
  [
    "lists of readings and a time, within an object",
    JSON.stringify({ data: [0, 1, 2].map((i) => [[951 + i, 2881], 1718492200.5 + i]) }),
    "jq -c '.data[] | flatten | {value0: .[0], value1: .[1], time: .[2]}' ",
  ],
  [
    "rows by their ids, as Firebase exports them",
    JSON.stringify({
      sensors: { "-Na1": { t: 1.5, ts: 1 }, "-Na2": { t: 2.5, ts: 2 }, "-Na3": { t: 3.5, ts: 3 } },
    }),
    "jq -c '.sensors | .[] | objects' ",
  ],
  ...[undefined, 1].map(
    (space) =>
      [
        `series by their names, as ThingsBoard answers, ${space ? "over several lines" : "on one"}`,
        JSON.stringify(
          Object.fromEntries(
            ["temp", "hum"].map((name) => [
              name,
              [2, 1].map((ts) => ({ ts: 1709287200000 + ts, value: "4.5" })),
            ]),
          ),
          null,
          space,
        ),
        "jq -c 'to_entries[] | .key as $series | .value[]? | {series: $series} + .' ",
      ] as const,
  ),
  [
    "rows by their times",
    JSON.stringify(
      Object.fromEntries([0, 1, 2].map((i) => [`2024-03-01 10:0${i}:00`, { t: i, h: 4.5 }])),
      null,
      1,
    ),
    "jq -c 'to_entries[] | {time: .key} + .value' ",
  ],
] as const)
  test(`JSON that isn't rows is refused in one line: ${about}`, async () => {
    await refusesHere(["import", write(content)], refusal);
  });

const COUNT = 24;
const makeList = (value: (i: number) => unknown) => Array.from({ length: COUNT }, (_, i) => value(i));
const TIMES = makeList((i) => 1709287200 + 60 * i);
const TEMPS = makeList((i) => 20.5 + (i % 7));
const STATES = makeList((i) => ["idle", "run"][(i >> 1) % 2]);
const byRow = (values: readonly unknown[]) => Object.fromEntries(values.map((value, i) => [i, value]));
const byTime = (values: readonly unknown[]) =>
  Object.fromEntries(values.map((value, i) => [1000 * Number(TIMES[i]), value]));

for (const [about, value] of [
  ["a list a column", { time: TIMES, temp: TEMPS, state: STATES }],
  [
    "beside what describes them",
    { site: "hall", about: { tags: ["a", "b"] }, time: TIMES, temp: TEMPS, state: STATES },
  ],
  [
    "within an object",
    { latitude: 41.5, hourly: { time: TIMES, temp: TEMPS, state: STATES }, daily: { max: [1, 2, 3] } },
  ],
  [
    "by the rows' numbers, as pandas writes them",
    { time: byRow(TIMES), temp: byRow(TEMPS), state: byRow(STATES) },
  ],
  ["by their times", { temp: byTime(TEMPS), state: byTime(STATES), about: { id: "n1" } }],
] as const)
  for (const space of [undefined, 1])
    test(`JSON with a list a column is a table: ${about}, ${space ? "over several lines" : "on one"}`, async () => {
      const { data, description, features, label, time } = await imported(
        write(JSON.stringify(value, null, space)),
      );
      assert.equal([description.format, features, label], ["json-columns", ["temp"], "state"]);
      assert.equal([data.count, [...data.rows], time.periodSeconds], [COUNT, TEMPS, 60]);
    });

test("JSON's units and rate beside its lists are those of the columns, and other lists are named", async () => {
  const value = {
    sampling_rate: 50,
    hourly_units: { time: "iso8601", temp: "°C" },
    hourly: { temp: TEMPS, acc: makeList((i) => [i % 5, 2.5 * (i % 3)]) },
    daily: { max: [1, 2, 3], min: [0, 1, 2] },
  };
  const { stdout, description, features } = await imported(write(JSON.stringify(value)));
  assert.equal([features, description.rate], [["temp", "acc.0", "acc.1"], 50]);
  assert.match(stdout, /rows +by the lists of hourly, a column each; left out those of daily\n/);
  assert.match(stdout, /units +temp: °C\n/);
});

test("the seconds from UTC beside the lists are the zone of times without one, as Open-Meteo writes them", async () => {
  const hours = makeList((i) => `2024-03-01T${String(i).padStart(2, "0")}:00`);
  for (const [seconds, first] of [
    [0, "2024-03-01T00:00:00.000Z"],
    [3600, "2024-02-29T23:00:00.000Z"],
    [-12_600, "2024-03-01T03:30:00.000Z"],
  ] as const) {
    const { time } = await imported(
      write(JSON.stringify({ utc_offset_seconds: seconds, hourly: { time: hours, temp: TEMPS } })),
    );
    assert.equal([time.first, time.hasZone], [first, true]);
  }
  const { time } = await imported(
    write(JSON.stringify({ utc_offset_seconds: 3600, data: { time: TIMES, temp: TEMPS } })),
  );
  assert.is(time.first, new Date(1000 * Number(TIMES[0])).toISOString());
});

test("more objects in a list than a list has values are the rows", async () => {
  const { features, rows } = await imported(
    write(JSON.stringify({ about: { a: [1, 2, 3], b: [4, 5, 6] }, data: ROWS })),
  );
  assert.equal([features, rows], [["air.temp"], 12]);
});

test("lists of as many numbers in an object a line are readings, not columns", async () => {
  const rows = ROWS.map((_, i) => JSON.stringify({ acc: [i, 2, 3], gyro: [4, 5, 6] }));
  const names = ["acc", "gyro"].flatMap((name) => [0, 1, 2].map((axis) => `${name}.${axis}`));
  for (const content of [rows.join("\n"), `[${rows.join()}]`]) {
    const { data, features } = await imported(write(content));
    assert.equal([data.count, features], [12, names]);
  }
});

test("an object of very many lists is refused in one line", async () => {
  const many = Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`k${i}`, [i]]));
  await refusesHere(["import", write(JSON.stringify({ many }))], "JSON without a list of objects");
});

test("import prints the format", async () => {
  const { stdout } = await runHere(["import", write(JSON.stringify(ROWS))]);
  assert.match(stdout, /json: json-fields, 12 rows of 1 feature\n/);
});

test.run();
