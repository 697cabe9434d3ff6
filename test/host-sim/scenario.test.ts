import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseScenario, ScenarioError } from "../../host-sim/scenario/scenario.ts";
import { SCENARIO_SCHEMA, scenarioJsonSchema } from "../../host-sim/scenario/scenario-schema.ts";
import { describeSchema } from "../../host-sim/scenario/schema-text.ts";

const LEAST = {
  schema: "motelearn.scenario/1",
  stream: { type: "recorded-network" },
  tasks: [{ name: "t", task: "novelty", learners: [{ learner: "olk-n" }] }],
};

function refusal(scenario: unknown): string {
  try {
    parseScenario(typeof scenario === "string" ? scenario : JSON.stringify(scenario), "file.json");
  } catch (error) {
    assert.instance(error, ScenarioError);
    return (error as Error).message;
  }
  return "taken";
}

test("every option has a default, and by default nothing goes wrong", () => {
  const scenario = parseScenario(JSON.stringify(LEAST), "file.json");
  assert.is(scenario.seed, 1);
  assert.equal(scenario.labels.noise, {});
  assert.equal(scenario.signal, {});
  for (const amount of [
    scenario.labels.loss,
    scenario.labels.delayMean,
    scenario.link.loss,
    scenario.link.duplicates,
  ]) {
    assert.is(amount, 0);
  }
  assert.is(scenario.labels.delayMax, undefined);
  assert.is(scenario.outages.count, 0);
  assert.equal(scenario.power, { at: [], count: 0, off: 1, duringSave: 0 });
  const { byteErrors, stalls, cuts, reorder } = scenario.link;
  assert.equal([byteErrors, stalls.rate, cuts.count, reorder], [0, 0, 0, 0]);
  assert.is(scenario.tasks[0].labels, undefined);
  assert.equal(scenario.tasks[0].learners[0].options, {});
});

test("a stage is on when its key is there, with its own defaults", () => {
  const scenario = parseScenario(
    JSON.stringify({ ...LEAST, signal: { quantisation: {} }, labels: { noise: { burst: {} } } }),
    "",
  );
  assert.ok(Number(scenario.signal.quantisation?.bits) > 0);
  assert.is(scenario.labels.noise.burst?.badRate, 0.5);
});

test("what is wrong is one line: file, place, what it got, what would be right", () => {
  const cases: [unknown, RegExp][] = [
    ["{", /^file.json: not JSON/],
    [
      '{"labels": {"loss": 0.1}, "seed": 1, "labels": {}}',
      /^file.json: key labels is there twice; give it once$/,
    ],
    ['{"title": "a \\"b\\": {", "tasks": [{"a": 1, "\\u0061": 2}]}', /^file.json: key a is there twice/],
    [JSON.stringify({ ...LEAST, title: '"title": {"title":' }), /^taken$/],
    [{ ...LEAST, sead: 3 }, /^file.json: the scenario: no key sead; did you mean seed/],
    [{ ...LEAST, link: { los: 0.1 } }, /^file.json: link: no key los; did you mean loss/],
    [
      { ...LEAST, stream: { type: "recorded-network", samples: 300 } },
      /^file.json: stream.samples: has no effect with stream.type recorded-network; goes with scene or bearings$/,
    ],
    [
      { ...LEAST, stream: { type: "scene", missing: "hold" } },
      /^file.json: stream.missing: .* goes with files$/,
    ],
    [
      { ...LEAST, tasks: [{ ...LEAST.tasks[0], faults: { episodes: 3 } }] },
      /^file.json: tasks.0.faults: has no effect with task novelty; goes with faults$/,
    ],
    [
      { ...LEAST, tasks: [{ ...LEAST.tasks[0], task: "regression", classes: ["a", "b"] }] },
      /^file.json: tasks.0.classes: has no effect with task regression; goes with classification, novelty or faults$/,
    ],
    [
      { ...LEAST, tasks: [LEAST.tasks[0], LEAST.tasks[0]] },
      /^file.json: tasks.1.name: t is there twice; give each task a name of its own$/,
    ],
    [
      { ...LEAST, outages: { lengthMean: 9 } },
      /^file.json: outages.lengthMean: has no effect without outages.count$/,
    ],
    [
      { ...LEAST, power: { duringSave: 1 } },
      /^file.json: power.duringSave: has no effect without power.count or power.at$/,
    ],
    [
      { ...LEAST, node: { labelFlips: [0.1, 0.1] } },
      /^file.json: node.labelFlips: .* node.coverage or node.drift$/,
    ],
    [{ ...LEAST, node: { labelFlips: [0.1, 0.1], coverage: 0 } }, /^taken$/],
    [
      { ...LEAST, tasks: [{ ...LEAST.tasks[0], node: { grossLabels: 0.1 } }] },
      /^file.json: tasks.0.node.grossLabels: has no effect without node.coverage$/,
    ],
    [
      { ...LEAST, node: { standardise: false, stepAfter: 9 } },
      /^file.json: node.stepAfter: has no effect with node.standardise false$/,
    ],
    [
      { ...LEAST, node: { fleetBudget: 4 }, together: { vectors: 8 } },
      /^file.json: node.fleetBudget: got 4; takes at least together.vectors, 8, or no such model fits$/,
    ],
    [{ ...LEAST, node: { fleetBudget: 4 }, together: { vectors: 4 } }, /^taken$/],
    [
      { ...LEAST, labels: { budget: 0.3 }, tasks: [{ ...LEAST.tasks[0], task: "regression" }] },
      /^file.json: labels.budget: got 0.3; takes 1 with task regression: /,
    ],
    [{ ...LEAST, link: { loss: 2 } }, /^file.json: link.loss: got 2; must be <= 0.95/],
    [
      { ...LEAST, labels: { delayMean: 200, delayMax: 50 } },
      /^file.json: labels.delayMean: got 200; takes at most labels.delayMax, 50$/,
    ],
    [
      { ...LEAST, tasks: [{ ...LEAST.tasks[0], labels: { delayMean: 7, delayMax: 6.5 } }] },
      /^file.json: tasks.0.labels.delayMean: got 7; takes at most/,
    ],
    [{ ...LEAST, seed: "x" }, /^file.json: seed: got "x"; must be integer/],
    [
      { ...LEAST, stream: { type: "radio" } },
      /^file.json: stream.type: got "radio"; takes one of recorded-network, files, scene/,
    ],
    [{ ...LEAST, stream: {} }, /^file.json: stream: key type is missing/],
    [
      { ...LEAST, schema: "motelearn.scenario/9" },
      /^file.json: schema: got motelearn.scenario\/9; this version reads motelearn.scenario\/1$/,
    ],
    [
      { schema: "motelearn.scenario/2", whatever: [] },
      /^file.json: schema: got motelearn.scenario\/2; this version reads motelearn.scenario\/1$/,
    ],
    [{ ...LEAST, schema: 1 }, /^file.json: schema: got 1; this version reads motelearn.scenario\/1$/],
    [{ ...LEAST, node: { periodMs: 0 } }, /^file.json: node.periodMs: got 0; must be >= 0.1/],
    [{ ...LEAST, power: { at: [0] } }, /^file.json: power.at.0: got 0; must be >= 1/],
    [{ ...LEAST, link: { stalls: { rat: 1 } } }, /^file.json: link.stalls: no key rat; did you mean rate/],
    [{ ...LEAST, tasks: [] }, /^file.json: tasks: got \[\]; takes at least 1/],
    [
      { ...LEAST, labels: { noise: { symetric: {} } } },
      /labels.noise: no key symetric; did you mean symmetric/,
    ],
  ];
  for (const [scenario, message] of cases) {
    const told = refusal(scenario);
    assert.match(told, message);
    assert.not.match(told, /\n/);
  }
});

test("an editor's key $schema is taken, and not read", () => {
  const scenario = parseScenario(JSON.stringify({ $schema: "./scenario.schema.json", ...LEAST }), "");
  assert.is(scenario.seed, 1);
});

test("the schema that ships is this one: npx motelearn simulate --schema > host-sim/scenario.schema.json", () => {
  const shipped = JSON.parse(readFileSync("host-sim/scenario.schema.json", "utf8"));
  assert.equal(shipped, JSON.parse(JSON.stringify(scenarioJsonSchema())));
});

test("the schema is one by JSON Schema's own, against which a run doesn't check it", () => {
  const ajv = new Ajv();
  assert.ok(ajv.validateSchema(SCENARIO_SCHEMA), ajv.errorsText());
  assert.not.ok(ajv.validateSchema({ ...SCENARIO_SCHEMA, required: "stream" }));
});

test("the help describes every key", () => {
  const help = describeSchema().join("\n");
  const keys = (schema: { properties?: object }, place: string): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
      const inner = part.items ?? part;
      return [`${place}${name}`, ...keys(inner, `${place}${name}${part.items ? "[]" : ""}.`)];
    });
  // A task's labels and node have the keys of the scenario's own.
  for (const key of keys(SCENARIO_SCHEMA, "").filter((each) => !/^tasks\[\]\.(labels|node)\./.test(each))) {
    const line = help.split("\n").find((text) => text.startsWith(`  ${key}: `));
    assert.ok(line, key);
    assert.ok((line as string).split(". ").at(-1) !== "", `${key} has a meaning`);
  }
});

test.run();
