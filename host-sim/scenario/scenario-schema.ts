import { choice, flag, list, name, number, object, text, whole } from "../../host/schema-parts.ts";
import { CLASSES_MAX } from "../../host/streams/class-names.ts";
import { MISSING } from "../../host/streams/missing.ts";
import { HORIZON, STEP_AFTER } from "../../src/signal/standardiser.ts";
import { WAVELETS } from "../../src/signal/wavelet.ts";
import { SLEEP_DEFAULTS } from "../../src/start/sleep.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import { FAULT_INJECTOR_OPTIONS } from "../disturbances/index.ts";
import { PENDING_MAX } from "../labels/late-labels.ts";
import { amount, count, group, rate, stageOptions, stages } from "./schema-parts.ts";

/** The version of scenario files that this program reads. */
export const SCENARIO_VERSION = "motelearn.scenario/1";

/** Milliseconds from one sample of a node to the next, unless the scenario says otherwise. */
export const PERIOD_MS = 100;

/** Nodes of a generated network, at most: as many as a gateway's fleet file may have. */
const NODES_MAX = 10_000;

/** The scenario file as a JSON schema: the one place that defines its keys, ranges, defaults and meanings. */

const labels = ({ labelNoises }: Catalogue) => ({
  noise: group(
    "errors of each node's label on its way to the fusion centre, applied in this order",
    stages(labelNoises),
  ),
  nodeRates: {
    type: "array",
    items: { type: "number", minimum: 0, maximum: 1 },
    default: [],
    description: "rate of noise.symmetric for each node in turn, instead of one for all",
  },
  delayMean: amount("samples between a prediction and its label, mean", 0),
  delaySpread: amount(
    "standard deviation of that delay, samples. It is normal, rounded, and 0 instead of less: so a spread above half the mean raises the mean",
    0,
  ),
  delayMax: {
    ...{ type: "number", minimum: 0, maximum: 1e9 },
    description: "longest delay, samples: a longer one is cut to it; default: none",
  },
  round: {
    type: "integer",
    minimum: 1,
    maximum: PENDING_MAX,
    description:
      "samples of a round, as of a shift: labels wait for the end of the round in which they are due, and come together; default: each comes by itself",
  },
  until: {
    type: "integer",
    minimum: 1,
    maximum: 1e9,
    description: "samples of each node that get a label, from the first on; default: all",
  },
  loss: rate("share of labels that never arrive, however often sent, or were never issued"),
  budget: number(
    "share of samples that are labelled: those for which the node asks. 1: all, without asking. A regression, and a node that is fed, take 1 alone",
    { minimum: 0.001, maximum: 1, default: 1 },
  ),
});

const LEARNER = object(
  { required: ["learner"] },
  {
    learner: text("id of a learner: see `motelearn learners`"),
    options: { type: "object", default: {}, description: "its options, without dimension" },
  },
);

export const STREAM = {
  ...group("where samples and truth come from", {
    type: {
      enum: ["recorded-network", "files", "scene", "bearings"],
      description:
        "recorded-network: the four-mote network that ships; files: one recorded stream a node; scene: generated, seen by every node; bearings: generated vibration, a machine a node, damaged or not",
    },
    files: {
      ...{ type: "array", default: [] },
      description:
        "type files: one a node, NDJSON, CSV or LIBSVM, plain or gzip, paths relative to the scenario; an NDJSON file whose samples name nodes is split by them",
      items: object(
        { required: ["node", "path"] },
        { node: text("the node's name"), path: text("its recorded stream") },
      ),
    },
    format: choice(["auto", "csv", "ndjson", "libsvm"], "auto", "type files: format; auto: by the name"),
    columns: list(
      { type: ["string", "integer"] },
      { default: [] },
      "type files: columns that are readings, by name or number from 1; empty: all but the label, an index, time, ticks, faults, node, source and confidence",
    ),
    label: {
      type: ["string", "integer"],
      default: "",
      description: "type files: the label's column, by name or number from 1; empty: label, else the last",
    },
    missing: choice(
      MISSING,
      "refuse",
      "type files: how a row with missing readings is handled. refuse: refuse the file, unless its description has another way; skip: its time passes, and the node misses the sample; hold: repeat each channel's last reading, and skip rows before its first; nan: the node gets NaN, refuses the sample and counts it (unreadable)",
    ),
    nodes: count("types scene, bearings: nodes", 1, 4, NODES_MAX),
    samples: count("types scene, bearings: samples of each node", 2, 4000, 10_000_000),
    channels: count("types scene, bearings: readings in a sample", 1, 4, 64),
    persistence: amount("types scene, bearings: mean length of a stay in one class, samples", 20, 1),
    separation: amount("type scene: distance of the class means, in standard deviations of a reading", 1.5),
    severity: amount(
      "type bearings: strength of a damaged bearing's impacts, in standard deviations of the noise",
      6,
    ),
  }),
  required: ["type"],
};

export const FAULTS = group(
  "task faults: faults injected into the readings, at known times",
  stageOptions(FAULT_INJECTOR_OPTIONS),
);

const { default: _sleep, ...SLEEP } = group("deep sleep between samples; default: off", {
  talkEvery: count("samples from one talk to the next", 1, SLEEP_DEFAULTS.talkEvery),
  talkMs: amount("milliseconds that a talk lasts, at least", SLEEP_DEFAULTS.talkMs, 0, 86_400_000),
});

export const NODE = group("every node", {
  pending: whole(
    1,
    65535,
    "predicted samples that may wait for a label; default 64, or more where the labels' delay needs it: what holds 99 % of them, rounded up",
  ),
  checkpointEvery: count("labels between two checkpoints; 0: none", 0, 0),
  window: count("features of each reading over the last `window` samples; 0: the reading alone", 0, 0, 1024),
  wavelet: choice(
    ["none", ...WAVELETS],
    "none",
    "features of each reading are its window's bands by this wavelet; takes an even window",
  ),
  bands: count(
    "features of each sensor are levels of so many bands of its window's spectrum, crest factor and zero crossings; takes a window of 64, 128, 256 or 512",
    0,
    0,
    128,
  ),
  lines: list(
    { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 0.5 },
    { default: [], maxItems: 16 },
    "with bands: levels of single lines, too, at so many cycles a reading",
  ),
  burst: count("with bands: consecutive readings of each sensor in a sample", 1, 1, 512),
  standardise: flag("standardise the features to mean 0, variance 1, sample by sample", true),
  ranges: list(
    { type: ["array", "null"], minItems: 2, maxItems: 2, items: { type: "number" } },
    { default: [] },
    "the possible values of each reading, [least, largest] or null for each channel; empty: any",
  ),
  labelRange: list(
    { type: "number" },
    { default: [], maxItems: 2 },
    "the possible values of a regression's label, [least, largest]; empty: any",
  ),
  horizon: count("standardisation forgets samples older than about this many", 32, HORIZON, 65536),
  stepAfter: count(
    "consecutive outliers of a feature on one side after which its standardisation restarts at their level; choose more if faults last longer",
    8,
    STEP_AFTER,
    65536,
  ),
  periodMs: amount("milliseconds from one sample to the next", PERIOD_MS, 0.1, 86_400_000),
  turnMs: amount("milliseconds of a turn of the node: what comes meanwhile waits in its FIFO", 5, 0, 60_000),
  sleep: SLEEP,
  state: name(
    "a state from which every node starts, a file of `evaluate --save` with the nodes' learner and options, its path relative to the scenario; default: nodes start from nothing",
  ),
  fed: flag("recorded samples come over the line, so that a restart loses none"),
  coverage: number(
    "target share of samples whose true class lies in the issued prediction set (two classes), or whose true value lies in the interval (regression); 0: the node issues none",
    { minimum: 0, maximum: 0.999, default: 0 },
  ),
  coverageBy: choice(
    ["samples", "classes"],
    "samples",
    "what `coverage` is a share of, with two classes: of all samples together; or of the samples of each class by itself, so that a rare class is covered as often",
  ),
  labelFlips: list(
    { type: "number" },
    { default: [], maxItems: 2 },
    "error rates of labels that prediction sets and drift alarms assume: shares of the labels of class 1, and of class -1; empty: never",
  ),
  drift: choice(
    ["none", "watch", "restart"],
    "none",
    "watch: nodes report when labels, or margins, show that the learned state no longer fits; restart: an alarm of labels also restarts the learner's confidence (arow, cw, scw, auto). Not of a regression",
  ),
  grossLabels: rate("share of a regression's labels that are far off, as the intervals assume", 0.89),
  fleetBudget: {
    type: "integer",
    minimum: -1,
    maximum: 4096,
    default: -1,
    description:
      "vectors of the largest model that the fleet may install, for which each node keeps room; 0: a plane; -1: none, or together.vectors",
  },
});

const NODE_FILE = name(
  "a node's file, motelearn.node/1, its path relative to the scenario: what it says stands unless the scenario says otherwise",
);

/** Nodes by their keys, by the path of a node's file, or by both. */
function namedOr(description: string) {
  return {
    ...NODE,
    type: ["object", "string"],
    description,
    properties: { file: NODE_FILE, ...NODE.properties },
  };
}

const { default: _together, ...TOGETHER } = group(
  "nodes that learn together: a gateway trains models from the labels of all, and sends each node the one that fits it; of two classes. Default: each node learns by itself",
  {
    vectors: count("vectors of the largest model that a node takes; 0: a plane", 0, 64, 4096),
    groups: list(
      { type: "array", minItems: 1, uniqueItems: true, items: { type: "string" } },
      { default: [] },
      "nodes that are alike, by name: a list a group; a node in none learns by itself; empty: all nodes are one group",
    ),
    newcomers: {
      type: "object",
      default: {},
      additionalProperties: { type: "integer", minimum: 1, maximum: 1e9 },
      description: "nodes that join later, by name, and the number of the sample before which each does",
    },
    start: choice(
      ["group", "nothing"],
      "group",
      "how a newcomer's own learner starts. group: from a first checkpoint, which the gateway makes of the group's labels; nothing: untrained",
    ),
  },
);

/** Groups that a task may bring of its own, instead of the scenario's. */
const { default: _node, ...TASK_NODE } = namedOr("this task's nodes, instead of `node`");
function taskLabels(catalogue: Catalogue) {
  const meaning = "what goes wrong with this task's labels, instead of `labels`";
  const { default: _, ...off } = group(meaning, labels(catalogue));
  return off;
}

const task = (catalogue: Catalogue) => ({
  type: "object",
  additionalProperties: false,
  required: ["name", "task"],
  properties: {
    name: { type: "string", minLength: 1, description: "name in tables and reports" },
    task: {
      enum: ["novelty", "faults", "classification", "regression"],
      description:
        "novelty: find the events as recorded; faults: predict 'faulty now' while faults are injected; classification, regression: the stream's label",
    },
    learners: list(
      LEARNER,
      { minItems: 1 },
      "each runs in a network of its own; default: the learner of the node's file",
    ),
    classes: list(
      { type: "string", pattern: "^\\S(.*\\S)?$" },
      { minItems: 2, maxItems: CLASSES_MAX, uniqueItems: true },
      "names of the classes, in the order of the learner's labels: -1 and +1 (events, faults), or 0, 1, 2 and so on; of task novelty the novelty (-1), then the usual. Default: the labels of the stream, numbers by size, words by alphabet; of task novelty -1, else the rarer of two, is the novelty",
    ),
    faults: FAULTS,
    labels: taskLabels(catalogue),
    node: TASK_NODE,
  },
});

/** The schema with the stages of that catalogue. */
export const scenarioSchema = (catalogue: Catalogue) => ({
  type: "object",
  additionalProperties: false,
  required: ["schema", "stream", "tasks"],
  properties: {
    $schema: { type: "string", description: "where an editor finds this schema; not read" },
    schema: { const: SCENARIO_VERSION, description: "version of this format" },
    name: { type: "string", default: "scenario", description: "short name" },
    title: { type: "string", default: "", description: "the report's heading" },
    seed: count("seed of everything random", 0, 1, 0xffffffff),
    stream: STREAM,
    node: namedOr("every node, or the path of a node's file"),
    signal: group("what goes wrong with the readings", stages(catalogue.signalStages)),
    labels: group("what goes wrong with labels", labels(catalogue)),
    link: group("the line between each node and its peer, both ways, which speaks the wire's own protocol", {
      baud: count("bits a second, ten to a byte", 300, 115_200, 10_000_000),
      loss: rate("share of frames dropped (and sent again)", 0.95),
      duplicates: rate("share of frames that arrive twice"),
      reorder: count("samples by which a frame may be overtaken", 0, 0, 1000),
      byteErrors: rate("share of bytes that arrive changed", 0.05),
      stalls: group("times at which the line holds everything back, and loses nothing", {
        rate: rate("share of frames at which it stalls", 0.5),
        lengthMs: amount("mean length, milliseconds", 500, 1, 3_600_000),
      }),
      cuts: group("times at which all that is on the line is lost", {
        count: count("cuts of each node's line", 0, 0, 10_000),
        lengthMs: amount("length, milliseconds", 1000, 0, 3_600_000),
      }),
      window: count("labels on their way at once, which the node can hold", 1, 16, 1024),
      resendAfter: count("samples after which a label is sent again", 1, 4, 10_000),
      framing: choice(
        ["records", "bytes", "keyed"],
        "records",
        "records: messages stay records, with the lengths, times and damage of their frames: the same results at less cost; bytes: each frame is made, stuffed and checked; keyed: as bytes, and the line has a key, which follows from the seed",
      ),
    }),
    power: group("times at which a node's power fails: it loses what no checkpoint holds, and restarts", {
      at: {
        type: "array",
        items: { type: "integer", minimum: 1, maximum: 1e9 },
        default: [],
        description: "samples after which it fails, of every node",
      },
      count: count("further failures of each node, at random", 0, 0, 10_000),
      off: amount("samples for which it stays off", 1, 0),
      duringSave: rate("share of failures that fall within the next write of a checkpoint"),
    }),
    outages: group(
      "times at which a node is off: it samples nothing and nothing reaches it; its memory lasts",
      {
        count: count("outages of each node", 0, 0, 10000),
        lengthMean: amount("mean length, samples", 50, 1),
      },
    ),
    fusion: group("the fusion centre", {
      rule: choice(
        ["oracle", "majority", "chair-varshney"],
        "oracle",
        "oracle: each node's label as it came; majority, chair-varshney: one label for all nodes that see one scene, from their votes",
      ),
    }),
    together: TOGETHER,
    tasks: list(task(catalogue), { minItems: 1 }, "what the nodes learn, one network a learner"),
  },
});

export const SCENARIO_SCHEMA = scenarioSchema(Catalogue.shipped);

/**
 * The schema of scenario files as editors take it: `motelearn simulate --schema`, and
 * `host-sim/scenario.schema.json`.
 */
export const scenarioJsonSchema = (catalogue = Catalogue.shipped) => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  title: SCENARIO_VERSION,
  description: "A scenario of motelearn simulate: streams, nodes, and what goes wrong.",
  ...scenarioSchema(catalogue),
});
