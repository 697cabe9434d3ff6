import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dualAscent } from "./dual-ascent.ts";
import type { Model, Outcome } from "./expansion.ts";
import { fogd, nogd } from "./features.ts";
import * as kernels from "./kernel-classifiers.ts";
import * as squares from "./least-squares.ts";
import * as linear from "./linear.ts";
import { merging } from "./merging.ts";
import { oskm } from "./oskm.ts";

/** The model of a trace, by the beginning of its name; the first that fits. */
const MODELS: readonly (readonly [name: RegExp, model: Model])[] = [
  [/^olk_c/, kernels.olkC],
  [/^olk_n/, kernels.olkN],
  [/^olk_r/, kernels.olkR],
  [/^norma_c/, kernels.normaC],
  [/^norma_n/, kernels.normaN],
  [/^norma_r/, kernels.normaR],
  [/^kernel_perceptron_regression/, kernels.kernelPerceptronR],
  [/^kernel_perceptron/, kernels.kernelPerceptron],
  [/^forgetron/, kernels.forgetron],
  [/^projectron_pp/, kernels.projectronPlusPlus],
  [/^projectron/, kernels.projectron],
  [/^bsgd/, kernels.bsgd],
  [/^dual/, dualAscent],
  [/^krls_ald_discard/, squares.krlsAldDiscard],
  [/^krls_ald/, squares.krlsAld],
  [/^krls_nc/, squares.krlsNovelty],
  [/^krls_sc/, squares.krlsSurprise],
  [/^qkrls/, squares.qkrls],
  [/^qklms/, squares.qklms],
  [/^qkapa/, squares.qkapa],
  [/^i?lol/, linear.lol],
  [/^pa1/, linear.passiveAggressive],
  [/^perceptron/, linear.perceptron],
  [/^pegasos/, linear.pegasos],
  [/^arow/, linear.arow],
  [/^cw_var/, linear.cwVariance],
  [/^cw/, linear.cw],
  [/^scw1/, linear.scw1],
  [/^scw2/, linear.scw2],
  [/^fogd/, fogd],
  [/^nogd/, nogd],
  [/^oskm/, oskm],
];

export const FOLDER = join(process.cwd(), "test/traces");

/** The traces by name. */
export function traceNames(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .sort();
}

// biome-ignore lint/suspicious/noExplicitAny: each algorithm's file has a form of its own.
export function readModelFile(name: string): any {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"));
}

/** The double-precision model's output for a trace's inputs, labels and options. */
export function modelled(name: string): Outcome {
  const file = readModelFile(name);
  if (file.maintenance === "merge") return merging(file);
  const [, model] = MODELS.find(([of]) => of.test(name)) ?? [];
  if (!model) throw new Error(`test/traces/${name}.json: test/learn/reference has no model of it`);
  return model(file);
}
