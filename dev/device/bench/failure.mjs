/** A run that didn't end as it must, so its figures are void. */
export class Failure extends Error {}
