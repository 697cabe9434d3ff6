import { LABEL_STATUS } from "../../src/node/ports.ts";

const { ahead, duplicate, expired, held, range, refused, session, unknown } = LABEL_STATUS;

/** The names of a node's answers to labels, by their codes. */
export const STATUS_NAMES = Object.keys(LABEL_STATUS) as (keyof typeof LABEL_STATUS)[];

/** Answers that aren't final: the label is processed later, or was before. */
export const PASSING: readonly number[] = [duplicate, held, ahead];

/** Answers to labels that the node is done with, and didn't learn. */
export const UNLEARNED: readonly number[] = [expired, session, unknown, refused, range];

/** Why a node didn't learn a label, for people. */
const UNLEARNED_TEXTS: { readonly [name: string]: string } = {
  expired: "the node had discarded the sample, or had its label already",
  session: "the node restarted since the sample, and no longer has it",
  unknown: "the node never predicted the sample in that session",
  refused: "the learner refuses it",
  range: "the node takes no such label",
};

/** An answer by its name; of one to a label that the node didn't learn, with the reason. */
export function statusText(status: number): string {
  const name = STATUS_NAMES[status];
  const why = UNLEARNED.includes(status) ? UNLEARNED_TEXTS[name] : undefined;
  return why === undefined ? name : `${name}: ${why}`;
}
