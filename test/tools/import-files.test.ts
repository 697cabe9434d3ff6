import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { namedColumns, readTable } from "../../host/streams/index.ts";
import { labelledCount } from "../../host/streams/targets.ts";
import { refusesHere, runHere, runJsonHere } from "../cli/program.ts";

const root = mkdtempSync(join(tmpdir(), "motelearn-import-"));
test.after(() => rmSync(root, { recursive: true, force: true }));

/** What must be read in a file. */
interface Read {
  readonly format?: string;
  readonly features: readonly string[];
  readonly label?: string | null;
  readonly leftOut?: readonly string[];
  /** Rows of each class; absent for labels that are none. */
  readonly classes?: Readonly<Record<string, number>>;
  readonly rows: number;
  readonly unlabelled?: number;
  /** When the first row was sampled, and the median step in seconds. */
  readonly first?: string;
  readonly period?: number;
  /** The first feature of all rows. */
  readonly values?: readonly number[];
  readonly skipped?: number;
}

/** A shape of a file, or of several in a folder: its contents, and what must be read, or the refusal with its remedy. */
interface Shape {
  readonly about: string;
  readonly file: string;
  readonly content: string | Buffer | Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  /** What its labels' file holds. */
  readonly labels?: string;
  readonly read?: Read;
  readonly refused?: string;
}

const lines = (...rows: readonly string[]) => `${rows.join("\n")}\n`;
const MINUTES = ["10:00", "10:01", "10:02", "10:03"].map((time) => `2024-03-01T${time}:00Z`);
const FIRST = "2024-03-01T10:00:00.000Z";
const ONE = { features: ["a"], label: "y", classes: { 0: 1, 1: 1 }, rows: 2, values: [1, 2] };

const TABLES: readonly Shape[] = [
  { about: "commas", file: "a.csv", content: lines("a,y", "1,0", "2,1"), read: ONE },
  { about: "tabs", file: "a.tsv", content: lines("a\ty", "1\t0", "2\t1"), read: ONE },
  { about: "pipes", file: "a.txt", content: lines("a|y", "1|0", "2|1"), read: ONE },
  {
    ...{ about: "semicolons and decimal commas", file: "a.csv", content: lines("a;y", "1,5;0", "2,5;1") },
    read: { ...ONE, values: [1.5, 2.5] },
  },
  { about: "sep= of a spreadsheet", file: "a.csv", content: lines("sep=;", "a;y", "1;0", "2;1"), read: ONE },
  { about: "a byte order mark and CRLF", file: "a.csv", content: "\uFEFFa,y\r\n1,0\r\n2,1\r\n", read: ONE },
  {
    about: "comments",
    file: "a.csv",
    content: lines("# made by", "a,y", "1,0", "# restart", "2,1"),
    read: ONE,
  },
  { about: "no end of its last line", file: "a.csv", content: "a,y\n1,0\n2,1", read: ONE },
  { about: "gzipped", file: "a.csv.gz", content: gzipSync(lines("a,y", "1,0", "2,1")), read: ONE },
  {
    ...{
      about: "quotes around separators",
      file: "a.csv",
      content: lines('"a","note","y"', '1,"x, ""y""",0', "2,z,1"),
    },
    read: { ...ONE, leftOut: ["note"] },
  },
  {
    ...{ about: "no header", file: "a.csv", content: lines("1,0", "2,1") },
    read: { ...ONE, features: ["column 1"], label: "column 2" },
  },
  {
    ...{ about: "R's names of rows", file: "a.txt", content: lines("a\ty", "Mazda\t1\t0", "Fiat\t2\t1") },
    read: { ...ONE, leftOut: ["column 1"] },
  },
  {
    ...{ about: "an index by pandas", file: "a.csv", content: lines(",a,y", "0,1,0", "1,2,1") },
    read: { ...ONE, leftOut: ["column 1"] },
  },
  {
    ...{
      about: "the label by --label",
      file: "a.csv",
      content: lines("y,a", "0,1", "1,2"),
      flags: ["--label", "y"],
    },
    read: ONE,
  },
  {
    about: "words and numbers for missing readings",
    file: "a.csv",
    content: lines("a,b,y", "-9999,unavailable,on", "21,2,off", "22,3,on", "23,4,off"),
    read: {
      ...{ features: ["a", "b"], label: "y", classes: { off: 2, on: 2 }, rows: 4 },
      values: [Number.NaN, 21, 22, 23],
    },
  },
  {
    about: "shared case partly-labelled: most rows without a label",
    file: "p.csv",
    content: lines("temp,hum,label", ...["1,0,-1", "0,1,", "1,1,", "2,1,", "1,2,1", "2,0,"]),
    read: { features: ["temp", "hum"], label: "label", classes: { "-1": 1, 1: 1 }, rows: 6, unlabelled: 4 },
  },
  {
    about: "shared case time-column: milliseconds since 1970",
    file: "t.csv",
    content: lines(
      "time,temp,hum,label",
      "1700000000000,1,0,-1",
      "1700000001000,0,1,-1",
      "1700000002000,1,1,1",
    ),
    read: {
      ...{
        features: ["temp", "hum"],
        label: "label",
        leftOut: ["time"],
        classes: { "-1": 2, 1: 1 },
        rows: 3,
      },
      ...{ first: "2023-11-14T22:13:20.000Z", period: 1 },
    },
  },
  {
    about: "dates with a zone",
    file: "a.csv",
    content: lines("when,a,y", "2024-03-01T11:00:00+01:00,1,0", "2024-03-01T11:01:00+01:00,2,1"),
    read: { ...ONE, leftOut: ["when"], first: FIRST, period: 60 },
  },
  {
    about: "nanoseconds since 1970",
    file: "a.csv",
    content: lines("time,a,y", "1709287200000000000,1,0", "1709287260000000000,2,1"),
    read: { ...ONE, leftOut: ["time"], first: FIRST, period: 60 },
  },
  {
    about: "a sampled table each --every seconds, of the last known readings",
    file: "a.csv",
    content: lines("time,a,y", `${MINUTES[0]},1,0`, `${MINUTES[1]},2,1`),
    flags: ["--every", "20"],
    read: { ...ONE, leftOut: ["time"], classes: { 0: 3, 1: 1 }, rows: 4, values: [1, 1, 1, 2], period: 20 },
  },
  { about: "ThingSpeak", file: "feeds.csv", ...thingSpeak() },
  {
    about: "Campbell Scientific's TOA5",
    file: "CR1000_Hourly.dat",
    content: [
      '"TOA5","Ridge","CR1000","4711","CR1000.Std.27","CPU:ridge.CR1","5536","Hourly"',
      '"TIMESTAMP","RECORD","AirTC_Avg","RH, 2 m","Status"',
      '"TS","RN","Deg C","%",""',
      '"","","Avg","Smp","Smp"',
      ...Array.from(
        { length: 24 },
        (_, i) =>
          `"2024-03-01 ${String(i).padStart(2, "0")}:00:00",${900 + i},${i === 1 ? '"NAN"' : i + 0.5},40,"${i % 2 ? "ok" : "frost"}"`,
      ),
      "",
    ].join("\r\n"),
    read: {
      ...{
        features: ["AirTC_Avg [Deg C]", "RH, 2 m [%]"],
        label: "Status",
        leftOut: ["TIMESTAMP", "RECORD"],
      },
      ...{ classes: { frost: 12, ok: 12 }, rows: 24, period: 3600 },
      values: Array.from({ length: 24 }, (_, i) => (i === 1 ? Number.NaN : i + 0.5)),
    },
  },
  {
    about: "ARFF",
    file: "a.arff",
    content: lines("@relation r", "@attribute a numeric", "@attribute y {0, 1}", "@data", "1,0", "2,1"),
    read: ONE,
  },
  {
    ...{ about: "LIBSVM", file: "a.txt", content: lines("-1 1:0.5 3:2", "1 2:1") },
    read: {
      format: "libsvm",
      features: [],
      label: null,
      classes: { "-1": 1, 1: 1 },
      rows: 2,
      values: [0.5, 0],
    },
  },
  {
    ...{
      about: "NDJSON of arrays",
      file: "a.ndjson",
      content: lines('{"x":[1],"label":0}', '{"x":[2],"label":1}'),
    },
    read: { format: "ndjson", features: [], label: null, classes: { 0: 1, 1: 1 }, rows: 2, values: [1, 2] },
  },
];

function thingSpeak(): Pick<Shape, "content" | "read"> {
  const content = lines(
    "created_at,entry_id,field1,field2,latitude,longitude,elevation,status",
    "2024-03-01 10:00:00 UTC,1,1,0,,,,",
    "2024-03-01 10:00:15 UTC,2,2,1,,,,",
  );
  const leftOut = ["created_at", "entry_id", "latitude", "longitude", "elevation", "status"];
  return {
    content,
    read: { ...ONE, features: ["field1"], label: "field2", leftOut, first: FIRST, period: 15 },
  };
}

const NESTED = [20.5, 21.5, 22.5].map((temp, i) =>
  JSON.stringify({ ts: 1709287200 + 60 * i, payload: { temp, ok: i > 0 }, state: i === 1 ? "on" : "off" }),
);

/** Home Assistant's history: states by entity, each until the next. */
const HISTORY = [
  ...[
    "sensor.temp,20,10:00",
    "sensor.temp,unavailable,10:10",
    "sensor.temp,22,10:20",
    "sensor.temp,23,10:30",
  ],
  ...["sensor.hum,40,10:05", "sensor.hum,41,10:25"],
  ...["input_select.state,idle,09:00", "input_select.state,busy,10:15", "input_select.state,idle,10:25"],
].map((row) => row.replace(/,(\d\d:\d\d)$/, ",2024-03-01T$1:00.000Z"));

const STATES: Read = {
  ...{ features: ["sensor.temp", "sensor.hum"], label: "input_select.state", leftOut: ["time"], rows: 3 },
  ...{ classes: { busy: 1, idle: 2 }, values: [Number.NaN, 22, 23] },
  ...{ first: "2024-03-01T10:10:00.000Z", period: 600 },
};

const WEATHER = [
  '# exported\nair\\ quality,city=Bonn temp=20.5,n=40i,state="off, \\"a b\\"" 1709287200000000000',
  'air\\ quality,city=Bonn temp=21.5,n=41i,state="on" 1709287260000000000',
  'air\\ quality,city=Bonn temp=22.5,n=42i,state="on" 1709287320000000000',
];
const AIR = "air quality city=Bonn";

function annotated(types: string, header: string, defaults: string, ...rows: readonly string[]): string {
  return lines(
    `#datatype,string,long,dateTime:RFC3339,${types}`,
    "#group,false,false,false,false,true,true",
    defaults,
    header,
    ...rows,
  );
}

const FLUX = [
  annotated(
    "double,string,string",
    ",result,table,_time,_value,_field,_measurement",
    "#default,_result,,,,,",
    ...MINUTES.map((time, i) => `,,0,${time},${20 + i},temp,air`),
  ),
  annotated(
    "string,string,string",
    ",result,table,_time,_value,_field,_measurement",
    "#default,_result,,,,state,machine",
    ...MINUTES.map((time, i) => `,,1,${time},${i % 2 ? "on" : "off"},,`),
  ),
].join("\n");

const acquisition = (...values: readonly (readonly number[])[]) =>
  JSON.stringify({
    protected: { ver: "v1", alg: "none", iat: 1700000000 },
    signature: "0",
    payload: {
      ...{ device_name: "ac:87", device_type: "T", interval_ms: 10 },
      sensors: ["accX", "accY"].map((name) => ({ name, units: "m/s2" })),
      values,
    },
  });

const GESTURES: Read = {
  ...{ format: "edge-impulse", features: ["accX", "accY"], label: "label", rows: 4, values: [1, 3, 5, 7] },
  classes: { idle: 2, wave: 2 },
};

/** Readings of two topics and a state, each at a time of its own, as a broker passes them on. */
const MESSAGES = MINUTES.flatMap((time, i) => [
  ["press/temp", `${20 + i}.50`, time],
  ["press/state", i % 2 ? "run" : "idle", time.replace(":00Z", ":01Z")],
  ["press/hum", `${40 + i}`, time.replace(":00Z", ":02Z")],
]);
const messages = (line: (topic: string, payload: string, time: string, i: number) => string) =>
  lines(...MESSAGES.map(([topic, payload, time], i) => line(topic, payload, time, i)));
const numeral = (payload: string) => (/^\d/.test(payload) ? payload : JSON.stringify(payload));

/** Rows at each temperature; the first one comes before there is a humidity. */
const PRESS: Read = {
  ...{ features: ["press/temp", "press/hum"], label: "press/state", leftOut: ["time"], rows: 3 },
  ...{
    classes: { idle: 2, run: 1 },
    values: [21.5, 22.5, 23.5],
    first: "2024-03-01T10:01:00.000Z",
    period: 60,
  },
};

/** The same as objects, as Zigbee2MQTT sends them: a reading a name. */
const OBJECTS: Read = {
  ...{
    features: ["z/press temp", "z/press vib.x"],
    label: "z/mode",
    leftOut: ["time", "z/press id"],
    rows: 4,
  },
  ...{ classes: { idle: 2, run: 1 }, unlabelled: 1, values: [20.5, 21.5, 22.5, 23.5], period: 60 },
};
const OBJECT_MESSAGES = MINUTES.flatMap((time, i) => [
  ["z/press", `{"temp":${20 + i}.5,"vib":{"x":${i}}, "id":"a ${i}"}`, time],
  ["z/mode", i % 2 ? '"run"' : '"idle"', time.replace(":00Z", ":01Z")],
]);

const LONG: readonly Shape[] = [
  {
    about: "Node-RED's messages, one a line",
    file: "flow.ndjson",
    content: messages(
      (topic, payload, timestamp, i) =>
        `{"_msgid":"a${i}","topic":"${topic}","payload":${numeral(payload)},"qos":0,"retain":false,"timestamp":${Date.parse(timestamp)}}`,
    ),
    read: { ...PRESS, format: "ndjson-fields" },
  },
  {
    about: "the same in a list",
    file: "flow.json",
    content: `[${messages((topic, payload, ts) => `{"topic":"${topic}","payload":${numeral(payload)},"ts":"${ts}"},`).replace(/,\s*$/, "")}]`,
    read: { ...PRESS, format: "json-fields" },
  },
  {
    about: "a topic, a payload and a time a row",
    file: "mqtt.csv",
    content: `topic,payload,time\n${messages((topic, payload, time) => `${topic},${payload},${time}`)}`,
    read: { ...PRESS, format: "csv" },
  },
  {
    about: "openSenseMap's, a sensor after the other, the last reading first",
    file: "box.csv",
    content: lines(
      ",location,createdAt,value,isOutlier,Id,outlier",
      ...[0, 1].flatMap((id) =>
        Array.from(
          { length: 1200 },
          (_, i) =>
            `${i},"[8.4, 49.0]",${new Date(Date.UTC(2024, 0, 1) - 60_000 * i).toISOString()},${1200 * id + i}.5,False,6645db6eeb5aad00${id},`,
        ),
      ),
    ),
    read: {
      ...{ format: "csv", features: ["6645db6eeb5aad000", "6645db6eeb5aad001"], leftOut: ["time"] },
      ...{ rows: 1200, unlabelled: 1200, first: "2023-12-31T04:01:00.000Z", period: 60 },
    },
  },
  {
    about: "lines of mosquitto_sub -F '%I %t %p'",
    file: "mqtt.log",
    content: messages((topic, payload, time) => `${time.replace("Z", "+0000")} ${topic} ${payload}`),
    read: { ...PRESS, format: "line-pattern" },
  },
  {
    about: "lines of mosquitto_sub -F '%U,%t,%p'",
    file: "mqtt.log",
    content: messages((topic, payload, time) => `${Date.parse(time) / 1000}.000000000,${topic},${payload}`),
    read: { ...PRESS, format: "line-pattern" },
  },
  {
    about: "mosquitto_sub -F '%j', whose payload is text, an object of JSON or not",
    file: "mqtt.json",
    content: lines(
      ...OBJECT_MESSAGES.map(([topic, payload, tst], i) =>
        JSON.stringify({
          tst,
          topic,
          qos: 0,
          retain: 0,
          payloadlen: i,
          payload: payload.replace(/^"|"$/g, ""),
        }),
      ),
    ),
    read: OBJECTS,
  },
  {
    about: "objects in lines of mosquitto_sub",
    file: "mqtt.log",
    content: lines(
      ...OBJECT_MESSAGES.map(([topic, payload, time]) => `${time} ${topic} ${payload.replace(/^"|"$/g, "")}`),
    ),
    read: OBJECTS,
  },
  {
    about: "objects in Node-RED's messages",
    file: "flow.ndjson",
    content: lines(
      ...OBJECT_MESSAGES.map(
        ([topic, payload, time]) => `{"topic":"${topic}","payload":${payload},"time":"${time}"}`,
      ),
    ),
    read: OBJECTS,
  },
  {
    about: "Zigbee2MQTT's log",
    file: "z.log",
    content: lines(
      ...OBJECT_MESSAGES.map(
        ([topic, payload, time]) =>
          `[${time.replace("T", " ").replace("Z", "")}] info: \tz2m:mqtt: MQTT publish: topic '${topic}', payload '${payload.replace(/^"|"$/g, "")}'`,
      ),
    ),
    read: OBJECTS,
  },
  {
    about: "Zabbix's history, an item's number a row",
    file: "history.csv",
    content: lines(
      "itemid;clock;value;ns",
      ...MINUTES.flatMap((time, i) =>
        [`${20 + i}.5`, `${i}`].map((value, j) => `2307${j};${Date.parse(time) / 1000};${value};0`),
      ),
    ),
    read: {
      ...{
        format: "csv",
        features: ["23070", "23071"],
        label: null,
        leftOut: ["time"],
        rows: 4,
        unlabelled: 4,
      },
      ...{ values: [20.5, 21.5, 22.5, 23.5], first: FIRST, period: 60 },
    },
  },
  {
    about: "a time, a topic and a payload a row",
    file: "mqtt.csv",
    content: `time;topic;payload\n${messages((topic, payload, time) => `${time};${topic};${payload}`)}`,
    read: { ...PRESS, format: "csv" },
  },
  {
    about: "parameters of several machines",
    file: "plant.csv",
    content: lines(
      "timestamp,machine,parameter,value",
      ...MINUTES.flatMap((time, i) => ["M1", "M2"].map((machine) => `${time},${machine},temp,${i}.5`)),
    ),
    read: {
      ...{ features: ["M1 temp", "M2 temp"], label: null, leftOut: ["time"], rows: 4, unlabelled: 4 },
      values: [0.5, 1.5, 2.5, 3.5],
    },
  },
  {
    about: "items of several hosts",
    file: "zabbix.csv",
    content: lines(
      "host,item,clock,value",
      ...MINUTES.flatMap((time, i) =>
        ["a", "b"].map((host) => `${host},cpu.load,${Date.parse(time) / 1000},${i}.5`),
      ),
    ),
    read: {
      ...{ features: ["a cpu.load", "b cpu.load"], label: null, leftOut: ["time"], rows: 4, unlabelled: 4 },
      values: [0.5, 1.5, 2.5, 3.5],
    },
  },
  {
    about: "Grafana's series, one below the other",
    file: "grafana.csv",
    content: lines(
      '"Series";"Time";"Value"',
      ...["temp", "hum"].flatMap((name) => MINUTES.map((time, i) => `"${name}";"${time}";"${i}.5"`)),
    ),
    read: {
      ...{ features: ["temp", "hum"], label: null, leftOut: ["time"], rows: 4, unlabelled: 4 },
      ...{ values: [0.5, 1.5, 2.5, 3.5], first: FIRST, period: 60 },
    },
  },
  {
    about: "lines by a pattern",
    file: "serial.log",
    content: lines("[10:00] temp=1.5 state=idle", "[10:01] temp=2.5 state=run", "[10:02] temp=3.5 state=run"),
    flags: ["--pattern", "temp=(?<temp>\\S+) state=(?<state>\\w+)"],
    read: {
      ...{ format: "line-pattern", features: ["temp"], label: "state", rows: 3 },
      ...{ classes: { idle: 1, run: 2 }, values: [1.5, 2.5, 3.5] },
    },
  },
];

const NAB = lines(
  "timestamp,value",
  ...["06", "07", "08", "09"].map((hour) => `2013-12-15 ${hour}:00:00,${hour}`),
);
const WINDOW = ["2013-12-15 07:00:00.000000", "2013-12-15 08:00:00.000000"];
const ANOMALY: Read = {
  ...{
    format: "csv",
    features: ["value"],
    label: "label",
    leftOut: ["timestamp"],
    classes: { 0: 2, 1: 2 },
    rows: 4,
  },
  ...{ period: 3600, values: [6, 7, 8, 9] },
};

const MADE: readonly Shape[] = [
  {
    ...{ about: "NDJSON of named fields, one within another", file: "a.ndjson", content: lines(...NESTED) },
    read: {
      ...{
        format: "ndjson-fields",
        features: ["payload.temp", "payload.ok"],
        label: "state",
        leftOut: ["ts"],
      },
      ...{ classes: { off: 2, on: 1 }, rows: 3, first: FIRST, period: 60, values: [20.5, 21.5, 22.5] },
    },
  },
  {
    about: "NDJSON of named fields that change",
    file: "a.jsonl",
    content: lines('{"a":1,"y":"no"}', '{"y":"no","a":2,"b":7}', '{"a":3,"b":8,"y":"yes"}'),
    read: { features: ["a", "b"], label: "y", classes: { no: 2, yes: 1 }, rows: 3, values: [1, 2, 3] },
  },
  {
    about: "Home Assistant's history: rows at each reading of the sensor with most, of the last known states",
    file: "history.csv",
    content: lines("entity_id,state,last_changed", ...HISTORY),
    read: STATES,
  },
  {
    about: "the same in NDJSON, by jq of its HTTP interface",
    file: "history.ndjson",
    content: lines(
      ...HISTORY.map((row) => {
        const [entity_id, state, last_changed] = row.split(",");
        return JSON.stringify({ entity_id, state, attributes: {}, last_changed });
      }),
    ),
    read: { ...STATES, format: "ndjson-fields" },
  },
  {
    about: "the same at chosen steps",
    file: "history.csv",
    content: lines("entity_id,state,last_changed", ...HISTORY),
    flags: ["--every", "300"],
    read: {
      ...STATES,
      ...{ rows: 6, classes: { busy: 2, idle: 4 }, values: [20, Number.NaN, Number.NaN, 22, 22, 23] },
      ...{ first: "2024-03-01T10:05:00.000Z", period: 300 },
    },
  },
  {
    ...{
      about: "InfluxDB's line protocol: quotes, escapes, integers",
      file: "air.lp",
      content: lines(...WEATHER),
    },
    read: {
      ...{
        format: "influx-line",
        features: [`${AIR} temp`, `${AIR} n`],
        label: `${AIR} state`,
        leftOut: ["time"],
      },
      ...{
        classes: { 'off, "a b"': 1, on: 2 },
        rows: 3,
        first: FIRST,
        period: 60,
        values: [20.5, 21.5, 22.5],
      },
    },
  },
  {
    about: "line protocol of two measurements at times of their own, out of order; true is 1",
    file: "two.lp",
    content: lines(
      "b ok=true 1709287230",
      "a x=1 1709287200",
      "a x=2 1709287260",
      "a x=3 1709287320",
      "b ok=F 1709287290",
    ),
    flags: ["--label", "b ok"],
    read: {
      ...{
        features: ["a x"],
        label: "b ok",
        leftOut: ["time"],
        rows: 3,
        unlabelled: 1,
        classes: { 0: 1, 1: 1 },
      },
      ...{ first: FIRST, period: 60, values: [1, 2, 3] },
    },
  },
  {
    ...{ about: "InfluxDB's annotated CSV: two tables, and defaults", file: "flux.csv", content: FLUX },
    read: {
      ...{ format: "csv", features: ["air temp"], label: "machine state", leftOut: ["time"], rows: 4 },
      ...{ classes: { off: 2, on: 2 }, first: FIRST, period: 60, values: [20, 21, 22, 23] },
    },
  },
  {
    about: "annotated CSV that was pivoted",
    file: "pivot.csv",
    content: annotated(
      "double,long,string",
      ",result,table,_time,temp,n,state",
      "#default,_result,,,,,",
      ...MINUTES.map((time, i) => `,,0,${time},${20 + i},${i},${i % 2 ? "on" : "off"}`),
    ),
    read: {
      ...{
        features: ["temp", "n"],
        label: "state",
        leftOut: ["column 1", "result", "table", "_time"],
        rows: 4,
      },
      ...{ classes: { off: 2, on: 2 }, first: FIRST, period: 60 },
    },
  },
  {
    about: "Edge Impulse's JSON, a label a file's name",
    file: "gestures",
    content: { "idle.1.json": acquisition([1, 2], [3, 4]), "wave.2.json": acquisition([5, 6], [7, 8]) },
    read: GESTURES,
  },
  {
    about: "Edge Impulse's CSV",
    file: "both",
    content: {
      "idle.1.csv": lines("timestamp,accX,accY", "0,1,2", "10,3,4"),
      "wave.2.csv": lines("timestamp,accX,accY", "0,5,6", "10,7,8"),
    },
    read: { ...GESTURES, leftOut: ["timestamp"] },
  },
  {
    about: "one file of Edge Impulse's, without a label in its name, over several lines",
    file: "press.json",
    content: JSON.stringify(JSON.parse(acquisition([1, 2], [3, 4])), null, 2),
    read: { format: "edge-impulse", features: ["accX", "accY"], label: "label", rows: 2, unlabelled: 2 },
  },
  {
    ...{ about: "NAB's windows by the file's name", file: "real/nab.csv", content: NAB, read: ANOMALY },
    labels: JSON.stringify({ "real/nab.csv": [WINDOW], "other/nab.csv": [] }),
  },
  {
    about: "NAB's windows of one file",
    file: "nab.csv",
    content: NAB,
    labels: JSON.stringify([WINDOW]),
    read: ANOMALY,
  },
];

const SKIPPED = ["--skip-bad-rows"];
const NUMBERS = Array.from({ length: 20 }, (_, i) => `${i},${i % 2}`);

const BAD: readonly Shape[] = [
  {
    about: "rows of a wrong width",
    file: "a.csv",
    content: lines("a,y", "1,0", "2", "3,1,4", "2,1"),
    flags: SKIPPED,
    read: { ...ONE, skipped: 2 },
  },
  {
    about: "short rows between blanks",
    file: "a.txt",
    content: lines(...Array.from({ length: 20 }, (_, i) => (i === 7 ? "1.5" : `${i}.5 2024-03-01 ${i % 2}`))),
    flags: SKIPPED,
    read: {
      ...{ features: ["column 1"], label: "column 3", leftOut: ["column 2"], rows: 19, skipped: 1 },
      classes: { 0: 10, 1: 9 },
    },
  },
  {
    ...{
      about: "a stray and an open quote",
      file: "a.csv",
      content: lines("a,y", '1",0', "1,0", "2,1", '"3,0'),
    },
    ...{ flags: SKIPPED, read: { ...ONE, skipped: 2 } },
  },
  {
    ...{
      about: "words among a channel's numbers",
      file: "a.csv",
      content: lines("a,y", ...NUMBERS, "ERR,1"),
    },
    ...{
      flags: SKIPPED,
      read: { ...ONE, classes: { 0: 10, 1: 10 }, rows: 20, values: undefined, skipped: 1 },
    },
  },
  {
    ...{
      about: "such words without the flag",
      file: "a.csv",
      content: lines("a,b,y", ...NUMBERS.map((row) => `1,${row}`), "1,ERR,1"),
    },
    read: { ...ONE, leftOut: ["b"], classes: { 0: 10, 1: 11 }, rows: 21, values: undefined },
  },
  {
    ...{
      about: "lines of NDJSON that aren't JSON",
      file: "a.ndjson",
      content: lines(...NESTED, '{"ts":17092', ...NESTED),
    },
    flags: SKIPPED,
    read: {
      features: ["payload.temp", "payload.ok"],
      label: "state",
      classes: { off: 4, on: 2 },
      rows: 6,
      skipped: 1,
      leftOut: ["ts"],
    },
  },
  {
    ...{
      about: "lines that are no points, or without a time",
      file: "air.lp",
      content: lines(...WEATHER, "reboot", "a x=1"),
    },
    ...{
      flags: SKIPPED,
      read: {
        features: [`${AIR} temp`, `${AIR} n`],
        label: `${AIR} state`,
        rows: 3,
        leftOut: ["time"],
        skipped: 2,
        classes: { 'off, "a b"': 1, on: 2 },
      },
    },
  },
  {
    ...{
      about: "a wrong entry of LIBSVM",
      file: "a.svm",
      content: lines("1 1:1", "1 1:x", "-1 1:2"),
      flags: SKIPPED,
    },
    read: { features: [], label: null, classes: { "-1": 1, 1: 1 }, rows: 2, skipped: 1 },
  },
];

const REFUSED: readonly Shape[] = [
  {
    about: "messages without a time",
    file: "flow.ndjson",
    content: messages((topic, payload) => `{"topic":"${topic}","payload":${numeral(payload)}}`),
    refused:
      "flow.ndjson:1: a topic and its payload without a time; a time in each message is needed, such as",
  },
  {
    about: "the same as lines of mosquitto_sub -v",
    file: "mqtt.log",
    content: messages((topic, payload) => `${topic} ${payload}`),
    refused:
      "mqtt.log:1: a topic and its payload without a time; a time in each message is needed: mosquitto_sub -F '%I %t %p'",
  },
  {
    about: "a semicolon at the end of each line",
    file: "raw.txt",
    content: lines("33,Jogging,0.5,1.5;", "33,Walking,0.5,1.5;", "33,Walking,1.5"),
    refused: "raw.txt:1: a semicolon at the end of each line; sed 's/;[[:space:]]*$//' ",
  },
  {
    about: "a second number beside LIBSVM's label",
    file: "batch1.dat",
    content: lines("1;10.5 1:0.5 2:1 ", "2;20 1:1.5 2:2 "),
    refused: "batch1.dat:1: a second number beside LIBSVM's label; sed 's/;[^ ]*//' ",
  },
  {
    about: "a pattern that no line matches",
    file: "serial.log",
    content: lines("t 1 a", "reboot"),
    flags: ["--pattern", "^temp (?<temp>\\d) (?<y>\\w)$"],
    refused: "serial.log: no line matches ^temp (?<temp>\\d) (?<y>\\w)$; one or more must",
  },
  {
    about: "a pattern without names",
    file: "serial.log",
    content: lines("t 1 a"),
    flags: ["--pattern", "^t (\\d)$"],
    refused:
      "--pattern: got ^t (\\d)$; takes a regular expression with named groups, such as ^(?<time>\\S+) (?<temp>\\S+)$",
  },
  {
    about: "InfluxDB's answer to a query that failed",
    file: "flux.csv",
    content: lines(
      "#datatype,string,string",
      "#group,true,true",
      "#default,,",
      ",error,reference",
      ",no bucket,897",
    ),
    refused: `InfluxDB's error: "no bucket 897"; the result of a query that succeeds is needed`,
  },
  { about: "an empty file", file: "a.csv", content: "", refused: "a.csv: no rows; one row a line is needed" },
  {
    ...{ about: "a short row", file: "a.csv", content: lines("a,b", "1,2", "3") },
    refused:
      "a.csv:3: 1 field where the first row has 2; every row needs as many (1 row was read before it); or skip such rows by --skip-bad-rows",
  },
  {
    ...{
      about: "an acquisition without sensors",
      file: "a.1.json",
      content: '{"protected":{},\n"payload":{"values":[]}}',
    },
    refused:
      "no acquisition; payload.sensors with names and payload.values are needed, as Edge Impulse writes them",
  },
  {
    ...{ about: "a folder of other files", file: "other", content: { "a.md": "1" } },
    refused:
      "a folder without such files; a data file, or a folder of tables or of Edge Impulse's .json or .csv files, is needed",
  },
  {
    ...{ about: "values of other sensors", file: "idle.1.json", content: acquisition([1, 2], [3]) },
    refused:
      "idle.1.json:2: 1 values where there are 2 sensors; a value a sensor is needed; or skip such rows by",
  },
  {
    ...{
      about: "a point without a time",
      file: "a.lp",
      content: lines("a x=1 1709287200000000000", "a x=2"),
    },
    refused: "a.lp:2: no time; each point needs one; or skip such rows by --skip-bad-rows",
  },
  {
    ...{
      about: "a state without a time",
      file: "h.csv",
      content: lines("entity_id,state,last_changed", "a,1,yesterday"),
    },
    refused:
      'h.csv:2: last_changed is "yesterday"; an ISO 8601 date, or one like 31.12.2026 23:59, or an epoch is needed; or skip such rows',
  },
  {
    ...{
      about: "steps that are too many",
      file: "a.lp",
      content: lines("a x=1 1000000000", "a x=2 1700000000"),
      flags: ["--every", "1"],
    },
    refused: "a.lp:2: a gap of 700000000 steps of 1 s before it; longer steps are needed: rows.every",
  },
  {
    ...{
      about: "windows of other files",
      file: "nab.csv",
      content: NAB,
      labels: JSON.stringify({ "b/c.csv": [] }),
    },
    refused: "labels.json: no list for nab.csv; it has b/c.csv",
  },
  {
    ...{
      about: "windows whose ends are exchanged",
      file: "nab.csv",
      content: NAB,
      labels: JSON.stringify([[...WINDOW].reverse()]),
    },
    refused: 'is no window; takes [["first", "last"], ...], or such lists by the names of data files',
  },
  {
    ...{
      about: "windows for rows without a time",
      file: "a.csv",
      content: lines("a,b", "1,2"),
      labels: "[]",
    },
    refused:
      "a.csv: no time of its rows, which --every and --labels need; a column of dates, or of seconds since 1970 under a header, is needed",
  },
  {
    ...{
      about: "a label that isn't there",
      file: "a.csv",
      content: lines("a,b", "1,2"),
      flags: ["--label", "c"],
    },
    refused: "a.csv: no column c for the label; it has a, b",
  },
  {
    ...{ about: "Edge Impulse's CBOR", file: "idle.1.cbor", content: Buffer.from([0xa3, 0x69, 0xff, 0x00]) },
    refused: "idle.1.cbor:1: not text; a text file in UTF-8, gzipped or not, is needed",
  },
];

/** Each case has a folder of its own. */
let folders = 0;

function place(name: string, content: string | Buffer): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** Writes a case's files; returns the arguments of the command. */
function writeInput({ file, content, flags = [], labels: own }: Shape): string[] {
  const folder = `${folders++}`;
  const isFile = typeof content === "string" || Buffer.isBuffer(content);
  const files = isFile ? { [file]: content } : content;
  const paths = Object.entries(files).map(([name, text]) =>
    place(isFile ? `${folder}/${name}` : `${folder}/${file}/${name}`, text),
  );
  const labels = own === undefined ? [] : ["--labels", place(`${folder}/labels.json`, own)];
  return ["import", isFile ? paths[0] : dirname(paths[0]), ...flags, ...labels];
}

for (const shape of [...TABLES, ...MADE, ...LONG, ...BAD])
  test(`${shape.file}, ${shape.about}: read right, by import and by the reader of all commands`, async () => {
    const args = writeInput(shape);
    const { read } = shape as { read: Read };
    const [found] = (await runJsonHere("motelearn.import/1", ...args)).files;
    const { features, label = null, leftOut = [], classes, rows, unlabelled = 0, skipped } = read;
    const counted =
      found.classes &&
      Object.fromEntries(found.classes.map((each: { name: string; rows: number }) => [each.name, each.rows]));
    assert.equal([found.rows, found.unlabelled, found.badRows?.rows], [rows, unlabelled, skipped]);
    assert.equal(counted, classes);
    if (read.format) assert.is(found.description.format, read.format);
    if (read.first) assert.is(found.time.first, read.first);
    if (read.period) assert.is(found.time.periodSeconds, read.period);
    const data = await readTable(found.file, { missing: "nan", unlabelled: true });
    if (features.length > 0)
      assert.equal(data.roles && namedColumns(data.roles), { features, label, leftOut });
    assert.equal(
      [data.count, data.count - labelledCount(data), data.badRows?.rows],
      [rows, unlabelled, skipped],
    );
    if (read.values)
      assert.equal(
        Array.from({ length: rows }, (_, i) => data.rows[i * data.dimension]),
        [...read.values],
      );
  });

/** What import found in a file of that content. */
const imported = async (name: string, content: Shape["content"]) =>
  (await runJsonHere("motelearn.import/1", ...writeInput({ about: "", file: name, content }))).files[0];

test("a history's unavailable readings: import reports them, and every command leaves their rows out", async () => {
  const content = lines("entity_id,state,last_changed", ...HISTORY);
  const { stdout } = await runHere(writeInput({ about: "", file: "history.csv", content }));
  assert.match(stdout, /missing words +unavailable\n/);
  assert.match(stdout, /missing readings +sensor\.temp 1; rows that lack one are left out\n/);
  const { file, description } = await imported("history.csv", content);
  assert.is(description.missing, "skip");
  const { count, missing } = await readTable(file);
  assert.equal([count, missing], [2, { how: "skip", rows: 1, readings: 1, skipped: 1 }]);
  assert.is((await readTable(file, { missing: "hold" })).count, 2);
  assert.is((await readTable(file, { missing: "nan" })).count, 3);
});

test("Edge Impulse's interval is the rate: with a period, its rows are samples of several readings; units are reported", async () => {
  const { file, description, columns } = await imported("gestures", {
    "idle.1.json": acquisition([1, 2], [3, 4]),
    "wave.2.json": acquisition([5, 6], [7, 8]),
  });
  assert.equal([description.rate, columns[0].unit, columns[1].unit], [100, "m/s2", "m/s2"]);
  assert.is((await readTable(file)).count, 4, "without a period each row is a sample");
  const { count, rows, readings } = await readTable(file, { period: 20 });
  assert.equal([count, readings, [...rows]], [2, 2, [1, 3, 2, 4, 5, 7, 6, 8]]);
  const other = acquisition([5, 6]).replace('"interval_ms":10', '"interval_ms":20');
  const mixed = await imported("mixed", { "idle.1.json": acquisition([1, 2]), "wave.2.json": other });
  assert.is(mixed.description.rate, undefined);
});

for (const shape of REFUSED)
  test(`${shape.file}, ${shape.about}: refused in one line with the remedy`, async () => {
    await refusesHere(writeInput(shape), shape.refused as string);
  });

test.run();
