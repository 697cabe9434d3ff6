import { UserError } from "../../host/errors.ts";
import { type Family, takesBudget, type UserOptions } from "../../src/learn/family.ts";
import type { Learner } from "../../src/learn/learner.ts";
import type { Layout } from "../../src/memory/layout.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import { Explainer } from "../../tools/explanation/explanation.ts";
import { featureNames, readingNames } from "../../tools/explanation/feature-names.ts";
import type { Hello } from "../../tools/session/hello.ts";

/** The data of a node needed to follow its learner. */
export interface FollowedNode {
  readonly name: string;
  readonly hello: Hello;
  /** Its learner's budget in vectors, from its statistics. */
  readonly capacity: number;
  /** Its learner's options in the fleet file that aren't defaults. */
  readonly options?: { readonly [name: string]: unknown };
  /** What it makes of its readings, and their names, as the fleet file has them. */
  readonly features?: FeaturesOption;
  readonly channels?: readonly { readonly name: string }[];
  /** The names of its classes, in the order of their targets. */
  readonly classes?: readonly string[];
}

/** The node's learner, as far as it is known. */
export function makeLearner(family: Family, node: FollowedNode): Learner {
  return family.create(learnerForm(family, node));
}

/** The layout of that learner's memory, without making it: how large it is is the node's own word. */
export function learnerLayout(family: Family, node: FollowedNode): Layout {
  return family.layout(learnerForm(family, node));
}

function learnerForm(family: Family, node: FollowedNode): UserOptions {
  return { dimension: node.hello.dimension, ...learnerOptions(family, node) };
}

export function learnerOptions(family: Family, { capacity, options = {} }: FollowedNode) {
  return { ...(takesBudget(family, options) && { budget: capacity }), ...options };
}

/** Throws a UserError for a learner whose decisions aren't explained here: a class shows too little of the state that led to it. */
export function makeExplainer(learner: Learner, family: Family, node: FollowedNode): Explainer {
  if (learner.task === "multiclass")
    throw new UserError(
      `${family.name} of several classes: the gateway explains decisions between two; export the samples, and take motelearn explain`,
    );
  return new Explainer(learner, family, node.options ?? {}, inputNames(node));
}

/** What the learner's inputs are called. */
export function inputNames({ hello, channels = [], features }: FollowedNode): string[] {
  const known = channels.map(({ name }) => name);
  return featureNames(readingNames(hello.channels, known), features);
}
