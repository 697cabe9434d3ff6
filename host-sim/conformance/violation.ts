/** A property of learners that doesn't hold; the message says of what, where, and what came in its place. */
export class Violation extends Error {}

/** Throws a Violation that says so unless `holds`. */
export function must(holds: boolean, otherwise: () => string): asserts holds {
  if (!holds) throw new Violation(otherwise());
}

/** Throws a Violation unless both are the same value, NaN being NaN. */
export function mustBe(got: unknown, wanted: unknown, what: string): void {
  must(Object.is(got, wanted), () => `${what}: got ${got}, not ${wanted}`);
}

/** Runs the check; what it throws says `where` first, and is a Violation whatever it was. */
export function within(where: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    const told = error instanceof Violation ? error.message : `throws ${error}`;
    throw new Violation(`${where}: ${told}`, { cause: error });
  }
}
