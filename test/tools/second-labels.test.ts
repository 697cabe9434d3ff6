import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { refusesHere, runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";

const written = temporaryFolder();
let files = 0;

const lines = (...rows: readonly string[]) => `${rows.join("\n")}\n`;
const ROWS = 300;
const FAULTS = ["ok", "belt", "bearing"];

/** Readings, a fault and what a function writes beside it. */
function machine(names: string, beside: (fault: number, i: number) => string | number): string {
  const random = new Random(5, "machine");
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const fault = Math.floor(i / 20) % 3;
    const reading = (shift: number) => (2 * fault + shift + random.normal()).toFixed(2);
    return `${reading(1)},${reading(5)},${beside(fault, i)},${FAULTS[fault]}`;
  });
  return written(`${files++}.csv`, lines(`vibration,temp,${names}`, ...rows));
}

async function rolesIn(file: string) {
  const { files: found } = await runJsonHere("motelearn.import/1", "import", file, "--force");
  const { columns, description, dimension } = found[0];
  const role = Object.fromEntries(
    columns.map((each: { name: string; role: string }) => [each.name, each.role]),
  );
  return { role, features: description.features, dimension };
}

const CODES = [0, 17, 42];

for (const [about, names, beside] of [
  ["a code of the fault", "fault_code,fault", (fault: number) => CODES[fault]],
  ["a number of the class", "stateId,state", (fault: number) => fault],
  [
    "a code that is nearly right",
    "fault_code,label",
    (fault: number, i: number) => (i % 100 ? CODES[fault] : 17),
  ],
  ["several codes for one fault", "Fehlercode,Zustand", (fault: number, i: number) => 10 * fault + (i % 3)],
  ["whether there is a fault at all", "Fault,fault_type", (fault: number) => Number(fault > 0)],
] as const)
  test(`a second column of the labels is named and left out: ${about}`, async () => {
    const file = machine(names, beside);
    const second = names.split(",")[0];
    const { role, features, dimension } = await rolesIn(file);
    assert.is(role[second], "second label");
    assert.equal([features, dimension], [["vibration", "temp"], 2]);
    const { stdout } = await runHere(["import", file, "--force"]);
    assert.ok(stdout.includes(`${second} is left out, as it goes with the label`), stdout);
  });

/** A reading and a switch, and a column for each state. */
function stateColumns(on: (fault: number, column: number, i: number) => number): string {
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const columns = FAULTS.map((_, column) => on(Math.floor(i / 20) % 3, column, i));
    return [(i % 7) / 4, Number(i % 9 < 4), ...columns].join();
  });
  return written(`${files++}.csv`, lines("vibration,valve,ok,belt,bearing", ...rows));
}

test("columns of other states before the label's are left out where one of them all is 1 in each row", async () => {
  const { role, features } = await rolesIn(stateColumns((fault, column) => Number(fault === column)));
  assert.equal([role.ok, role.belt, role.bearing], ["second label", "second label", "label"]);
  assert.equal(features, ["vibration", "valve"]);
});

/** A failure, and a flag for each of its causes. Some causes come together. */
function causes(flags: (cause: number, i: number) => readonly number[]): string {
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const cause = i % 10 === 9 ? 1 + ((i * 7) % 3) : 0;
    return [(i % 7) / 4, Number(i % 9 < 4), Number(cause > 0), ...flags(cause, i)].join();
  });
  return written(`${files++}.csv`, lines("torque,valve,failure,TWF,HDF,OSF,RNF", ...rows));
}
const flagsFor = (cause: number, i: number) => [
  cause === 1,
  cause === 2,
  cause === 3 || (cause === 1 && i % 4 === 0),
];

test("flags for the causes of a failure are left out beside it", async () => {
  const file = causes((cause, i) => [...flagsFor(cause, i), i % 50 === 7].map(Number));
  const { role, features } = await rolesIn(file);
  assert.equal(role, {
    ...{ torque: "feature", valve: "feature", failure: "label", RNF: "second label" },
    ...{ TWF: "second label", HDF: "second label", OSF: "second label" },
  });
  assert.equal(features, ["torque", "valve"]);
});

test("a flag behind the label is left out, a reading or a switch behind it isn't", async () => {
  const rows = (behind: (i: number) => string | number) =>
    Array.from({ length: ROWS }, (_, i) => `${(i % 7) / 4},${i % 5}.5,${Number(i % 60 > 40)},${behind(i)}`);
  const table = (behind: (i: number) => string | number) =>
    rolesIn(written(`${files++}.csv`, lines("torque,temp,anomaly,changepoint", ...rows(behind))));
  assert.is((await table((i) => Number(i % 60 === 41))).role.changepoint, "second label");
  assert.is((await table((i) => (i % 11) / 2)).role.changepoint, "feature");
  assert.is((await table((i) => (i % 3 ? "open" : "closed"))).role.changepoint, "feature");
});

test("a time of the day, the parts of a date, and a clock that begins anew are no readings", async () => {
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `2024,3,${1 + (i >> 6)},1${i % 10}:30:00,${100 * (i % 100)},${(i % 7) / 4},${(i % 11) / 3}`,
  );
  const found = await rolesIn(
    written(`${files++}.csv`, lines("Year,Month,Day,Clock,ms,torque,temp", ...rows)),
  );
  assert.equal(found.features, ["torque", "temp"]);
});

test("a reading whose name ends like an id's stays a feature, and so does one called T that seldom changes", async () => {
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `${40 + (i % 7)},${20 + ((i >> 6) % 2)},${Number(i % 60 > 40)}`,
  );
  const found = await rolesIn(written(`${files++}.csv`, lines("humid,T,fault", ...rows)));
  assert.equal(found.role, { humid: "feature", T: "feature", fault: "label" });
});

test("an id is left out, unless it is the label", async () => {
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `${(i * 7) % 40},${(i % 7) / 4},${Number(i % 60 > 40)}`,
  );
  const found = await rolesIn(written(`${files++}.csv`, lines("machine id,torque,fault", ...rows)));
  assert.equal(found.role, { "machine id": "id", torque: "feature", fault: "label" });
  const file = written(
    `${files++}.csv`,
    lines("torque,activity_id", ...rows.map((row) => row.replace(/^\d+,/, ""))),
  );
  assert.equal((await rolesIn(file)).role, { torque: "feature", activity_id: "label" });
});

test("switches that are on in one state alone stay features where one of them says it, or they leave much of it out", async () => {
  const whole = await rolesIn(causes((cause) => [cause > 0, cause > 0, 0, 0].map(Number)));
  assert.equal([whole.role.TWF, whole.role.HDF], ["feature", "feature"]);
  const part = await rolesIn(causes((cause) => [cause === 1, cause === 2, 0, 0].map(Number)));
  assert.equal([part.role.TWF, part.role.HDF], ["feature", "feature"]);
});

test("switches before a label stay features", async () => {
  const several = await rolesIn(stateColumns((fault, column, i) => Number(fault === column || i % 50 === 0)));
  assert.equal(several.features, ["vibration", "valve", "ok", "belt"]);
  const none = await rolesIn(stateColumns((fault, column, i) => Number(fault === column && i % 50 > 0)));
  assert.equal(none.features, ["vibration", "valve", "ok", "belt"]);
});

test("choose leaves a second label out, too, unless it is among --columns or in the description", async () => {
  const file = machine("fault_code,fault", (fault) => CODES[fault]);
  const choose = (...more: readonly string[]) =>
    runJsonHere("motelearn.choose/2", "choose", "--train", file, "--label", "fault", ...SHORT, ...more);
  const { train, advice } = await choose();
  assert.equal([train.secondLabels.names, train.columns.features], [["fault_code"], ["vibration", "temp"]]);
  assert.ok(advice[0].evaluate.includes("--columns vibration,temp"), advice[0].evaluate);
  const { stdout } = await runHere(["choose", "--train", file, "--label", "fault", ...SHORT]);
  assert.ok(
    stdout.includes(
      "fault_code is left out, as it goes with the label like a second one; --columns vibration,temp,fault_code takes it in",
    ),
    stdout,
  );
  const all = await choose("--columns", "vibration,temp,fault_code");
  assert.equal([all.train.secondLabels, all.train.dimension], [undefined, 3]);
  written(
    file.replace(/.*\//, "").replace(/$/, ".data.json"),
    '{"schema":"motelearn.data/1","features":["temp","fault_code"],"label":"fault"}',
  );
  assert.equal((await choose()).train.columns.features, ["temp", "fault_code"]);
});

const SHORT = ["--budgets", "16", "--seconds", "0.1", "--threads", "1", "--no-features"];

test("evaluate names a second label, unless --columns chooses the features", async () => {
  const file = machine("fault_code,fault", (fault) => CODES[fault]);
  const evaluate = ["evaluate", "--learner", "pa", "--train", file, "--label", "fault"];
  const { train } = await runJsonHere("motelearn.evaluate/1", ...evaluate);
  assert.equal([train.secondLabels.names, train.dimension], [["fault_code"], 3]);
  const { stdout } = await runHere(evaluate);
  const line =
    "  fault_code goes with the label like a second one, so the errors say little; --columns vibration,temp leaves it out\n";
  assert.ok(stdout.includes(line), stdout);
  const without = await runJsonHere("motelearn.evaluate/1", ...evaluate, "--columns", "vibration,temp");
  assert.equal([without.train.secondLabels, without.train.dimension], [undefined, 2]);
});

test("evaluate refuses a file with other readings than its node's file has", async () => {
  const file = machine("fault_code,fault", (fault) => CODES[fault]);
  const node = written("node.json", "");
  await runHere(["choose", "--train", file, "--label", "fault", ...SHORT, "--node", node]);
  const evaluate = ["evaluate", "--node", node, "--train", file, "--label", "fault"];
  await refusesHere(
    evaluate,
    `${file}: 3 readings a sample (vibration, temp, fault_code); ${node} has 2 (vibration, temp); choose its readings with --columns`,
  );
  assert.is((await runHere([...evaluate, "--columns", "vibration,temp"])).code, 0);
});

for (const [about, names, beside] of [
  ["a switch that closes in one state", "contact,state", (fault: number) => Number(fault === 2)],
  ["an alarm that doesn't say which fault", "alarm,state", (fault: number) => (fault > 0 ? "on" : "off")],
  ["a level that says the state", "level,state", (fault: number) => fault],
  ["a valve's state, beside the machine's", "valve_state,press_state", (fault: number) => Number(fault > 0)],
  ["a code that says nothing of the label", "error_code,state", (_: number, i: number) => i % 3],
  [
    "a code that is right most of the time",
    "error_code,state",
    (fault: number, i: number) => (i % 10 ? fault : 0),
  ],
  [
    "readings named after the fault",
    "fault_current,fault",
    (fault: number, i: number) => (fault + (i % 9) / 10).toFixed(1),
  ],
] as const)
  test(`a reading stays a feature: ${about}`, async () => {
    const { role } = await rolesIn(machine(names, beside));
    assert.is(role[names.split(",")[0]], "feature");
  });

test("import names a reading that tells the label by itself, and keeps it", async () => {
  const { stdout } = await runHere(["import", machine("level,state", (fault) => fault)]);
  assert.ok(
    stdout.includes(
      "level tells the label by itself: is it a reading? If it isn't, take it out of the description's features",
    ),
    stdout,
  );
});

test.run();
