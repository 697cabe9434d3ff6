// The parts of a node that a firmware carries only if its configuration asks for them: see
// targets/moddable/carried.js.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Each module's classes and functions that only one part uses, with the part's name. */
const PARTS = {
  "src/dictionary/grid.js": { checks: ["checkStorage"], q15: ["isOutsideGrid", "writeGrid"] },
  "src/kernel/kernel.js": { linear: ["Linear"], polynomial: ["Polynomial"] },
  "src/learn/options.js": { checks: ["checkGiven"] },
  "src/node/node.js": { checks: ["checkForTask"] },
  "src/node/classes.js": { checks: ["checkClasses"] },
  "src/node/framing.js": { checks: ["inRange"] },
  "src/node/station.js": { checks: ["checkOptions"] },
  "src/start/start-node.js": {
    checks: ["checkPeriod"],
    host: ["described"],
    sleep: ["awaken", "fits", "resumed"],
  },
  "src/node/ranges.js": { checks: ["checkLabelRange", "checkRanges"] },
  "src/node/assembly.js": { recorded: ["Assembly"] },
  "src/node/drift-alarms.js": { drift: ["DriftAlarms"] },
  "src/node/label-requests.js": { requests: ["LabelRequests"] },
  "src/node/prediction-intervals.js": { coverage: ["PredictionIntervals"] },
  "src/node/prediction-sets.js": { coverage: ["PredictionSets"] },
  "src/start/sleep.js": { sleep: ["RetainedNode", "Sleeper", "retainedBytes", "settleSleep"] },
  "src/wire/keyed.js": { key: ["KeyedNode"] },
  "src/wire/label-tag.js": { "label key": ["LabelTag"] },
  "src/signal/features.js": { checks: ["checkWavelet"] },
  "src/signal/spectrum.js": { checks: ["checkSpectrum"], spectrum: ["measureSpectrum", "spectrumFeatures"] },
  "src/signal/standardiser.js": { checks: ["checkStandardiser"], standardise: ["Standardiser"] },
  "src/signal/wavelet.js": { wavelet: ["waveletBands"] },
  "src/signal/window.js": { window: ["SlidingWindow"] },
  "src/learn/label-noise.js": { sources: ["CorrectedTarget"] },
  "src/learn/linear-part.js": { sources: ["LinearPart"] },
  "src/learn/width-probe.js": { width: ["WidthProbe"] },
};

/** Functions of a node's options, whose results a firmware may carry in their place: see targets/moddable/planned.js. */
const PLANNED = {
  "src/learn/expansion.js": ["expansionLayout"],
  "src/learn/options.js": ["settle"],
  "src/node/node.js": ["learnerOptions", "nodeLayout", "settleNode"],
  "src/node/schema.js": ["nodeSchema"],
  "src/signal/features.js": ["featureDimension", "sensorsOf", "settleFeatures"],
  "src/signal/standardiser.js": ["settleStandardiser", "standardiserLayout"],
};

/** Classes whose static functions only a function of options calls: planned.js deletes them with it. */
const OWNERS = {
  "src/dictionary/dictionary.js": ["OF_EXPANSIONS", "Dictionary"],
  "src/learn/linear-part.js": ["OF_EXPANSIONS", "LinearPart"],
  "src/learn/width-probe.js": ["OF_EXPANSIONS", "WidthProbe"],
  "src/node/drift-alarms.js": ["OF_NODES", "DriftAlarms"],
  "src/node/label-requests.js": ["OF_NODES", "LabelRequests"],
  "src/node/pending.js": ["OF_NODES", "PendingRing"],
  "src/node/prediction-intervals.js": ["OF_NODES", "PredictionIntervals"],
  "src/node/prediction-sets.js": ["OF_NODES", "PredictionSets"],
  "src/node/reorder-buffer.js": ["OF_NODES", "ReorderBuffer"],
  "src/signal/standardiser.js": ["OF_NODES", "Standardiser"],
};

/** Names of properties of a plan. */
export const PLAN_NAMES = ["results", ...Object.values(PLANNED).flat()];

/** Names for the parameters of a function that takes those. */
function parametersLike(parameters) {
  const each = parameters.replace(/\{[^}]*\}/g, "_").split(",");
  return each.map((_, i) => `given${i}`).join(", ");
}

/** The module's text, with its functions of options called by way of the plan. */
function planning(text, names, owner, planned) {
  let own = text;
  const more = [];
  for (const name of names) {
    const form = new RegExp(`^(export )?function ${name}\\(([^)]*)\\)`, "m");
    const [declared, isExported = "", parameters] = form.exec(own) ?? [];
    if (!declared) throw new Error(`parts.mjs: no function ${name} in its module`);
    const given = parametersLike(parameters);
    own = own.replace(declared, `function plan${name}(${parameters})`);
    more.push(`PLAN.${name} = plan${name};`);
    more.push(`${isExported}function ${name}(${given}) { return PLAN.${name}(${given}); }`);
  }
  if (owner) more.push(`${owner[0]}.push(${new RegExp(`\\bclass ((?:own)?${owner[1]})\\b`).exec(own)[1]});`);
  if (more.length === 0) return text;
  return `import { OF_EXPANSIONS, OF_NODES, PLAN } from ${JSON.stringify(planned)};\n${own}\n${more.join("\n")}\n`;
}

/** Methods that only one part calls, by module and class; "host": that no firmware calls. */
const METHODS = {
  "src/learn/learner.js": { host: { Learner: ["count"] } },
  "src/store/checkpoint-store.js": { host: { CheckpointStore: ["reason"] } },
  "src/learn/expansion.js": {
    sources: { KernelExpansion: ["admit", "approach", "learnCorrected", "lend", "withLinearPart"] },
  },
  "src/node/node.js": {
    coverage: { SensorNode: ["makeCoverage"] },
    drift: { SensorNode: ["alarmRemarks"] },
    host: { SensorNode: ["count"] },
    "label key": { SensorNode: ["refuseForged"] },
    remarks: { SensorNode: ["margin", "remarks"] },
  },
  "src/node/station.js": { recorded: { Station: ["assemble"] } },
  "src/signal/features.js": { window: { Features: ["ofWindows"] } },
  "src/wire/encoder.js": { key: { Encoder: ["seal"] } },
  "src/wire/receiver.js": { key: { Receiver: ["openKeyed"] } },
};

/** The module's text, which deletes methods of parts that aren't carried. */
function withoutMethods(text, parts, carried) {
  const lines = Object.entries(parts).flatMap(([part, classes]) =>
    Object.entries(classes).flatMap(([name, methods]) =>
      methods.map((method) => {
        if (!new RegExp(`^ +(get )?${method}\\(`, "m").test(text))
          throw new Error(`parts.mjs: no method ${name}.${method}`);
        return `if (isLeftOut("${part}")) delete ${name}.prototype.${method};`;
      }),
    ),
  );
  return `import { isLeftOut } from ${JSON.stringify(carried)};\n${text}\n${lines.join("\n")}\n`;
}

/** The module's text, where a part's name has its value only if the part is carried. */
function carrying(text, parts, carried) {
  const exported = [];
  let own = text;
  for (const [part, names] of Object.entries(parts)) {
    for (const name of names) {
      const form = new RegExp(`^(export )?(class|function) ${name}\\b`, "m");
      const [declared, isExported = "", kind] = form.exec(own) ?? [];
      if (!declared) throw new Error(`parts.mjs: no class or function ${name} in its module`);
      own = own.replace(declared, `${kind} own${name}`);
      exported.push(`${isExported}const ${name} = ${kind}Of("${part}", own${name});`);
    }
  }
  return `import { classOf, functionOf } from ${JSON.stringify(carried)};\n${own}\n${exported.join("\n")}\n`;
}

/** The bundler's plugin for modules in `folder`, with carried.js, and where a module `plans` its node planned.js, in `moddable`. */
export function ofParts(folder, moddable, plans) {
  const carried = join(moddable, "carried.js");
  const planned = join(moddable, "planned.js");
  const at = (table) => new Map(Object.entries(table).map(([file, of]) => [join(folder, file), of]));
  const [parts, functions, owners, methods] = [at(PARTS), at(PLANNED), at(OWNERS), at(METHODS)];
  return {
    name: "parts",
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        const text = readFileSync(path, "utf8");
        const own = parts.get(path);
        const called = methods.get(path);
        const complete = called ? withoutMethods(text, called, carried) : text;
        const whole = own ? carrying(complete, own, carried) : complete;
        const contents = plans
          ? planning(whole, functions.get(path) ?? [], owners.get(path), planned)
          : whole;
        return contents === text ? undefined : { contents };
      });
    },
  };
}
