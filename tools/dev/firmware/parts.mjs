// The parts of a node that a firmware carries only if its configuration asks for them: see
// targets/moddable/carried.js.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Each module's classes and functions that only one part uses, with the part's name. */
const PARTS = {
  "src/dictionary/grid.js": { checks: ["checkStorage"] },
  "src/learn/options.js": { checks: ["checkGiven", "refuseFormerNames"] },
  "src/node/node.js": { checks: ["checkForTask"] },
  "src/node/framing.js": { checks: ["inRange"] },
  "src/node/station.js": { checks: ["checkOptions"] },
  "src/start/start-node.js": { checks: ["checkPeriod"] },
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
  "src/learn/width-probe.js": { width: ["WidthProbe"] },
};

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

/** The bundler's plugin, for modules in `folder`, and carried.js at that path. */
export function ofParts(folder, carried) {
  const files = new Map(Object.entries(PARTS).map(([file, parts]) => [join(folder, file), parts]));
  return {
    name: "parts",
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        const parts = files.get(path);
        return parts && { contents: carrying(readFileSync(path, "utf8"), parts, carried) };
      });
    },
  };
}
