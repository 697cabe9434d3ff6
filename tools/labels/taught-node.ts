import { UserError } from "../../host/errors.ts";
import { ClassNames } from "../../host/streams/class-names.ts";
import type { Task } from "../../src/learn/learner.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { classesOfNode, describedOptions, type NodeDescription } from "../session/description.ts";
import type { Hello } from "../session/hello.ts";

/** What a source needs to know of the node that it teaches. */
export interface TaughtNode {
  /** What its learner learns; undefined: the learner isn't known here. */
  readonly task?: Task;
  /** Its classes; undefined: labels are numbers. */
  readonly classes?: ClassNames;
  /** Samples that may wait for a label. */
  readonly pending: number;
}

/**
 * The node as its source sees it. `given`: names of the classes of a node that names none itself. Throws a UserError for names that can't be
 * the node's.
 */
export function makeTaughtNode(
  hello: Hello,
  description?: NodeDescription,
  options?: readonly string[],
): TaughtNode {
  const described = describedOptions(description);
  const task = (described?.learner ?? familyNamed(hello.learner))?.task;
  const own = classesOfNode(hello, description);
  const { pending } = hello;
  if (!options) return { task, classes: own, pending };
  const refuse = (why: string) => {
    throw new UserError(`--classes ${options.join()}: ${why}`);
  };
  if (task === "regression") refuse(`the node's learner ${hello.learner} estimates numbers; leave it out`);
  const classes = new ClassNames(options);
  if (description?.names && `${own?.names}` !== `${options}`)
    refuse(`the node has classes ${own?.text}; leave it out`);
  if (described && own?.count !== options.length)
    refuse(`the node's learner has ${own?.count} classes; name each`);
  return { task, classes, pending };
}
