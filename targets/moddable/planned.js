// The SDK's linker computes what follows from a node's options that a tool has checked. So a firmware carries these results in place of
// the functions, of what only they use, and of the tables of options.
import config from "mc/config";
import { Layout } from "motelearn/dist/moddable/src/memory/layout";
import { isChecked } from "./carried.js";
import { TABLES } from "./lean-frozen.js";

/** The functions' results, by the functions' names. They take no arguments into account: a firmware has one node. */
class Plan {
  constructor() {
    this.results = {};
  }
  expansionLayout() {
    return this.results.expansionLayout;
  }
  featureDimension() {
    return this.results.featureDimension;
  }
  learnerOptions() {
    return this.results.learnerOptions;
  }
  nodeLayout() {
    return this.results.nodeLayout;
  }
  nodeSchema() {
    return this.results.nodeSchema;
  }
  countSensors() {
    return this.results.countSensors;
  }
  resolveOptions() {
    return this.results.resolveOptions;
  }
  resolveFeatures() {
    return this.results.resolveFeatures;
  }
  resolveNode() {
    return this.results.resolveNode;
  }
  resolveStandardiser() {
    return this.results.resolveStandardiser;
  }
  standardiserLayout() {
    return this.results.standardiserLayout;
  }
}

/** Has each function of options in front of its result's method, until `planned`. */
export const PLAN = new Plan();

const { node } = config;
/** Not where ranges come from the sensors. */
const isPlanned = isChecked && node.channels !== undefined && node.options.storage !== "q15";

/** All results of each function while `act` runs. */
function recordResults(act) {
  const results = new Map();
  const own = { ...PLAN };
  for (const [name, call] of Object.entries(own)) {
    if (typeof call !== "function") continue;
    const all = [];
    results.set(name, all);
    PLAN[name] = (...given) => {
      const result = call(...given);
      if (given[0] !== "node") all.push(result);
      return result;
    };
  }
  act();
  Object.assign(PLAN, own);
  return results;
}

const isSame = (all) => all.every((one) => JSON.stringify(one) === JSON.stringify(all[0]));

/** Replaces those functions that always had the same result. */
function replace(results) {
  for (const [name, all] of results) {
    if (!isSame(all) || all.length === 0) delete Plan.prototype[name];
    else PLAN.results[name] = Object.freeze(all[0]);
    if (isSame(all)) delete PLAN[name];
  }
  if ([...results.values()].every((all) => isSame(all))) delete Layout.prototype.parts;
}

/** The learner as a firmware has it. Call it last. */
export function planned(learner) {
  if (!isPlanned) {
    for (const name of Object.keys(PLAN)) delete Plan.prototype[name];
    for (const one of [PLAN, ...TABLES]) Object.freeze(one);
    return learner;
  }
  const options = { ...node, learner, sid: 1 };
  replace(recordResults(() => PLAN.nodeSchema(options)));
  if (PLAN.results.resolveOptions)
    for (const table of TABLES) for (const name of Object.keys(table)) delete table[name];
  for (const one of [PLAN.results, PLAN, ...TABLES]) Object.freeze(one);
  const { name, task, layout, create } = learner;
  return Object.freeze({ name, task, layout, create });
}
