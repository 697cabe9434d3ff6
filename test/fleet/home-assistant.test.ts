import { test } from "uvu";
import * as assert from "uvu/assert";
import type { NodeState } from "../../fleet/api/node-state.ts";
import { entityConfig, entityId, entityTopics, entityValues } from "../../fleet/home-assistant/discovery.ts";
import { refusesHere } from "../cli/program.ts";
import { fleet } from "./fleets.ts";

const SOURCES = { state: "motelearn/x/state", gateway: "motelearn/gateway_1/availability" };
const nodeState = (its: object): NodeState =>
  ({
    name: "press-1",
    port: "unix:/s",
    connected: true,
    waiting: 2,
    asking: 1,
    when: {},
    ...its,
  }) as NodeState;

test("ids have the characters that Home Assistant takes, and names that differ have others", () => {
  const names = ["press-1", "press.1", "press/1", "press_1", "a".repeat(64)];
  const ids = names.map(entityId);
  for (const id of ids) assert.match(id, /^[a-zA-Z0-9_-]+$/);
  assert.is(new Set(ids).size, names.length);
  assert.equal(entityTopics("homeassistant", "press-1"), {
    config: "homeassistant/device/motelearn_press-1/config",
    state: "motelearn/motelearn_press-1/state",
  });
});

test("a node that wasn't met has no device; the texts of one are plain and short, and are in no template", () => {
  assert.is(entityConfig(nodeState({}), SOURCES), undefined);
  const node = { learner: "{{ states }}\u001b[2J", firmware: "<b>".repeat(100) };
  const { device, components } = entityConfig(nodeState({ node }), SOURCES) as {
    device: Record<string, string>;
    components: Record<string, Record<string, string>>;
  };
  assert.is(device.model, "{{ states }}\\x1b[2J");
  assert.is(device.sw_version.length, 64);
  for (const [key, { value_template }] of Object.entries(components))
    assert.is(value_template, `{{ value_json.${key} }}`);
});

test("values are numbers, and null where there is none", () => {
  const figure = (kind: string, value: number) => ({ prequential: { kind, recent: { value, labels: 9 } } });
  const said = { seq: 7, prediction: -0.123456789, task: "classification" };
  assert.equal(entityValues(nodeState({ ...said, ...figure("accuracy", 2 / 3) })), {
    connection: "online",
    accuracy: 66.6667,
    error: null,
    decision: -1,
    value: -0.123457,
    sample: 7,
    waiting: 2,
    asking: 1,
  });
  const estimate = entityValues(nodeState({ ...figure("error", 0.25), prediction: 4.5, task: "regression" }));
  assert.equal([estimate.accuracy, estimate.error, estimate.decision], [null, 0.25, 4.5]);
  const unreadable = entityValues(nodeState({ connected: false, prediction: null, task: "multiclass" }));
  assert.equal([unreadable.connection, unreadable.decision, unreadable.sample], ["offline", null, null]);
});

test("a decision is a class's name where classes have names: Home Assistant lists them", () => {
  const said = { node: { learner: "pa", firmware: "f" }, task: "multiclass", prediction: 2 };
  const named = nodeState({ ...said, classes: ["idle", "läuft", "停止"] });
  const decisionIn = (state: NodeState) =>
    (entityConfig(state, SOURCES) as { components: { decision: object } }).components.decision;
  assert.is(entityValues(named).decision, "停止");
  assert.match(
    JSON.stringify(decisionIn(named)),
    /"device_class":"enum","options":\["idle","läuft","停止"\]/,
  );
  const numbered = nodeState({ ...said, classes: ["0", "1", "2"] });
  assert.is(entityValues(numbered).decision, 2);
  assert.not("device_class" in decisionIn(numbered));
});

test("each alarm of a node is a problem that Home Assistant shows on or off", () => {
  const alarms = [
    { name: "worn", on: true, since: 5 },
    { name: "no_oil", on: false },
  ];
  const state = nodeState({ node: { learner: "pa", firmware: "f" }, alarms });
  const { components } = entityConfig(state, SOURCES) as {
    components: Record<string, Record<string, string>>;
  };
  assert.equal(components.alarm_no_oil, {
    ...{ platform: "binary_sensor", unique_id: "motelearn_press-1_alarm_no_oil", name: "no oil" },
    ...{ device_class: "problem", payload_on: "on", payload_off: "off" },
    ...{ state_topic: SOURCES.state, value_template: "{{ value_json.alarm_no_oil }}" },
    availability_topic: SOURCES.gateway,
  });
  const without = entityConfig(state, SOURCES, ["old"]) as { components: object };
  assert.equal(without.components, { ...components, alarm_old: { platform: "binary_sensor" } });
  const values = entityValues(state) as Record<string, unknown>;
  assert.equal([values.alarm_worn, values.alarm_no_oil], ["on", "off"]);
});

test("an address that isn't a broker's is refused in one line", async () => {
  for (const homeAssistant of ["unix:/tmp/x", "mqtt://host", "mqtt://host/homeassistant/#"])
    await refusesHere(
      ["gateway", fleet("nowhere", [{ name: "n", port: "unix:/tmp/x" }], { homeAssistant })],
      "homeAssistant",
      "mqtt://HOST/homeassistant",
    );
});

test.run();
