// Whether targets/costs.json, which plan reckons with, holds for what just ran on the emulated chips.
import { readFileSync } from "node:fs";
import { loadModel } from "../bundle.mjs";
import { check } from "./checks.mjs";

const costs = JSON.parse(readFileSync(new URL("../../costs.json", import.meta.url), "utf8"));
const model = await loadModel();
/** How far the costs that plan reckons with may lie from those of a run. */
const STALE = 0.05;
/** The largest of thousands of steps may be one whose like the few hundred of build:costs didn't have: CW's, when it rescales. */
const STALE_LEARN = 0.5;

/** targets/costs.json holds for what just ran; else npm run build:costs is due. */
export function checkCosts(isa, run, { dimension }, outcome) {
  const fits = costs.instructions[isa].learners[run];
  if (!fits) return; // the node, and several classes
  const terms = model.learnerTerms(outcome.size, dimension);
  const error = ({ coefficients }, ran) => Math.abs(model.cost(coefficients, terms) / ran - 1);
  const errors = [error(fits.predict, outcome.perPredict), error(fits.learn, outcome.mostPerStep)];
  const holds = errors[0] <= STALE && errors[1] <= STALE_LEARN;
  check(
    `${run}: ${isa} costs what targets/costs.json says (npm run build:costs makes it anew)`,
    holds,
    errors,
  );
}

/**
 * What plan reckons for the usual node (programs/loops.ts), and for it behind its wire (programs/wire-loop.ts), from its parts:
 * slots, chunk bytes, instructions of a step.
 */
export function checkNode(isa, run, outcome) {
  const { learners, window, standardise } = costs.objects;
  const parts = [costs.engine, learners["olk-c"], window, window, window, standardise];
  if (run === "wire") parts.push(costs.wire);
  const planned = (of) => parts.reduce((sum, part) => sum + part[of], 0);
  const shape = { channels: 3, window: 8, standardise: true, dimension: 9 };
  const { predict, learn } = costs.instructions[isa].learners["olk-c"];
  const terms = model.learnerTerms(outcome.size, shape.dimension);
  const learner = model.cost(predict.coefficients, terms) + model.cost(learn.coefficients, terms);
  const own = model.cost(costs.instructions[isa].node.coefficients, model.nodeTerms(shape));
  const wire = run === "wire" ? costs.instructions[isa].wire : 0;
  const ratios = [
    planned("slots") / outcome.slots,
    (planned("chunk") + outcome.buffers) / outcome.chunks,
    (own + learner + wire) / outcome.perStep,
  ];
  const holds = ratios.every((ratio) => Math.abs(ratio - 1) <= STALE);
  check(
    `${run}: ${isa} takes what targets/costs.json says (npm run build:costs makes it anew)`,
    holds,
    ratios,
  );
}
