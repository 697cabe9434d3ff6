import { LABEL_STATUS } from "../../src/node/ports.ts";

const { ahead, duplicate, expired, held, range, refused, session, unknown } = LABEL_STATUS;

/** The names of a node's answers to labels, by their codes. */
export const STATUS_NAMES = Object.keys(LABEL_STATUS) as (keyof typeof LABEL_STATUS)[];

/** Answers that aren't final: the label is processed later, or was before. */
export const PASSING: readonly number[] = [duplicate, held, ahead];

/** Answers to labels that the node is done with, and didn't learn. */
export const UNLEARNED: readonly number[] = [expired, session, unknown, refused, range];
