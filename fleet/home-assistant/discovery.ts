import { createHash } from "node:crypto";
import { printable } from "../../host/printable.ts";
import { ClassNames } from "../../host/streams/class-names.ts";
import { decidedClass, TASK, type Task } from "../../src/learn/learner.ts";
import { ABSENT, PRESENT } from "../../src/wire/topics.ts";
import type { AlarmState, NodeState } from "../api/node-state.ts";

/** Most characters of a node's text. */
const TEXT_MAX = 64;
const DIGITS = 6;
const PERCENT = 100;

/** Where the messages about one node lie at the broker. */
interface EntityTopics {
  /** Retained: which entities Home Assistant makes. */
  readonly config: string;
  /** Retained: their values. */
  readonly state: string;
}

/** The node's id in topics and entities, where Home Assistant takes letters, digits, `_` and `-`: a mark keeps `a.b` apart from `a_b`. */
export function entityId(node: string): string {
  const plain = node.replace(/[^\w-]/g, "_");
  const mark = plain === node ? "" : `_${createHash("sha256").update(node).digest("hex").slice(0, 8)}`;
  return `motelearn_${plain}${mark}`;
}

/** @param prefix Home Assistant's discovery prefix. */
export function entityTopics(prefix: string, node: string): EntityTopics {
  const id = entityId(node);
  return { config: `${prefix}/device/${id}/config`, state: `motelearn/${id}/state` };
}

/** The topic of a gateway's presence. */
export const availabilityTopic = (gateway: string) => `motelearn/gateway_${gateway}/availability`;
export const AVAILABILITY = /^motelearn\/gateway_[0-9a-f]+\/availability$/;

/** The data for one node's entities. */
interface EntitySources {
  readonly state: string;
  /** The gateway's presence: `online` or `offline`. */
  readonly gateway: string;
  /** The node's own presence at this broker; undefined: it has none there, and the gateway says it. */
  readonly presence?: string;
}

/**
 * The retained message by which Home Assistant makes a device of the node, with an entity for each figure;
 * see https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload. Undefined until the node was
 * met.
 *
 * @param removed names of alarms that it had, and hasn't now: a component with its platform alone removes the entity.
 */
export function entityConfig(
  state: NodeState,
  sources: EntitySources,
  removed: readonly string[] = [],
): object | undefined {
  const { name, node, alarms = [] } = state;
  if (!node) return undefined;
  const id = entityId(name);
  const figures = [...listFigures(state, sources), ...alarms.map((alarm) => alarmEntity(alarm, sources))];
  return {
    device: {
      identifiers: [id],
      name,
      manufacturer: "Motelearn",
      model: shortText(node.learner),
      sw_version: shortText(node.firmware),
    },
    origin: { name: "motelearn" },
    components: Object.fromEntries([
      ...figures.map(([key, its]) => [key, { unique_id: `${id}_${key}`, ...its }]),
      ...removed.map((name) => [alarmKey({ name }), { platform: "binary_sensor" }]),
    ]),
  };
}

/** An entity by its key among the node's. */
type Entity = readonly [key: string, its: object];

function valueAt(key: string, { state, gateway }: EntitySources): object {
  return { state_topic: state, value_template: `{{ value_json.${key} }}`, availability_topic: gateway };
}

function listFigures({ task, classes }: NodeState, sources: EntitySources): Entity[] {
  const sensor = (key: string, its: object): Entity => [
    key,
    { platform: "sensor", ...its, ...valueAt(key, sources) },
  ];
  const count = (key: string, name: string) =>
    sensor(key, { name, state_class: "measurement", entity_category: "diagnostic" });
  const recently = { state_class: "measurement", suggested_display_precision: 1 };
  return [
    connectionEntity(sources),
    task === TASK.regression
      ? sensor("error", { name: "Mean error", ...recently, suggested_display_precision: 3 })
      : sensor("accuracy", { name: "Accuracy", unit_of_measurement: "%", ...recently }),
    sensor("decision", {
      name: "Last decision",
      json_attributes_topic: sources.state,
      ...(hasNames(classes) && { device_class: "enum", options: classes }),
    }),
    count("waiting", "Labels waiting"),
    count("asking", "Labels asked for"),
  ];
}

function connectionEntity(sources: EntitySources): Entity {
  const { presence } = sources;
  const key = "connection";
  const its = { device_class: "connectivity", entity_category: "diagnostic" };
  const payloads = { payload_on: PRESENT, payload_off: ABSENT };
  const at = presence ? { state_topic: presence } : valueAt(key, sources);
  return [key, { platform: "binary_sensor", ...its, ...payloads, ...at }];
}

function alarmEntity(alarm: AlarmState, sources: EntitySources): Entity {
  const key = alarmKey(alarm);
  const its = { name: alarm.name.replaceAll("_", " "), device_class: "problem" };
  const payloads = { payload_on: ALARM.on, payload_off: ALARM.off };
  return [key, { platform: "binary_sensor", ...its, ...payloads, ...valueAt(key, sources) }];
}

/** The key of an alarm among a node's entities and values: a fleet file's names of alarms suit templates. */
const alarmKey = ({ name }: Pick<AlarmState, "name">) => `alarm_${name}`;
const ALARM = { on: "on", off: "off" } as const;

/** True if classes have names, and not only numbers. */
function hasNames(classes: readonly string[] | undefined): classes is readonly string[] {
  return classes !== undefined && !new ClassNames(classes).isNumbered;
}

/** A text from a node. */
function shortText(text: string): string {
  return [...printable(text)].slice(0, TEXT_MAX).join("");
}

/** The values of a node's entities; null where there is none, which Home Assistant shows as unknown. */
export function entityValues(state: NodeState) {
  const { connected, seq, prediction, prequential, waiting, asking, alarms = [] } = state;
  const { kind, recent, all } = prequential ?? {};
  const figure = (recent ?? all)?.value;
  const part = (wanted: "accuracy" | "error", scale: number) =>
    kind === wanted && figure !== undefined ? round(scale * figure) : null;
  return {
    connection: connected ? PRESENT : ABSENT,
    accuracy: part("accuracy", PERCENT),
    error: part("error", 1),
    decision: shownDecision(prediction, state),
    value: round(prediction),
    ...Object.fromEntries(alarms.map((alarm) => [alarmKey(alarm), alarm.on ? ALARM.on : ALARM.off])),
    sample: seq ?? null,
    waiting,
    asking,
  };
}

/** The class that a node decided for, by its name if it has one, or a regression's estimate. */
function shownDecision(
  prediction: number | null | undefined,
  { task, classes }: NodeState,
): string | number | null {
  if (prediction === null || prediction === undefined) return null;
  if (task === TASK.regression) return round(prediction);
  const target = decidedClass(task as Task, prediction);
  return (hasNames(classes) && new ClassNames(classes).targetName(target)) || round(target);
}

function round(value: number | null | undefined): number | null {
  return value === null || value === undefined || !Number.isFinite(value)
    ? null
    : Number(value.toPrecision(DIGITS));
}
