import { dirname } from "node:path";
import { isJsonObject } from "../../host/json.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import { type NodeText, rangesIn, readNodeFile } from "./node-file.ts";
import { NODE } from "./scenario-schema.ts";

type Json = { readonly [key: string]: unknown };

/** The node file that a scenario's or a task's `node` names, and the keys beside it, which override the file's. */
function namedBy(node: unknown): { readonly file: string; readonly own: Json } | undefined {
  if (typeof node === "string") return { file: node, own: {} };
  const { file, ...own } = Object(node) as Json;
  return typeof file === "string" ? { file, own } : undefined;
}

/** The node as a scenario has it: paths are relative to the scenario again. */
function nodeSettings(node: NodeText): Json {
  const ranges = rangesIn(node);
  const all: Json = { ...node, ...(ranges && { ranges }) };
  return Object.fromEntries(
    Object.keys(NODE.properties).flatMap((key) => (key in all ? [[key, all[key]]] : [])),
  );
}

/** A node's classes in the order of a task. Task novelty and a novelty learner have the novelty first; all others have the event second. */
function taskClasses({ task }: Json, learner: string, classes: readonly string[]): readonly string[] {
  const isNovelty = Catalogue.shipped.learner(learner)?.task === "novelty";
  return classes.length === 2 && isNovelty !== (task === "novelty") ? [...classes].reverse() : classes;
}

/** A task whose node the file has: with its learner and classes, unless it names others. */
function namedTask(task: Json, { learner, options = {}, classes }: NodeText): Json {
  const names = typeof classes === "object" &&
    task.task !== "regression" && { classes: taskClasses(task, learner, classes) };
  return { learners: [{ learner, options }], ...names, ...task };
}

/** The labels for which such nodes ask. */
function labelSettings(labels: unknown, { labelBudget }: NodeText): Json {
  return { ...(labelBudget && { budget: labelBudget }), ...Object(labels) };
}

/**
 * A scenario with the node files that it names read in, before any check of its keys: what a file says stands unless the scenario says otherwise.
 * Throws a UserError for a node file that is wrong.
 */
export function withNodeFiles(scenario: unknown, source: string): unknown {
  if (!isJsonObject(scenario)) return scenario;
  const whole = scenario as Json;
  const named = namedBy(whole.node);
  const node = named && readNodeFile(named.file, dirname(source));
  const tasks =
    Array.isArray(whole.tasks) &&
    whole.tasks.map((task) => withOwnNode(node ? namedTask(task, node) : task, whole, source));
  return {
    ...whole,
    ...(tasks && { tasks }),
    ...(node && {
      node: { ...nodeSettings(node), ...named.own },
      labels: labelSettings(whole.labels, node),
      link: { ...(node.labelWindow && { window: node.labelWindow }), ...Object(whole.link) },
    }),
  };
}

/** A task whose own `node` may name a file. */
function withOwnNode(task: Json, { labels }: Json, source: string): Json {
  const named = namedBy(Object(task).node);
  if (!named) return task;
  const node = readNodeFile(named.file, dirname(source));
  const asks = node.labelBudget && { labels: labelSettings(task.labels ?? labels, node) };
  return { ...namedTask(task, node), node: { ...nodeSettings(node), ...named.own }, ...asks };
}
