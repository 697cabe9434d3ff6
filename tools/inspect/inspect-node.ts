import { UserError } from "../../host/errors.ts";
import { ClassNames } from "../../host/streams/class-names.ts";
import { optionsObject, withFlag } from "../../host/terminal/arguments.ts";
import { checkOptionNames, chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { NodeCopy } from "../../host-sim/state/node-copy.ts";
import type { Family } from "../../src/learn/family.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import { isOneVsAll } from "../../targets/planned-node.ts";
import { MACHINE_CLOCK } from "../ports/clock.ts";
import { describedOptions } from "../session/description.ts";
import type { Session } from "../session/session.ts";
import { nodeOptions } from "./hello-options.ts";
import { copyMemory, readMemory } from "./read-memory.ts";
import type { Snapshot } from "./snapshot.ts";

interface KnownNode {
  /** Default: the learner that the node names. */
  readonly learner?: string;
  readonly budget?: number;
  /** The learner's options, as JSON. */
  readonly options: string;
  readonly features: Omit<FeaturesOption, "standardise">;
  /** Default: whichever fits. */
  readonly standardise?: boolean;
  /** Default: the names that the node tells. */
  readonly classes?: readonly string[];
}

/** The classes that the flags name; else those that the node tells. Throws a UserError for names that the learner can't have. */
async function readClasses(session: Session, family: Family, { classes: names }: KnownNode) {
  await session.awaitDescription();
  const { classes } = session;
  if (!names) return classes;
  try {
    const own = new ClassNames(names, family.task === "multiclass" || names.length > 2);
    if (classes && own.count === classes.count) return own;
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
  }
  throw new UserError(
    `--classes ${names.join(",")}: the node's learner ${family.name} has ${classes ? `${classes.count} classes` : "no classes"}; give as many distinct names`,
  );
}

/** The node's learner, where a node's file names the learner of each class alone; else the one that was asked for. */
function learnerName(learner: string, asked = learner): string {
  return isOneVsAll(learner) && learner.endsWith(`:${asked}`) ? learner : asked;
}

/** Copies the memory of the node at the other end of the session, and reads its regions. */
export async function inspectNode(session: Session, snapshot: Snapshot, asked: KnownNode) {
  const hello = await session.awaitHello();
  const family = chooseFamily(learnerName(hello.learner, asked.learner));
  const options = withFlag(optionsObject(asked.options), "budget", asked.budget);
  checkOptionNames(family, options);
  const { capacity } = await session.ask("statistics");
  const now = () => MACHINE_CLOCK.now();
  await readMemory(session, snapshot, now);
  const { features, standardise } = asked;
  const words = snapshot.words.length;
  const described = describedOptions(await session.awaitDescription());
  const known = { family, options, features, standardise, described, capacity, words };
  const copy = new NodeCopy(nodeOptions(hello, known));
  const { state, whole } = await copyMemory(session, snapshot, copy, now);
  const { learner, ...node } = copy.options;
  const classes = await readClasses(session, family, asked);
  return {
    schema: "motelearn.inspect/1" as const,
    node: hello,
    options: { ...node, learner: learner.name },
    /** The names of its classes, in the order of their targets, where it has names. */
    ...(classes &&
      !classes.isNumbered && {
        classes: classes.names,
        targets: classes.names.map((_, place) => classes.targetAt(place)),
      }),
    ...{ sid: state.sid, seq: state.seq, labelled: state.labelled },
    hashes: copy.hashes,
    /** True if the node has this layout; it has the learner's. */
    same: { learner: true, whole },
    ...copy.fill,
    counters: copy.counters,
    ...(copy.fleet && { fleet: copy.fleet }),
    regions: copy.regions,
  };
}

export type Inspection = Awaited<ReturnType<typeof inspectNode>>;
