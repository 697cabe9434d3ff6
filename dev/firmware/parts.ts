// The parts of a node that a firmware carries only if its configuration asks for them: see
// targets/moddable/carried.js.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Plugin } from "esbuild";
import ts from "typescript-5";
import { applyEdits, byPlace, type Edit } from "./edited.ts";
import { parse } from "./syntax.ts";

/** Of each module, names by what they belong to. */
type Table<Of> = { readonly [module: string]: Of };
type Names = { readonly [part: string]: readonly string[] };

/** Each module's classes and functions that only one part uses, with the part's name. */
const PARTS: Table<Names> = {
  "src/dictionary/grid.js": { checks: ["checkStorage"], q15: ["isOutsideGrid", "writeGrid"] },
  "src/kernel/kernel.js": { linear: ["Linear"], polynomial: ["Polynomial"] },
  "src/learn/options.js": { checks: ["checkGiven"] },
  "src/node/node-options.js": { checks: ["checkForTask"] },
  "src/node/classes.js": { checks: ["checkClasses"] },
  "src/node/framing.js": { checks: ["inRange"] },
  "src/node/station-options.js": { checks: ["checkOptions"] },
  "src/start/start-node.js": {
    checks: ["checkPeriod"],
    host: ["describe"],
    sleep: ["awaken", "fits", "resume"],
  },
  "src/node/ranges.js": { checks: ["checkLabelRange", "checkRanges"] },
  "src/node/assembly.js": { recorded: ["Assembly"] },
  "src/node/drift-alarms.js": { drift: ["DriftAlarms"] },
  "src/node/fleet-model.js": { fleet: ["FleetModel"] },
  "src/node/ordered-intake.js": { "label key": ["OrderedIntake"] },
  "src/node/label-requests.js": { requests: ["LabelRequests"] },
  "src/node/prediction-intervals.js": { coverage: ["PredictionIntervals"] },
  "src/node/prediction-sets.js": { coverage: ["PredictionSets"] },
  "src/start/sleep.js": { sleep: ["RetainedNode", "Sleeper", "retainedBytes", "resolveSleep"] },
  "src/wire/keyed.js": { key: ["KeyedNode"] },
  "src/wire/label-tag.js": { "label key": ["LabelTag"] },
  "src/signal/features.js": { checks: ["checkWavelet"] },
  "src/signal/spectrum.js": { checks: ["checkSpectrum"], spectrum: ["measureSpectrum", "spectrumFeatures"] },
  "src/signal/standardiser.js": { checks: ["checkStandardiser"], standardise: ["Standardiser"] },
  "src/signal/wavelet.js": { wavelet: ["waveletBands"] },
  "src/signal/window.js": { window: ["SlidingWindow"] },
  "src/learn/balanced.js": { balance: ["Balanced", "offerBalance"] },
  "src/learn/committee.js": { bytes: ["Committee", "committeeLayout"] },
  "src/learn/shared-classes.js": { several: ["SharedClasses", "sharedLayout"] },
  "src/learn/shared-planes.js": { several: ["SharedPlanes", "sharedPlanesLayout"] },
  "src/learn/false-alarms.js": { alarms: ["FalseAlarms"] },
  "src/learn/knn.js": { neighbours: ["Knn", "knnLayout"] },
  "src/learn/label-noise.js": { sources: ["CorrectedTarget"] },
  "src/learn/residual.js": { residual: ["Residual"] },
  "src/learn/linear-part.js": { sources: ["LinearPart"] },
  "src/learn/width-probe.js": { width: ["WidthProbe"] },
  "src/learn/width-search.js": { width: ["WidthSearch"] },
};

/** Functions of a node's options, whose results a firmware may carry in their place: see targets/moddable/planned.js. */
const PLANNED: Table<readonly string[]> = {
  "src/learn/expansion-layout.js": ["expansionLayout"],
  "src/learn/options.js": ["resolveOptions"],
  "src/node/node-layout.js": ["nodeLayout"],
  "src/node/node-options.js": ["learnerOptions", "resolveNode"],
  "src/node/schema.js": ["nodeSchema"],
  "src/signal/features.js": ["featureDimension", "countSensors", "resolveFeatures"],
  "src/signal/standardiser.js": ["resolveStandardiser", "standardiserLayout"],
};

export const PLAN_NAMES = ["results", ...Object.values(PLANNED).flat()];

/** Methods that only one part calls, by module and class; "host": that no firmware calls. */
const METHODS: Table<{ readonly [part: string]: Names }> = {
  "src/learn/learner.js": { host: { Learner: ["count"] } },
  "src/store/checkpoint-store.js": { host: { CheckpointStore: ["reason"] } },
  "src/learn/expansion.js": {
    sources: {
      KernelExpansion: ["insertCorrected", "learnCorrected", "projectOntoNearest", "stepCorrected"],
    },
  },
  "src/learn/kernel-function.js": { sources: { KernelFunction: ["withLinearPart"] } },
  "src/node/node.js": {
    coverage: { SensorNode: ["makeCoverage"] },
    drift: { SensorNode: ["alarmRemarks"] },
    fleet: { SensorNode: ["learnTogether"] },
    host: { SensorNode: ["count"] },
    "label key": { SensorNode: ["refuseForged"] },
    remarks: { SensorNode: ["margin", "remarks"] },
  },
  "src/node/list-reports.js": { fleet: { ListReports: ["sendFeatures"] } },
  "src/node/station.js": { fleet: { Station: ["learned"] }, recorded: { Station: ["assemble"] } },
  "src/signal/features.js": { window: { Features: ["ofWindows"] } },
  "src/wire/encoder.js": { key: { Encoder: ["seal"] } },
  "src/wire/receiver.js": { key: { Receiver: ["openKeyed"] } },
};

type Declaration = (ts.ClassDeclaration | ts.FunctionDeclaration) & { readonly name: ts.Identifier };

const isDeclaration = (node: ts.Node): node is Declaration =>
  (ts.isClassDeclaration(node) || ts.isFunctionDeclaration(node)) && node.name !== undefined;

/** What takes the place of declarations of a module, and what follows at its end. */
class Rewriting {
  readonly edits: Edit[] = [];
  readonly lines: string[] = [];
  private readonly declarations: readonly Declaration[];

  constructor(
    private readonly module: string,
    text: string,
  ) {
    this.declarations = parse(text).statements.filter(isDeclaration);
  }

  /** The declaration of that name. Throws an Error if there is none. */
  find(name: string): Declaration {
    const found = this.declarations.find((one) => one.name.text === name);
    if (!found) throw new Error(`parts.ts: no class or function ${name} in ${this.module}`);
    return found;
  }

  /** Gives a declaration another name, which no other module knows. Returns `export `, if others know it by its own. */
  rename(node: Declaration, by: string): string {
    const kind = ts.isClassDeclaration(node) ? "class" : "function";
    this.edits.push([node.getStart(), node.name.end, `${kind} ${by}`]);
    return node.modifiers?.some((one) => one.kind === ts.SyntaxKind.ExportKeyword) ? "export " : "";
  }

  /** Deletes methods of a class if their part isn't carried. */
  deleteMethods(part: string, of: string, methods: readonly string[]): void {
    const names = (this.find(of) as ts.ClassDeclaration).members.map(({ name }) => name?.getText());
    for (const method of methods) {
      if (!names.includes(method)) throw new Error(`parts.ts: no method ${of}.${method} in ${this.module}`);
      this.lines.push(`if (isLeftOut("${part}")) delete ${of}.prototype.${method};`);
    }
  }

  /** Gives a name its value only if the part is carried. */
  carry(part: string, name: string): void {
    const node = this.find(name);
    const choose = ts.isClassDeclaration(node) ? "carriedClass" : "carriedFunction";
    const exported = this.rename(node, `own${name}`);
    this.lines.push(`${exported}const ${name} = ${choose}("${part}", own${name});`);
  }

  /** Has a function of options called by way of the plan. */
  plan(name: string): void {
    const node = this.find(name) as ts.FunctionDeclaration;
    const exported = this.rename(node as Declaration, `plan${name}`);
    const options = node.parameters.map((_, i) => `given${i}`).join(", ");
    this.lines.push(`PLAN.${name} = plan${name};`);
    this.lines.push(`${exported}function ${name}(${options}) { return PLAN.${name}(${options}); }`);
  }
}

const importText = (names: string, path: string) => `import { ${names} } from ${JSON.stringify(path)};\n`;

/** The text of a module, which carries its parts as carried.js says, and if it `plans` the results of planned.js. */
function withParts(text: string, module: string, moddable: string, plans: boolean): string {
  const [methods, parts] = [METHODS[module] ?? {}, PARTS[module] ?? {}];
  const functions = plans ? (PLANNED[module] ?? []) : [];
  const rewriting = new Rewriting(module, text);
  for (const [part, classes] of Object.entries(methods))
    for (const [of, names] of Object.entries(classes)) rewriting.deleteMethods(part, of, names);
  for (const [part, names] of Object.entries(parts)) for (const name of names) rewriting.carry(part, name);
  for (const name of functions) rewriting.plan(name);
  const { edits, lines } = rewriting;
  if (lines.length === 0) return text;
  const called = ["carriedClass", "carriedFunction", "isLeftOut"].filter((name) =>
    lines.some((line) => line.includes(`${name}(`)),
  );
  const heads = [
    called.length > 0 ? importText(called.join(", "), join(moddable, "carried.js")) : "",
    functions.length > 0 ? importText("PLAN", join(moddable, "planned.js")) : "",
  ];
  const own = applyEdits(text, edits.sort(byPlace));
  return `${heads.join("")}${own}\n${lines.join("\n")}\n`;
}

/**
 * The bundler's plugin for modules in `folder`, with carried.js, and where a module `plans` its node planned.js, in `moddable`. It rewrites
 * a module once for all bundles.
 */
export function ofParts(folder: string, moddable: string, plans: boolean): Plugin {
  const rewritten = new Map<string, string>();
  return {
    name: "parts",
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        const contents =
          rewritten.get(path) ??
          withParts(readFileSync(path, "utf8"), relative(folder, path), moddable, plans);
        rewritten.set(path, contents);
        return { contents };
      });
    },
  };
}
