/** A run that ended otherwise than it must: what it measured is worth nothing. */
export class Failure extends Error {}
